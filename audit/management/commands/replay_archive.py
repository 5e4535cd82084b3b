"""`manage.py replay_archive`: replay archived facts and print the results."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audit import database
from audit.fact_archive import files, replay
from audit.fact_archive.files import Part, UnreadableArchive
from audit.garbage import without_garbage_collection
from audit.jobs.work_units import Progress, Unfinished
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
        """Add the arguments: the folder, where the facts are read, and who replays them."""
        parser.add_argument("folder", type=Path, help="the folder of the archive")
        parser.add_argument("--property", help="only this property")
        source = parser.add_mutually_exclusive_group()
        source.add_argument(
            "--from-ledger",
            action="store_true",
            help="replay the same facts from the ledger; the output is the same",
        )
        source.add_argument(
            "--on-workers",
            action="store_true",
            help="let the Celery workers of all machines replay; they must see the folder under this path",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the results of the replay."""
        wanted = options["property"]
        try:
            parts = files.all_parts(options["folder"])
            archived = {part.manifest.property for part in parts}
            properties = [name for name in sorted(archived) if wanted in (None, name)]
            if not properties:
                raise CommandError(f"The archive has no month of {wanted}.", returncode=2)
            with progress_bar("replayed", "facts") as bar, without_garbage_collection():
                for line in _lines(parts, options, bar.update):
                    self.stdout.write(line.decode(), ending="")
            for name in properties:
                self.stdout.write(_ledger(name, parts, options["from_ledger"]).decode(), ending="")
        except (UnreadableArchive, Unfinished) as error:
            raise CommandError(str(error)) from None


def _lines(parts: list[Part], options: dict[str, Any], progress: Progress) -> Iterator[bytes]:
    """Yield the lines of all gaming days."""
    wanted = options["property"]
    if options["on_workers"]:
        yield from replay.replay_days_on_workers(options["folder"], progress, wanted)
        return
    replay_day = replay.replay_day_of_ledger if options["from_ledger"] else replay.replay_day
    for day in replay.days(parts):
        if wanted in (None, day.property):
            with database.snapshot():
                yield from replay_day(day, progress)


def _ledger(property: str, parts: list[Part], from_ledger: bool) -> bytes:
    """Return the line of a property's ledger fold."""
    with database.snapshot():
        last = heads.head(property).position
        if from_ledger:
            return replay.replay_ledger_of_database(property, last)
        return replay.replay_ledger(property, parts, last)
