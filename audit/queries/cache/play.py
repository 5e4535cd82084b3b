"""What was played in whole months, kept by table, opening, shift and wager: whatever is added up of it, the
tally is read once.

It is kept as `summed` keeps, under stamps that name every stream, how far it was examined and by which rules.
No register is in it: another release of a report finds it as it is. What goes by day, pit, dealer or hour is
read, as is any span that is no month of a property.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from operator import add
from typing import NamedTuple

from audit import database
from audit.queries.cache.aggregates import Aggregate, aggregate
from audit.queries.cache.table_days import whole_month
from audit.queries.hold_attribution import Divided, exactly
from audit.queries.hold_attribution import divided as divided_now
from audit.queries.play import DIMENSIONS, SUMS, Played
from audit.queries.play import played as played_now
from audit.queries.tallies import _DAYS, CLOSED, Span, _wanted

NAME = "play table"
OF_WAGER = ("shift", "wager", "pay_table", "price_class")
OF_ROW = ("table", "game", "days_game", "edition", "decks", "readings", *OF_WAGER)
"""What a row is of, besides kind of table, currency and parts of a minor unit."""
OF_MONTH = ("property", "month")
"""What all rows of a month have alike."""
NUMBERS = (*SUMS, "decided", "owed", "choices", "rounding", "undivided", "unseen")
TAKEN, PAID, DECIDED, UNSEEN = map(NUMBERS.index, ("taken", "paid", "decided", "unseen"))
OF_ROUNDS = tuple(map(SUMS.index, ("rounds", "voided")))
"""What the rows of whole rounds say, unless it is asked for by wager."""


def played(span: Span, by: tuple[str, ...]) -> Iterator[Played]:
    """The rows of `played.played`."""
    if not _is_kept(span, by):
        yield from played_now(span, by)
        return
    found: dict[tuple[tuple[str, ...], bool, str], list[int | Fraction]] = {}
    for row in _kept(span, by):
        if not row.wager and "wager" in by:
            continue
        numbers = [*row.numbers[: len(SUMS)], row.unseen]
        for place in OF_ROUNDS if row.wager and "wager" not in by else ():
            numbers[place] = 0
        key = (row.by, row.live_dealer, row.currency)
        found[key] = list(map(add, found[key], numbers)) if key in found else numbers
    for (values, live_dealer, currency), sums in found.items():
        unseen = Fraction(sums[-1])
        exact = unseen.numerator if unseen.denominator == 1 else unseen
        yield Played._make((values, live_dealer, currency, *map(int, sums[:-1]), exact))


def divided(span: Span, by: tuple[str, ...]) -> Iterator[Divided]:
    """The rows of `divided.divided`."""
    if not _is_kept(span, by):
        yield from divided_now(span, by)
        return
    found: dict[tuple[tuple[tuple[str, ...], bool, str], int], list[int]] = {}
    for row in _kept(span, by):
        if row.wager:
            key = (row.by, row.live_dealer, row.currency), row.parts
            numbers = [row.numbers[TAKEN] - row.numbers[PAID], *row.numbers[DECIDED:]]
            found[key] = list(map(add, found[key], numbers)) if key in found else numbers
    for (of, parts), (moved, decided, *sums) in found.items():
        yield exactly(of, parts, moved, decided, sums)


class _Row(NamedTuple):
    """A row that is kept, by what is asked for."""

    by: tuple[str, ...]
    wager: str
    live_dealer: bool
    currency: str
    parts: int
    numbers: list[int]

    @property
    def unseen(self) -> int | Fraction:
        whole = self.numbers[UNSEEN]
        return Fraction(whole, self.parts) if self.parts > 1 and whole else whole if self.parts else 0


def _is_kept(span: Span, by: tuple[str, ...]) -> bool:
    return whole_month(span) and set(by) <= {*OF_ROW, *OF_MONTH}


def _kept(span: Span, by: tuple[str, ...]) -> Iterator[_Row]:
    assert span.begins is not None
    assert span.property is not None
    of_month = (span.property, f"{span.begins:%Y-%m}")
    places, wager = [(*OF_ROW, *OF_MONTH).index(name) for name in by], OF_ROW.index("wager")
    for row in aggregate(NAME, span._replace(books=CLOSED if span.books else ""), _read):
        values = (*row.key[:-3], *of_month)
        live_dealer, currency, parts = row.key[-3:]
        numbers = list(map(int, row.numbers))
        yield _Row(
            tuple([values[place] for place in places]),
            values[wager],
            bool(live_dealer),
            currency,
            int(parts),
            numbers,
        )


def _read(span: Span) -> Iterator[Aggregate]:
    """What is alike in one stream is added up first: that of its openings is looked up for few rows then."""
    query = f"""SELECT {", ".join(DIMENSIONS[name] for name in OF_ROW)}, x.live_dealer, t.currency, t.parts,
            {", ".join(f"sum(t.{name})" for name in NUMBERS)}
        FROM ({_DAYS}) x, {_ALIKE} GROUP BY {", ".join(str(place + 1) for place in range(len(OF_ROW) + 3))}"""
    for row in database.rows(query, _wanted(span)):
        keys, (live_dealer, currency, parts) = (
            map(str, row[: len(OF_ROW)]),
            row[len(OF_ROW) : len(OF_ROW) + 3],
        )
        yield Aggregate(
            (*keys, "yes" * live_dealer, currency, str(int(parts))), tuple(map(int, row[len(OF_ROW) + 3 :]))
        )


_ALIKE_BY = ("currency", "opening", "parts", *OF_WAGER)
_ALIKE = f"""LATERAL (SELECT {", ".join(_ALIKE_BY)}, {", ".join(f"sum({name}) AS {name}" for name in NUMBERS)} FROM tally t
    WHERE t.property = x.property AND t.stream = x.stream GROUP BY {", ".join(_ALIKE_BY)} OFFSET 0) t"""
