"""Two days of a small property. Every control is broken on them. The findings reference takes its example
sentences from these days.
"""

from __future__ import annotations

from typing import Any

from games import GAMES
from tests.audit.checks import ledgers
from tests.audit.floor import DAY, OPENING, fact

BEFORE, NEXT, LATE = "2026-11-26", "2026-11-28", "2026-12-10"
COUNTED: dict[str, Any] = {**ledgers.COUNTED}
PULLED: dict[str, Any] = {**ledgers.PULLED}
SENT: dict[str, Any] = {**ledgers.SENT}
TWO: dict[str, Any] = {**ledgers.TWO}
MONEY: dict[str, Any] = {"reason": "a note was found", "by": "a-1", "second": "a-2"}
HIGH_SIDE: dict[str, Any] = {
    "game": "high_side",
    "edition": "2013-03",
    "pay_tables": {"bonus": "1"},
    "decks": 5,
    "readings": {},
}
ANDAR_BAHAR = GAMES["andar_bahar"].pay_tables
SEES = [
    "round-opened",
    "round-closed",
    "bet",
    "deal",
    "roll",
    "take",
    "pay",
    "shuffled",
    "alarm",
    "alarm-answered",
    "table-closed",
]


class Days:
    """A list of facts, which are posted in this order, one minute apart."""

    def __init__(self) -> None:
        self.facts: list[dict[str, Any]] = []

    def add(self, kind: str, table: str = "EOU-01", day: str = DAY, **fields: Any) -> str:
        """Add a fact and return its uid."""
        place = len(self.facts) + 1
        at = f"{day}T{8 + place // 60:02}:{place % 60:02}:00-08:00"
        recorded = fact(place, kind, f"aurora/{table}", day, **({"at": at} | fields))
        self.facts.append(recorded)
        return str(recorded["uid"])

    def open(self, table: str = "EOU-01", day: str = DAY, **fields: Any) -> str:
        """Add the opening of a table's day."""
        settings = {name: value for name, value in OPENING.items() if name != "kind"}
        return self.add("table-opened", table, day, **settings | {"sees": SEES} | fields)

    def enter(self, register: str, key: str, value: Any) -> None:
        """Add a fact that sets a register entry."""
        self.add(
            "register-set",
            "house",
            register=register,
            key=key,
            value=value,
            **{"from": None, "to": None, "by": "i-1", "second": "i-2"},
        )

    def adjust(self, day: str, of: str = "", **fields: Any) -> None:
        """Add an adjustment of the drop of a closed day."""
        fields_of_day = (
            {"of_table": "aurora/EOU-01", "of_day": day, "what": "drop", "amount": 500}
            | MONEY
            | ({"of": of} if of else {})
        )
        self.add("adjusted", "house", NEXT, **fields_of_day | fields)


WRITTEN_OFF = {
    "slip": "M-AUR-000031",
    "player": "p-1",
    "currency": "USD",
    "amount": 5000,
    "reason": "the player is bankrupt",
    "by": "a-1",
    "second": "a-2",
}


def cage(days: Days) -> None:
    """Add facts that break the controls of cage and count room."""
    days.enter("chip-sets", "USD", {"chips": [100, 500, 2500]})
    for table in ("EOU-01", "EOU-02"):
        days.open(table)
        days.add("opener-counted", table, chips={"500": 100}, amount=50000, **TWO)
    days.add("fill-sent", slip="F-EOU02-000001", **SENT)
    days.add("fill-sent", slip="F-EOU01-000001", **SENT | {"chips": {"700": 1}, "amount": 700})
    days.add("marker-issued", slip="M-AUR-000031", player="p-1", amount=5000, by="s-1")
    days.add("marker-paid", slip="M-AUR-000031", player="p-1", amount=6000, by="c-1")
    days.add("marker-paid", slip="M-AUR-000099", player="p-1", amount=6000, by="c-1")
    days.add("marker-written-off", "house", **WRITTEN_OFF)
    bag = {"deposit": "004711", "currency": "USD", "amount": 8000}
    received = {"of_day": BEFORE, "currency": "USD", "amount": 10000}
    days.add("drop-received", "house", **received, by="c-1", second="n-1")
    for _ in range(2):
        days.add("deposit-sent", "house", **bag, carrier="transport", by="c-1", second="g-1")
        days.add("deposit-confirmed", "house", **bag | {"amount": 7000}, by="a-1")
    days.add("box-pulled", box="000125", **PULLED)
    days.add("box-pulled", "EOU-02", box="000125", **PULLED)
    days.add("box-pulled", box="000126", **PULLED)
    days.add("drop-counted", "EOU-02", box="000126", **COUNTED)
    days.add("box-pulled", box="000127", **PULLED | {"shift": "late"})
    counted = days.add("drop-counted", box="000127", **COUNTED | {"shift": "late", "team": ["n-1"]})
    days.add("closer-counted", chips={"500": 1100}, amount=550000, **TWO)
    days.add("fill-sent", slip="F-EOU01-000002", **SENT)
    days.add("day-closed", by="a-1")
    days.adjust(DAY, counted)
    days.adjust(DAY, counted)
    days.adjust(DAY, of_table="boreal/EOU-01")
    days.adjust(BEFORE)


