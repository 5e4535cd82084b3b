"""Findings by the control that they concern, for a range of gaming days.

A finding concerns the control that it cites. If it cites a manual of a game, it concerns every control whose
check finds its code. The queries begin with the sums of these days, so their time does not grow with the age
of the ledger.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from audit import database
from audit.queries.span import Span

LISTED = 100
"""Maximum number of findings in a list."""


class ControlCount(NamedTuple):
    """The number of findings of one code that cite a control, and the last gaming day with such a finding.
    `control` is empty for findings that cite a game's manual.
    """

    control: str
    code: str
    findings: int
    last: date


class ControlFinding(NamedTuple):
    """A finding that cites a control. `round` is empty if the finding is about no round. `verdict` is the
    last verdict, or empty.
    """

    stream: str
    number: int
    round: str
    code: str
    grade: str
    says: str
    verdict: str


_CONTROL = "coalesce(substring(f.cite FROM '^Control ([A-Z]+-[0-9]+)'), '')"
_FROM = """FROM (SELECT DISTINCT stream, code, day FROM finding_tally
        WHERE property = %(property)s AND day >= %(begins)s AND day < %(ends)s AND code = ANY(%(codes)s)) t
    JOIN finding f ON f.property = %(property)s AND f.code = t.code AND f.stream = t.stream"""


def by_control(span: Span, codes: Sequence[str]) -> list[ControlCount]:
    """Return the numbers of findings by control and code, in this order.

    Args:
        span: the property and its gaming days, with a begin and an end.
        codes: the codes that are counted.
    """
    query = f"""SELECT {_CONTROL}, f.code, count(*), max(t.day) {_FROM} GROUP BY 1, 2 ORDER BY 1, 2"""
    return [ControlCount(*row) for row in database.rows(query, _values(span, codes))]


def of_control(span: Span, control: str, codes: Sequence[str]) -> list[ControlFinding]:
    """Return the latest LISTED findings that cite a control, or that have one of its codes and cite a manual.

    Args:
        span: the property and its gaming days, with a begin and an end.
        control: the id of the control, for example `OC-05`.
        codes: the codes of its findings.
    """
    query = f"""SELECT f.stream, f.number, coalesce(f.round, '') AS round, f.code, f.grade, f.says,
            coalesce((SELECT verdict FROM verdict v WHERE v.property = f.property AND v.finding = f.id
                ORDER BY position DESC LIMIT 1), '') AS verdict
        {_FROM} WHERE {_CONTROL} IN (%(control)s, '')
        ORDER BY t.day DESC, f.stream, f.number, f.code LIMIT {LISTED}"""
    return database.records(ControlFinding, query, {**_values(span, codes), "control": control})


def _values(span: Span, codes: Sequence[str]) -> dict[str, object]:
    return {
        "property": span.property,
        "begins": span.begins,
        "ends": span.ends,
        "codes": list(codes),
    }
