"""Investigations of the statistical review: who looked into which row, what came of it, and the figures as
they stood then.

The days are those on which it was written. Words may have been erased: the fact keeps their hash.
"""

from __future__ import annotations

from audit.queries.tallies import Span
from casino.reports.columns import Absent, Column, Sheet
from casino.reports.statistical_review import investigations

TITLE = "Investigations of the statistical review"
BY: tuple[str, ...] = ()
DEFAULT_BY: tuple[str, ...] = ()
CHART = ""


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each thing that was written."""
    columns = (
        Column("day", "written on", "day"),
        Column("by", "by"),
        Column("report", "report"),
        Column("subject", "row"),
        Column("begins", "from", "day"),
        Column("last", "to", "day"),
        Column("asked", "why it was asked"),
        Column("state", "what came of it"),
        Column("words", "words"),
        Column("figures", "figures then"),
        Column("head", "ledger's position seen", "count"),
    )
    rows = [
        (
            one.day.isoformat(),
            one.by,
            one.subject.report,
            ", ".join(filter(None, one.subject.key)),
            one.subject.begins.isoformat(),
            one.subject.last.isoformat(),
            one.figures.get("verdict", ""),
            one.state,
            Absent("erased") if one.words is None else one.words,
            "; ".join(f"{name} {cell}" for name, cell in one.figures.items() if cell),
            one.saw,
        )
        for one in investigations(span)
    ]
    return Sheet(TITLE, columns, rows)
