"""The house with a sample gaming day: what it finds, and what each table held."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from msgspec import json

from audit import findings, found, intake
from audit.facts import check
from audit.intake import Sender
from audit.management.shown import Progress, table
from audit.queries import Span
from casino import reports
from casino.exports import writer_of
from casino.sample import sample_house

POST = 500


class Command(BaseCommand):
    help = "Record a sample gaming day (once), examine it, and show findings with rule and money, and hold by table."

    def handle(self, *args: Any, **options: Any) -> None:
        facts = sample_house()
        with Progress("recorded", "facts", len(facts)) as progress:
            fresh = self.record(facts, progress)
        with Progress("examined", "facts") as progress:
            findings.examine(progress=progress)
        self.stdout.write(f"{len(facts)} facts of one gaming day, {fresh} of them recorded now\n\n")
        shown = [found.as_row(one, currency) for one, currency in found.findings() if one.grade != "notice"]
        self.stdout.write(table(found.HEADINGS, shown) + "\n\n")
        hold = reports.report("hold")
        for text in writer_of("table")(hold.sheet(Span(None, None), hold.DEFAULT_BY)):
            self.stdout.write(text, ending="")
        self.stdout.write("\nGo on with: .venv/bin/python manage.py findings --code wrong-settlement, report coverage, verify, help\n")

    def record(self, facts: list[dict[str, Any]], progress: Progress) -> int:
        """Post the day through the one door in; what is there already stays. How many facts were new."""
        checked = [check(json.encode(fact)) for fact in facts]
        fresh = 0
        for start in range(0, len(checked), POST):
            told = intake.post_prepared(checked[start : start + POST], Sender("demo"))
            fresh += sum(one.fresh for one in told)
            progress(len(told))
        return fresh
