"""`manage.py replay_archive`: replay archived facts and print the results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audit import database
from audit.fact_archive import files, replay
from audit.fact_archive.files import UnreadableArchive
from audit.garbage import without_garbage_collection
from audit.management.progress import progress_bar
from audit.queries import heads


class Command(BaseCommand):
    help = (
        "Replay the facts of an archive that archive_facts wrote. Print a line of JSON for each table's"
        " gaming day with its findings and tally, and one for each property with the findings of its whole"
        " ledger. Nothing is stored."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the arguments: the folder, and where the facts are read."""
        parser.add_argument("folder", type=Path, help="the folder of the archive")
        parser.add_argument("--property", help="only this property")
        parser.add_argument(
            "--from-ledger",
            action="store_true",
            help="replay the same facts from the ledger; the output is the same",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the results of the replay."""
        from_ledger = options["from_ledger"]
        replay_day = replay.replay_day_of_ledger if from_ledger else replay.replay_day
        try:
            parts = files.all_parts(options["folder"])
            properties = sorted({part.manifest.property for part in parts})
            if options["property"] is not None:
                properties = [name for name in properties if name == options["property"]]
            if not properties:
                raise CommandError(f"The archive has no month of {options['property']}.", returncode=2)
            with database.snapshot(), progress_bar("replayed", "facts") as bar, without_garbage_collection():
                for day in replay.days(part for part in parts if part.manifest.property in properties):
                    for line in replay_day(day, bar.update):
                        self.stdout.write(line.decode(), ending="")
                for name in properties:
                    last = heads.head(name).position
                    line = (
                        replay.replay_ledger_of_database(name, last)
                        if from_ledger
                        else replay.replay_ledger(name, parts, last)
                    )
                    self.stdout.write(line.decode(), ending="")
        except UnreadableArchive as error:
            raise CommandError(str(error)) from None
