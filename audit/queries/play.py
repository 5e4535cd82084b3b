"""Sums of play, grouped by any dimension of the tally: table, game, day, shift, hour, dealer, wager, odds."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from msgspec import json

from audit import database
from audit.queries.span import DAYS, OF_STREAM, Span, day_values
from audit.queries.table_days import UNSEEN, exact_sum

DIMENSIONS = {
    "property": "x.property",
    "table": 'x."table"',
    "game": "coalesce(x.settings->(t.opening - 1)->>1, x.game)",
    "days_game": "x.game",
    "edition": "coalesce(x.settings->(t.opening - 1)->>3, '')",
    "decks": "coalesce(x.settings->(t.opening - 1)->>4, '0')",
    "readings": "coalesce((x.settings->(t.opening - 1)->5)::text, '{}')",
    "day": "x.day::text",
    "month": "to_char(x.day, 'YYYY-MM')",
    "shift": "t.shift",
    "written_hour": "t.hour",
    "dealer": "t.dealer",
    "wager": "t.wager",
    "pay_table": "t.pay_table",
    "price_class": "t.price_class",
}
"""The dimensions by which play can be grouped.

An hour is the hour of the device's clock, with its offset. Game, edition and the dimensions after them have
the value in the table's opening. `days_game` is the game of the table's last opening on that day. The whole
day counts under this game.
"""

SUMS = ("rounds", "bets", "staked", "paid", "taken", "returned", "squared", "together", "voided")


class Played(NamedTuple):
    """Sums of tally rows. `by`: the values by which they are grouped. `rounds` and `voided` count whole
    rounds, unless the rows are grouped by wager.
    """

    by: tuple[str, ...]
    live_dealer: bool
    currency: str
    rounds: int
    bets: int
    staked: int
    paid: int
    taken: int
    returned: int
    squared: int
    together: int
    voided: int
    unseen: int | Fraction
    """The same amount as `TableDay.unseen`."""

    @property
    def any(self) -> bool:
        """Return True if anything was played. A row may have no play, because the tally also has rows for
        trays that do not balance.
        """
        return any((self.rounds, self.bets, self.taken, self.paid, self.returned, self.unseen))

    @property
    def won(self) -> int | Fraction:
        return self.taken - self.paid + self.unseen


def played(span: Span, by: tuple[str, ...]) -> Iterator[Played]:
    """Yield one row for each value of `by`, kind of table and currency. If the rows are grouped by wager, the
    tally rows that count whole rounds are left out.
    """
    wagers = "wager" in by
    whole = "" if wagers else " FILTER (WHERE t.wager = '')"
    sums = ", ".join(
        f"coalesce(sum(t.{name}){whole if name in ('rounds', 'voided') else ''}, 0)" for name in SUMS
    )
    named = [DIMENSIONS[name] for name in by]
    query = f"""SELECT {", ".join((*named, "x.live_dealer", "t.currency", sums, UNSEEN))}
        FROM ({DAYS}) x, {OF_STREAM} {"WHERE t.wager <> ''" if wagers else ""}
        GROUP BY {", ".join(str(place + 1) for place in range(len(by) + 2))}"""
    for row in database.rows(query, day_values(span)):
        keys, (live_dealer, currency, *numbers, unseen) = row[: len(by)], row[len(by) :]
        sums_of = dict(zip(SUMS, map(int, numbers), strict=True))
        yield Played(
            by=tuple(map(str, keys)),
            live_dealer=live_dealer,
            currency=currency,
            unseen=exact_sum(unseen),
            **sums_of,
        )


class Exposed(NamedTuple):
    """Rounds and bets in which errors are possible, and the findings of some codes: how many there are, how
    much players gained, and how much they lost.

    An exact amount that is a fraction is given as text.
    """

    by: tuple[str, ...]
    currency: str
    rounds: int
    bets: int
    number: int
    gained: int | str
    lost: int | str


def exposed(span: Span, by: tuple[str, ...], codes: tuple[str, ...]) -> Iterator[Exposed]:
    """Yield the rounds and bets that were played, and the findings of these codes, in one query: one row for
    each value of `by` and currency.

    If the rows are grouped by wager, the rounds of each wager are counted. Findings without a wager have an
    empty wager.
    """
    named = [DIMENSIONS[name] for name in by]
    query = f"""SELECT {", ".join((*named, "t.currency"))}, sum(t.bets),
            coalesce(sum(t.rounds) FILTER (WHERE t.wager {"<>" if "wager" in by else "="} ''), 0),
            coalesce(jsonb_agg(t.found) FILTER (WHERE t.found <> '{{}}'), '[]')::text
        FROM ({DAYS}) x, {OF_STREAM} GROUP BY {", ".join(str(place + 1) for place in range(len(by) + 1))}"""
    for *values, currency, bets, rounds, error_sums in database.rows(query, day_values(span)):
        of_codes = [
            amounts
            for by_code in json.decode(error_sums, type=list[Found])
            for code, amounts in by_code.items()
            if code in codes
        ]
        number, net, lost = (
            sum((Fraction(amounts[place]) for amounts in of_codes), Fraction(0)) for place in range(3)
        )
        yield Exposed(
            tuple(map(str, values)),
            currency,
            int(rounds),
            int(bets),
            int(number),
            _plain(net + lost),
            _plain(lost),
        )


Found = dict[str, tuple[int, int | str, int | str]]
"""For each code: the number of findings in a tally row, the net amount that players got beyond what was owed,
and the amount that players lost.
"""


def _plain(amount: Fraction) -> int | str:
    return amount.numerator if amount.denominator == 1 else str(amount)
