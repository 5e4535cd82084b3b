"""Command: restore an installation from a backup, and verify it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from audit.management.progress import progress_bar
from casino.runtime.operations import backup
from casino.runtime.operations import restore as restoring
from casino.runtime.operations.backup import Damaged, Manifest, Unusable
from casino.runtime.operations.postgres import Failed


class Command(BaseCommand):
    help = (
        "Restore an installation from a backup into an empty database, migrate it to this version, and"
        " verify its"
        " ledger. Exit 1: the backup is damaged."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="a folder written by `manage.py backup`")
        parser.add_argument(
            "--check",
            action="store_true",
            help="only check if the backup is complete; uses no database",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["folder"]
        try:
            with progress_bar("read", "B") as bar:
                manifest = backup.read(folder, bar.update)
            if options["check"]:
                self.stdout.write(f"the backup is complete: {description(manifest)}")
                return
            with progress_bar("restored", "B", manifest.bytes) as bar:
                result = restoring.restore(folder, manifest, bar.update)
        except Damaged as error:
            raise CommandError(f"the backup is damaged: {error}") from None
        except (Unusable, Failed) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"restored {description(manifest)}")
        if result.migrated:
            self.stdout.write(
                f"migrated to this version by {len(result.migrated)} migrations, the last is"
                f" {result.migrated[-1]}"
            )
        for role in result.unknown:
            print(
                f"the database has no role {role}: its privileges were not granted",
                file=sys.stderr,
            )
        call_command("verify", stdout=self.stdout)


def description(manifest: Manifest) -> str:
    """Return one line that says what a backup contains."""
    facts = sum(ledger.position for ledger in manifest.ledgers)
    return f"{facts:,} facts and {len(manifest.rows)} tables as of {manifest.made_at:%Y-%m-%d %H:%M:%S} UTC"
