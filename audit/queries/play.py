"""Sums of play, grouped by any dimension of the tally: table, game, day, shift, hour, dealer, wager, odds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

from msgspec import json

from audit import database
from audit.queries.cache.aggregates import exact_number, total
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
    "week": "date_trunc('week', x.day)::date::text",
    "shift": "t.shift",
    "written_hour": "t.hour",
    "dealer": "t.dealer",
    "wager": "t.wager",
    "pay_table": "t.pay_table",
    "price_class": "t.price_class",
}
"""The dimensions by which play can be grouped.

An hour is the hour of the device's clock, with its offset. Game, edition and the dimensions after them come
from the table's opening. `days_game` is the game of the table's last opening on that day. The whole day
counts under this game.
"""

NO_VALUES: Mapping[str, str] = MappingProxyType({})
OF_DEALER = """LATERAL (SELECT * FROM tally t WHERE t.property = x.property AND t.stream = x.stream
    AND t.dealer = %s OFFSET 0) t"""
"""SQL that reads the tally rows of one dealer in each stream `x`, with the index `tally_by_dealer`."""
SUMS = ("rounds", "bets", "staked", "paid", "taken", "returned", "squared", "together", "voided")


class Played(NamedTuple):
    """Sums of tally rows.

    Attributes:
        by: the values by which they are grouped. If they are grouped by wager, `rounds` and `voided` are the
            rounds in which the wager was bet. In any other grouping, each round counts once.
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
    """The exact amount that the casino gained in addition to `taken` - `paid` (see `TableDay`)."""

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
    """Yield one row for each value of `by`, kind of table and currency. The tally has a row without a wager
    that counts whole rounds. It is not read if the rows are grouped by wager.
    """
    wagers = "wager" in by
    of_rounds = "" if wagers else " FILTER (WHERE t.wager = '')"
    sums = ", ".join(
        f"coalesce(sum(t.{name}){of_rounds if name in ('rounds', 'voided') else ''}, 0)" for name in SUMS
    )
    named = [DIMENSIONS[name] for name in by]
    query = f"""SELECT {", ".join((*named, "x.live_dealer", "t.currency", sums, UNSEEN))}
        FROM ({DAYS}) x, {OF_STREAM}
        {"WHERE t.wager <> ''" if wagers else ""}
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
    """The numbers of rounds and bets in a group of play, and the findings of some codes in the group.

    `number`: the number of these findings. `gained` and `lost`: what players gained and lost through them, in
    minor units. An exact amount that is a fraction is given as text.
    """

    by: tuple[str, ...]
    currency: str
    rounds: int
    bets: int
    number: int
    gained: int | str
    lost: int | str


def exposed(span: Span, by: tuple[str, ...], codes: tuple[str, ...]) -> Iterator[Exposed]:
    """Yield one row for each value of `by` and currency. It has the numbers of rounds and bets that were
    played, and the number and money of the findings of these codes. One query reads everything.

    If the rows are grouped by wager, the rounds of each wager are counted. Findings without a wager have an
    empty wager.
    """
    for row, errors in _with_findings(span, by, codes, NO_VALUES):
        amounts = [amount for sums in errors.values() for amount in sums]
        number, gained, lost = _sums(amounts)
        yield row._replace(number=number, gained=gained, lost=lost)


def exposed_by_code(span: Span, by: tuple[str, ...], codes: tuple[str, ...]) -> Iterator[tuple[str, Exposed]]:
    """Yield (code, row) for each group of `exposed`. The first row of a group has the code "" and only the
    numbers of rounds and bets. Then follows a row for each code, with only the number and money of its
    findings.
    """
    for row, errors in _with_findings(span, by, codes, NO_VALUES):
        yield "", row
        for code, amounts in sorted(errors.items()):
            yield code, Exposed(row.by, row.currency, 0, 0, *_sums(amounts))


class Counted(NamedTuple):
    """The number of bets in a group of play, and for each code the number of findings in the group."""

    by: tuple[str, ...]
    currency: str
    bets: int
    numbers: dict[str, int]


def counted_by_code(
    span: Span, by: tuple[str, ...], codes: tuple[str, ...], filters: Mapping[str, str]
) -> Iterator[Counted]:
    """Yield one row for each value of `by` and currency. It has the number of bets and the number of findings
    of each of these codes. Amounts of money are not included.

    Args:
        filters: {dimension: value}, to read only rows with these values.
    """
    for row, errors in _with_findings(span, by, codes, filters):
        numbers = {code: sum(amounts[0] for amounts in every) for code, every in errors.items()}
        yield Counted(row.by, row.currency, row.bets, numbers)


def _with_findings(
    span: Span, by: tuple[str, ...], codes: tuple[str, ...], filters: Mapping[str, str]
) -> Iterator[tuple[Exposed, dict[str, list[Amounts]]]]:
    """Yield (row, findings) for each group. The row has the numbers of rounds and bets. Its number of
    findings and its amounts are 0, because the findings are returned separately as {code: amounts}.
    """
    named = [DIMENSIONS[name] for name in by]
    limited = "".join(f" AND {DIMENSIONS[name]} = %s" for name in filters)
    of_stream = OF_STREAM if "dealer" not in filters else OF_DEALER
    query = f"""SELECT {", ".join((*named, "t.currency"))}, sum(t.bets),
            coalesce(sum(t.rounds) FILTER (WHERE t.wager {"<>" if "wager" in by else "="} ''), 0),
            coalesce(jsonb_agg(t.found) FILTER (WHERE t.found <> '{{}}'), '[]')::text
        FROM ({DAYS}) x, {of_stream} WHERE true{limited}
        GROUP BY {", ".join(str(place + 1) for place in range(len(by) + 1))}"""
    values = [*day_values(span), *([filters["dealer"]] if "dealer" in filters else []), *filters.values()]
    for *keys, currency, bets, rounds, error_sums in database.rows(query, values):
        errors: dict[str, list[Amounts]] = {}
        for by_code in json.decode(error_sums, type=list[Found]):
            for code, amounts in by_code.items():
                if code in codes:
                    errors.setdefault(code, []).append(amounts)
        yield Exposed(tuple(map(str, keys)), currency, int(rounds), int(bets), 0, 0, 0), errors


Amounts = tuple[int, int | str, int | str]
"""Three sums of the findings of one code: the number of findings, the net amount that players got beyond what
was owed, and the amount that players lost. The net amount is what players gained less what they lost.
"""
Found = dict[str, Amounts]
"""For each code: the amounts of its findings in a tally row."""


def _sums(every: Sequence[Amounts]) -> tuple[int, int | str, int | str]:
    """Return three totals of these amounts of findings: the number of findings, what players gained by them,
    and what players lost by them.
    """
    net, lost = total(amounts[1] for amounts in every), total(amounts[2] for amounts in every)
    return sum(amounts[0] for amounts in every), exact_number(net + lost), exact_number(lost)
