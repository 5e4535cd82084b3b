"""The registers of the sample property's month: the property, its shifts, pits, tables, chips, thresholds and
staff.
"""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Any

from casino.sample.month.sample_property import FLOOR, PROPERTY, entries, table_of
from casino.sample.tables.cage import CHIPS
from casino.sample.tables.day import SHIFTS
from casino.sample.tables.registers import entry

PITS = {"pit-1": "Over and Under", "pit-2": "Live studio"}
NOTES = (10_000, 5_000, 2_000, 1_000, 500, 200, 100)
"""Values of the notes that a count room may find in a box, in minor units. The sample's own players pay with
the larger ones.
"""
NAME = "Aurora Casino, the sample house"
ACCOUNTS = {
    "drop": ("1010", "Cash:Count room", "asset"),
    "markers-issued": ("1010", "Cash:Count room", "asset"),
    "markers-paid": ("1000", "Cash:Cage", "asset"),
    "chips": ("1030", "Chips:Tables", "asset"),
    "fills": ("1020", "Chips:Cage", "asset"),
    "credits": ("1020", "Chips:Cage", "asset"),
    "markers": ("1200", "Markers receivable", "asset"),
    "wagers": ("2100", "Players:Live wagers", "liability"),
    "adjustments": ("2110", "Players:Adjusted settlements", "liability"),
    "over-short": ("5100", "Over and short", "expense"),
    "win": ("4000", "Table win", "income"),
    "win/easy_over_under": ("4010", "Table win:Easy Over Under", "income"),
    "win/casino_over_under": ("4020", "Table win:Casino Over Under", "income"),
    "win/high_side": ("4030", "Table win:High Side", "income"),
    "win/andar_bahar": ("4040", "Table win:Andar Bahar", "income"),
    "win/teen_patti": ("4050", "Table win:Teen Patti", "income"),
    "win/bet_on_teen_patti": ("4060", "Table win:Bet on Teen Patti", "income"),
    "win/lucky_7": ("4070", "Table win:Lucky 7", "income"),
    "vouchers": ("1015", "Vouchers", "asset"),
}
"""For each kind of journal entry: the account of the sample property's books to which it is posted."""


def month_registers(day: date, seed: int) -> list[dict[str, Any]]:
    """Return the facts that set the register entries. They are posted before anything else on this day. All
    entries are in force from the start of the year.
    """
    rng = Random(f"registers/month/{seed}")
    values: list[tuple[Any, ...]] = [("property", "*", {"name": NAME, "currency": "USD"})]
    values += [("shifts", name, {"begins": f"{hour:02}:00"}) for name, hour in SHIFTS]
    values += [("pits", pit, {"title": title}) for pit, title in PITS.items()]
    values += [("tables", code, table_entry(place, seed)) for place, (code, *_) in enumerate(FLOOR)]
    values += [("chip-sets", "USD", {"chips": list(CHIPS), "notes": list(NOTES)})]
    values += [
        ("thresholds", "opening-difference", {"amount": 2_500}),
        ("thresholds", "adjustment", {"amount": 5_000}),
    ]
    values += entries()
    values += [
        ("accounts", key, dict(zip(("number", "name", "type"), account, strict=True)))
        for key, account in ACCOUNTS.items()
    ]
    return [entry(rng, number, PROPERTY, day, *value) for number, value in enumerate(values, 1)]


def table_entry(place: int, seed: int) -> dict[str, Any]:
    """Return the register entry of a table, which agrees with the settings in its opening."""
    _, game, pit, *_ = FLOOR[place]
    opened = table_of(place, seed).day.table.opened()
    names = ("edition", "pay_tables", "decks", "spots", "limits", "chip", "currency", "readings", "sees")
    return {"pit": pit, "game": game} | {name: opened[name] for name in names}
