"""Facts, findings, rounds, the tally, and whatever else stands in casino/sources, or any report, written to a file."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audit.management.spans import add_span, span_of
from casino import reports, sources
from casino.exports import FORMATS, writer_of
from casino.management.commands.report import by_of
from casino.reports import Sheet
from casino.sources import Asked


class Command(BaseCommand):
    help = f"Export {', '.join(sources.names())}, or a report ({', '.join(reports.names())})."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help=f"one of: {', '.join((*sources.names(), *reports.names()))}")
        add_span(parser)
        parser.add_argument("--by", help="of a report: one row for each of these, with commas")
        parser.add_argument("--format", default="csv", choices=(*FORMATS,))
        parser.add_argument("--out", help="the file; it appears when it is whole. Without it, standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        sheet = _sheet(options)
        try:
            write = writer_of(options["format"])
        except LookupError as error:
            raise CommandError(error.args[0], returncode=2) from None
        # facts have a form of their own: the very bytes that were recorded, which import_facts takes back
        own = sheet.recorded and options["format"] == "ndjson"
        parts = _recorded(sheet) if own else write(sheet)
        if options["out"]:
            try:
                _write(Path(options["out"]), parts)
            except OSError as error:
                raise CommandError(f"{options['out']} cannot be written: {error.strerror}") from None
        else:
            sys.stdout.buffer.writelines(parts)
            sys.stdout.flush()


def _sheet(options: dict[str, Any]) -> Sheet:
    """What is asked for. Raises CommandError (misused) where there is no such thing."""
    name = options["name"]
    if name in sources.names():
        if options["by"] is not None:
            raise CommandError(f"--by groups a report; {name} has its own rows", returncode=2)
        return sources.sheet(name, Asked(span_of(options)))
    try:
        report = reports.report(name)
    except LookupError:
        there = ", ".join((*sources.names(), *reports.names()))
        raise CommandError(f"{name!r} cannot be exported: there is {there}", returncode=2) from None
    return report.sheet(span_of(options), by_of(report, options["by"]))


def _recorded(sheet: Sheet) -> Iterator[bytes]:
    place = [column.key for column in sheet.columns].index(sheet.recorded)
    yield from (f"{row[place]}\n".encode() for row in sheet.rows)


def _write(path: Path, parts: Iterable[bytes]) -> None:
    """Beside its place first: nobody ever reads half a file."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with part.open("wb") as file:
            file.writelines(parts)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
