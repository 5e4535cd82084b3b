"""Journals: the closed books as entries for accounting, by day, shift or month. Entries have permanent
numbers and are restated by reversal.

`journal(span, by)` returns every document that is booked on a day of the span, and the entries that cannot be
booked, with the reason. The same facts always give the same journal. It depends only on which days are
closed, on the order of adjustments, and on the accounts that were entered.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from typing import NamedTuple

from audit.queries.closed_books import Stream, properties
from audit.queries.span import Span
from casino.journals.documents import ENTRY as ENTRY
from casino.journals.documents import KINDS as KINDS
from casino.journals.documents import Document as Document
from casino.journals.documents import Held as Held
from casino.journals.documents import documents
from casino.journals.months import months
from casino.journals.units import Unit, units
from casino.reference.chart import Chart

DAY, SHIFT, MONTH = "day", "shift", "month"
PERIODS = (DAY, SHIFT, MONTH)


class Journal(NamedTuple):
    """The documents in the order of their dates, and the entries that cannot be booked, in the order of their
    days.
    """

    documents: list[Document]
    held: list[Held]


def journal(span: Span, by: str = DAY) -> Journal:
    """Return the journal of the days of a span, for one property or all properties.

    Args:
        span: the days and the property; `until` limits the ledger.
        by: one of PERIODS.

    Raises:
        ValueError: `by` is not one of PERIODS.
    """
    if by not in PERIODS:
        raise ValueError(f"a journal is by {', '.join(PERIODS)}, not by {by[:40]!r}")
    with uncollected():
        return _journal(span, by)


@contextmanager
def uncollected() -> Iterator[None]:
    """Turn off garbage collection. Thousands of small tuples are built here, none of them is garbage, and
    scanning them took a third of the time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _journal(span: Span, by: str) -> Journal:
    made: list[Document] = []
    held: list[Held] = []
    for property in properties() if span.property is None else [span.property]:
        for one in _mapped(_of_property(span._replace(property=property), property, by)):
            if isinstance(one, Document):
                made.append(one)
            else:
                held.append(one)
    return Journal(
        sorted(made, key=lambda one: (one.house, *one.order)),
        sorted(held, key=lambda one: (one.house, one.day, one.table, one.about, one.says)),
    )


def since(span: Span, position: int, by: str = DAY) -> Journal:
    """Return the journal without the documents that it already contained at this position of the ledger."""
    now = journal(span, by)
    before = {document.number for document in journal(span._replace(until=position), by).documents}
    return now._replace(documents=[document for document in now.documents if document.number not in before])


def _of_property(span: Span, property: str, by: str) -> Iterator[Document | Held]:
    chart, by_shift = Chart(property, span.until), by == SHIFT
    found, not_closed = units(span, by_shift=by_shift)
    made: list[Document] = []
    held = [_open(stream) for stream in not_closed]
    for unit in found:
        held += _elsewhere(unit, span)
        for one in documents(unit, chart, by_shift=by_shift):
            if isinstance(one, Document) and _within(one.booked, span):
                made.append(one)
            elif isinstance(one, Held) and _within(unit.last.day, span):
                held.append(one)
    if by == MONTH:
        yield from months(span, property, made, held)
    else:
        yield from made
        yield from held


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


def _elsewhere(unit: Unit, span: Span) -> Iterator[Held]:
    """Yield the days of the span that are booked together with a later day outside it."""
    for stream in unit.streams[:-1]:
        if _within(stream.day, span) and not _within(unit.last.day, span):
            says = (
                f"its box stayed on the table: it is booked on {unit.last.day}, with the day on which it was"
                " counted"
            )
            yield Held("box", stream.property, _code(stream), stream.game, str(stream.day), says)


def _mapped(found: Iterable[Document | Held]) -> Iterator[Document | Held]:
    """Yield each document that has accounts for all its postings. For every other document, yield why it is
    held.
    """
    for one in found:
        if isinstance(one, Document) and (posted := one.unmapped):
            says = f"{one.number} is held: the chart of accounts has no account for {', '.join(posted)}"
            yield Held("unmapped", one.house, one.table, one.game, one.day, says, tuple(posted))
        else:
            yield one


def _code(stream: Stream) -> str:
    return stream.table.partition("/")[2]


def _within(day: date, span: Span) -> bool:
    return (span.begins is None or day >= span.begins) and (span.ends is None or day < span.ends)
