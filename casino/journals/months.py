"""A month's entries: what was closed of all its days, added up by game. Days that were restated stay documents of their own.

A month is booked when nothing can come to it any more: the ledger has gone past it and every table's day of it is closed. What is learned
later is booked in the month in which it was learned, so that there is one entry of a month and a game, and never another.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from audit.queries import Span
from casino.journals.chart import Account
from casino.journals.documents import ENTRY, Document, Held, Posting
from casino.journals.postings import ORDER

STOPS = frozenset({"open", "order"})
"""What holds up a month: a day that will be booked in it. A day that was closed without its count is booked where its count is found."""


class Month(NamedTuple):
    """A month, its last day, and the days of it that are not booked."""

    name: str
    first: date
    last: date
    held: list[Held]


def months(span: Span, last_day: date | None, found: Sequence[Document], held: Sequence[Held]) -> Iterator[Document | Held]:
    """The documents of days made into those of months. `last_day`: the latest of the property's ledger."""
    of_month: dict[str, list[Document]] = defaultdict(list)
    for document in found:
        if document.kind == ENTRY:
            of_month[f"{document.booked:%Y-%m}"].append(document)
        else:
            yield document
    waiting: dict[str, list[Held]] = defaultdict(list)
    for one in held:
        waiting[one.day[:7]].append(one)
        if one.about not in STOPS:
            yield one
    for name in sorted({*of_month, *(name for name, of in waiting.items() if any(one.about in STOPS for one in of))}):
        month = _month(name, waiting[name])
        documents = of_month[name]
        if says := _why(month, span, last_day):
            house = documents[0].house if documents else waiting[name][0].house
            yield Held("month", house, "", "", name, says)
        else:
            yield from _entries(month, documents)


def _month(name: str, held: list[Held]) -> Month:
    first = date.fromisoformat(f"{name}-01")
    last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    return Month(name, first, last, held)


def _why(month: Month, span: Span, last_day: date | None) -> str:
    if (span.begins is not None and span.begins > month.first) or (span.ends is not None and span.ends <= month.last):
        return "only a part of it was asked for: ask from its first day to the first of the next month"
    if last_day is None or last_day <= month.last:
        return "it is not over: the ledger has no later gaming day"
    stopped = [one for one in month.held if one.about in STOPS]
    if stopped:
        first = f"{stopped[0].table} on {stopped[0].day}"
        more = f" and {len(stopped) - 1} more" if len(stopped) > 1 else ""
        return f"the days of {first}{more} are not booked yet"
    return ""


def _entries(month: Month, documents: Iterable[Document]) -> Iterator[Document]:
    """One for each game and currency."""
    groups: dict[tuple[str, str], list[Document]] = defaultdict(list)
    for document in documents:
        groups[document.game, document.currency].append(document)
    for (game, currency), of in sorted(groups.items()):
        sums: dict[tuple[str, str, Account | None], int] = defaultdict(int)
        for posting in (posting for document in of for posting in document.postings):
            sums[posting.what, posting.posted, posting.account] += posting.amount
        postings = sorted(
            (Posting(what, posted, amount, account) for (what, posted, account), amount in sums.items() if amount),
            key=lambda each: (ORDER[each.what], each.posted, each.account or Account("", "", "")),
        )
        if postings:
            yield Document(
                f"{of[0].house}/{month.name}/{game}/{currency}", ENTRY, of[0].house, "", game, month.name, month.last, "",
                currency, 1, f"{game.replace('_', ' ').title()}, {month.name}, {len(of)} days of tables", "", (),
                max(document.position for document in of), tuple(postings),
            )  # fmt: skip
