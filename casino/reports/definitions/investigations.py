"""Investigations of the statistical review: who investigated which row, the result, and the figures at that
time.

The days are those on which the notes were written. The text of a note may have been erased; the fact keeps
its hash.
"""

from __future__ import annotations

from audit.queries.span import Span
from casino.reports.columns import Absent, Column, Sheet
from casino.reports.limits import NO_LIMITS, Limits, chosen, day_or_month
from casino.reports.statistical_review import Investigation, investigations

TITLE = "Investigations of the statistical review"
DEPARTMENT = "Surveillance and audit"
NEEDED = "When an auditor asks what was done about unusual results."
BY: tuple[str, ...] = ()
DEFAULT_BY: tuple[str, ...] = ()
CHART = ""
LIMITED_BY = ("table", "game", "pit", "day", "month", "shift", "dealer", "hour", "wager")
"""The limits `day` and `month` are those on which a note was written. The others are values of the row of the
review that was investigated.
"""
LEADS = ("day", "subject", "asked", "state", "words")
"""The columns that the page shows first: what was investigated, and the result."""


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """Return one row for each note of an investigation."""
    return limited(span, NO_LIMITS)


def limited(span: Span, limits: Limits) -> Sheet:
    """Return the report limited to the notes of some values. A note about a row that has no such value is
    left out.
    """
    columns = (
        Column("day", "written on", "day"),
        Column("by", "by"),
        Column("report", "report"),
        Column("subject", "row"),
        Column("begins", "from", "day"),
        Column("last", "to", "day"),
        Column("asked", "verdict of the review"),
        Column("state", "state or result"),
        Column("words", "words"),
        Column("figures", "figures then"),
        Column("head", "ledger position then", "count"),
    )
    rows = [
        (
            note.day.isoformat(),
            note.by,
            note.subject.report,
            ", ".join(filter(None, note.subject.key)),
            note.subject.begins.isoformat(),
            note.subject.last.isoformat(),
            note.figures.get("verdict", ""),
            note.state,
            Absent("erased") if note.words is None else note.words,
            "; ".join(f"{name} {cell}" for name, cell in note.figures.items() if cell),
            note.saw,
        )
        for note in chosen(investigations(span), limits, _value)
    ]
    return Sheet(TITLE, columns, rows, leads=LEADS)


def _value(note: Investigation, name: str) -> str:
    if name in ("day", "month"):
        return day_or_month(note.day, name)
    subject = note.subject
    return subject.key[subject.by.index(name)] if name in subject.by else ""
