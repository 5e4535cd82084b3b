"""The registers of the sample house's month: the property, its shifts, pits, tables, chips and thresholds, and who works there."""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Any

from .cage import CHIPS
from .day import SHIFTS
from .house import FLOOR, PROPERTY, entries, entry, table_of
from .staff import ROLES

PITS = {"pit-1": "Over and Under", "pit-2": "Live studio"}
NOTES = (10_000, 5_000, 2_000, 1_000, 500, 200, 100)
"""Every note that a count room may find in a box; the sample's own players pay with the larger ones."""
NAME = "Aurora Casino, the sample house"


def month_registers(day: date, seed: int) -> list[dict[str, Any]]:
    """Posted on this day, before anything else; all of it holds from the start of the year."""
    rng = Random(f"registers/month/{seed}")
    said: list[tuple[Any, ...]] = [("property", "*", {"name": NAME, "currency": "USD"})]
    said += [("shifts", name, {"begins": f"{hour:02}:00"}) for name, hour in SHIFTS]
    said += [("pits", pit, {"title": title}) for pit, title in PITS.items()]
    said += [("tables", code, standing(place, seed)) for place, (code, *_) in enumerate(FLOOR)]
    said += [("chip-sets", "USD", {"chips": list(CHIPS), "notes": list(NOTES)})]
    said += [("thresholds", "opening-difference", {"amount": 2_500}), ("thresholds", "adjustment", {"amount": 5_000})]
    said += entries(ROLES)
    return [entry(rng, number, PROPERTY, day, *each) for number, each in enumerate(said, 1)]


def standing(place: int, seed: int) -> dict[str, Any]:
    """A table as it stands on the floor: what its opening will say."""
    _, game, pit, *_ = FLOOR[place]
    opened = table_of(place, seed).day.table.opened()
    names = ("edition", "pay_tables", "decks", "spots", "limits", "chip", "currency", "readings", "sees")
    return {"pit": pit, "game": game} | {name: opened[name] for name in names}
