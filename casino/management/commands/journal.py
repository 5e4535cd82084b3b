"""Command: write the journal of closed days in the format that an accounting system imports."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audit.management.options import add_span, span_of
from audit.queries.heads import read_up_to
from casino.journals.books import DAY, PERIODS, Held, journal, position_error, since
from casino.journals.control import control_totals
from casino.journals.formats import FORMATS, File, files
from casino.journals.formats.beancount import without_accounts
from casino.journals.formats.fitting import Unwritable


class Command(BaseCommand):
    help = (
        f"Write the journal of closed days as {', '.join(FORMATS)}. The held entries and the position"
        " are printed to standard error."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        add_span(parser)
        parser.add_argument(
            "--by",
            default=DAY,
            choices=PERIODS,
            help="an entry for each table's day, for each shift, or for each month and game",
        )
        parser.add_argument("--format", default="csv", choices=(*FORMATS,))
        parser.add_argument(
            "--after",
            type=int,
            metavar="POSITION",
            help="only documents created after this position of the property's ledger",
        )
        parser.add_argument(
            "--without-accounts",
            action="store_true",
            help="beancount only: do not open accounts, for a file that a main file includes",
        )
        parser.add_argument(
            "--out",
            help="the file; several files have currency and number after this name; default: standard output",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["without_accounts"] and options["format"] != "beancount":
            raise CommandError("--without-accounts needs --format beancount", returncode=2)
        span, by, after = span_of(options), options["by"], options["after"]
        if after is not None and span.property is None:
            raise CommandError("--after is a position of one property's ledger: add --property", returncode=2)
        if span.property is not None:
            if after is not None and (wrong := position_error(span.property, after)):
                raise CommandError(f"--after {wrong}", returncode=2)
            span = span._replace(until=read_up_to(span.property).position)
        entries = journal(span, by) if after is None else since(span, after, by)
        target = Path(options["out"]) if options["out"] else None
        try:
            if options["without_accounts"]:
                files_to_write = [File("", without_accounts(entries.documents), "")]
            else:
                stem = target.stem if target is not None else "journal"
                files_to_write = files(entries.documents, options["format"], stem, entries.before)
        except Unwritable as error:
            raise CommandError(str(error)) from None
        _write(files_to_write, target)
        for total in control_totals(entries.documents):
            print(total.text, file=sys.stderr)
        if summary := held_summary(entries.held):
            print(summary, file=sys.stderr)
        if span.property is not None:
            print(
                f"up to position {span.until} of {span.property}: the next load is --after {span.until}",
                file=sys.stderr,
            )
        if any(item.about == "unmapped" for item in entries.held):
            sys.exit(1)


def _write(files: Sequence[File], target: Path | None) -> None:
    """Write each file to a temporary file in the same folder, then rename it. If there is no target, write
    the only file to standard output.
    """
    if target is None:
        if len(files) > 1:
            raise CommandError(
                f"the journal needs {len(files)} files: give the first part of their names with --out",
                returncode=2,
            )
        sys.stdout.buffer.write(files[0].content)
        sys.stdout.flush()
        return
    for file in files:
        path = target if len(files) == 1 else target.with_name(f"{Path(file.name).stem}{target.suffix}")
        try:
            part = path.with_name(f".{path.name}.part")
            part.write_bytes(file.content)
            part.replace(path)
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error.strerror}") from None


def held_summary(held: Sequence[Held]) -> str:
    """Return one line about the entries that are not booked: how many there are for each reason, and the
    first entry that lacks an account. Return empty text if all entries are booked.
    """
    if not held:
        return ""
    numbers = Counter(item.about for item in held)
    summary = ", ".join(f"{number} {about}" for about, number in sorted(numbers.items()))
    first = next((f"; {item.says}" for item in held if item.about == "unmapped"), "")
    return f"not booked: {summary}{first}"
