"""Command: bring the tables of register entries in force up to date with the ledger, or rebuild them."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from casino.reference import projection


class Command(BaseCommand):
    help = "Bring the registers (people, tables, approvals …) up to date with the ledger, or rebuild them."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--rebuild", action="store_true", help="delete the projection first; names and passwords are kept"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        count = projection.rebuild() if options["rebuild"] else projection.sync_registers()
        self.stdout.write(f"{count} register entries read")
