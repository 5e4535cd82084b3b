"""Command: save the whole installation, as of now, in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audit.management.progress import progress_bar
from casino.runtime.operations import backup
from casino.runtime.operations.backup import Unusable
from casino.runtime.operations.postgres import Failed


class Command(BaseCommand):
    help = (
        "Save the whole installation as of now into a folder, from which `manage.py restore` can restore it."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="an empty folder, or one that does not exist yet")

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["folder"]
        try:
            with progress_bar("saved", "B") as bar:
                manifest = backup.make(folder, bar.update)
        except (Unusable, Failed) as error:
            raise CommandError(str(error)) from None
        facts = sum(ledger.position for ledger in manifest.ledgers)
        self.stdout.write(
            f"saved {facts:,} facts and {len(manifest.rows)} tables to {folder}: {manifest.bytes:,} bytes,"
            f" SHA-256 {manifest.sha256}"
        )
