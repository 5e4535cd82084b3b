"""A check that compares several casino tables is one module: it is discovered and run, continues from its
saved state, and names the fact that caused each finding.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import Struct, field, inspect

from audit import facts as f
from audit.facts import LEDGER_KINDS
from audit.replay import checks, ledger_fold
from audit.replay.checks import LEDGER_CHECKS, STREAM_CHECKS, Ledger, LedgerCheck, Place, StreamCheck
from audit.replay.checks.gaming_day import GamingDay
from audit.replay.ledger_fold import LedgerFold, LedgerState, kinds_to_read, read_serials
from audit.replay.registers import Registers
from audit.replay.results import Finding
from games.kit.codes import GRADE
from games.kit.events import RoundOpened, kind_of
from tests.audit.checks.ledgers import Book
from tests.audit.floor import event


class State(Struct):
    bought: dict[str, list[Place]] = field(default_factory=dict)


class ThreeBuys(LedgerCheck):
    """A check for tests. When the third purchase at one table is recorded, the check reports the first one.
    The purchases may be on different days.
    """

    name = "three-buys"
    codes = ("out-of-order",)
    cite = "Control CG-01"
    kinds = (f.ChipsBought,)
    StateType = State

    def see(self, event, ledger: Ledger) -> Iterator[Finding]:
        places = self.state.bought.setdefault(event.table, [])
        places.append(ledger.place)
        if len(places) == 3:
            yield self.finding(
                "out-of-order", places[0], f"Chips were bought three times; {ledger.place.uid} was the last."
            )


def bought(place: int, **fields):
    return event(place, "chips-bought", spot="1", amount=500, tender="cash", **fields)


def test_a_check_names_an_earlier_fact_even_if_it_resumed_from_a_saved_state(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ledger_fold, "LEDGER_CHECKS", (*LEDGER_CHECKS, ThreeBuys))
    rows = [
        (1, "aurora/EOU-01/2026-11-26", 4, bought(1)),
        (2, "aurora/EOU-01/2026-11-27", 9, bought(2)),
        (3, "aurora/EOU-01/2026-11-27", 10, bought(3)),
    ]
    state = LedgerState()
    findings: list[Finding] = []
    for row in rows:
        fold = LedgerFold(Registers([]), state)
        fold.take(*row)
        findings += fold.findings.values()
        state = LedgerState.read(fold.keep())
    (finding,) = findings
    assert (finding.stream, finding.number, finding.uid) == ("aurora/EOU-01/2026-11-26", 4, rows[0][3].uid)
    assert finding.id == f"{rows[0][3].uid}:out-of-order::"
    assert state.position == 3


def test_every_ledger_check_reads_kinds_that_have_an_index_and_names_its_codes() -> None:
    assert len({check.name for check in LEDGER_CHECKS}) == len(LEDGER_CHECKS) > 0
    for check in LEDGER_CHECKS:
        assert {kind_of(kind) for kind in check.kinds} <= LEDGER_KINDS, check
        assert set(check.codes) <= {*GRADE, *check.grades}, check
        assert check.cite, check


def test_a_check_runs_only_if_the_register_that_it_reads_has_entries() -> None:
    entry = event(
        1, "register-set", register="day-begins", key="*", value={}, by="m-1", second="m-2", **{"from": None}
    )
    assert isinstance(entry, f.RegisterSet)
    for entries, is_asked in (([], False), ([entry], True)):
        known_checks = LedgerFold(Registers(entries), LedgerState()).checks_of[RoundOpened]
        assert any(isinstance(check, GamingDay) for check in known_checks) == is_asked
        assert kind_of(RoundOpened) in kinds_to_read(entries)


def test_serials_saved_by_an_earlier_version_are_read() -> None:
    before = (
        b'{"position":7,"entries":[],"series":{"F-1":{"first":1,"last":4,"missing":[[2,2]]}},'
        b'"sees":{"aurora/T-1":["bet"]}}'
    )
    assert LedgerState.read(before).serials["F-1"].missing == [(2, 2)]
    assert read_serials(before)["F-1"].missing == [(2, 2)]
    assert checks.LEDGER_CHECKS is LEDGER_CHECKS


OWN = '''"""A table buys in no more chips in a day than its register entry lets it."""

from audit import facts as f
from audit.replay.checks import LedgerCheck
from msgspec import Struct


class State(Struct):
    bought: dict[str, int] = {}


class Bought(LedgerCheck):
    name, codes, grades, cite = "bought", ("bought-too-much",), {"bought-too-much": "notice"}, "House rule 7"
    kinds, rests_on, StateType = (f.ChipsBought,), "thresholds", State

    def see(self, event, ledger):
        bought = self.state.bought
        bought[ledger.place.stream] = bought.get(ledger.place.stream, 0) + event.amount
        most = ledger.registers.value("thresholds", "bought", event.day)["amount"]
        if bought[ledger.place.stream] > most:
            yield self.finding("bought-too-much", ledger.place, f"{ledger.say(most)} are allowed.")


CHECK = Bought
'''


def test_a_check_that_reads_a_register_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bought.py").write_text(OWN)
    monkeypatch.setattr(checks, "__path__", [*checks.__path__, str(tmp_path)])
    own = tuple(
        check for check in checks._found() if isinstance(check, type) and issubclass(check, LedgerCheck)
    )
    assert {check.name for check in own} - {check.name for check in LEDGER_CHECKS} == {"bought"}
    monkeypatch.setattr(ledger_fold, "LEDGER_CHECKS", own)
    book = Book()
    book.open()
    book.enter("thresholds", "bought", {"amount": 1200})
    for _ in range(3):
        book.add("chips-bought", spot="1", amount=500, tender="cash")
    assert [(finding.code, finding.grade, finding.says) for finding in book.findings()] == [
        ("bought-too-much", "notice", "12.00 USD are allowed.")
    ]


@pytest.mark.parametrize("check", [*STREAM_CHECKS, *LEDGER_CHECKS], ids=lambda check: check.name)
def test_no_state_of_a_check_has_a_set(check: type[StreamCheck] | type[LedgerCheck]) -> None:
    """Test that no state has a set. Each process stores it in another order, and `verify` finds a change."""
    assert next(sets_in(inspect.type_info(check.StateType), []), None) is None


def sets_in(described: object, visited: list[object]) -> Iterator[object]:
    """Yield the sets in a type and in the types of its parts."""
    if isinstance(described, inspect.SetType | inspect.FrozenSetType):
        yield described
    if isinstance(described, inspect.Type | inspect.Field) and not any(
        described is other for other in visited
    ):
        visited.append(described)
        for name in described.__struct_fields__:
            value = getattr(described, name)
            for part in value if isinstance(value, tuple) else (value,):
                yield from sets_in(part, visited)
