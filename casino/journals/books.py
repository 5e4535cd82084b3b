"""Journals: the closed books as entries for accounting, by day, shift or month. Every entry has a permanent
number. If an entry is restated, it is first reversed.

`journal(span, by)` returns every document that is booked on a day of the span. It also returns the entries
that cannot be booked, with the reason. The same facts always give the same journal. It depends only on which
days are closed, on the order of adjustments, and on the chart of accounts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import partial
from typing import NamedTuple

from audit.garbage import without_garbage_collection
from audit.queries.closed_books import Stream, properties
from audit.queries.heads import head
from audit.queries.span import Span
from casino.journals.documents import ENTRY as ENTRY
from casino.journals.documents import KINDS as KINDS
from casino.journals.documents import Document as Document
from casino.journals.documents import Held as Held
from casino.journals.documents import documents
from casino.journals.money import money_documents
from casino.journals.months import months
from casino.journals.units import Unit, units
from casino.reference.chart import Chart

DAY, SHIFT, MONTH = "day", "shift", "month"
PERIODS = (DAY, SHIFT, MONTH)


class Journal(NamedTuple):
    """A journal. `documents` are in the order of their dates.

    Attributes:
        held: the entries that cannot be booked, in the order of their days.
        before: documents of an earlier journal, which `documents` does not contain again.
    """

    documents: list[Document]
    held: list[Held]
    before: Sequence[Document] = ()


def journal(span: Span, by: str = DAY) -> Journal:
    """Return the journal of the days of a span, for one property or for all properties.

    Args:
        span: the days and the property. Facts after its position `until` are left out.
        by: one of PERIODS.

    Raises:
        ValueError: `by` is not one of PERIODS.
    """
    if by not in PERIODS:
        raise ValueError(f"a journal can be grouped by {', '.join(PERIODS)}, not by {by[:40]!r}")
    with without_garbage_collection():
        return _journal(span, by)


def _journal(span: Span, by: str) -> Journal:
    all_documents: list[Document] = []
    held: list[Held] = []
    for property in properties() if span.property is None else [span.property]:
        for item in _with_accounts(_of_property(span._replace(property=property), property, by)):
            if isinstance(item, Document):
                all_documents.append(item)
            else:
                held.append(item)
    return Journal(
        sorted(all_documents, key=lambda document: (document.house, *document.order)),
        sorted(held, key=lambda item: (item.house, item.day, item.table, item.about, item.says)),
    )


def since(span: Span, position: int, by: str = DAY) -> Journal:
    """Return the journal of the span without the documents that it already contained when the ledger ended at
    this earlier position.
    """
    current = journal(span, by)
    before = journal(span._replace(until=position), by).documents
    numbers = {document.number for document in before}
    new = [document for document in current.documents if document.number not in numbers]
    return current._replace(documents=new, before=before)


def position_error(property: str, after: int) -> str:
    """Return a sentence if a position is after the end of the property's ledger. Return empty text if it is
    not.
    """
    end = head(property).position
    return f"{after} is beyond position {end}, the end of the ledger of {property}." if after > end else ""


def _of_property(span: Span, property: str, by: str) -> Iterator[Document | Held]:
    chart, by_shift = Chart(property, span.until), by == SHIFT
    day_units, not_closed = units(span, by_shift=by_shift)
    whole_units = _WholeUnits(span)
    numbered: list[Document] = []
    held = [_open(stream) for stream in not_closed]
    for unit in day_units:
        held += _booked_later(unit, span)
        whole_days = partial(whole_units, unit.last.name) if by_shift else None
        for document in documents(unit, chart, by_shift=by_shift, whole_days=whole_days):
            if isinstance(document, Document) and _within(document.booked, span):
                numbered.append(document)
            elif isinstance(document, Held) and _within(unit.last.day, span):
                held.append(document)
    numbered += money_documents(span, property, chart)
    if by == MONTH:
        yield from months(span, property, numbered, held)
    else:
        yield from numbered
        yield from held


class _WholeUnits:
    """Units (table days that are booked together) by whole days, for units that cannot be booked by shift.
    They are read from the database only if they are needed.
    """

    def __init__(self, span: Span) -> None:
        self._span = span
        self._units: dict[str, Unit] = {}

    def __call__(self, name: str) -> Unit:
        """Return the unit whose last day is the stream of this name."""
        if not self._units:
            self._units = {unit.last.name: unit for unit in units(self._span, by_shift=False)[0]}
        return self._units[name]


def _open(stream: Stream) -> Held:
    return Held(
        "open",
        stream.property,
        _code(stream),
        stream.game,
        str(stream.day),
        "its day is not closed",
        fix_on=str(stream.day),
    )


def _booked_later(unit: Unit, span: Span) -> Iterator[Held]:
    """Yield an entry for each day of the unit that is in the span but is booked after the span. It says why:
    the box stayed on the table, so the day is booked together with the last day of the unit.
    """
    for stream in unit.streams[:-1]:
        if _within(stream.day, span) and not _within(unit.last.day, span):
            says = (
                f"the box stayed on the table: this day is booked on {unit.last.day}, together with the day"
                " on which the box was counted"
            )
            yield Held("box", stream.property, _code(stream), stream.game, str(stream.day), says)


def _with_accounts(items: Iterable[Document | Held]) -> Iterator[Document | Held]:
    """Yield each document whose lines all have an account. For each document with a line without an account,
    yield an entry that names the missing accounts.
    """
    for item in items:
        if isinstance(item, Document) and (posted := item.unmapped):
            says = f"{item.number} is held: the chart of accounts has no account for {', '.join(posted)}"
            yield Held("unmapped", item.house, item.table, item.game, item.day, says, tuple(posted))
        else:
            yield item


def _code(stream: Stream) -> str:
    return stream.table.partition("/")[2]


def _within(day: date, span: Span) -> bool:
    return (span.begins is None or day >= span.begins) and (span.ends is None or day < span.ends)
