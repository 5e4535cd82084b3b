"""Cached play of whole months by table, by dealer, and by hour, so that all reports share one read of the
tally. Each of these three groupings is called a grain.

Play is cached in the table `summed` with a fingerprint. The fingerprint changes when a stream of the month is
examined further, or by other rules. Cached play does not depend on registers, so later releases of a report
can still use it. Play in other groupings, such as by pit or by table and dealer, is read from the tally. The
same applies to every span that is not one month of one property.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from fractions import Fraction
from operator import add
from typing import NamedTuple

from audit import database
from audit.queries.cache.aggregates import Aggregate, aggregate
from audit.queries.cache.table_days import is_whole_month
from audit.queries.hold_attribution import Divided, exactly
from audit.queries.hold_attribution import divided as divided_now
from audit.queries.play import DIMENSIONS, Played
from audit.queries.play import played as played_now
from audit.queries.span import CLOSED, DAYS, OF_STREAM, Span, day_values

NAME = "play"
"""The first word of the names under which play is cached. The second word is the name of a grain."""
OF_WAGER = ("wager", "pay_table", "price_class")
OF_OPENING = ("game", "days_game", "edition", "decks", "readings")
GRAINS = {
    "table": ("table", "shift", *OF_OPENING, *OF_WAGER),
    "dealer": ("dealer", *OF_OPENING, *OF_WAGER),
    "hour": ("day", "written_hour", *OF_OPENING, *OF_WAGER),
}
"""{name of a grain: the dimensions by which its cached rows are grouped}. Rows are also grouped by the kind
of table, the currency, and `parts`, the denominator of their exact amounts.
"""
OF_HOUR = {"dealer", "written_hour"}
"""The dimensions that have many values in one stream."""
OF_MONTH = ("property", "month")
"""The dimensions that have one value for all rows of a month."""


class PlayFigures(NamedTuple):
    """Sums of tally rows. The fields from `decided` on are in fractions of a minor unit. The key of the row
    contains their denominator.
    """

    rounds: int
    bets: int
    staked: int
    paid: int
    taken: int
    returned: int
    squared: int
    together: int
    voided: int
    decided: int
    owed: int
    choices: int
    rounding: int
    undivided: int
    unseen: int


def played(span: Span, by: tuple[str, ...]) -> Iterator[Played]:
    """Yield the rows of `audit.queries.play.played`, from the cache if the span is a whole month."""
    rows = cached_rows(span, by)
    if rows is None:
        yield from played_now(span, by)
        return
    sums: dict[tuple[tuple[str, ...], bool, str], list[int | Fraction]] = {}
    for row in rows:
        if not row.wager and "wager" in by:
            continue
        of_rows, without_rounds = row.figures, row.wager and "wager" not in by
        numbers: list[int | Fraction] = [
            0 if without_rounds else of_rows.rounds,
            of_rows.bets,
            of_rows.staked,
            of_rows.paid,
            of_rows.taken,
            of_rows.returned,
            of_rows.squared,
            of_rows.together,
            0 if without_rounds else of_rows.voided,
            row.unseen,
        ]
        key = (row.by, row.live_dealer, row.currency)
        sums[key] = list(map(add, sums[key], numbers)) if key in sums else numbers
    for (values, live_dealer, currency), (*integers, unseen) in sums.items():
        if isinstance(unseen, Fraction) and unseen.denominator == 1:
            unseen = unseen.numerator
        yield Played(values, live_dealer, currency, *map(int, integers), unseen)  # type: ignore[call-arg]


def divided(span: Span, by: tuple[str, ...]) -> Iterator[Divided]:
    """Yield the rows of `audit.queries.hold_attribution.divided`, from the cache if the span is a whole
    month.
    """
    rows = cached_rows(span, by)
    if rows is None:
        yield from divided_now(span, by)
        return
    sums: dict[tuple[tuple[tuple[str, ...], bool, str], int], list[int]] = {}
    for row in rows:
        if row.wager:
            key = (row.by, row.live_dealer, row.currency), row.parts
            of_rows = row.figures
            numbers = [
                of_rows.taken - of_rows.paid,
                of_rows.decided,
                of_rows.owed,
                of_rows.choices,
                of_rows.rounding,
                of_rows.undivided,
                of_rows.unseen,
            ]
            sums[key] = list(map(add, sums[key], numbers)) if key in sums else numbers
    for (group, parts), (moved, decided, *in_parts) in sums.items():
        yield exactly(group, parts, moved, decided, in_parts)


class PlayRow(NamedTuple):
    """A cached row with the values of the requested dimensions."""

    by: tuple[str, ...]
    wager: str
    live_dealer: bool
    currency: str
    parts: int
    figures: PlayFigures

    @property
    def unseen(self) -> int | Fraction:
        """Return the amount `unseen` in minor units."""
        in_parts = self.figures.unseen
        if not self.parts:
            return 0
        return Fraction(in_parts, self.parts) if self.parts > 1 and in_parts else in_parts


def build(span: Span, grain: str) -> None:
    """Cache the play of a span in one grain. Periods whose cached rows are current are not built again."""
    deque(_aggregates(span, grain), maxlen=0)


def _grain_of(by: tuple[str, ...]) -> str | None:
    """Return the first grain whose rows are grouped by all these dimensions, or None if no grain is."""
    return next((grain for grain, names in GRAINS.items() if {*by} <= {*names, *OF_MONTH}), None)


def cached_rows(span: Span, by: tuple[str, ...]) -> Iterator[PlayRow] | None:
    """Return the cached rows of a month with the values of these dimensions, or None if play in this grouping
    is not cached.
    """
    grain = _grain_of(by)
    return None if grain is None or not is_whole_month(span) else _rows_of(span, grain, by)


def _rows_of(span: Span, grain: str, by: tuple[str, ...]) -> Iterator[PlayRow]:
    assert span.begins is not None
    assert span.property is not None
    of_month = (span.property, f"{span.begins:%Y-%m}")
    names = (*GRAINS[grain], *OF_MONTH)
    places, wager = [names.index(name) for name in by], names.index("wager")
    for row in _aggregates(span, grain):
        values = (*row.key[:-3], *of_month)
        live_dealer, currency, parts = row.key[-3:]
        yield PlayRow(
            tuple([values[place] for place in places]),
            values[wager],
            bool(live_dealer),
            currency,
            int(parts),
            row.figures,
        )


def _aggregates(span: Span, grain: str) -> list[Aggregate[PlayFigures]]:
    def read_rows(part: Span) -> Iterator[Aggregate[PlayFigures]]:
        return _read_rows(GRAINS[grain], part)

    cached_span = span._replace(books=CLOSED if span.books else "")
    return aggregate(f"{NAME} {grain}", cached_span, read_rows, PlayFigures)


def _read_rows(names: tuple[str, ...], span: Span) -> Iterator[Aggregate[PlayFigures]]:
    """Read the tally of a span, grouped by the dimensions `names`, and yield one row per group."""
    width = len(names)
    query = f"""SELECT {", ".join(DIMENSIONS[name] for name in names)}, x.live_dealer, t.currency, t.parts,
            {", ".join(f"sum(t.{name})" for name in PlayFigures._fields)}
        FROM ({DAYS}) x, {OF_STREAM if {*names} & OF_HOUR else _ALIKE}
        GROUP BY {", ".join(str(place + 1) for place in range(width + 3))}"""
    for row in database.rows(query, day_values(span)):
        live_dealer, currency, parts = row[width : width + 3]
        key = (*map(str, row[:width]), "yes" if live_dealer else "", currency, str(int(parts)))
        yield Aggregate(key, PlayFigures(*map(int, row[width + 3 :])))


_ALIKE_BY = ", ".join(("currency", "opening", "parts", "shift", *OF_WAGER))
_SUMS = ", ".join(f"sum({name}) AS {name}" for name in PlayFigures._fields)
_ALIKE = f"""LATERAL (SELECT {_ALIKE_BY}, {_SUMS} FROM tally t
    WHERE t.property = x.property AND t.stream = x.stream GROUP BY {_ALIKE_BY} OFFSET 0) t"""
"""SQL that adds up rows of a stream with equal values, so that fewer openings are looked up. Rows that differ
by dealer or hour are read one by one with `OF_STREAM`, because few of them have equal values.
"""
