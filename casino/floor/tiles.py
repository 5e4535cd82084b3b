"""Collect what the live wall and the floor's map show about each table: its state, the age of its last fact,
its pace, its last finding, its estimated win, and its tray and box. The counts of tray and box are compared
with the amounts that follow from the facts.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from django.urls import reverse

from audit.queries.span import Span
from audit.queries.stream_play import WagerPlay, stream_play
from audit.queries.table_day import TableDay, tray_before_closers
from audit.queries.table_days import table_days
from audit.queries.table_pace import Pace, paces
from casino.floor.tables import Row
from casino.reports.expected_win import bounds_of, price, root

SILENT, LATE, BEHIND, LIVE, NO_FEED, CLOSED = "silent", "late", "behind", "live", "no-feed", "closed"
ORDER = (SILENT, LATE, BEHIND, LIVE, NO_FEED, CLOSED)
"""The states in the order of the tiles. Tables that need attention come first."""
DAYS = 3
"""Number of gaming days, including today. Figures are shown only for tables that were opened on one of them.
"""


class Win(NamedTuple):
    """The estimated win of an open table in minor units, with the range that chance allows."""

    amount: Fraction
    low: Fraction
    high: Fraction

    @property
    def is_outside(self) -> bool:
        """Return True if the win is outside the range that chance allows."""
        return not self.low <= self.amount <= self.high


class Money(NamedTuple):
    """The money of an open table in minor units. A value is None if it is not known.

    Attributes:
        tray: the amount that the tray should hold now.
        unexplained: the last count of the tray minus the amount that it should have held.
        box: the amount that the box should hold, computed from the sales of chips.
        box_difference: the count of the box minus `box`.
    """

    win: Win | None
    tray: Fraction | None
    unexplained: Fraction | None
    box: Fraction | None
    box_difference: Fraction | None


class Tile(NamedTuple):
    """A table on the wall.

    Attributes:
        address: the URL of the table's page.
    """

    row: Row
    state: str
    address: str
    pace: Pace | None
    money: Money | None

    @property
    def is_alarm(self) -> bool:
        """Return True if the feed of the table is silent."""
        return self.state == SILENT

    @property
    def is_old(self) -> bool:
        """Return True if the figures are outdated, because the table's feed is late or silent."""
        return self.state in (SILENT, LATE)


def state_of(row: Row) -> str:
    """Return the state of a table. A late or silent feed has priority over other states, because all figures
    may then be outdated.
    """
    if not row.is_open:
        return CLOSED
    if row.lateness:
        return row.lateness
    if row.state == BEHIND:
        return BEHIND
    assert row.now is not None
    return LIVE if row.now.opened.sees else NO_FEED


def tiles(property: str, today: date, rows: Sequence[Row], *, with_money: bool) -> list[Tile]:
    """Return one tile for each table, silent tables first.

    Args:
        with_money: True if the user may see the win.
    """
    streams = [row.now.stream for row in rows if row.now is not None and row.is_open]
    known = paces(property, streams)
    money = _money(property, today, [row for row in rows if row.is_open]) if with_money else {}
    shown = [
        Tile(
            row,
            state_of(row),
            _address(property, row.code),
            known.get(row.now.stream) if row.now is not None else None,
            money.get(row.now.stream) if row.now is not None else None,
        )
        for row in rows
    ]
    return sorted(shown, key=lambda tile: (ORDER.index(tile.state), tile.row.code))


@lru_cache(maxsize=2_000)
def _address(property: str, code: str) -> str:
    return reverse("floor_table", args=[property, code])


def _money(property: str, today: date, rows: Sequence[Row]) -> dict[str, Money]:
    """Return {stream: money} of the open tables. The amounts are in the currency in which the table is
    open.
    """
    first = today - timedelta(days=DAYS - 1)
    currencies = {
        row.now.stream: row.now.opened.currency
        for row in rows
        if row.now is not None and row.now.day >= first
    }
    if not currencies:
        return {}
    ends = max(row.now.day for row in rows if row.now is not None) + timedelta(days=1)
    begins = min(date.fromisoformat(stream[-10:]) for stream in currencies)
    span = Span(begins, ends, property)
    wins, moved = _play(property, span, currencies)
    days = {
        day.stream: day
        for day in table_days(span, streams=list(currencies), play="nowhere")
        if day.currency == currencies[day.stream]
    }
    return {
        stream: _of_day(days.get(stream), moved.get(stream, 0), wins.get(stream)) for stream in currencies
    }


def _play(
    property: str, span: Span, currencies: dict[str, str]
) -> tuple[dict[str, Win], dict[str, int | Fraction]]:
    """Return two mappings for the open tables. The first is {stream: win with its range}. The second is
    {stream: amount that the casino won in chips}.

    Amounts are in the currency in which the table is open. The range is computed from the odds in the
    certificates, at the confidence level of the property.
    """
    sure = bounds_of(span).sure
    wagers: dict[str, list[WagerPlay]] = {}
    moved: dict[str, int | Fraction] = {}
    for row in stream_play(property, list(currencies)):
        if row.currency == currencies[row.stream]:
            moved[row.stream] = moved.get(row.stream, 0) + row.won
            if row.odds.wager:
                wagers.setdefault(row.stream, []).append(row)
    return {stream: win_of(rows, sure) for stream, rows in wagers.items()}, moved


def win_of(rows: list[WagerPlay], sure: Fraction) -> Win:
    """Return the estimated win from the play of these wagers, with its range. A wager that was staked but has
    no certificate is left out. A payment that has no stake of its own, such as a bonus, is added to the win
    but not to the range, because the odds of another wager already include it.
    """
    win: int | Fraction = 0
    expected, variance = _Sum(), _Sum()
    for row in rows:
        priced = price(*row.odds)
        if priced is not None:
            expected.add(row.handle, priced.edge)
            variance.add(row.squared, priced.variance)
        elif row.handle:
            continue
        win += row.won
    reach = sure * root(variance.total(), 0)
    middle = expected.total()
    return Win(Fraction(win), middle - reach, middle + reach)


class _Sum:
    """Adds up amounts, each multiplied by a fraction, without rounding. The sum is reduced to lowest terms
    only once, at the end.
    """

    def __init__(self) -> None:
        self.numerators: dict[int, int] = {}

    def add(self, amount: int, times: Fraction) -> None:
        """Add the product of an amount and a fraction to the sum."""
        before = self.numerators.get(times.denominator, 0)
        self.numerators[times.denominator] = before + amount * times.numerator

    def total(self) -> Fraction:
        """Return the sum."""
        numerator, denominator = 0, 1
        for part, amount in self.numerators.items():
            numerator, denominator = numerator * part + amount * denominator, denominator * part
        return Fraction(numerator, denominator)


def _of_day(day: TableDay | None, moved: int | Fraction, win: Win | None) -> Money:
    """Return the money of a table: what its tray and its box should hold, compared with their counts, and its
    win.

    Args:
        day: the counts and slips of that day, without play.
        moved: the amount in chips that the casino won by play.
    """
    if day is None:
        return Money(win, None, None, None, None)
    has_tray, counted = day.openers > day.closers, day.closers and day.openers == day.closers
    expected = Fraction(tray_before_closers(day) + moved) - day.closer
    return Money(
        win,
        tray=expected if has_tray else None,
        unexplained=-expected if counted else None,
        box=None if day.live_dealer or not day.bought else Fraction(day.bought),
        box_difference=Fraction(day.drop - day.bought) if day.counted and day.bought else None,
    )
