"""A report of gaming days: hold, drop, coverage, and whatever stands in casino/reports."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audit.management.spans import add_span, span_of
from casino import reports
from casino.exports import BINARY, FORMATS, writer_of


class Command(BaseCommand):
    help = f"Show a report: {', '.join(reports.names())}."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help=f"one of: {', '.join(reports.names())}")
        add_span(parser)
        parser.add_argument("--by", help="one row for each of these, with commas: table,day,shift ...")
        parser.add_argument("--format", default="table", choices=(*FORMATS,))

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            report = reports.report(options["name"])
        except LookupError:
            raise CommandError(f"no report {options['name']!r}: there is {', '.join(reports.names())}", returncode=2) from None
        try:
            write = writer_of(options["format"])
        except LookupError as error:
            raise CommandError(error.args[0], returncode=2) from None
        written = write(report.sheet(span_of(options), by_of(report, options["by"])))
        if options["format"] not in BINARY:
            for part in written:
                self.stdout.write(part.decode(), ending="")
            return
        if sys.stdout.isatty():
            raise CommandError(f"{options['format']} is no text: send it to a file, with > or manage.py export --out", returncode=2)
        sys.stdout.buffer.writelines(written)
        sys.stdout.flush()


def by_of(report: reports.Report, given: str | None) -> tuple[str, ...]:
    """What to group by. Raises CommandError (misused) for what the report does not know."""
    if given is None:
        return report.DEFAULT_BY
    by = tuple(dict.fromkeys(name.strip() for name in given.split(",")))
    if strange := [name for name in by if name not in report.BY]:
        known = f"it can go by {', '.join(report.BY)}" if report.BY else "it has no --by"
        raise CommandError(f"--by {', '.join(strange)}: {known}", returncode=2)
    return by
