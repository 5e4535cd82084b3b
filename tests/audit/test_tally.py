"""The tally sums the amounts that moved, by wager and hour and by kind of cage fact. It does not count facts
that were voided.
"""

from __future__ import annotations

from typing import Any

import pytest

from audit.facts import check, decode
from audit.replay.fold import Fold, replay
from audit.replay.results import Tally
from audit.replay.slips import Slip
from audit.replay.tally import serial_of
from games.kit.events import LIMIT
from tests.audit.floor import OPENING, fact, line

SHIFTS = {"day": "2026-11-27T04:00:00-08:00", "swing": "2026-11-27T12:00:00-08:00"}


def tally(*facts: dict[str, Any], **opening: Any) -> Tally:
    sent = [
        fact(1, **OPENING | {"shifts": SHIFTS} | opening),
        *({**fact(0), **fields, "uid": fact(place)["uid"]} for place, fields in enumerate(facts, 2)),
    ]
    return replay(
        decode(check(line({name: value for name, value in fields.items() if value is not None})).body)
        for fields in sent
    ).tally


def hand(kind: str, **fields: Any) -> dict[str, Any]:
    bare = {"spot": None, "wager": None, "amount": None}
    return bare | {"kind": kind, "round": "r-1"} | fields


def kind_and_serial(name: str, slip: Slip) -> str:
    return f"{slip.kind} {serial_of(name)}"


def test_a_stake_returned_after_a_void_is_not_win() -> None:
    bet = {"spot": "1", "wager": "over", "amount": 1000}
    (row,) = [
        row
        for key, row in tally(
            hand("round-opened"),
            hand("bet", **bet),
            hand("roll", dice=[6, 6]),
            hand("deal", to="1", card="2c"),
            hand("take", **bet),
            hand("void", reason="card exposed", by="s-1", second="s-2"),
            hand("return", **bet),
            hand("round-closed"),
        ).play.items()
        if key[4] == "over"
    ]
    assert (row.staked, row.taken, row.paid, row.returned) == (1000, 0, 0, 1000)


