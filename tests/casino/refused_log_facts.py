"""Facts about the daily log and recordings that a page would refuse. Tests record them as a file or a device
would send them.
"""

from __future__ import annotations

from typing import Any

from tests.audit.test_signatures import PIECE

Fact = dict[str, Any]
HOLD = {"kind": "hold-ordered", **PIECE, "reason": "a dispute", "by": "o-1"}


def of_the_log(staff: list[Fact]) -> dict[str, list[Fact]]:
    """Return test cases by name. The name says what is wrong with the facts.

    Args:
        staff: the entries of the register of people.
    """
    return {
        "a shift taken over by a dealer": [*staff, {"kind": "hand-over-accepted", "entry": "x", "by": "d-1"}],
        "a camera reported by a dealer": [
            *staff,
            {"kind": "camera-down", "camera": "cam-1", "reason": "no picture", "by": "d-1"},
        ],
        "a camera that is down without a reason": [
            {"kind": "camera-down", "camera": "cam-1", "reason": "", "by": "v-1"},
        ],
        "a hold ordered by a dealer": [*staff, HOLD | {"by": "d-1"}],
        "a hold without a reason": [HOLD | {"reason": " "}],
        "a hold released by a dealer": [
            *staff,
            {"kind": "hold-released", "hold": "x", "reason": "settled", "by": "d-1"},
        ],
        "a recording secured by a dealer": [
            *staff,
            {"kind": "hold-secured", "hold": "x", "where": "locked", "by": "d-1"},
        ],
        "an export by a dealer": [
            *staff,
            {"kind": "clip-exported", **PIECE, "where": "the police", "by": "d-1"},
        ],
    }
