"""The tally adds up what moved: by wager and hour, by kind at the cage, and never what a void gave back."""

from __future__ import annotations

from typing import Any

from audit.facts import check, decode
from audit.fold import replay
from audit.outcome import Tally
from tests.audit.floor import OPENING, fact, line

SHIFTS = {"day": "2026-11-27T04:00:00-08:00", "swing": "2026-11-27T12:00:00-08:00"}


def tally(*facts: dict[str, Any]) -> Tally:
    sent = [fact(1, **OPENING | {"shifts": SHIFTS}), *({**fact(0), **one, "uid": fact(place)["uid"]} for place, one in enumerate(facts, 2))]
    return replay(decode(check(line({name: value for name, value in one.items() if value is not None})).body) for one in sent).tally


def hand(kind: str, **fields: Any) -> dict[str, Any]:
    bare = {"spot": None, "wager": None, "amount": None}
    return bare | {"kind": kind, "round": "r-1"} | fields


def test_a_stake_taken_before_a_void_and_given_back_is_no_win_of_the_house() -> None:
    bet = {"spot": "1", "wager": "over", "amount": 1000}
    (row,) = [
        row
        for key, row in tally(
            hand("round-opened"), hand("bet", **bet), hand("roll", dice=[6, 6]), hand("deal", to="1", card="2c"), hand("take", **bet),
            hand("void", reason="card exposed", by="s-1", second="s-2"), hand("return", **bet), hand("round-closed"),
        ).play.items()
        if key[4] == "over"
    ]  # fmt: skip
    assert (row.staked, row.taken, row.paid, row.returned) == (1000, 0, 0, 1000)


def test_a_recount_belongs_to_the_shift_of_its_box_whenever_it_was_made() -> None:
    cage = {"spot": None, "wager": None, "box": "B-1"}
    night = {"at": "2026-11-28T05:00:00-08:00"}
    made = tally(
        {"kind": "box-pulled", "shift": "day", "by": "g-1", "second": "s-1", "amount": None} | cage,
        {"kind": "drop-counted", "shift": "day", "notes": {"10000": 3}, "amount": 30000, "team": ["n-1"]} | cage | night,
        {"kind": "count-verified", "amount": 30000, "by": "n-9"} | cage | night,
    )
    assert {key[1] for key in made.cage} == {"day"}


def test_two_bets_on_one_wager_are_one_stake_and_two_bets() -> None:
    bet = {"spot": "1", "wager": "under", "amount": 1500}
    made = tally(hand("round-opened"), hand("bet", **bet), hand("bet", **bet), hand("round-closed"))
    rows = {key[4]: row for key, row in made.play.items()}
    assert (rows["under"].rounds, rows["under"].bets, rows["under"].staked) == (1, 2, 3000)
    assert (rows[""].rounds, rows[""].bets) == (1, 0)
    assert {key[1:3] for key in made.play} == {("swing", "2026-11-27T12-08:00")}
