"""Findings by code, and verdicts by officer, for a range of gaming days. The queries read only sums and
verdicts of these days, so their time does not grow with the age of the ledger.
"""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction
from typing import NamedTuple

from audit import database
from audit.queries.tray_equation import CHIP_CODES
from audit.review.projections import GRADES
from audit.review.queue import NOTICE_RANK


class CodeCount(NamedTuple):
    """The findings of one code in one currency. The last verdict on a finding counts.

    Attributes:
        gained: the amount that players received beyond what they were owed.
        lost: the amount that they were owed and did not receive. Both are in minor units. For a code of
            CHIP_CODES, `gained` is missing chips and `lost` is surplus chips.
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

    @property
    def is_notice(self) -> bool:
        """Return True if the findings need no verdict and are not in the queue."""
        return self.grade == GRADES[NOTICE_RANK - 1]

    @property
    def is_of_chips(self) -> bool:
        """Return True if the amounts are missing and surplus chips, not a player's win or loss."""
        return self.code in CHIP_CODES


_CODES = """SELECT code, grade, currency, parts, sum(findings), sum(hands), sum(confirmed), sum(dismissed),
    sum(escalated), sum(gained), sum(lost)
    FROM finding_tally WHERE property = %s AND day >= %s AND day < %s
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4"""


def by_code(property: str, begins: date, ends: date) -> list[CodeCount]:
    """Return the numbers of findings by code, grade and currency, for the gaming days from `begins` up to but
    not including `ends`.
    """
    counts: dict[tuple[str, str, str], CodeCount] = {}
    for (
        code,
        grade,
        currency,
        parts,
        findings,
        hands,
        confirmed,
        dismissed,
        escalated,
        gained,
        lost,
    ) in database.rows(_CODES, [property, begins, ends]):
        key = (code, grade, currency)
        before = counts.get(key) or CodeCount(*key, 0, 0, 0, 0, 0, Fraction(0), Fraction(0))
        counts[key] = before._replace(
            findings=before.findings + int(findings),
            hands=before.hands + int(hands),
            confirmed=before.confirmed + int(confirmed),
            dismissed=before.dismissed + int(dismissed),
            escalated=before.escalated + int(escalated),
            gained=before.gained + Fraction(int(gained), int(parts)),
            lost=before.lost + Fraction(int(lost), int(parts)),
        )
    return list(counts.values())


class OfficerCount(NamedTuple):
    """The verdicts of one officer.

    `withdrawn`: the number of withdrawals by the officer, which are not included in `verdicts`. `overturned`:
    the number of verdicts for which another officer later decided otherwise. If a later verdict decides an
    escalated finding, the escalation does not count as overturned.

    `first`: the number of verdicts that were the first on their finding. For each of them, the waiting time
    is the time from the recording of the finding's fact to the recording of the verdict. `median`: half of
    the waiting times are at most this long. `slowest_tenth`: nine tenths of them are at most this long.
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


_GIVEN = "FROM verdict WHERE property = %s AND day >= %s AND day < %s"
_OFFICERS = f"""SELECT by, count(*) FILTER (WHERE verdict <> 'withdrawn'),
    count(*) FILTER (WHERE verdict = 'confirmed'), count(*) FILTER (WHERE verdict = 'dismissed'),
    count(*) FILTER (WHERE verdict = 'escalated'), count(*) FILTER (WHERE verdict = 'withdrawn'),
    count(*) FILTER (WHERE overturned), count(*) FILTER (WHERE lacks_second), count(seconds),
    percentile_disc(0.5) WITHIN GROUP (ORDER BY seconds), percentile_disc(0.9) WITHIN GROUP (ORDER BY seconds)
    {_GIVEN} GROUP BY by ORDER BY by"""
_SECONDS = f"SELECT second, count(*) {_GIVEN} AND second IS NOT NULL GROUP BY 1"


def by_officer(property: str, begins: date, ends: date) -> list[OfficerCount]:
    """Return the numbers of verdicts by officer, for the gaming days from `begins` up to but not including
    `ends`.
    """
    return [
        OfficerCount(
            officer=officer,
            verdicts=verdicts,
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
            verdicts,
            confirmed,
            dismissed,
            escalated,
            withdrawn,
            overturned,
            lacks_second,
            first,
            median,
            slowest_tenth,
        ) in database.rows(_OFFICERS, [property, begins, ends])
    ]


def second_reviews(property: str, begins: date, ends: date) -> dict[str, int]:
    """Return {officer: number of verdicts of these days that the officer signed as second reviewer}."""
    return dict(database.rows(_SECONDS, [property, begins, ends]))


def _duration(seconds: int | None) -> timedelta | None:
    return None if seconds is None else timedelta(seconds=seconds)
