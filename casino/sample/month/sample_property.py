"""The sample property: its register entries, and the gaming day that `make demo` shows."""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Any, NamedTuple

from casino.sample.faults.planting import FAULTS
from casino.sample.month.approvals import approvals
from casino.sample.tables.day import Day
from casino.sample.tables.play import DEALERS
from casino.sample.tables.registers import entry
from casino.sample.tables.staff import ROLES, entry_of
from casino.sample.tables.table import TABLES

PROPERTY = "aurora"
DAY = date(2026, 11, 27)
ZONE = "America/Los_Angeles"


def sample_registers(seed: int) -> list[dict[str, Any]]:
    """Return the facts that set the registers: who works here, when the gaming day begins, what may be
    played, and a camera for each table.
    """
    rng = Random(f"registers/{seed}")
    return [
        entry(rng, number, PROPERTY, DAY, *register_entry)
        for number, register_entry in enumerate(entries(), 1)
    ]


def entries() -> list[tuple[Any, ...]]:
    """Return a tuple for each register entry: the register, the key and the value. Most entries are in force
    from the start of the year. The others have a fourth item: their first day.
    """
    registers: list[tuple[Any, ...]] = [("day-begins", "*", {"time": "06:00", "zone": ZONE})]
    registers += [("people", person, entry_of(person)) for person in ROLES]
    registers += [
        (*item, item[2]["from"]) for item in approvals(dict.fromkeys(game for _, game, *_ in FLOOR))
    ]
    return registers + [
        ("cameras", f"cam-{10 + place}", {"tables": [code]}) for place, (code, *_) in enumerate(FLOOR, 1)
    ]


FLOOR: tuple[tuple[str, str, str, int, tuple[tuple[int, str], ...]], ...] = (
    ("EOU-01", "easy_over_under", "pit-1", 30, ((7, "wrong-settlement:over:overpaid"), (20, "late-bet:new"))),
    ("EOU-02", "easy_over_under", "pit-1", 30, ((12, "slip-signed-once:fill:sent-received"),)),
    ("EOU-03", "easy_over_under", "pit-1", 24, ((9, "not-cleared"), (17, "corrected:in-full"))),
    (
        "EOU-04",
        "easy_over_under",
        "pit-1",
        24,
        ((1, "inventory-does-not-balance:short"), (10, "too-few-shakes:four")),
    ),
    (
        "COU-01",
        "casino_over_under",
        "pit-1",
        24,
        ((9, "wrong-settlement:bonus:overpaid"), (17, "dealt-too-soon:undeclared")),
    ),
    (
        "HS-01",
        "high_side",
        "pit-1",
        24,
        ((8, "wrong-settlement:dice-1:paid-a-loser"), (15, "seven-not-swept")),
    ),
    ("AB-01", "andar_bahar", "pit-2", 30, ((11, "wrong-settlement:andar:underpaid"),)),
    ("AB-02", "andar_bahar", "pit-2", 24, ((14, "duplicate-card"),)),
    (
        "TP-01",
        "teen_patti",
        "pit-2",
        24,
        ((8, "not-settled:ante-bonus"), (15, "wrong-settlement:play:unqualified")),
    ),
    ("BTP-01", "bet_on_teen_patti", "pit-2", 24, ((13, "wrong-settlement:even-money"),)),
    ("L7-01", "lucky_7", "pit-2", 30, ((10, "wrong-settlement:7-up:half-missed"), (22, "burn-count:two"))),
)
"""For each table of the sample property: its code, game, pit, number of rounds, and the faults planted, each
with the number of rounds before it.
"""


def sample_house(seed: int = 1) -> list[dict[str, Any]]:
    """Return the facts of one gaming day of the property `aurora`: registers, two pits, at least one table of
    every game, and a few faults.
    """
    return sample_registers(seed) + [
        fact for place in range(len(FLOOR)) for fact in table_of(place, seed).played().facts()
    ]


class PlacedTable(NamedTuple):
    """One table of the sample property, opened with its settings but not played yet."""

    day: Day
    place: int

    def played(self) -> Day:
        """Play the table's whole present day, with the faults that FLOOR names."""
        table, (_, game, _, rounds, faults) = self.day, FLOOR[self.place]
        table.open()
        planted = dict(faults)
        for number in range(rounds):
            if number and number % (rounds // 3) == 0 and number // (rounds // 3) < 3:
                table.change_shift(*table.shifts[number // (rounds // 3)])
            if number in planted:
                FAULTS[game][planted[number]].act(table)
            else:
                table.honest()
        table.close()
        return table


def table_of(place: int, seed: int) -> PlacedTable:
    """Return the table at this index of FLOOR. Each table has four dealers of its own."""
    code, game, pit, *_ = FLOOR[place]
    settings = TABLES[game].exact | {"currency": "USD", "dealers": DEALERS[4 * place : 4 * place + 4]}
    felt = not TABLES[game].studio
    day = Day(
        game,
        f"house/{code}/{seed}",
        property=PROPERTY,
        table=code,
        day=DAY,
        house=felt,
        shifts=3,
        pit=pit,
        **settings,
    )
    return PlacedTable(day, place)
