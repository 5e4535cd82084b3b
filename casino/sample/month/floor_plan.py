"""The floor of the sample property as it is worked today: the maps of its pits, the par levels (intended
amounts) of its trays, and the time until a dealer's break. The registers of the month do not contain these
entries; they are added after the month.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from casino.sample.month.registers import PITS, table_entry
from casino.sample.month.sample_property import FLOOR
from casino.sample.tables.table import TABLES

MAPS: dict[str, list[list[str | None]]] = {
    "pit-1": [["EOU-01", "EOU-02", "EOU-03", "EOU-04"], ["COU-01", None, None, "HS-01"]],
    "pit-2": [["AB-01", "AB-02", "TP-01"], ["BTP-01", None, "L7-01"]],
}
"""For each pit: the rows of its map."""
PAR = {"10000": 200, "2500": 600, "500": 1_500}
"""{value of a chip in minor units: number of these chips} that the tray of every table with a layout should
contain.
"""
MINUTES = 75
"""The number of minutes that a dealer may deal without a break."""


class PlannedEntry(NamedTuple):
    """A register entry, together with the value that it replaces (None if the entry is new)."""

    register: str
    key: str
    before: Any
    value: Any


def floor_plan(seed: int = 1) -> list[PlannedEntry]:
    """Return the entries that complete the registers of the month."""
    pits = [
        PlannedEntry("pits", pit, {"title": title}, {"title": title, "map": MAPS[pit]})
        for pit, title in PITS.items()
    ]
    entries = {code: (game, table_entry(place, seed)) for place, (code, game, *_) in enumerate(FLOOR)}
    tables = [
        PlannedEntry("tables", code, entry, entry | {"par": PAR})
        for code, (game, entry) in entries.items()
        if not TABLES[game].studio
    ]
    return [*pits, *tables, PlannedEntry("thresholds", "dealer-break", None, {"minutes": MINUTES})]
