"""Monthly entries: the documents of all days of a month, added up by game. Restated days remain separate
documents. They reverse a day that is in the entry of its month, so they wait until that entry is booked.

A month is booked when it is complete: a table was opened in a later month, and every table's day of the month
is closed. A later correction is booked in the month in which it was made. A day may reach the ledger only
after its month was complete, for example if a feed was imported late. Such a day is booked by itself. So each
month has one entry for each game, and it never changes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from audit.queries.closed_books import first_positions, open_days
from audit.queries.span import Span
from casino.journals.cache import months as cached_months
from casino.journals.documents import ENTRY, MONEY, Document, Held, Posting
from casino.journals.postings import ORDER
from casino.reference.chart import Account

STOPS = frozenset({"open", "order"})
"""If a day is held for one of these reasons, its month cannot be booked either, because the day will be
booked in this month. Other reasons do not stop the month. For example, a day that was closed without its
count is booked in the month in which the count is recorded.
"""


class Month(NamedTuple):
    """A month, its first and last day, and the days that prevent it from being booked."""

    name: str
    first: date
    last: date
    held: list[Held]


def months(
    span: Span, property: str, documents: Sequence[Document], held: Sequence[Held]
) -> Iterator[Document | Held]:
    """Yield the monthly documents of one property, built from the documents of its days. If a month or a day
    cannot be booked, yield an entry that says why.
    """
    ends = _MonthEnds(span, property, [*documents, *held])
    of_month: dict[str, list[Document]] = defaultdict(list)
    restated: dict[str, list[Document]] = defaultdict(list)
    for document in documents:
        if document.kind == MONEY or ends.began_late(document):
            yield document
        elif document.kind == ENTRY:
            of_month[f"{document.booked:%Y-%m}"].append(document)
        else:
            restated[document.day[:7]].append(document)
    waiting: dict[str, list[Held]] = defaultdict(list)
    for item in held:
        stops = item.about in STOPS and not ends.began_late(item)
        if stops:
            waiting[item.day[:7]].append(item)
        else:
            yield item
    for name in sorted({*of_month, *waiting}):
        month = _month(name, waiting[name])
        if says := _why(month, span, ends.position(name)):
            yield Held("month", property, "", "", name, says)
        else:
            yield from _entries(month, of_month[name])
    for name, of_days in sorted(restated.items()):
        if not (ends.has_open_days(name) or waiting.get(name)):
            yield from of_days
        elif name not in of_month and name not in waiting:
            says = (
                f"days of this month are restated, but the month is not booked yet ({len(of_days)} documents)"
            )
            yield Held("month", property, "", "", name, says)


class _MonthEnds:
    """Finds the position in the ledger at which each month ended, and the days of tables that were first
    recorded after their month had ended.
    """

    def __init__(self, span: Span, property: str, documents: Sequence[Document | Held]) -> None:
        self.span, self.property, self.ends = span, property, dict[str, int | None]()
        self.began = first_positions(
            property, {_stream(document) for document in documents if document.table}
        )

    def position(self, month: str) -> int | None:
        """Return the position in the ledger at which a month ended, or None if it has not ended."""
        if month not in self.ends:
            self.ends[month] = cached_months.month_end(self.property, _month(month, []).last, self.span.until)
        return self.ends[month]

    def has_open_days(self, name: str) -> bool:
        """Return True if a month has not ended, or if a table's day of it is open, unless that day was first
        recorded after the month had ended.
        """
        month, end = _month(name, []), self.position(name)
        if end is None:
            return True
        of_month = self.span._replace(begins=month.first, ends=month.last + timedelta(days=1))
        tables = open_days(of_month._replace(property=self.property))
        streams = [f"{table}/{day}" for table, days in tables.items() for day in days]
        return any(position <= end for position in first_positions(self.property, streams).values())

    def began_late(self, document: Document | Held) -> bool:
        """Return True if this table's day was first recorded after its month had ended."""
        end = self.position(document.day[:7])
        return end is not None and self.began.get(_stream(document), 0) > end


def _stream(document: Document | Held) -> str:
    return f"{document.house}/{document.table}/{document.day}"


def _month(name: str, held: list[Held]) -> Month:
    first = date.fromisoformat(f"{name}-01")
    last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    return Month(name, first, last, held)


def _why(month: Month, span: Span, over: int | None) -> str:
    if (span.begins is not None and span.begins > month.first) or (
        span.ends is not None and span.ends <= month.last
    ):
        return (
            "only a part of the month was requested: request it from its first day to the first day of the"
            " next month"
        )
    if over is None:
        return "the month is not over: no table was opened in a later month"
    if month.held:
        first = f"{month.held[0].table} on {month.held[0].day}"
        remainder = f" and {len(month.held) - 1} more" if len(month.held) > 1 else ""
        return f"the days of {first}{remainder} are not booked yet"
    return ""


def _entries(month: Month, documents: Iterable[Document]) -> Iterator[Document]:
    """Yield one document for each game and currency."""
    groups: dict[tuple[str, str], list[Document]] = defaultdict(list)
    for document in documents:
        groups[document.game, document.currency].append(document)
    for (game, currency), in_group in sorted(groups.items()):
        sums: dict[tuple[str, str, Account | None], int] = defaultdict(int)
        for posting in (posting for document in in_group for posting in document.postings):
            sums[posting.what, posting.posted, posting.account] += posting.amount
        postings = sorted(
            (
                Posting(category, posted, amount, account)
                for (category, posted, account), amount in sums.items()
                if amount
            ),
            key=lambda line: (ORDER[line.what], line.posted, line.account or Account("", "", "")),
        )
        if postings:
            yield Document(
                f"{in_group[0].house}/{month.name}/{game}/{currency}",
                ENTRY,
                in_group[0].house,
                "",
                game,
                month.name,
                month.last,
                "",
                currency,
                1,
                f"{game.replace('_', ' ').title()}, {month.name}, {len(in_group)} days of tables",
                "",
                (),
                max(document.position for document in in_group),
                tuple(postings),
            )
