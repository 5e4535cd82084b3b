"""`manage.py examine`: fold the facts that have been recorded since the last examination."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from audit.findings import examine as findings
from audit.management.options import processes
from audit.management.progress import progress_bar


class Command(BaseCommand):
    help = "Replay new facts, and store their findings and tallies. Running it twice changes nothing."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--all", action="store_true", help="examine every stream, even without new facts")
        parser.add_argument(
            "--workers", type=processes, default=1, help="how many processes replay in parallel"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with progress_bar("examined", "facts") as bar:
            result = findings.examine(
                all_streams=options["all"], workers=options["workers"], progress=bar.update
            )
        new = result.new - result.notices
        self.stdout.write(
            f"examined {result.facts} facts in {result.streams} streams: {new} new findings, {result.notices}"
            " notices"
        )
        if new or result.lost:
            print(f"{new} new findings; `manage.py findings` shows them", file=sys.stderr)
            sys.exit(1)
