"""The amounts of every table on each gaming day, added up from the tallies in one query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, Literal

from msgspec import json

from audit import database
from audit.queries.adjustments import restating
from audit.queries.span import DAYS, RESTATED, Span, day_values
from audit.queries.table_day import TableDay, restate

SUMS = (
    "rounds",
    "staked",
    "paid",
    "taken",
    "returned",
    "corrected",
    "openers",
    "opener",
    "closers",
    "closer",
    "fills",
    "credits",
    "pulled",
    "counted",
    "drop",
    "verified",
    "verified_drop",
    "bought",
    "corrections",
    "slips_voided",
    "voided_amount",
)
"""The numbers and amounts of a TableDay that the query adds up."""
UNSEEN = """(jsonb_build_array(jsonb_build_array(sum(t.unseen) FILTER (WHERE t.unseen <> 0
    AND t.parts = 1), 1))
    || coalesce(jsonb_agg(jsonb_build_array(t.unseen, t.parts)) FILTER (WHERE t.unseen <> 0
        AND t.parts > 1), '[]'))::text"""
_TABLE_DAYS = f"""WITH days AS (SELECT * FROM ({DAYS}) d WHERE %s::text[] IS NULL OR stream = ANY(%s)),
play AS (
    SELECT d.property, d.stream, p.* FROM days d, LATERAL (
    SELECT t.currency, CASE WHEN %s THEN t.shift ELSE '' END AS shift,
           sum(t.rounds) FILTER (WHERE t.wager = '') AS rounds,
           sum(t.staked) AS staked, sum(t.paid) AS paid, sum(t.taken) AS taken, sum(t.returned) AS returned,
           {UNSEEN} AS unseen
    FROM tally t WHERE t.property = d.property AND t.stream = d.stream AND (%s OR %s AND d.live_dealer)
        GROUP BY 1, 2 OFFSET 0) p),
cage AS (
    SELECT d.property, d.stream, p.* FROM days d, LATERAL (
    SELECT c.currency, CASE WHEN %s THEN c.shift ELSE '' END AS shift,
           sum(amount) FILTER (WHERE kind = 'corrected') AS corrected,
           sum(number) FILTER (WHERE kind = 'opener-counted') AS openers,
               sum(amount) FILTER (WHERE kind = 'opener-counted') AS opener,
           sum(number) FILTER (WHERE kind = 'closer-counted') AS closers,
               sum(amount) FILTER (WHERE kind = 'closer-counted') AS closer,
           sum(CASE kind WHEN 'fill-sent' THEN amount WHEN 'fill-voided' THEN -amount ELSE 0 END) AS fills,
           sum(CASE kind WHEN 'credit-sent' THEN amount WHEN 'credit-voided' THEN -amount ELSE 0 END)
               AS credits,
           sum(number) FILTER (WHERE kind = 'box-pulled') AS pulled,
           sum(number) FILTER (WHERE kind = 'drop-counted') AS counted,
               sum(amount) FILTER (WHERE kind = 'drop-counted') AS drop,
           sum(number) FILTER (WHERE kind = 'count-verified') AS verified,
           sum(amount) FILTER (WHERE kind = 'count-verified') AS verified_drop,
           sum(amount) FILTER (WHERE kind = 'chips-bought') AS bought,
           sum(number) FILTER (WHERE kind = 'corrected') AS corrections,
           sum(number) FILTER (WHERE kind LIKE '%%-voided') AS slips_voided,
           sum(amount) FILTER (WHERE kind LIKE '%%-voided') AS voided_amount,
           bool_or(kind <> 'corrected') AS cage
    FROM cage_tally c WHERE c.property = d.property AND c.stream = d.stream GROUP BY 1, 2 OFFSET 0) p)
SELECT property, stream, "table", day, game, live_dealer, open_boxes, boxes, stays, first_box, currency,
    shift,
       {", ".join(f"coalesce({name}, 0) AS {name}" for name in SUMS)},
       coalesce(cage, false) AS cage, 0 AS settled, 0 AS adjusted, unseen
FROM play FULL JOIN cage USING (property, stream, currency, shift) JOIN days USING (property, stream)
ORDER BY "table", day, currency, shift"""


Where = Literal["everywhere", "live", "nowhere"]


def table_days(
    span: Span, *, by_shift: bool = False, streams: Sequence[str] | None = None, play: Where = "everywhere"
) -> Iterator[TableDay]:
    """Yield the amounts of every table on each of the days, by table and day.

    Args:
        span: The days, the property and the books.
        by_shift: Yield a row for each shift.
        streams: The streams whose rows are yielded, or None for all.
        play: The tables whose play is added up. Play has ten times as many rows as counts. A day without
            play and without any fact of cage or count room has no row.
    """
    named = None if streams is None else list(streams)
    values = [*day_values(span), named, named, by_shift, play == "everywhere", play == "live", by_shift]
    days = map(_exact, database.records(TableDay, _TABLE_DAYS, values))
    yield from restate(days, restating(span, named), by_shift=by_shift) if span.books == RESTATED else days


def _exact(day: TableDay) -> TableDay:
    """Return the row of a day with exact sums. The database returns sums as decimals or texts."""
    row: tuple[Any, ...] = day
    sums = map(int, row[_FIRST_SUM:_AFTER_SUMS])
    return TableDay._make((*row[:_FIRST_SUM], *sums, *row[_AFTER_SUMS:-1], exact_sum(row[-1])))


_FIRST_SUM = TableDay._fields.index(SUMS[0])
_AFTER_SUMS = _FIRST_SUM + len(SUMS)
"""The indexes of the first sum and of the field after the last sum. The sums are consecutive fields, so a row
is copied in slices. This is fast, and a report of a year has 60,000 rows.
"""
assert TableDay._fields[_FIRST_SUM:_AFTER_SUMS] == SUMS


_NOTHING_UNSEEN = "[[null, 1]]"


def exact_sum(of: str | None) -> int | Fraction:
    """Return the exact sum, in minor units, of a JSON list of fractions. The SQL `UNSEEN` returns this list:
    first all whole amounts in one item, then each fraction.
    """
    if of is None or of == _NOTHING_UNSEEN:
        return 0
    amount = sum(
        (Fraction(up or 0, down) for up, down in json.decode(of, type=list[tuple[int | None, int]])),
        Fraction(0),
    )
    return amount.numerator if amount.denominator == 1 else amount
