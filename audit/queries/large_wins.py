"""List the wins of players above an amount, with the entry of surveillance's log that verifies each of them.

A win is what one spot was paid in a round in addition to its stakes (`pay` and `settled`). Void rounds have
no wins. Candidates are read from `round_tally`; only their own payments are read from the ledger.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from audit import database
from audit.facts import decode
from games.kit.events import Pay, Settled

TYPE = "large-win"
"""The type of the log entries in which surveillance verifies a large win with the video recording."""
MOST = 300
"""Maximum number of rounds that are read at once."""


class Paid(NamedTuple):
    """A round that paid at least the requested amount.

    Attributes:
        paid: the amount paid to all spots together.
    """

    stream: str
    number: int
    round: str
    table: str
    day: date
    game: str
    dealer: str
    supervisor: str
    opened_at: datetime
    currency: str
    paid: Decimal


class LargeWin(NamedTuple):
    """What one spot of a round won, in minor units."""

    of: Paid
    spot: str
    amount: int


class Verified(NamedTuple):
    """The entry of the log that verifies the wins of a round: its number, who wrote it and when."""

    number: int
    by: str
    at: datetime


def rounds(property: str, begins: date, ends: date, minimums: Mapping[str, Fraction]) -> list[Paid]:
    """Return the rounds that paid at least the minimum for their currency, latest first. `begins` and `ends`:
    the first and the last gaming day. `minimums`: {currency: minimum in minor units}. If there are more than
    MOST, the result has one extra round.
    """
    columns = ", ".join(f'r."{name}"' for name in Paid._fields)
    query = f"""SELECT {columns} FROM round_tally r
        JOIN unnest(%s::text[], %s::numeric[]) AS l (currency, amount)
            ON r.currency = l.currency AND r.paid >= l.amount
        WHERE r.property = %s AND r.day BETWEEN %s AND %s AND NOT r.voided
        ORDER BY r.opened_at DESC, r.stream, r.number LIMIT {MOST + 1}"""
    values = [list(minimums), [ceil(amount) for amount in minimums.values()], property, begins, ends]
    return list(map(Paid._make, database.rows(query, values)))


def wins_of(property: str, paid: Sequence[Paid]) -> list[LargeWin]:
    """Return what each spot won in these rounds, in the order of the rounds. The largest win of a round comes
    first.
    """
    query = """SELECT r.place, f.body
        FROM unnest(%s::text[], %s::bigint[]) WITH ORDINALITY AS r (stream, number, place)
        CROSS JOIN LATERAL (SELECT min(n.number) AS number FROM round_tally n
            WHERE n.property = %s AND n.stream = r.stream AND n.number > r.number) AS next
        JOIN fact f ON f.property = %s AND f.stream = r.stream AND f.number > r.number
            AND f.number < coalesce(next.number, 9223372036854775807)
            AND f.kind IN ('pay', 'settled')
        ORDER BY r.place, f.number"""
    streams, numbers = [row.stream for row in paid], [row.number for row in paid]
    sums: list[dict[str, int]] = [{} for _ in paid]
    for place, body in database.rows(query, [streams, numbers, property, property]):
        fact, of = decode(bytes(body)), sums[place - 1]
        if fact.round is not None and fact.round != paid[place - 1].round:
            continue
        moved = [(fact.spot, fact.amount)] if isinstance(fact, Pay) else []
        if isinstance(fact, Settled):
            moved = [(spot, amount) for spot, _, amount in fact.paid]
        for spot, amount in moved:
            of[spot] = of.get(spot, 0) + amount
    return [
        LargeWin(of, spot, amount)
        for of, amounts in zip(paid, sums, strict=True)
        for spot, amount in sorted(amounts.items(), key=lambda won: -won[1])
    ]


def verified(property: str, paid: Sequence[Paid]) -> dict[tuple[str, str], Verified]:
    """Return {(stream, round): the first log entry that verifies the wins of the round}. An entry without a
    recording, or one that another entry corrects, does not count.
    """
    query = """SELECT DISTINCT ON (l.of_table, l.of_day, l.round)
            l.of_table || '/' || l.of_day, l.round, l.number, l.by, l.at
        FROM unnest(%s::text[], %s::date[], %s::text[]) AS r (name, day, round)
        JOIN log_entry l ON l.property = %s AND l.of_table = r.name AND l.of_day = r.day AND l.round = r.round
            AND l.of_table <> '' AND l.type = %s AND l.corrected_by IS NULL AND l.video <> '[]'
        ORDER BY l.of_table, l.of_day, l.round, l.number"""
    of = [[row.table for row in paid], [row.day for row in paid], [row.round for row in paid]]
    rows = database.rows(query, [*of, property, TYPE])
    return {(stream, round): Verified(*entry) for stream, round, *entry in rows}
