"""Citations for rules that no manual of a game contains: internal controls of the property, and the event
reference.

The controls are those of `audit/controls.csv`; a test compares the two lists.
"""

from __future__ import annotations

ENVELOPE = "Event reference, Fields of every fact"
VOID_SIGNED = "Control MI-01"
STAKES_RETURNED = "Control MI-02"
PAUSE_KEPT = "Control MI-03"
BETS_AND_LIMITS = "Control MI-04"
PAY_TABLE_APPROVED = "Control MI-06"
CORRECTION_SIGNED = "Control DE-02"
PAYOUT_RIGHT = "Control DE-01"
GOODWILL = "Control DE-06"
CARDS_COMPLETE = "Control CA-06"
CARDS_SHUFFLED = "Control CA-08"
ALARM_ANSWERED = "Control CA-09"


def reference(kind: str) -> str:
    """Return a citation of the event reference, for example `Event reference, round-opened`.

    Args:
        kind: the kind of fact that the cited section describes.
    """
    return f"Event reference, {kind}"
