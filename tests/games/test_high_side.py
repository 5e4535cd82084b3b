"""High Side: likely mistakes are named if they explain the moved amount to the cent, and what a table does
not report is not judged. The tests also cover batches, disconnected players and contradicting clocks.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from audit.facts import check, decode
from audit.replay.fold import replay
from audit.replay.results import Finding
from casino.sample.tables.high_side import HighSideTable
from tests.games.hands import findings_of
from tests.vectors.notation import facts

HIGH = "high_side"
DICE, CARD, BOTH = "bet 1 dice 1000", "bet 1 card 1000", ("bet 1 dice 1000", "bet 1 bonus 1000")
EIGHT, SEVEN, TWELVE, TWO = (
    ("roll 3", "roll 5"),
    ("roll 3", "roll 4"),
    ("roll 6", "roll 6"),
    ("roll 1", "roll 1"),
)
PUSH: dict[str, Any] = {"readings": {"tie": "push", "rounding": "exact"}}

CAUSES = [
    ([CARD, *SEVEN, "deal community Ks", "pay 1 card-2 1000"], {}, "the seven was missed"),
    (
        [CARD, *SEVEN, "deal community Ks", "take 1 card-1 1000"],
        {},
        "the first wager was collected on the seven",
    ),
    (
        [DICE, *EIGHT, "deal community 8s", "take 1 dice-1 1000"],
        PUSH,
        "the tie was settled as a loss; this table's reading is push",
    ),
    (
        [DICE, *EIGHT, "deal community 8s", "pay 1 dice-1 9", "take 1 dice-1 9"],
        {},
        "settled as a push; this table's reading is lose",
    ),
    ([CARD, *TWELVE, "deal community Ks", "take 1 card-1 1000"], {}, "the picture card was counted as 10"),
    ([DICE, *TWO, "deal community As", "take 1 dice-1 1000"], {}, "the ace was counted as 11"),
    ([DICE, *TWELVE, "deal community As", "take 1 dice-1 1000"], {}, "the ace was counted high"),
    (
        [DICE, *EIGHT, "deal community 7s", "take 1 dice-1 1000"],
        {},
        "the dice and the card were treated as equal",
    ),
    ([DICE, *EIGHT, "deal community 5s", "take 1 dice-1 1000"], {}, "taken as a whole loss"),
    ([*BOTH, *TWO, "deal community Ks", "take 1 bonus 1000"], {}, "collected with the side that lost"),
    (
        [*BOTH, *TWO, "deal community Ks", "pay 1 bonus 30000"],
        {},
        "it was paid by pay table 2; the table opened with 1",
    ),
    ([*BOTH, *TWO, "deal community Js", "pay 1 bonus 5000"], {}, "it was paid by pay table 2"),
    (
        [*BOTH, *TWO, "deal community Ks", "pay 1 bonus 20000"],
        {"pay_tables": {"bonus": "4"}},
        "it was paid by pay table 3",
    ),
    ([*BOTH, *TWO, "deal community Ts", "pay 1 bonus 2000"], {}, "the margin was counted as 7"),
    ([*BOTH, *TWO, "deal community Ts", "pay 1 bonus 6000"], {}, "the margin was counted as 9"),
    ([*BOTH, *TWO, "deal community 7s", "pay 1 bonus 1000"], {}, "the margin was counted as 6"),
    ([*BOTH, *TWELVE, "deal community 6s", "take 1 bonus 1000"], {}, "the margin was counted as 5"),
    ([*BOTH, *TWO, "deal community Qs", "pay 1 bonus 4000"], {}, "the picture card was counted as 10"),
    ([*BOTH, "roll 1", "roll 2", "deal community As", "pay 1 bonus 4000"], {}, "the ace was counted as 11"),
    ([*BOTH, *TWO, "deal community Js", "pay 1 bonus 600"], {}, "chips of a tenth of the value"),
]


def test_a_seven_decides_nothing_in_a_round_that_ends_without_its_card() -> None:
    hand = [CARD, *SEVEN, "take 1 card-2 1000", "take 1 card-3 1000"]
    owed = [
        (finding.wager, finding.owed, finding.moved)
        for finding in findings_of(HIGH, *hand)
        if finding.code == "void-not-returned"
    ]
    assert owed == [("card-2", 0, -1000), ("card-3", 0, -1000)]


def wrong(hand: list[str], table: dict[str, Any]) -> list[Finding]:
    return [
        finding for finding in findings_of(HIGH, *hand, table=table) if finding.code == "wrong-settlement"
    ]


@pytest.mark.parametrize(("hand", "table", "cause"), CAUSES)
def test_a_wrong_settlement_says_the_likeliest_cause(
    hand: list[str], table: dict[str, Any], cause: str
) -> None:
    (finding,) = wrong(hand, table)
    assert cause in finding.says.partition("Likeliest cause: ")[2], finding.says


NOT_SO = [
    ([CARD, *EIGHT, "deal community Ks", "take 1 card-1 1000"], "counted"),
    ([DICE, *EIGHT, "deal community Ks", "pay 1 dice-1 1000"], "seven"),
    ([DICE, *EIGHT, "deal community 6s", "take 1 dice-1 1000"], "treated as equal"),
    ([CARD, *EIGHT, "deal community Ks", "pay 1 card-1 737"], "Likeliest cause"),
    (
        ["bet 1 card 1000", "bet 1 bonus 1000", *TWO, "deal community Ts", "take 1 bonus 1000"],
        "the side that lost",
    ),
    ([*BOTH, *TWO, "deal community Ks", "take 1 bonus 1000"], "margin was counted"),
]


@pytest.mark.parametrize(("hand", "cause"), NOT_SO)
def test_a_cause_that_does_not_fit_the_hand_is_not_named(hand: list[str], cause: str) -> None:
    (finding,) = wrong(hand, {})
    assert cause not in finding.says


def codes(*hand: str, **case: Any) -> list[str]:
    return sorted(finding.code for finding in findings_of(HIGH, *hand, **case))


BLIND = [
    ("pull", ["bet 1 dice 1000", *EIGHT, "deal community Ks", "pay 1 dice-1 1000"]),
    ("roll", ["bet 1 dice 1000", *EIGHT, "deal community Ks", "pay 1 dice-1 1000"]),
    ("deal", ["bet 1 dice 1000", *EIGHT, "deal community Ks", "pay 1 dice-1 1000"]),
    ("shake", ["bet 1 dice 1000", *EIGHT, "deal community Ks"]),
    ("announce", ["bet 1 dice 1000", *EIGHT, "deal community Ks"]),
]


@pytest.mark.parametrize(("kind", "hand"), BLIND)
def test_what_a_table_does_not_report_is_not_judged(kind: str, hand: list[str]) -> None:
    """Test tables without one kind of fact. Without `pull`, amounts are not judged, because withdrawn wagers
    are unknown. Without facts of cups or announcements, only cups or announcements are not judged.
    """
    sees = [name for name in HighSideTable.sees if name != kind]
    sent = [fact for fact in facts(HIGH, {"hand": hand, "table": {"sees": sees}}) if fact["kind"] != kind]
    for place, fact in enumerate(sent, 1):
        fact["n"] = place
    assert replay(decode(check(json.dumps(fact).encode()).body) for fact in sent).findings == []


def test_a_batch_settles_main_wagers_and_bonuses_at_once() -> None:
    hand = [*BOTH, "bet 2 card 1000", *TWO, "deal community Ks"]
    sent = facts(HIGH, {"hand": hand})
    moved = [fact for fact in sent if fact["kind"] in ("take", "pay")]
    batch = {
        name: [
            [fact["spot"], fact["wager"], fact["amount"]] for fact in reversed(moved) if fact["kind"] == kind
        ]
        for name, kind in (("paid", "pay"), ("taken", "take"))
    }
    left = [fact for fact in sent if fact not in moved[1:]]
    settled = moved[0] | {"kind": "settled"} | batch
    left = [settled if fact is moved[0] else fact for fact in left]
    for place, fact in enumerate(left, 1):
        fact["n"] = place
    found_in = replay(decode(check(json.dumps(fact).encode()).body) for fact in left).findings
    assert found_in == []


def test_both_sides_in_one_batch_are_found_once() -> None:
    hand = ["bet 2 dice 1000", "bets 1 dice-1 1000", *EIGHT, "deal community Ks"]
    sent = facts(HIGH, {"hand": hand, "without": ["first 1", "second 1"]})
    wagers = ("dice-1", "dice-2", "dice-3", "card-1", "card-2", "card-3")
    next(fact for fact in sent if fact["kind"] == "bets")["bets"] = [["1", wager, 1000] for wager in wagers]
    findings = replay(decode(check(json.dumps(fact).encode()).body) for fact in sent).findings
    assert [
        (finding.code, finding.spot, finding.wager)
        for finding in findings
        if finding.code in ("both-sides", "unequal-bet")
    ] == [("both-sides", "1", "card-1")]


def test_a_round_voided_during_betting_needs_no_third_wager() -> None:
    assert codes("bet 1 dice-1 1000", "bet 1 dice-2 1000", "bet 2 bonus 500", "void") == []
    assert codes("bet 1 dice-1 1000", "bet 1 dice-2 1000", "bet 2 bonus 500", "roll 3", "void") == [
        "side-without-main",
        "unequal-bet",
    ]


def test_a_disconnected_player_need_not_decide() -> None:
    hand = ["bet 1 dice 1000", "bet 2 card 1000", "roll 3", "lost 2", "roll 5", "deal community Ks"]
    assert codes(*hand, without=["first 2", "second 2"]) == []


@pytest.mark.parametrize("unknown", ["roll 7", "roll"])
def test_a_single_decision_after_impossible_dice_is_no_fault(unknown: str) -> None:
    """Test a hand with an impossible die. The sum of the dice is unknown, so the second decision, which
    depends on the sum, is not required. If the hand has no decision at all, a finding is reported.
    """
    hand = ["bet 1 dice 1000", unknown, "roll 5", "say dice 12"]
    undecided = ["first 1", "second 1"]
    assert codes(*hand, "choose 1 keep", "deal community Ks", without=undecided) == ["impossible-die"]
    assert codes(*hand, "deal community Ks", without=undecided) == ["choice-missing", "impossible-die"]
    assert codes(*hand, "choose 1 keep", "choose 1 keep", "deal community Ks", without=undecided) == [
        "impossible-die",
        "revealed-too-soon",
    ]


def test_if_two_clocks_contradict_the_order_a_late_decision_is_a_notice() -> None:
    hand = ["bet 1 dice 1000", *EIGHT, "deal community Ks", "choose 1 keep"]
    sent = facts(HIGH, {"hand": hand, "without": ["second 1"]})
    late = [fact for fact in sent if fact["kind"] == "choose"][-1]
    card = next(fact for fact in sent if fact["kind"] == "deal")
    late |= {"source": "rfid", "n": 1, "at": card["at"].replace("T12", "T11")}
    findings = replay(decode(check(json.dumps(fact).encode()).body) for fact in sent).findings
    (finding,) = [finding for finding in findings if finding.code == "dealt-too-soon"]
    assert finding.grade == "notice"
    assert "rfid" in finding.says


def test_a_withdrawn_wager_was_staked_and_neither_won_nor_lost() -> None:
    hand = ["bet 1 dice 1000", "roll 3", "pull 1 dice-1", "roll 5", "pull 1 dice-2", "deal community Ks"]
    rows = replay(
        decode(check(json.dumps(fact).encode()).body) for fact in facts(HIGH, {"hand": hand})
    ).tally.play
    sums = {key[4]: (row.staked, row.squared, row.taken - row.paid) for key, row in rows.items() if row.bets}
    assert sums == {"dice-1": (1000, 10**6, 0), "dice-2": (1000, 10**6, 0), "dice-3": (1000, 10**6, 1000)}
