"""The map of a pit: how its tables are placed on the floor."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from games.kit.fields import identifier

MOST_ROWS, MOST_COLUMNS = 20, 8
"""The maximum numbers of rows in a map, and of places in a row."""
Place = (
    Annotated[
        str,
        Meta(pattern=r"\S"),
        identifier("The code of a table, without the property.", "EOU-01"),
    ]
    | None
)
PitMap = Annotated[
    list[Annotated[list[Place], Meta(max_length=MOST_COLUMNS)]],
    Meta(
        description="The rows of tables as they are placed on the floor. Null is an empty place.",
        examples=[[["EOU-01", "EOU-02"], ["EOU-03", None]]],
        max_length=MOST_ROWS,
    ),
]
