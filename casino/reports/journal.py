"""The journal: the closed books as debits and credits, one row a line, by day, shift or month; a restated day is reversed and posted anew.

Every document is balanced in its currency, and its number is its own for ever: a second load of it can be refused. What is not booked yet
(an open day, a pending one, what has no account) is in no row; the page of the journal names it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from audit.queries import Span
from casino.journals import DAY, MONTH, PERIODS, SHIFT, Document, journal, kept_days
from casino.journals.documents import Posting
from casino.reports import Absent, Column, Row, Rows, Sheet
from games.kit.amounts import decimal

TITLE = "Journal"
BY = PERIODS
DEFAULT_BY = (DAY,)
CHART = ""
ADDED_UP_BY = kept_days.__name__
EMPTY = Absent("")
"""The side of a line on which nothing stands."""
COLUMNS = (
    Column("document", "document"), Column("line", "line", "count"), Column("booked", "booked on", "day"), Column("kind", "kind"),
    Column("of_day", "gaming day"), Column("table", "table"), Column("game", "game"), Column("shift", "shift"),
    Column("currency", "currency"), Column("posted", "posted as"), Column("account", "account"), Column("name", "name"),
    Column("type", "type"), Column("debit", "debit", "money"), Column("credit", "credit", "money"), Column("text", "text"),
    Column("entry", "entry"), Column("reverses", "reverses"), Column("adjustments", "adjustments"),
)  # fmt: skip


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each line of the documents that are booked in these days, always of the closed books; a total for each currency."""
    return sheet_of(journal(span, period(by)).documents)


def sheet_of(documents: Sequence[Document]) -> Sheet:
    """The same of these documents."""
    lines = [(document, number, posting) for document in documents for number, posting in enumerate(document.postings, 1)]
    totals = Counter[tuple[str, bool]]()
    for document, _, posting in lines:
        totals[document.currency, posting.amount > 0] += abs(posting.amount)
    blank, columns = {"document": "total"}, [column.key for column in COLUMNS]
    rows = []
    for currency in sorted({currency for currency, _ in totals}):
        sides = {side: decimal(totals[currency, debit], currency) for side, debit in (("debit", True), ("credit", False))}
        rows.append(tuple({**blank, "currency": currency, **sides}.get(key, EMPTY) for key in columns))
    return Sheet(TITLE, COLUMNS, Rows(lines, _row), tuple(rows))


def period(by: tuple[str, ...]) -> str:
    """What a journal goes by: of several that are named, the longest that is no day, else the shift."""
    return next((name for name in (MONTH, SHIFT) if name in by), DAY)


def _row(line: tuple[Document, int, Posting]) -> Row:
    document, number, posting = line
    assert posting.account is not None
    amount = decimal(abs(posting.amount), document.currency)
    sides = (amount, EMPTY) if posting.amount > 0 else (EMPTY, amount)
    return (
        document.number, number, document.booked.isoformat(), document.kind, document.day, document.table, document.game,
        document.shift, document.currency, posting.posted, *posting.account, *sides, posting.text, document.text, document.reverses,
        " ".join(document.adjustments),
    )  # fmt: skip
