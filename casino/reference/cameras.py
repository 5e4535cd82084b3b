"""Find the video of a hand. Each camera that is registered for the table on that day has a clip from the
hand's first fact to its last.

In the register `cameras`, the key is the camera's id and the value is `{"tables": ["EOU-01", …]}`.
"""

from __future__ import annotations

from datetime import date

from audit.review.hands import Played
from casino.reference.registers import values_on


def video_of(hand: Played) -> list[dict[str, str]]:
    """Return the video clips of a hand in the form in which a verdict records them. The list is empty if no
    camera is registered for the table.
    """
    _, table, day = hand.stream.split("/")
    times = [each.fact.at for each in hand.facts]
    begins, ends = (at.isoformat(timespec="seconds") for at in (min(times), max(times)))
    return [
        {"camera": camera, "from": begins, "to": ends}
        for camera, value in values_on(hand.property, "cameras", date.fromisoformat(day)).items()
        if isinstance(value, dict) and table in value.get("tables", ())
    ]
