"""Command: archive the facts of closed months in Parquet files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audit.fact_archive.files import UnreadableArchive
from audit.management.progress import progress_bar
from audit.models import Head
from casino.accounts import view_log
from casino.accounts.permissions import can
from casino.exports import fact_archive
from casino.exports.fact_archive import Month, NotArchived
from casino.models import Person

RIGHT = "see-facts"


class Command(BaseCommand):
    help = (
        "Write the facts of closed months to a folder: a Parquet file for each gaming day, and for each"
        " month a manifest that proves them. Months that are in the folder are left as they are. If the"
        " command is stopped, it continues when it is run again."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the arguments: the folder, the property, the month and the person."""
        parser.add_argument("folder", type=Path, help="the folder of the archive, such as /mnt/archive")
        parser.add_argument("--property", required=True, help="the property")
        parser.add_argument(
            "--month", metavar="MONTH", help="only this month, such as 2026-10; default: all closed months"
        )
        parser.add_argument(
            "--by", required=True, metavar="ID", help="your staff ID; you need the right to see facts"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Archive the months, and print a line for each."""
        folder, property = options["folder"], options["property"]
        person = _person(options["by"], property)
        chosen = _months(property, options["month"])
        view_log.record_report(person, property, "archive of facts", str(folder))
        try:
            with fact_archive.alone():
                for month in chosen:
                    self._archive(folder, property, month)
        except (NotArchived, UnreadableArchive) as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"{folder} cannot be written: {error}") from None
        if not chosen:
            self.stdout.write(f"{property} has no closed month")

    def _archive(self, folder: Path, property: str, month: Month) -> None:
        with progress_bar(f"archived {month.month}", "facts") as bar:
            manifest = fact_archive.archive_month(folder, property, month, bar.update)
        if manifest is None:
            self.stdout.write(f"{property} {month.month}: archived before, no new facts")
            return
        part = "" if manifest.part == 1 else f" recorded since, as part {manifest.part}"
        self.stdout.write(
            f"{property} {month.month}: {manifest.facts:,} facts in {len(manifest.days)} files{part}"
        )


def _person(id: str, property: str) -> Person:
    """Return the person. Raise CommandError if they may not see the facts of the property."""
    person: Person | None = Person.objects.filter(pk=id, is_active=True).first()
    if person is None or not can(person, RIGHT, property):
        raise CommandError(f"{id} may not see the facts of {property}.")
    return person


def _months(property: str, name: str | None) -> list[Month]:
    """Return the months to archive: the month of this name, or all closed months."""
    months = fact_archive.months(property)
    if not months:
        ledgers = ", ".join(Head.objects.order_by("property").values_list("property", flat=True)) or "none"
        raise CommandError(f"{property!r} has no ledger. Available: {ledgers}", returncode=2)
    if name is None:
        return [month for month in months if month.is_closed]
    named = [month for month in months if month.month == name]
    if not named:
        available = ", ".join(month.month for month in months)
        raise CommandError(f"{property} has no facts of {name!r}. Available: {available}", returncode=2)
    return named
