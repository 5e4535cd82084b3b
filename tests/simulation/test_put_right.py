"""A misread card or die is corrected during a pause, and a round is cancelled after it was closed: replay
uses the corrected values.
"""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from audit.replay.results import Finding
from tests.silence.changes import Fact
from tests.silence.trying import Part, parts, stamped
from tests.simulation.replaying import findings

GAMES = (
    "andar_bahar",
    "easy_over_under",
    "casino_over_under",
    "lucky_7",
    "teen_patti",
    "bet_on_teen_patti",
    "high_side",
)
LIVE = frozenset({"andar_bahar", "lucky_7", "teen_patti", "bet_on_teen_patti"})
SIGNED = {"reason": "the reader was dirty", "by": "s-103", "second": "s-104"}


def played(game: str) -> Part:
    """Return a round from a night in which nothing is wrong. It is the first round in which money moved, no
    player was disconnected, and play was not paused.
    """
    quiet = {"paused", "player-lost", "return"}
    for part in parts(game):
        kinds = {fact["kind"] for fact in part.of(part.facts)}
        if kinds & {"take", "settled"} and not kinds & quiet:
            return part
    raise AssertionError(game)


class Stream:
    """The facts of a round and of the round after it. Tests change these facts."""

    def __init__(self, game: str) -> None:
        part = played(game)
        self.facts: list[Fact] = [dict(fact) for fact in part.facts]
        self.round, self.end = str(part.facts[part.first]["round"]), part.last
        self.uids = (f"00000000-0000-4000-8000-{place:012}" for place in count(1))

    def fact(self, kind: str, **fields: Any) -> Fact:
        envelope = {name: self.facts[0][name] for name in ("table", "day")}
        return (
            envelope
            | {"uid": next(self.uids), "kind": kind, "at": "2026-11-27T20:00:00Z", "source": "pit-1"}
            | fields
        )

    def within(self, kind: str, **fields: Any) -> Fact:
        return self.fact(kind, round=self.round, **fields)

    def insert(self, place: int, *facts: Fact) -> None:
        self.facts[place:place] = facts

    def place(self, kind: str) -> int:
        """Return the index of the round's last fact of this kind."""
        return max(
            place
            for place, fact in enumerate(self.facts)
            if fact["kind"] == kind and fact.get("round") == self.round
        )

    def findings_now(self) -> list[Finding]:
        return findings(stamped(self.facts))

    def codes(self) -> list[str]:
        return sorted({finding.code for finding in self.findings_now()})

    def moved(self) -> dict[tuple[str, str], int]:
        """Return the amount that moved in the round for each spot and wager, positive for the player."""
        sums: dict[tuple[str, str], int] = {}
        for fact in self.facts:
            if fact.get("round") != self.round:
                continue
            moves = [(fact["spot"], fact["wager"], fact["amount"])] if fact["kind"] in ("take", "pay") else []
            for spot, wager, amount in (*moves, *fact.get("paid", ()), *fact.get("taken", ())):
                sign = -1 if fact["kind"] == "take" or [spot, wager, amount] in fact.get("taken", []) else 1
                sums[spot, wager] = sums.get((spot, wager), 0) + sign * amount
        return sums


def misread(stream: Stream) -> tuple[int, str]:
    """Replace the last card of the round with a wrong card. Return the index of that fact and the true
    card.
    """
    place = stream.place("deal")
    true = stream.facts[place]["card"]
    other_cards = [
        fact["card"] for fact in stream.facts if fact["kind"] == "deal" and fact.get("round") == stream.round
    ]
    others = [
        rank + suit
        for rank in "5A9K"
        for suit in "shdc"
        if rank + suit not in other_cards and rank != true[0]
    ]
    stream.facts[place]["card"] = other_cards[0] if stream.facts[0]["decks"] == 1 else others[0]
    return place, true


@pytest.mark.parametrize("game", GAMES)
def test_a_card_corrected_in_a_pause_is_a_notice_and_no_fault(game: str) -> None:
    stream = Stream(game)
    place, true = misread(stream)
    wrong = stream.facts[place]["card"]
    assert set(stream.codes()) - {"tie-unregulated"}, "the misread card breaks something"
    stream.insert(
        place + 1,
        stream.within("paused", reason="misread", by="s-103"),
        stream.within("read-corrected", of=stream.facts[place]["uid"], card=true, **SIGNED),
        stream.within("resumed", reason="misread", by="s-103"),
    )
    (notice,) = (finding for finding in stream.findings_now() if finding.code != "tie-unregulated")
    assert (notice.code, notice.grade, notice.round) == ("read-corrected", "notice", stream.round)
    assert (
        f"was read as {wrong} and is {true}: the reader was dirty (signed by s-103 and s-104)." in notice.says
    )


@pytest.mark.parametrize("game", GAMES)
def test_a_correction_outside_a_pause_is_found_at_a_live_table(game: str) -> None:
    stream = Stream(game)
    place, true = misread(stream)
    stream.insert(
        place + 1, stream.within("read-corrected", of=stream.facts[place]["uid"], card=true, **SIGNED)
    )
    expected = ["out-of-order", "read-corrected"] if game in LIVE else ["read-corrected"]
    assert [code for code in stream.codes() if code != "tie-unregulated"] == expected
    (late,) = [finding for finding in stream.findings_now() if finding.code == "out-of-order"] or [None]
    assert late is None or late.cite.endswith("Error Handling")


