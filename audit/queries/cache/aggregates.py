"""Sums over long spans, kept by whole months and days: a cache that cannot lie, because a tally is made of
facts and rules alone.

A unit's stamp names every stream in it that the books hold, how far each was examined and by which rules, and
what was adjusted of it. The sums are a function of just these, so sums with the stamp of now are the sums of
now. What has changed is added up again; deleting
`summed` costs time and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, timedelta
from fractions import Fraction
from functools import cache
from hashlib import sha256
from math import lcm
from typing import NamedTuple

from msgspec import json

from audit import database
from audit.queries.examination import only_examined
from audit.queries.tallies import _OF_BOOKS, RESTATED, Span, _wanted, restated_days
from audit.source_closure import closure, fingerprint


class Aggregate(NamedTuple):
    """One row that can be added to another of the same key: numbers (integers, or fractions as text), and a
    few words in their order.
    """

    key: tuple[str, ...]
    numbers: tuple[int | str, ...]
    words: tuple[str, ...] = ()


def exact_number(exact: int | Fraction) -> int | str:
    """A number as a `Sum` has it."""
    return exact if isinstance(exact, int) else exact.numerator if exact.denominator == 1 else str(exact)


Adds = Callable[[Span], Iterable[Aggregate]]
"""What a report adds up over any span of days. It reads tallies: a query of the ledger itself raises
`examined.ReadsLedger`.
"""


class CachePeriod(NamedTuple):
    """A whole month, or a day: its first day, its end (not in; None: no bound), its stamp, and the days of a
    month.
    """

    name: str
    begins: date
    ends: date | None
    stamp: str
    days: tuple[CachePeriod, ...] = ()


WORDS = 4
"""Words kept of a row; a report that names the first few needs no more."""


class TimeBudgetExceeded(Exception):
    """Not all is added up: what was is kept, and who asks again goes on there.

    `unit`: the month, or day, that is next, behind `done` units of `of`; empty text and 0 where nobody counts
    them.
    """

    def __init__(self, unit: str = "", done: int = 0, of: int = 0) -> None:
        super().__init__(unit)
        self.unit, self.done, self.of = unit, done, of


class TimeBudget:
    """How long somebody waits, and how often something was kept meanwhile."""

    def __init__(self, enough: Callable[[], bool]) -> None:
        self.enough, self.kept = enough, 0


_patience: ContextVar[TimeBudget | None] = ContextVar("patience", default=None)


@contextmanager
def time_budget(enough: Callable[[], bool]) -> Iterator[TimeBudget]:
    """What is added up here is added up while it is not enough. Raises TimeBudgetExceeded before the month, or
    day, that would be too many.
    """
    before = _patience.set(of := TimeBudget(enough))
    try:
        yield of
    finally:
        _patience.reset(before)


def check_budget(unit: str = "", done: int = 0, of: int = 0) -> None:
    """Before another unit is added up: raises TimeBudgetExceeded where it has been enough."""
    if (patience := _patience.get()) is not None and patience.enough():
        raise TimeBudgetExceeded(unit, done, of)


def aggregate(
    name: str, span: Span, adds: Adds, units: dict[str, list[CachePeriod]] | None = None
) -> list[Aggregate]:
    """The sums of a span. `name` says what is added up, with all that it hangs on besides tallies (registers,
    grouping).

    `units`: those of the span, where they have been asked for.
    """
    full = " ".join(filter(None, (name, span.books, code_fingerprint(adds.__module__))))
    found = (periods_of(span) if units is None else units).items()
    return merge(
        row
        for property, units in found
        for row in _sums_of(span._replace(property=property), full, units, adds)
    )


def _sums_of(span: Span, name: str, units: Sequence[CachePeriod], adds: Adds) -> Iterator[Aggregate]:
    """The rows of each unit. A month that has changed since it was kept is made of its days, so that the next
    change costs a day.
    """
    property = span.property or ""
    before = read_cache(property, name, [unit.name for unit in units])
    for done, unit in enumerate(units):
        known = before.get(unit.name)
        if known is not None and known[0] == unit.stamp:
            yield from _read(known[1])
            continue
        check_budget(unit.name, done, len(units))
        by_day = known is not None and unit.days
        with only_examined():
            rows = merge(
                _sums_of(span, name, unit.days, adds)
                if by_day
                else adds(span._replace(begins=unit.begins, ends=unit.ends))
            )
        if is_current(span, unit):
            write_cache(property, unit.name, name, unit.stamp, json.encode(rows))
        yield from rows


def is_current(span: Span, unit: CachePeriod) -> bool:
    """Whether a unit of the span still is as it was when its stamp was read.

    What was recorded while it was added up has changed the stamp. Nobody can say then of which it was made,
    and nothing of it is kept: the stamp of before would be met again by who reads the ledger as it was.
    """
    return periods_of(span._replace(begins=unit.begins, ends=unit.ends)).get(span.property or "") == [unit]


def merge(rows: Iterable[Aggregate]) -> list[Aggregate]:
    """Rows of one key as one, in the order of their keys. A row that has no other of its key stays as it is."""
    sums: dict[tuple[str, ...], Aggregate | _Adding] = {}
    for row in rows:
        before = sums.get(row.key)
        if before is None:
            sums[row.key] = row
            continue
        if not isinstance(before, _Adding):
            before = sums[row.key] = _Adding(before)
        before.add(row)
    return [sums[key].sum() if isinstance(sums[key], _Adding) else sums[key] for key in sorted(sums)]  # type: ignore[union-attr, misc]


class _Adding:
    """Exact sums that are being made: fractions over a common denominator, which are made small once, at the
    end.
    """

    __slots__ = ("downs", "key", "ups", "words")

    def __init__(self, row: Aggregate) -> None:
        self.key, self.words = row.key, row.words
        parts = [_parts(number) for number in row.numbers]
        self.ups, self.downs = [up for up, _ in parts], [down for _, down in parts]

    def add(self, row: Aggregate) -> None:
        ups, downs = self.ups, self.downs
        for place, number in enumerate(row.numbers):
            down = downs[place]
            if type(number) is int and down == 1:
                ups[place] += number
                continue
            up, other = _parts(number)
            if other != down:
                common = lcm(down, other)
                ups[place], up, downs[place] = ups[place] * (common // down), up * (common // other), common
            ups[place] += up
        if row.words and len(self.words) < WORDS:
            self.words = (self.words + row.words)[:WORDS]

    def sum(self) -> Aggregate:
        exact = (
            Fraction(up, down) if down > 1 else up for up, down in zip(self.ups, self.downs, strict=True)
        )
        numbers = tuple(
            each if isinstance(each, int) else each.numerator if each.denominator == 1 else str(each)
            for each in exact
        )
        return Aggregate(self.key, numbers, self.words)


def _parts(number: int | str) -> tuple[int, int]:
    """An integer, or a fraction as text, as what stands above and below its line."""
    if isinstance(number, int):
        return number, 1
    up, _, down = number.partition("/")
    return int(up), int(down or 1)


Stamp = tuple[str, date, str]
"""A property, a gaming day of it, and what its streams are made of, as far as the books hold them."""


def stamps_of(span: Span) -> list[Stamp]:
    """Every day of the span on which there is a stream, in order. Of the closed and of the restated books
    they are the same.
    """
    query = f"""SELECT property, day, count(*) || ' ' || bit_xor(hashtextextended(stream, hashtextextended(rules, cursor)))
        FROM examination WHERE day >= coalesce(%s, '-infinity'::date) AND day < coalesce(%s, 'infinity'::date)
            AND (%s::text IS NULL OR property = %s) AND {_OF_BOOKS} GROUP BY property, day ORDER BY property, day"""
    return [(property, day, stamp) for property, day, stamp in database.rows(query, _wanted(span))]


def periods_of(
    span: Span, changes: Iterable[tuple[str, date, int]] | None = None, stamps: Sequence[Stamp] | None = None
) -> dict[str, list[CachePeriod]]:
    """Property to its whole months, and the days of the months that are not in the span whole.

    `changes`: what `restated_days` gives of the span, where its adjustments have been read; only the restated
    books have any. `stamps`: its
    days, where they have been asked for.
    """
    days: dict[tuple[str, str], list[tuple[date, str]]] = {}
    changed: dict[tuple[str, date], str] = {}
    if changes is None:
        changes = restated_days(span) if span.books == RESTATED else ()
    for property, day, position in changes:
        changed[property, day] = f"{changed.get((property, day), '')} {position}"
    for property, day, stamp in stamps_of(span) if stamps is None else stamps:
        days.setdefault((property, f"{day:%Y-%m}"), []).append(
            (day, stamp + changed.get((property, day), ""))
        )
    found: dict[str, list[CachePeriod]] = {}
    for (property, month), of in days.items():
        begins = of[0][0].replace(day=1)
        ends = days_after(begins, 31, of_month=True)
        parts = tuple(CachePeriod(str(day), day, days_after(day, 1), stamp) for day, stamp in of)
        if (span.begins or begins) <= begins and (
            span.ends is None or (ends is not None and ends <= span.ends)
        ):
            stamp = sha256(" ".join(f"{day} {stamp}" for day, stamp in of).encode()).hexdigest()
            found.setdefault(property, []).append(CachePeriod(month, begins, ends, stamp, parts))
        else:
            found.setdefault(property, []).extend(parts)
    return found


def days_after(day: date, days: int, *, of_month: bool = False) -> date | None:
    """So many days later, or the first of that month; None beyond the last day that there is."""
    try:
        later = day + timedelta(days=days)
    except OverflowError:
        return None
    return later.replace(day=1) if of_month else later


@cache
def code_fingerprint(module: str) -> str:
    """Return the hash of a module and of all that it imports of ours: other code may aggregate otherwise.

    The code of single games is in the stamp already, by the rules of each examination.
    """
    return fingerprint(closure([module], every_game=False))[:16]


def cached_names(property: str | None = None) -> list[str]:
    """What is kept: the names under which it was added up."""
    query = "SELECT DISTINCT name FROM summed WHERE %s::text IS NULL OR property = %s ORDER BY name"
    return [row[0] for row in database.rows(query, [property, property])]


def evict(useless: Sequence[str], days_before: date) -> None:
    """Throw away what is kept under these names, and of single days before this one under all."""
    database.execute(
        "DELETE FROM summed WHERE name = ANY(%s) OR (length(unit) = 10 AND unit < %s)",
        [list(useless), str(days_before)],
    )


_read = json.Decoder(list[Aggregate]).decode


def read_cache(property: str, name: str, units: list[str]) -> dict[str, tuple[str, bytes]]:
    """Unit to the stamp that it was kept with, and what was kept."""
    query = "SELECT unit, stamp, sums FROM summed WHERE property = %s AND name = %s AND unit = ANY(%s)"
    return {unit: (stamp, bytes(sums)) for unit, stamp, sums in database.rows(query, [property, name, units])}


def read_stamps(property: str, name: str, units: list[str]) -> dict[str, str]:
    """Unit to the stamp that it was kept with, where what was kept is not read."""
    return dict(
        database.rows(
            "SELECT unit, stamp FROM summed WHERE property = %s AND name = %s AND unit = ANY(%s)",
            [property, name, units],
        )
    )


def write_cache(property: str, unit: str, name: str, stamp: str, sums: bytes) -> None:
    """Keep what a unit adds up to, with its stamp, in place of what was kept."""
    if (patience := _patience.get()) is not None:
        patience.kept += 1
    database.execute(
        """INSERT INTO summed (property, unit, name, stamp, sums) VALUES (%s, %s, %s, %s, %s)
            ON CONFLICT (property, unit, name) DO UPDATE SET stamp = excluded.stamp, sums = excluded.sums""",
        [property, unit, name, stamp, sums],
    )


def days_of(span: Span) -> Iterator[tuple[str, date]]:
    """The last gaming day of each property in the span on which a table was open."""
    query = f"""SELECT property, max(day) FROM examination WHERE day >= coalesce(%s, '-infinity'::date)
        AND day < coalesce(%s, 'infinity'::date) AND (%s::text IS NULL OR property = %s) AND {_OF_BOOKS} AND game <> ''
        GROUP BY property ORDER BY property"""
    yield from ((property, day) for property, day in database.rows(query, _wanted(span)))


def open_days(span: Span) -> int:
    """On how many gaming days of the span a table was open."""
    query = f"""SELECT count(DISTINCT day) FROM examination WHERE day >= coalesce(%s, '-infinity'::date)
        AND day < coalesce(%s, 'infinity'::date) AND (%s::text IS NULL OR property = %s) AND {_OF_BOOKS} AND game <> ''"""
    count: int = database.rows(query, _wanted(span))[0][0]
    return count
