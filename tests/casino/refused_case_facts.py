"""Facts about surveillance cases that a page would refuse. Tests record them as a file or a device would send
them.
"""

from __future__ import annotations

from typing import Any

from tests.audit.checks.test_signers import RIGHT

Fact = dict[str, Any]


def case_fact(kind: str, **changed: Any) -> Fact:
    """Return a valid fact about a surveillance case, with the fields of `changed` replaced."""
    return {"kind": kind, **RIGHT[kind], **changed}


REFUSED_CASES: dict[str, list[Fact]] = {
    "a case about the weather": [case_fact("case-opened", concerns="weather")],
    "a case in an unknown state": [case_fact("case-changed", status="asleep")],
    "a case with an unknown outcome": [case_fact("case-closed", outcome="luck")],
    "a subject of an unknown kind": [case_fact("case-subject-set", role="ghost")],
    "a subject with an unknown measure": [case_fact("case-subject-set", measure="exile")],
    "an erasure on unknown ground": [case_fact("case-erased", why="mood")],
    "an unknown thing in a case": [
        case_fact("case-joined", parts=[{"what": "weather", "of": "rain", "table": None, "day": None}])
    ],
}
"""Cases whose last fact is refused."""


def of_cases(staff: list[Fact]) -> dict[str, list[Fact]]:
    """Return test cases by name. The name says what is wrong with the facts. The ledger accepts these facts,
    and replay reports a finding.

    Args:
        staff: the entries of the register of people.
    """
    return {
        "an erasure that one person signs": [*staff, case_fact("case-erased", by="o-1", second="o-1")],
    }
