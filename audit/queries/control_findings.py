"""Findings by the control that they concern, for a range of gaming days.

A finding concerns the control that it cites. If it cites a manual of a game, it concerns every control whose
check finds its code. The queries begin with the sums of these days, so their time does not grow with the age
of the ledger.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from audit import database
from audit.queries.span import Span

LISTED = 100
"""Maximum number of findings in a list."""


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
        WHERE property = %(property)s AND day >= coalesce(%(begins)s, '-infinity'::date)
            AND day < coalesce(%(ends)s, 'infinity'::date)
            AND (%(codes)s::text[] IS NULL OR code = ANY(%(codes)s))) t
    JOIN finding f ON f.property = %(property)s AND f.code = t.code AND f.stream = t.stream"""


def by_day(span: Span) -> Iterator[tuple[str, str, date, int]]:
    """Yield (control, code, gaming day, number of findings) for the findings of a property. The control is
    empty for findings that cite a game's manual.
    """
    query = f"""SELECT {_CONTROL}, code, day, sum(findings)::int
        FROM (SELECT f.cite, f.code, t.day, count(*) AS findings {_FROM} GROUP BY 1, 2, 3 OFFSET 0) f
        GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"""
    yield from database.rows(query, _values(span, None))


def of_control(span: Span, control: str, codes: Sequence[str]) -> list[ControlFinding]:
    """Return the latest LISTED findings that cite a control, or that have one of its codes and cite a manual.

    Args:
        span: the property and its gaming days.
        control: the id of the control, for example `OC-05`.
        codes: the codes of its findings.
    """
    query = f"""SELECT f.stream, f.number, coalesce(f.round, '') AS round, f.code, f.grade, f.says,
            coalesce((SELECT verdict FROM verdict v WHERE v.property = f.property AND v.finding = f.id
                ORDER BY position DESC LIMIT 1), '') AS verdict
        {_FROM} WHERE {_CONTROL} IN (%(control)s, '')
        ORDER BY t.day DESC, f.stream, f.number, f.code LIMIT {LISTED}"""
    return database.records(ControlFinding, query, {**_values(span, codes), "control": control})


def _values(span: Span, codes: Sequence[str] | None) -> dict[str, object]:
    return {
        "property": span.property,
        "begins": span.begins,
        "ends": span.ends,
        "codes": None if codes is None else list(codes),
    }