def people(days: Days) -> None:
    """Add facts that break the controls about people."""
    for person, role in ledgers.STAFF.items():
        days.enter("people", person, {"role": role})
    days.enter("people", "s-9", {"roles": ["dealer", "surveillance"]})
    days.open()
    days.add("dealer-seated", dealer="d-1", supervisor="s-1")
    days.open("EOU-02")
    days.add("dealer-seated", "EOU-02", dealer="d-1", supervisor="s-2")
    days.add("chips-bought", "EOU-02", spot="1", amount=1000, tender="cash")
    days.add("dealer-seated", "EOU-02", dealer="d-2", supervisor="d-2")
    days.add("opener-counted", chips={"500": 100}, amount=50000, by="d-1", second="x-9")
    days.add("box-pulled", box="1", shift="day", by="g-1", second="d-1")
    days.add(
        "adjusted",
        "house",
        of_table="aurora/EOU-01",
        of_day=BEFORE,
        what="drop",
        amount=5,
        reason=" ",
        by="a-1",
        second="a-2",
    )


def table(days: Days) -> None:
    """Add facts that break the controls of a table and its equipment."""
    days.enter("day-begins", "*", {"time": "06:00", "zone": "America/Los_Angeles"})
    days.open(limits={"*": [1000, 50000]})
    days.add("dealer-seated", dealer="d-1", supervisor="")
    days.add("shuffled", shoe="shoe-7", decks=6, cut=200)
    days.add("alarm", device="shuffler-2", text="card jam")
    days.add("round-opened", round="r-1")
    days.add("bet", round="r-1", spot="1", wager="over", amount=1000)
    days.add("roll", round="r-1", dice=[6, 4])
    days.add("deal", round="r-1", to="1", card=None)
    days.add("round-closed", round="r-1")
    days.add("round-opened", round="r-2", at=f"{BEFORE}T05:00:00-08:00")
    days.add("round-closed", round="r-2")
    days.open(limits={"*": [1050, 5_000_000]}, sees=SEES[:4])
    days.open("HS-01", **HIGH_SIDE)
    days.add("round-opened", "HS-01", round="r-1", contradicts=[["the card", "CardName 6d", "CardValue 5"]])
    days.open(
        "AB-01",
        game="andar_bahar",
        edition="ezugi",
        decks=1,
        spots=0,
        pay_tables=dict.fromkeys(ANDAR_BAHAR, "ezugi"),
    )
    days.add("opener-counted", "AB-01", chips={}, amount=0, **TWO)


def closing(days: Days) -> None:
    """Add days that cannot be closed yet, because facts are missing."""
    shifts = {"day": f"{DAY}T06:00:00-08:00", "swing": f"{DAY}T09:00:00-08:00"}
    days.open(day=BEFORE)
    days.open(shifts=shifts)
    days.add("opener-counted", chips={"500": 100}, amount=50000, **TWO)
    for place in (1, 2):
        days.add("round-opened", round=f"r-{place}", at=f"{DAY}T{6 + 2 * place:02}:30:00-08:00")
        days.add("round-closed", round=f"r-{place}", at=f"{DAY}T{6 + 2 * place:02}:31:00-08:00")
    days.add("closer-counted", chips={"500": 100}, amount=50000, at=f"{DAY}T10:40:00-08:00", **TWO)
    days.add("box-pulled", box="7", **PULLED | {"shift": "nights"})
    days.add("day-closed", by="a-1")
    days.adjust(BEFORE)
    days.open("EOU-02")
    days.add("chips-bought", "EOU-02", spot="1", amount=1000, tender="cash")
    days.add("round-opened", "EOU-02", round="r-1")
    days.add("round-closed", "EOU-02", round="r-1")
    days.add("day-closed", "EOU-02", by="a-1")
    days.open("EOU-03")
    days.add("opener-counted", "EOU-03", chips={"500": 100}, amount=50000, **TWO)
    bag = {"deposit": "004712", "currency": "USD", "amount": 8000}
    days.add("deposit-sent", "house", **bag, carrier="transport", by="c-1", second="g-1")
    days.open("EOU-03", LATE)
    days.add("round-opened", "EOU-03", LATE, round="r-1")


def every() -> list[list[dict[str, Any]]]:
    """Return four lists of facts that break controls: those of cage and count room, of people, of a table,
    and of the close of a day.
    """
    streams = []
    for break_ in (cage, people, table, closing):
        days = Days()
        break_(days)
        streams.append(days.facts)
    return streams
