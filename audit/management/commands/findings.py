"""`manage.py findings`: print the findings, in stream and number order."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from msgspec import json

from audit.findings import read
from audit.management.tables import table
from games.kit.codes import GRADE


class Command(BaseCommand):
    help = (
        "List findings: what is wrong, what was owed and moved, and the manual's rule. Exit 1 if any"
        " finding is more than a notice."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--stream", help="only this stream, PROPERTY/TABLE/DAY")
        parser.add_argument("--code", help=f"only this code, one of: {', '.join(sorted(GRADE))}")
        parser.add_argument("--format", choices=("table", "ndjson"), default="table")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["code"] is not None and options["code"] not in GRADE:
            raise CommandError(
                f"there is no code {options['code']!r}; the codes are {', '.join(sorted(GRADE))}",
                returncode=2,
            )
        if options["stream"] is not None and not read.known_stream(options["stream"]):
            raise CommandError(
                f"there is no stream {options['stream']!r}; a stream is PROPERTY/TABLE/DAY", returncode=2
            )
        count = grave = 0
        rows = []
        for finding, currency in read.findings(stream=options["stream"], code=options["code"]):
            count += 1
            grave += finding.grade != "notice"
            if options["format"] == "ndjson":
                self.stdout.write(json.encode(finding).decode())
            else:
                rows.append(read.as_row(finding, currency))
        if options["format"] == "table":
            self.stdout.write(table(read.HEADINGS, rows) if rows else "no findings")
        if grave:
            print(f"{count} findings, {count - grave} of them notices", file=sys.stderr)
            sys.exit(1)
