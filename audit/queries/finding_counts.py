"""Findings by code, and verdicts by officer, for a range of gaming days. The queries read only the rows of
these days, so their time does not grow with the age of the ledger.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from fractions import Fraction
from typing import NamedTuple

from audit import database
from audit.queries.findings import UID_PATTERN

CLOCKS = timedelta(days=3)
"""A verdict may have a clock time up to this long before its gaming day begins or after it ends."""


class CodeCount(NamedTuple):
    """The findings of one code in one currency. The last verdict on a finding counts. `gained`: what players
    received beyond the amount owed. `lost`: what they received too little. Both are in minor units.
    """

    code: str
    grade: str
    currency: str
    findings: int
    hands: int
    confirmed: int
    dismissed: int
    escalated: int
    gained: Fraction
    lost: Fraction

    @property
    def open(self) -> int:
        """Return the number of findings without a verdict."""
        return self.findings - self.confirmed - self.dismissed - self.escalated


_STREAMS = """SELECT stream FROM examination WHERE property = %(property)s AND day >= %(begins)s
        AND day < %(ends)s
    UNION ALL SELECT %(property)s || '/house/' || (%(begins)s::date + place)
        FROM generate_series(0, %(ends)s::date - %(begins)s::date - 1) place"""
_AMOUNT = """CASE WHEN {name} IS NULL THEN 0 ELSE split_part({name}, '/', 1)::numeric END AS {name}_up,
    coalesce(nullif(split_part({name}, '/', 2), ''), '1') AS {name}_down"""
_COUNTS = f"""WITH one AS (
    SELECT f.code, f.grade, coalesce(q.currency, '') AS currency, f.stream,
        coalesce(f.round, '#' || f.number) AS hand, v.verdict,
        {_AMOUNT.format(name="f.moved").replace("AS f.", "AS ")},
        {_AMOUNT.format(name="f.owed").replace("AS f.", "AS ")},
        f.moved IS NOT NULL AS has_money
    FROM ({_STREAMS}) s JOIN finding f ON f.property = %(property)s AND f.stream = s.stream
    LEFT JOIN queued q ON q.property = %(property)s AND q.stream = f.stream
        AND q.hand = coalesce(f.round, '#' || f.number)
    LEFT JOIN LATERAL (SELECT verdict FROM verdict v WHERE v.property = %(property)s AND v.finding = f.id
        ORDER BY position DESC LIMIT 1) v ON true),
signed AS (
    SELECT *, CASE WHEN has_money THEN sign(moved_up / moved_down::numeric - owed_up / owed_down::numeric)
        ELSE 0 END AS way FROM one),
hands AS (
    SELECT code, grade, currency, count(DISTINCT (stream, hand)) AS hands FROM one GROUP BY 1, 2, 3)
SELECT s.code, s.grade, s.currency, h.hands, s.way, s.moved_down, s.owed_down, count(*),
    count(*) FILTER (WHERE s.verdict = 'confirmed'), count(*) FILTER (WHERE s.verdict = 'dismissed'),
    count(*) FILTER (WHERE s.verdict = 'escalated'), sum(s.moved_up), sum(s.owed_up)
