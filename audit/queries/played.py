"""What was played, added up by any of the things that the tally knows: table, game, day, shift, hour, dealer, wager, odds."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from audit.queries import _DAYS, _OF_STREAM, _UNSEEN, Span, _exact_sum, _rows, _wanted

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
"""What play can be added up by. A written hour is that of the device, with its offset; game, edition and what follows are the opening's,
`days_game` is the one game under which a table's day is counted: that of its last opening."""

SUMS = ("rounds", "bets", "staked", "paid", "taken", "returned", "squared", "together", "voided")


class Played(NamedTuple):
    """Sums of rows of the tally; `by`: what they were added up by. `rounds` and `voided` count whole rounds, unless by wager."""

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
    """As of a `TableDay`."""

    @property
    def any(self) -> bool:
        """Whether anything was played: a tray that does not balance has a row of the tally too."""
        return any((self.rounds, self.bets, self.taken, self.paid, self.returned, self.unseen))

    @property
    def won(self) -> int | Fraction:
        return self.taken - self.paid + self.unseen


def played(span: Span, by: tuple[str, ...]) -> Iterator[Played]:
    """One row for each value of `by`, kind of table and currency; by wager, without the rows that count whole rounds."""
    wagers = "wager" in by
    whole = "" if wagers else " FILTER (WHERE t.wager = '')"
    sums = ", ".join(f"coalesce(sum(t.{name}){whole if name in ('rounds', 'voided') else ''}, 0)" for name in SUMS)
    named = [DIMENSIONS[name] for name in by]
    query = f"""SELECT {", ".join((*named, "x.live_dealer", "t.currency", sums, _UNSEEN))}
        FROM ({_DAYS}) x, {_OF_STREAM} {"WHERE t.wager <> ''" if wagers else ""}
        GROUP BY {", ".join(str(place + 1) for place in range(len(by) + 2))}"""
    for row in _rows(query, _wanted(span)):
        rest = row[len(by) :]
        yield Played._make((tuple(map(str, row[: len(by)])), *rest[:2], *map(int, rest[2:-1]), _exact_sum(rest[-1])))


class Erred(NamedTuple):
    """Findings of one code: how many, what players gained by them and what they lost; exact amounts as text where they are fractions."""

    by: tuple[str, ...]
    currency: str
    code: str
    number: int
    gained: int | str
    lost: int | str


def erred(span: Span, by: tuple[str, ...], codes: tuple[str, ...]) -> Iterator[Erred]:
    """What play brought of these codes: a row for each value of `by`, currency and code, and for each fraction of a minor unit."""
    named = [DIMENSIONS[name] for name in by]
    part = "CASE WHEN {0} LIKE '%%/%%' THEN {0} ELSE '' END"
    columns = ", ".join((*named, "t.currency", "f.code", part.format("f.net"), part.format("f.lost")))
    whole = "coalesce(sum(CASE WHEN {0} NOT LIKE '%%/%%' THEN {0}::numeric END), 0)"
    query = f"""SELECT {columns}, sum(f.number), {whole.format("f.net")}, {whole.format("f.lost")}, count(*)
        FROM ({_DAYS}) x, {_OF_STREAM},
            LATERAL (SELECT e.key AS code, (e.value->>0)::numeric AS number, e.value->>1 AS net, e.value->>2 AS lost
                     FROM jsonb_each(t.found) e) f
        WHERE t.found <> '{{}}' AND f.code = ANY(%s) GROUP BY {", ".join(str(place + 1) for place in range(len(by) + 4))}"""
    for row in _rows(query, [*_wanted(span), list(codes)]):
        currency, code, net_part, lost_part, number, net, lost, times = row[len(by) :]
        lost_all = _exactly(int(lost), lost_part, int(times))
        net_all = _exactly(int(net), net_part, int(times))
        yield Erred(tuple(map(str, row[: len(by)])), currency, code, int(number), _plain(net_all + lost_all), _plain(lost_all))


def _exactly(whole: int, part: str, times: int) -> Fraction:
    """The sum of whole amounts, and of one fraction so many times."""
    return Fraction(whole) + (times * Fraction(part) if part else 0)


def _plain(amount: Fraction) -> int | str:
    return amount.numerator if amount.denominator == 1 else str(amount)
