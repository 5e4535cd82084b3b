"""The tally lists slips, trays and markers individually."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from audit import facts as f
from audit.facts import check, decode
from audit.replay.fold import Fold
from audit.replay.tally import serial_of
from audit.replay.voids import voids
from tests.audit.floor import OPENING, fact, line
from tests.audit.test_tally import PEOPLE, SHIFTS, kind_and_serial, tally


def test_slips_and_trays_are_listed_individually() -> None:
    sent = {"kind": "fill-sent", "slip": "F-1", "amount": 5000} | PEOPLE
    count = {"chips": {}, "by": "d-1", "second": "s-1", "spot": None, "wager": None}
    bare = {"spot": None, "wager": None, "amount": None}
    facts = (
        {"kind": "opener-counted", "amount": 90000} | count,
        sent,
        sent | {"amount": 100},
        sent | {"kind": "credit-sent", "slip": "C-1"},
        {"kind": "slip-voided", "slip": "C-1", "reason": "wrong table", "by": "c-1", "second": "s-1"} | bare,
        {
            "kind": "marker-issued",
            "slip": "M-1",
            "player": "p-1",
            "amount": 700,
            "by": "s-1",
            "spot": None,
            "wager": None,
        },
        {"kind": "closer-counted", "amount": 95100} | count,
    )
    fold = Fold("aurora/EOU-01/2026-11-27")
    for number, fields in enumerate([fact(1, **OPENING | {"shifts": SHIFTS}), *facts], 1):
        complete = {
            name: value
            for name, value in {**fact(0), **fields, "uid": fact(number)["uid"]}.items()
            if value is not None
        }
        fold.take(number, decode(check(line(complete)).body))
    assert fold.tally.trays == [
        ("opener-counted", "USD", "swing", 90000),
        ("closer-counted", "USD", "swing", 95100),
    ]
    slips = {
        kind_and_serial(name, slip): (slip.number, slip.amount, slip.stands, slip.shift)
        for name, slip in fold.state.slips.items()
    }
    assert slips == {
        "fill-sent F-1": (2, 5100, True, "swing"),
        "credit-sent C-1": (1, 5000, False, "swing"),
        "marker-issued M-1": (1, 700, True, "swing"),
    }
    assert [
        finding.code for finding in fold.findings.values() if finding.code == "inventory-does-not-balance"
    ] == []


def counted(kind: str, amount: int, **fields: Any) -> dict[str, Any]:
    bare = {"chips": {}, "by": "d-1", "second": "s-1", "spot": None, "wager": None}
    return bare | {"kind": f"{kind}-counted", "amount": amount} | fields


def test_a_recounted_tray_has_its_last_count_even_if_the_fold_is_resumed() -> None:
    facts = [
        fact(1, **OPENING | {"shifts": SHIFTS}),
        counted("opener", 1_300_000),
        counted("opener", 900_000),
        counted("closer", 80),
        counted("closer", 70),
        counted("closer", 75),
        counted("opener", 75),
        counted("closer", 74, at="2026-11-27T03:00:00-08:00"),
        counted("closer", 73),
    ]
    events = []
    for place, fields in enumerate(facts, 1):
        sent = {
            name: value
            for name, value in {**fact(0), **fields, "uid": fact(place)["uid"]}.items()
            if value is not None
        }
        events.append(decode(check(line(sent)).body))
    at_once = Fold("aurora/EOU-01/2026-11-27")
    for number, event in enumerate(events, 1):
        at_once.take(number, event)
    assert at_once.tally.trays == [
        ("opener-counted", "USD", "swing", 900_000),
        ("closer-counted", "USD", "swing", 75),
        ("opener-counted", "USD", "swing", 75),
        ("closer-counted", "USD", "day", 74),
        ("closer-counted", "USD", "swing", 73),
    ], "in another shift it is one more"
    assert {key[1:]: (row.number, row.amount) for key, row in at_once.tally.cage.items()} == {
        ("swing", "opener-counted"): (2, 900_075),
        ("swing", "closer-counted"): (2, 148),
        ("day", "closer-counted"): (1, 74),
    }
    for pause in range(1, len(events)):
        fold = Fold(at_once.stream)
        for number, event in enumerate(events, 1):
            fold.take(number, event)
            if number == pause:
                fold = Fold(at_once.stream, fold.keep())
        assert fold.keep() == at_once.keep()


def test_a_voided_serial_that_was_never_sent_is_listed_and_moves_nothing() -> None:
    void = {
        "kind": "slip-voided",
        "reason": "spoilt",
        "by": "c-1",
        "second": "s-1",
        "spot": None,
        "wager": None,
        "amount": None,
    }
    fold = Fold("aurora/EOU-01/2026-11-27")
    sent = [
        fact(1, **OPENING),
        void | {"slip": "F-3"},
        {"kind": "fill-sent", "slip": "F-4", "amount": 500} | PEOPLE,
        void | {"slip": "F-4"},
    ]
    for number, fields in enumerate(sent, 1):
        complete = {
            name: value
            for name, value in {**fact(0), **fields, "uid": fact(number)["uid"]}.items()
            if value is not None
        }
        fold.take(number, decode(check(line(complete)).body))
    slips = {
        kind_and_serial(name, slip): (slip.number, slip.amount, slip.stands)
        for name, slip in fold.state.slips.items()
    }
    assert slips == {"slip-voided F-3": (1, 0, False), "fill-sent F-4": (1, 500, False)}
    assert {key[2]: (row.number, row.amount) for key, row in fold.tally.cage.items()} == {
        "fill-sent": (1, 500),
        "fill-voided": (1, 500),
    }


@pytest.mark.parametrize("seed", range(40))
def test_a_serial_has_its_valid_slip_even_if_the_fold_is_resumed(
    seed: int,
) -> None:
    rng = Random(seed)
    sent: list[dict[str, Any]] = [{"kind": "table-opened", "at": "2026-11-27T12:00:00-08:00", **OPENING}]
    for _ in range(rng.randint(2, 7)):
        at, slip = f"2026-11-27T12:0{rng.randint(0, 4)}:00-08:00", f"F-{rng.randint(1, 2)}"
        void = {"kind": "slip-voided", "reason": "torn", "by": "c-1", "second": "s-1"}
        fill = {"kind": "fill-sent", "amount": rng.randint(1, 99)} | PEOPLE
        sent.append({"at": at, "slip": slip} | rng.choice((void, fill)))
    events = []
    for number, fields in enumerate(sent, 1):
        complete = {**fact(number), "spot": None, "wager": None, "amount": None, **fields}
        events.append(
            decode(check(line({name: value for name, value in complete.items() if value is not None})).body)
        )
    at_once = Fold("aurora/EOU-01/2026-11-27")
    for number, event in enumerate(events, 1):
        at_once.take(number, event)
    placed = list(enumerate(events, 1))
    stands: dict[str, int] = {}
    for number, event in placed:
        if isinstance(event, f.FillSent):
            voided = any(
                isinstance(later, f.SlipVoided)
                and later.slip == event.slip
                and voids(place, later.at, number, event.at)
                for place, later in placed
            )
            stands[event.slip] = stands.get(event.slip, 0) + (0 if voided else event.amount)
    fills = {serial_of(name): slip for name, slip in at_once.state.slips.items() if slip.kind == "fill-sent"}
    assert {name: (slip.standing, slip.stands) for name, slip in fills.items()} == {
        name: (sum, sum > 0) for name, sum in stands.items()
    }
    sums = {key[2]: row.amount for key, row in at_once.tally.cage.items()}
    assert sums.get("fill-sent", 0) - sums.get("fill-voided", 0) == sum(stands.values())
    for pause in range(1, len(events)):
        fold = Fold(at_once.stream)
        for number, event in placed:
            fold.take(number, event)
            if number == pause:
                fold = Fold(at_once.stream, fold.keep())
        assert fold.keep() == at_once.keep()


MARKER = {"kind": "marker-issued", "player": "p-1", "by": "s-1", "spot": None, "wager": None}
CHIPS = {"kind": "chips-bought", "spot": "1", "tender": "marker", "wager": None}
VOID = {
    "kind": "slip-voided",
    "reason": "torn",
    "by": "c-1",
    "second": "g-1",
    "spot": None,
    "wager": None,
    "amount": None,
}


@pytest.mark.parametrize(
    ("facts", "bought"),
    [
        ([MARKER | {"slip": "M-1", "amount": 500}, CHIPS | {"amount": 500}, VOID | {"slip": "M-1"}], 0),
        (
            [
                CHIPS | {"amount": 500},
                MARKER | {"slip": "M-1", "amount": 500},
                VOID | {"slip": "M-1"},
                VOID | {"slip": "M-1"},
            ],
            0,
        ),
        ([MARKER | {"slip": "M-1", "amount": 500}, VOID | {"slip": "M-1"}, CHIPS | {"amount": 500}], 0),
        (
            [
                CHIPS | {"amount": 900, "tender": "cash"},
                MARKER | {"slip": "M-1", "amount": 500},
                VOID | {"slip": "M-1"},
            ],
            900,
        ),
        ([MARKER | {"slip": "M-1", "amount": 500}, CHIPS | {"amount": 500}, VOID | {"slip": "M-2"}], 500),
    ],
)
def test_chips_of_a_voided_marker_are_not_counted_in_any_order(
    facts: list[dict[str, Any]], bought: int
) -> None:
    assert sum(row.amount for key, row in tally(*facts).cage.items() if key[2] == "chips-bought") == bought