FROM signed s JOIN hands h USING (code, grade, currency) GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3"""
"""SQL for the sums by code and currency. The numerators of fractions are added up for each denominator, so
that sums are exact.
"""


def by_code(property: str, begins: date, ends: date) -> list[CodeCount]:
    """Return the numbers of findings by code, grade and currency, for the gaming days from `begins` up to but
    not including `ends`.
    """
    values = {"property": property, "begins": begins, "ends": ends}
    counts: dict[tuple[str, str, str], CodeCount] = {}
    for code, grade, currency, hands, way, moved_down, owed_down, *numbers in database.rows(_COUNTS, values):
        found, confirmed, dismissed, escalated = map(int, numbers[:4])
        money = Fraction(int(numbers[4]), int(moved_down)) - Fraction(int(numbers[5]), int(owed_down))
        key = (code, grade, currency)
        before = counts.get(key) or CodeCount(*key, 0, int(hands), 0, 0, 0, Fraction(0), Fraction(0))
        counts[key] = before._replace(
            findings=before.findings + found,
            confirmed=before.confirmed + confirmed,
            dismissed=before.dismissed + dismissed,
            escalated=before.escalated + escalated,
            gained=before.gained + (money if way > 0 else 0),
            lost=before.lost - (money if way < 0 else 0),
        )
    return list(counts.values())


class OfficerCount(NamedTuple):
    """The verdicts of one officer. `withdrawn`: the number of withdrawals by the officer, which are not
    included in `verdicts`. `overturned`: the number of verdicts for which another officer later decided
    otherwise. If a later verdict decides an escalated finding, the escalation does not count as overturned.
    `first`: the number of verdicts that were the first on their finding. The times `median` and
    `slowest_tenth` are those of these verdicts, from the recording of the fact to the recording of the
    verdict.
    """

    officer: str
    verdicts: int
    confirmed: int
    dismissed: int
    escalated: int
    withdrawn: int
    overturned: int
    lacks_second: int
    first: int
    median: timedelta | None
    slowest_tenth: timedelta | None


_GIVEN = """SELECT v.by, v.second, v.verdict, v.lacks_second, v.position, v.finding, g.recorded_at, v.uid
    FROM verdict v JOIN fact g ON g.property = %(property)s AND g.position = v.position
    WHERE v.property = %(property)s AND v.at >= %(from)s AND v.at < %(to)s
        AND right(g.stream, 10) >= %(begins)s AND right(g.stream, 10) < %(ends)s"""
_OFFICERS = f"""WITH given AS ({_GIVEN}),
judged AS (
    SELECT given.*, later.overturned, CASE WHEN earlier.known IS NULL
        THEN extract(epoch FROM given.recorded_at - o.recorded_at) END AS seconds
    FROM given
    LEFT JOIN LATERAL (SELECT true AS overturned FROM verdict w WHERE w.property = %(property)s
        AND w.finding = given.finding AND w.position > given.position AND w.by <> given.by
        AND w.verdict <> given.verdict AND w.verdict NOT IN ('escalated', 'withdrawn')
        AND given.verdict NOT IN ('escalated', 'withdrawn') LIMIT 1) later ON true
    LEFT JOIN LATERAL (SELECT true AS known FROM verdict w WHERE w.property = %(property)s
        AND w.finding = given.finding AND w.position < given.position LIMIT 1) earlier ON true
    LEFT JOIN fact o ON o.property = %(property)s
        AND o.uid = CASE WHEN given.uid ~* {UID_PATTERN} THEN given.uid::uuid END)
SELECT by, count(*) FILTER (WHERE verdict <> 'withdrawn'), count(*) FILTER (WHERE verdict = 'confirmed'),
    count(*) FILTER (WHERE verdict = 'dismissed'), count(*) FILTER (WHERE verdict = 'escalated'),
    count(*) FILTER (WHERE verdict = 'withdrawn'),
    count(overturned), count(*) FILTER (WHERE lacks_second), count(seconds),
    percentile_disc(0.5) WITHIN GROUP (ORDER BY seconds), percentile_disc(0.9) WITHIN GROUP (ORDER BY seconds)
FROM judged GROUP BY by ORDER BY by"""
_SECONDS = f"""SELECT second, count(*) FROM ({_GIVEN}) given WHERE second IS NOT NULL GROUP BY 1"""


def by_officer(property: str, begins: date, ends: date) -> list[OfficerCount]:
    """Return the numbers of verdicts by officer, for the gaming days from `begins` up to but not including
    `ends`.
    """
    return [
        OfficerCount(
            officer=officer,
            verdicts=given,
            confirmed=confirmed,
            dismissed=dismissed,
            escalated=escalated,
            withdrawn=withdrawn,
            overturned=overturned,
            lacks_second=lacks_second,
            first=first,
            median=_duration(median),
            slowest_tenth=_duration(slowest_tenth),
        )
        for (
            officer,
            given,
            confirmed,
            dismissed,
            escalated,
            withdrawn,
            overturned,
            lacks_second,
            first,
            median,
            slowest_tenth,
        ) in database.rows(_OFFICERS, _values(property, begins, ends))
    ]


def second_reviews(property: str, begins: date, ends: date) -> dict[str, int]:
    """Return {officer: number of verdicts of these days that the officer signed as second reviewer}."""
    return dict(database.rows(_SECONDS, _values(property, begins, ends)))


def _values(property: str, begins: date, ends: date) -> dict[str, object]:
    return {
        "property": property,
        "from": datetime.combine(begins, time(), UTC) - CLOCKS,
        "to": datetime.combine(ends, time(), UTC) + CLOCKS,
        "begins": str(begins),
        "ends": str(ends),
    }


def _duration(seconds: object) -> timedelta | None:
    return None if seconds is None else timedelta(seconds=max(0, int(str(seconds).partition(".")[0])))
