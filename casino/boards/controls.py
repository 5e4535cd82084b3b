"""The internal controls with their exceptions on some gaming days. What was not judged is counted apart."""

from __future__ import annotations

from datetime import date
from itertools import chain
from typing import NamedTuple

from audit.controls import Control, controls
from audit.queries.cache import control_findings
from audit.queries.cache.control_findings import ControlCount
from audit.queries.span import Span
from audit.reference.findings import codes_of_controls
from casino.reports.definitions import coverage
from casino.reports.definitions.coverage import NotJudged

EXCEPTIONS, PARTLY, NOT_JUDGED, NONE = "exceptions", "partly judged", "not judged", "no exception"
"""The states of a control. A control that was not judged on some table days never has the state
`no exception`.
"""


class ControlRow(NamedTuple):
    """A control that is checked.

    Attributes:
        codes: the codes of the findings that can cite the control.
        exceptions: the number of findings that cite it, or that have one of its codes and cite a manual.
        not_judged: the number of table days on which it was not judged, added up over its codes.
        last: the last gaming day with an exception.
        state: one of the states above.
    """

    control: Control
    codes: tuple[str, ...]
    exceptions: int
    not_judged: int
    last: date | None
    state: str


def rows(span: Span) -> tuple[list[ControlRow], list[NotJudged]]:
    """Return all controls that are checked, and the rules by which a table is not judged. The controls are
    ordered by the number of exceptions, and then by the number of table days that were not judged. The
    largest numbers come first.

    Args:
        span: the property and its gaming days, with a begin and an end.
    """
    table_days, not_judged = coverage.judged_days(span)
    days: dict[str, int] = {}
    for row in not_judged:
        days[row.code] = days.get(row.code, 0) + row.days
    return _rows(span, table_days, days), not_judged


def control_rows(span: Span) -> list[ControlRow]:
    """Return the controls of `rows`, without the rules by which a table is not judged."""
    return _rows(span, *coverage.days_by_code(span))


def _rows(span: Span, table_days: int, days: dict[str, int]) -> list[ControlRow]:
    """Return all controls that are checked.

    Args:
        table_days: the number of table days with any facts.
        days: {code: the number of table days on which it was not judged}.
    """
    codes = codes_of_controls()
    of_control: dict[str, list[ControlCount]] = {}
    of_manual: dict[str, list[ControlCount]] = {}
    for count in control_findings.by_control(span, all_codes()):
        # Findings that cite no control cite a game's manual. They count for the controls with their code.
        counts = (
            of_control.setdefault(count.control, [])
            if count.control
            else of_manual.setdefault(count.code, [])
        )
        counts.append(count)
    result = []
    for id, control in controls().items():
        if id in codes:
            own = [
                *of_control.get(id, ()),
                *chain.from_iterable(of_manual.get(code, ()) for code in codes[id]),
            ]
            number = sum(count.findings for count in own)
            missed = sum(days.get(code, 0) for code in codes[id])
            state = _state(number, missed, table_days * len(codes[id]))
            last = max((count.day for count in own), default=None)
            result.append(ControlRow(control, codes[id], number, missed, last, state))
    result.sort(key=lambda row: (-row.exceptions, -row.not_judged, row.control.id))
    return result


def all_codes() -> list[str]:
    """Return the codes of all findings that can cite a control."""
    return sorted({code for codes in codes_of_controls().values() for code in codes})


def number_without_check() -> int:
    """Return the number of controls that have no check."""
    return len(controls()) - len(codes_of_controls())


def _state(exceptions: int, not_judged: int, possible: int) -> str:
    if exceptions:
        return EXCEPTIONS
    if not_judged >= possible:
        return NOT_JUDGED
    return PARTLY if not_judged else NONE
