"""The journal: the closed books as debits and credits, one row for each line, by day, shift or month. A
restated day is reversed and posted again.

Every document is balanced in its currency. Its number is permanent, so an accounting system can refuse to
load it twice. Entries that cannot be booked yet (an open or pending day, or a posting without an account) are
in no row; the page of the journal names them.
"""

from __future__ import annotations

from collections.abc import Sequence

from audit.queries.span import Span
from casino.journals.books import DAY, MONTH, PERIODS, SHIFT, Document, journal
from casino.journals.cache import adjustments, days, documents, lines, months
from casino.journals.cache.lines import Line, Sides, lines_of, totals_of
from casino.reports.columns import Absent, Column, Row, Rows, Sheet
from casino.reports.limits import Limits, chosen, day_or_month, days_of
from games.kit.amounts import decimal

TITLE = "Journal"
DEPARTMENT = "Accounting"
NEEDED = "After each close, to book it in your accounting program."
BY = PERIODS
DEFAULT_BY = (DAY,)
CHART = ""
LIMITED_BY = ("game", "day", "month")
"""The limits `day` and `month` are those on which a document is booked. The entry of a month has no table and
no shift, so they cannot be limits.
"""
CACHED_BY = tuple(module.__name__ for module in (adjustments, days, documents, lines, months))
"""The modules that write the cache from which this report is read."""
EMPTY = Absent("")
"""The cell for the side of a line, debit or credit, that has no amount."""
COLUMNS = (
    Column("document", "document"),
    Column("line", "line", "count"),
    Column("booked", "booked on", "day"),
    Column("kind", "kind"),
    Column("of_day", "gaming day"),
    Column("table", "table"),
    Column("game", "game"),
    Column("shift", "shift"),
    Column("currency", "currency"),
    Column("posted", "posted as"),
    Column("account", "account"),
    Column("name", "name"),
    Column("type", "type"),
    Column("debit", "debit", "money"),
    Column("credit", "credit", "money"),
    Column("text", "text"),
    Column("entry", "entry"),
    Column("reverses", "reverses"),
    Column("adjustments", "adjustments"),
)
LEADS = ("document", "account", "debit", "credit", "name", "line")
"""The columns that a page shows first."""


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """Return one row for each line of the documents that are booked on these days, and a total for each
    currency. The lines always come from the closed books.
    """
    if period(by) == MONTH or span.until is not None:
        return sheet_of(journal(span, period(by)).documents)
    cached = lines.Lines(span, period(by))
    return Sheet(TITLE, COLUMNS, Rows(cached, _row), _totals(cached.totals), leads=LEADS)


def limited_by(span: Span, by: tuple[str, ...], limits: Limits) -> Sheet:
    """Return the journal limited to the documents of one game, or booked on one day or in one month."""
    # The entry of a month is only complete if all days of the month are read.
    part = span if period(by) == MONTH else days_of(span, limits)
    every: Sequence[Line] = []
    if part is not None and (period(by) == MONTH or span.until is not None):
        every = list(lines_of(journal(part, period(by)).documents))
    elif part is not None:
        every = lines.Lines(part, period(by))
    return _sheet_of_lines(chosen(every, limits, _value))


def _value(line: Line, name: str) -> str:
    document = line[0]
    return document.game if name == "game" else day_or_month(document.booked, name)


def sheet_of(of_journal: Sequence[Document]) -> Sheet:
    """Return the rows and totals of these documents."""
    return _sheet_of_lines(list(lines_of(of_journal)))


def _sheet_of_lines(every: Sequence[Line]) -> Sheet:
    return Sheet(TITLE, COLUMNS, Rows(every, _row), _totals(totals_of(every)), leads=LEADS)


def _totals(totals: Sequence[Sides]) -> tuple[Row, ...]:
    columns, rows = [column.key for column in COLUMNS], []
    for total in totals:
        (currency,) = total.key
        sides = {side: decimal(amount, currency) for side, amount in total.figures._asdict().items()}
        rows.append(
            tuple({"document": "total", "currency": currency, **sides}.get(key, EMPTY) for key in columns)
        )
    return tuple(rows)


def period(by: tuple[str, ...]) -> str:
    """Return the period by which the journal is booked: month if `by` contains `month`, otherwise shift if
    `by` contains `shift`, otherwise day.
    """
    return next((name for name in (MONTH, SHIFT) if name in by), DAY)


def _row(line: Line) -> Row:
    document, number, posting = line
    assert posting.account is not None
    amount = decimal(abs(posting.amount), document.currency)
    sides = (amount, EMPTY) if posting.amount > 0 else (EMPTY, amount)
    return (
        document.number,
        number,
        document.booked.isoformat(),
        document.kind,
        document.day,
        document.table,
        document.game,
        document.shift,
        document.currency,
        posting.posted,
        posting.account.number,
        posting.account.name,
        posting.account.type,
        *sides,
        posting.text,
        document.text,
        document.reverses,
        " ".join(document.adjustments),
    )
