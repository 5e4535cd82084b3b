"""Attribute the hold from play to three causes: the rules, the decisions of players, and the errors of
dealers. Sums are exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from audit import database
from audit.queries.play import DIMENSIONS
from audit.queries.span import DAYS, OF_STREAM, Span, day_values


class Divided(NamedTuple):
    """Sums of tally rows. Amounts are positive if the casino gains. `decided` is in minor units, and all
    other amounts are in units of 1/`parts` of a minor unit.

    `owed` is the casino's gain under the rules on the `decided` stakes, including `rounding`. `undivided` is
    the gain on wagers for which the player's decision was not observed or cannot be determined from the hand.
    `errors` is the rest of the money that moved.

    Attributes:
        by: the values by which the rows are grouped.
    """

    by: tuple[str, ...]
    live_dealer: bool
    currency: str
    parts: int
    decided: int
    owed: int
    choices: int
    rounding: int
    undivided: int
    errors: int
    old: bool
    """True if these days were examined by a release that did not attribute hold. All their play then counts
    as `undivided`, until `manage.py reexamine` is run.
    """


def divided(span: Span, by: tuple[str, ...]) -> Iterator[Divided]:
    """Yield rows for each value of `by`, kind of table and currency. Several rows may have the same key and
    must be added up.
    """
    named = [DIMENSIONS[name] for name in by]
    query = f"""SELECT {", ".join((*named, "x.live_dealer", "t.currency", "t.parts"))},
        sum(t.taken - t.paid), sum(t.decided), sum(t.owed),
            sum(t.choices), sum(t.rounding), sum(t.undivided), sum(t.unseen)
        FROM ({DAYS}) x, {OF_STREAM} WHERE t.wager <> ''
        GROUP BY {", ".join(str(place + 1) for place in range(len(by) + 3))}"""
    for row in database.rows(query, day_values(span)):
        parts, moved, decided, *sums = map(int, row[len(by) + 2 :])
        yield exactly(
            (tuple(map(str, row[: len(by)])), row[len(by)], row[len(by) + 1]), parts, moved, decided, sums
        )


def exactly(
    of: tuple[tuple[str, ...], bool, str], parts: int, moved: int, decided: int, sums: Sequence[int]
) -> Divided:
    """Return the row for these sums of the tally.

    Args:
        of: the values by which the rows are grouped, the kind of table and the currency.
        parts: the denominator of `sums`, or 0 if an earlier release computed the tally without attribution.
        moved: what the casino took minus what it paid.
        decided: the stakes to which `owed` belongs.
        sums: owed, choices, rounding, undivided and unseen, in units of 1/`parts` of a minor unit.
    """
    if not parts:
        return Divided(*of, 1, 0, 0, 0, 0, moved, 0, True)
    owed, choices, rounding, undivided, unseen = sums
    errors = moved * parts + unseen - owed - undivided
    return Divided(*of, parts, decided, owed, choices, rounding, undivided, errors, False)


class Wrong(NamedTuple):
    """A finding about money that was moved wrongly in play. `owed` and `moved` are integers, or fractions
    such as `25/2`. They are positive if the player gains.
    """

    number: int
    round: str
    code: str
    spot: str
    wager: str
    owed: str
    moved: str
    says: str
    id: str


def wrong(property: str, stream: str, codes: tuple[str, ...]) -> list[Wrong]:
    """Return the findings of these codes in a stream, if they state the amount that moved."""
    query = """SELECT number, coalesce(round, '') AS round, code, coalesce(spot, '') AS spot,
        coalesce(wager, '') AS wager, coalesce(owed, '0') AS owed, moved, says, id
        FROM finding WHERE property = %s AND stream = %s AND code = ANY(%s) AND moved IS NOT NULL
            ORDER BY number, code, spot, wager"""
    return database.records(Wrong, query, [property, stream, list(codes)])
