"""Fold everything again by today's rules."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from audit import findings
from audit.management.shown import Progress, processes


class Command(BaseCommand):
    help = "Fold every stream from its start by today's rules; prints findings gained and lost, and records them as `reexamined`."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="write nothing, only print what would change")
        parser.add_argument("--workers", type=processes, default=1, help="processes that fold side by side")

    def handle(self, *args: Any, **options: Any) -> None:
        with Progress("examined", "facts") as progress:
            done = findings.reexamine(dry_run=options["dry_run"], workers=options["workers"], progress=progress)
        for id_ in done.gained:
            self.stdout.write(f"gained {id_}")
        for id_ in done.lost:
            self.stdout.write(f"lost {id_}")
        self.stdout.write(f"examined {done.facts} facts in {done.streams} streams: gained {len(done.gained)}, lost {len(done.lost)}")
        if done.gained or done.lost:
            print(f"{len(done.gained)} findings gained and {len(done.lost)} lost", file=sys.stderr)
            sys.exit(1)
