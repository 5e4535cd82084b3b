"""Find the video of a hand: from its first fact to its last, by each camera registered for its table on its
day.

An entry of the register `cameras` has the camera's id as key and `{"tables": ["EOU-01", …]}` as value.
"""

from __future__ import annotations

from datetime import date

from audit.review.hands import Played
from casino.reference.registers import values_on


def video_of(hand: Played) -> list[dict[str, str]]:
    """Return the video clips of a hand, as a verdict records them; empty if no camera is registered for its
    table.
    """
    _, table, day = hand.stream.split("/")
    times = [each.fact.at for each in hand.facts]
    begins, ends = (at.isoformat(timespec="seconds") for at in (min(times), max(times)))
    return [
        {"camera": camera, "from": begins, "to": ends}
        for camera, value in values_on(hand.property, "cameras", date.fromisoformat(day)).items()
        if isinstance(value, dict) and table in value.get("tables", ())
    ]
