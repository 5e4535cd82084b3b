"""Start commands faster by excluding imported modules from garbage collection."""

from __future__ import annotations

import gc

from django.core.management import ManagementUtility
from django.core.management.base import BaseCommand


class Loading(ManagementUtility):
    """Django's command-line utility, which excludes imported modules from garbage collection once the command
    is loaded. Collecting them took a fifth of a short command's time.
    """

    def fetch_command(self, subcommand: str) -> BaseCommand:
        command = super().fetch_command(subcommand)
        gc.freeze()
        gc.enable()
        return command
