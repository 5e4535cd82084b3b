"""The internal controls with their exceptions on some gaming days. What was not judged is counted apart."""

from __future__ import annotations

from datetime import date
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
    codes = codes_of_controls()
    counts = control_findings.by_control(span, all_codes())
    days: dict[str, int] = {}
    table_days, not_judged = coverage.judged_days(span)
    for row in not_judged:
        days[row.code] = days.get(row.code, 0) + row.days
    result = []
    for id, control in controls().items():
        if id in codes:
            own = [count for count in counts if count.control == id or _is_of_manual(count, codes[id])]
            number, missed = (
                sum(count.findings for count in own),
                sum(days.get(code, 0) for code in codes[id]),
            )
            state = _state(number, missed, table_days * len(codes[id]))
            last = max((count.day for count in own), default=None)
            result.append(ControlRow(control, codes[id], number, missed, last, state))
    result.sort(key=lambda row: (-row.exceptions, -row.not_judged, row.control.id))
    return result, not_judged


def _is_of_manual(count: ControlCount, codes: tuple[str, ...]) -> bool:
    """Return True if these findings cite a game's manual, and a control with these codes finds them."""
    return not count.control and count.code in codes


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
