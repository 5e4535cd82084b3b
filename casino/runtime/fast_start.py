"""Start commands faster by excluding the imported modules from garbage collection."""

from __future__ import annotations

import gc

from django.core.management import ManagementUtility
from django.core.management.base import BaseCommand


class Loading(ManagementUtility):
    """Django's command-line utility. When the command is loaded, the imported modules are excluded from
    garbage collection. The collection of these modules took a fifth of the time of a short command.
    """

    def fetch_command(self, subcommand: str) -> BaseCommand:
        command = super().fetch_command(subcommand)
        gc.freeze()
        gc.enable()
        return command