def test_sums_beyond_64_bits_leave_no_saved_state() -> None:
    """Test a sum that is too large to be saved. Later facts of the same day are then replayed from the start
    of the day.
    """
    fold = Fold("aurora/EOU-01/2026-11-27")
    fold.take(1, decode(check(line(fact(1, **OPENING))).body))
    bought = decode(
        check(line(fact(2, "chips-bought", spot="1", amount=LIMIT, tender="cash", by="d-1", wager=None))).body
    )
    fold.take(2, bought)
    assert fold.keep() is not None
    for number in range(3, 2**64 // LIMIT + 4):
        fold.take(number, bought)
    assert fold.keep() is None


def test_a_finding_in_the_property_stream_adds_no_table_row() -> None:
    """Test a finding in the property stream: two pages sent facts whose times are out of order. The finding
    is a notice, and adds no row to the hold of a table.
    """
    fields = {
        "table": "aurora/house",
        "about": "x",
        "words_sha256": "0" * 64,
        "by": "v-101",
        "spot": None,
        "wager": None,
        "amount": None,
    }
    sent = [
        {**fact(place, "log-written"), **fields, "at": f"2026-11-27T20:00:0{second}Z"}
        for place, second in ((1, 5), (2, 4))
    ]
    outcome = replay(
        decode(check(line({name: value for name, value in fact_sent.items() if value is not None})).body)
        for fact_sent in sent
    )
    assert [finding.code for finding in outcome.findings] == ["clock-backwards"]
    assert not outcome.tally.play
    assert not outcome.tally.cage


def test_a_recount_belongs_to_the_shift_of_its_box_whenever_it_was_made() -> None:
    cage = {"spot": None, "wager": None, "box": "B-1"}
    night = {"at": "2026-11-28T05:00:00-08:00"}
    sums = tally(
        {"kind": "box-pulled", "shift": "day", "by": "g-1", "second": "s-1", "amount": None} | cage,
        {"kind": "drop-counted", "shift": "day", "notes": {"10000": 3}, "amount": 30000, "team": ["n-1"]}
        | cage
        | night,
        {"kind": "count-verified", "amount": 30000, "by": "n-9"} | cage | night,
    )
    assert {key[1] for key in sums.cage} == {"day"}


@pytest.mark.parametrize(
    ("recounts", "verified"),
    [
        ([(20_000, None), (10_000, None)], {"day": 10_000, "swing": 20_000}),
        ([(15_000, None), (20_000, None)], {"day": 15_000, "swing": 20_000}),
        ([(15_000, "swing"), (10_000, None)], {"day": 10_000, "swing": 15_000}),
        ([(10_000, "swing"), (20_000, "day")], {"day": 20_000, "swing": 10_000}),
    ],
)
def test_a_recount_of_a_box_pulled_in_two_shifts_belongs_to_its_count(
    recounts: list[tuple[int, str | None]], verified: dict[str, int]
) -> None:
    cage = {"spot": None, "wager": None, "box": "B-1"}
    counts = [
        {"kind": "drop-counted", "shift": shift, "notes": {}, "amount": amount, "team": ["n-1"]} | cage
        for shift, amount in (("day", 10_000), ("swing", 20_000))
    ]
    recount_facts = [
        {"kind": "count-verified", "amount": amount, "by": "n-9", "shift": shift} | cage
        for amount, shift in recounts
    ]
    sums = tally(*counts, *recount_facts)
    assert {key[1]: row.amount for key, row in sums.cage.items() if key[2] == "count-verified"} == verified
    assert {key[1]: row.amount for key, row in sums.cage.items() if key[2] == "drop-counted"} == {
        "day": 10_000,
        "swing": 20_000,
    }


def test_two_bets_on_one_wager_are_one_stake_and_two_bets() -> None:
    bet = {"spot": "1", "wager": "under", "amount": 1500}
    sums = tally(hand("round-opened"), hand("bet", **bet), hand("bet", **bet), hand("round-closed"))
    rows = {key[4]: row for key, row in sums.play.items()}
    assert (rows["under"].rounds, rows["under"].bets, rows["under"].staked) == (1, 2, 3000)
    assert (rows[""].rounds, rows[""].bets) == (1, 0)
    assert {key[1:3] for key in sums.play} == {("swing", "2026-11-27T12-08:00")}


PEOPLE = {
    "requested_by": "s-1",
    "sent_by": "c-1",
    "carried_by": "g-1",
    "received_by": "d-1",
    "spot": None,
    "wager": None,
    "chips": {},
}


def test_the_variance_of_a_win_uses_the_squares_of_settled_stakes() -> None:
    first, second = (
        {"spot": "1", "wager": "over", "amount": 1000},
        {"spot": "2", "wager": "over", "amount": 3000},
    )
    stood = tally(
        hand("round-opened"),
        hand("bet", **first),
        hand("bet", **first),
        hand("bet", **second),
        hand("round-closed"),
    )
    void = tally(
        hand("round-opened"),
        hand("bet", **first),
        hand("void", reason="card exposed", by="s-1", second="s-2"),
        hand("return", **first),
        hand("round-closed"),
    )
    squares = [sum(row.squared for row in sums.play.values()) for sums in (stood, void)]
    assert squares == [2000**2 + 3000**2, 0]
    assert [sum(row.together for row in sums.play.values()) for sums in (stood, void)] == [
        2 * (2000**2 + 3000**2),
        0,
    ]
    assert [{key[4]: row.voided for key, row in sums.play.items()} for sums in (stood, void)] == [
        {"": 0, "over": 0},
        {"": 1, "over": 1},
    ]


def test_each_opening_of_a_table_has_rows_of_its_own() -> None:
    reopened = {name: value for name, value in OPENING.items() if name != "kind"} | {"decks": 8}
    bet = {"spot": "1", "wager": "over", "amount": 1000}
    bare = {"spot": None, "wager": None, "amount": None}
    sums = tally(
        hand("round-opened"),
        hand("bet", **bet),
        hand("round-closed"),
        {"kind": "table-opened"} | bare | reopened,
        hand("round-opened", round="r-2"),
        hand("bet", round="r-2", **bet),
        hand("round-closed", round="r-2"),
    )
    assert sorted(key[7] for key in sums.play if key[4] == "over") == [1, 2]


def test_money_found_is_split_into_what_players_gained_and_what_they_lost() -> None:
    first, second = {"spot": "1", "wager": "over"}, {"spot": "2", "wager": "over"}
    sums = tally(
        hand("round-opened"),
        hand("bet", **first, amount=1000),
        hand("bet", **second, amount=1000),
        hand("roll", dice=[2, 1]),
        hand("deal", to="1", card="9c"),
        hand("pay", **first, amount=1500),
        hand("deal", to="2", card="9d"),
        hand("pay", **second, amount=300),
        hand("round-closed"),
        sees=["bet", "roll", "deal", "take", "pay", "round-closed"],
    )
    (amounts,) = [row.found["wrong-settlement"] for key, row in sums.play.items() if key[4] == "over"]
    assert amounts == (2, "-200", "700")
