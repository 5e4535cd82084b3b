"""Counters of devices: if a message of a device was lost, a fact that a person sends with the missing number
does not hide the loss.
"""

from __future__ import annotations

from typing import Any

import pytest

from audit.replay.fold import replay
from tests.audit.floor import OPENING, event

PAUSED = {"reason": "a card", "by": "t-101"}
SETTINGS = {name: value for name, value in OPENING.items() if name != "kind"}


def counter_findings(
    *kinds: tuple[str, int, dict[str, Any]], sees: tuple[str, ...] = ()
) -> list[tuple[str, int]]:
    """Return code and number of each finding about counters in a stream whose facts all name one source."""
    settings = SETTINGS | {"sees": [*OPENING["sees"], *sees]}
    facts = [event(1, "table-opened", source="shoe-7", n=1, **settings)]
    facts += [
        event(place, kind, source="shoe-7", n=n, **fields) for place, (kind, n, fields) in enumerate(kinds, 2)
    ]
    return [
        (finding.code, finding.number)
        for finding in replay(facts, "aurora/EOU-01/2026-11-27").findings
        if finding.code == "feed-gap"
    ]


@pytest.mark.parametrize("kind", ["paused", "resumed"])
def test_a_persons_fact_with_the_next_number_does_not_hide_a_lost_message(kind: str) -> None:
    lost = (("cut-card-shown", 2, {}), (kind, 3, PAUSED), ("cut-card-shown", 4, {}))
    assert counter_findings(*lost) == [("feed-gap", 4)]
    complete = (*lost[:2], ("cut-card-shown", 3, {}), ("cut-card-shown", 4, {}))
    assert counter_findings(*complete) == [], "the message came after all"


def test_a_pause_that_the_equipment_reports_counts() -> None:
    assert counter_findings(("paused", 2, PAUSED), ("cut-card-shown", 3, {}), sees=("paused",)) == []
    assert counter_findings(("paused", 3, PAUSED), sees=("paused",)) == [("feed-gap", 2)]