@pytest.mark.parametrize("game", ["easy_over_under", "high_side"])
def test_corrected_dice_are_judged_by_their_corrected_values(game: str) -> None:
    stream = Stream(game)
    place = stream.place("roll")
    true = stream.facts[place]["dice"]
    stream.facts[place]["dice"] = [die % 6 + 1 for die in true]
    assert set(stream.codes()) - {"tie-unregulated"}
    stream.insert(
        place + 1, stream.within("read-corrected", of=stream.facts[place]["uid"], dice=true, **SIGNED)
    )
    assert [code for code in stream.codes() if code != "tie-unregulated"] == ["read-corrected"]


def test_a_correction_by_one_person_alone_is_found() -> None:
    stream = Stream("andar_bahar")
    place, true = misread(stream)
    signed_alone = SIGNED | {"second": SIGNED["by"]}
    stream.insert(
        place + 1,
        stream.within("paused", reason="misread", by="s-103"),
        stream.within("read-corrected", of=stream.facts[place]["uid"], card=true, **signed_alone),
        stream.within("resumed", reason="misread", by="s-103"),
    )
    assert stream.codes() == ["read-corrected", "signed-once"]


@pytest.mark.parametrize("case", ["a round that is over", "nothing that was read"])
def test_a_correction_without_an_open_round_or_reading_is_out_of_order(case: str) -> None:
    stream = Stream("andar_bahar")
    place = stream.place("deal")
    of = (
        stream.facts[place]["uid"]
        if case == "a round that is over"
        else "00000000-0000-4000-8000-00000000ffff"
    )
    stream.insert(
        stream.end, stream.fact("read-corrected", of=of, card=stream.facts[place]["card"], **SIGNED)
    )
    assert "out-of-order" in stream.codes()


@pytest.mark.parametrize("game", GAMES)
def test_a_cancelled_round_owes_nothing_and_unreturned_money_is_found_at_the_close(game: str) -> None:
    stream = Stream(game)
    before = stream.codes()
    moved = {key: amount for key, amount in stream.moved().items() if amount}
    assert moved
    cancelled = stream.within("round-cancelled", **SIGNED)
    stream.insert(stream.end, cancelled)
    assert stream.codes() == before, "until the day is closed it may still be brought back"
    stream.insert(len(stream.facts), stream.fact("day-closed", by="a-101"))
    missing = {
        (finding.spot, finding.wager): (finding.owed, finding.moved)
        for finding in stream.findings_now()
        if finding.code == "void-not-returned"
    }
    assert missing == {key: (0, amount) for key, amount in moved.items()}
    back = [
        stream.within("corrected", spot=spot, wager=wager, amount=-amount, **SIGNED)
        for (spot, wager), amount in moved.items()
    ]
    stream.insert(stream.end + 1, *back)
    assert not {"void-not-returned", "corrected-beyond-owed", "out-of-order"} & set(stream.codes())
    back[0]["amount"] *= 2
    assert "corrected-beyond-owed" in stream.codes()


@pytest.mark.parametrize("fault", ["twice", "unknown", "open"])
def test_a_round_that_cannot_be_cancelled_is_found(fault: str) -> None:
    stream = Stream("lucky_7")
    if fault == "twice":
        stream.insert(
            stream.end, stream.within("round-cancelled", **SIGNED), stream.within("round-cancelled", **SIGNED)
        )
    elif fault == "unknown":
        stream.insert(stream.end, stream.fact("round-cancelled", round="r-none", **SIGNED))
    else:
        stream.insert(stream.end - 1, stream.within("round-cancelled", **SIGNED))
    (refused,) = (finding for finding in stream.findings_now() if finding.code == "out-of-order")
    assert refused.cite == "Event reference, round-cancelled"


@pytest.mark.parametrize(("game", "spot", "wager"), [("lucky_7", "p-1", "7-up"), ("high_side", "1", "bonus")])
def test_a_void_round_that_is_cancelled_too_owes_nothing_back(game: str, spot: str, wager: str) -> None:
    stream = Stream(game)
    stake = {"spot": spot, "wager": wager, "amount": 1000}
    begin = next(place for place, fact in enumerate(stream.facts) if fact.get("round") == stream.round)
    stream.facts[begin + 1 :] = [
        stream.within("bet", **stake),
        stream.within("paused", reason="misdeal", by="s-103"),
        stream.within("void", **SIGNED),
        stream.within("return", **stake),
        stream.within("round-closed"),
        stream.within("round-cancelled", **SIGNED),
        stream.fact("day-closed", by="a-101"),
    ]
    says_by_code = {finding.code: finding.says for finding in stream.findings_now()}
    assert says_by_code["out-of-order"] == f"The round {stream.round} was cancelled, and it was void already."
    assert "void-not-returned" not in says_by_code
