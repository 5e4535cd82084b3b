"""Numbers of chips or notes by denomination: the counts of trays, slips and boxes, and the par levels of
trays.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from audit.facts.annotated_fields import NEEDED
from games.kit import fields as t
from games.kit.fields import counts

Denomination = Annotated[
    str,
    Meta(
        pattern=r"\A(?:[1-9][0-9]{0,14}|10{15})\Z",
        description="What one chip or note is worth, in minor units.",
        examples=["2500"],
    ),
]
Counts = Annotated[
    dict[Denomination, Annotated[int, Meta(ge=0, le=t.LIMIT), counts("pieces", "How many pieces.")]],
    Meta(
        description="How many chips or notes there are of each denomination in minor units.",
        examples=[{"100": 200, "2500": 40}],
    ),
]
"""{denomination in minor units: number of pieces}."""
Par = Annotated[
    dict[Denomination, Annotated[int, Meta(ge=0, le=t.LIMIT), counts("pieces", "How many pieces.", 40)]],
    Meta(extra={NEEDED: "an object with the number of pieces of each denomination in minor units"}),
    Meta(
        description="The par level of the tray: how many chips of each denomination it should contain.",
        examples=[{"100": 200, "2500": 40}],
    ),
]
