"""A command is loaded: what it has imported until then stays to the end."""

from __future__ import annotations

import gc

from django.core.management import ManagementUtility
from django.core.management.base import BaseCommand


class Loading(ManagementUtility):
    """Django's commands and ours. To look for garbage in what is imported, again and again and once more at
    the end, was a fifth of a short command's time.
    """

    def fetch_command(self, subcommand: str) -> BaseCommand:
        command = super().fetch_command(subcommand)
        gc.freeze()
        gc.enable()
        return command
