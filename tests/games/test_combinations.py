"""Hands in which two special conditions occur together. Each hand has its right result, which is easy to
get wrong if the rules are read only once.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from audit.facts import check, decode
from audit.replay.fold import Fold, replay
from audit.replay.results import Finding
from tests.vectors.notation import facts

AROUND = {"around": "nothing"}


def findings_of(game: str, *hand: str, **case: Any) -> list[Finding]:
    sent = facts(game, {"hand": list(hand)} | AROUND | case)
    return replay(decode(check(json.dumps(fact).encode()).body) for fact in sent).findings


def codes(game: str, *hand: str, **case: Any) -> list[str]:
    return sorted(finding.code for finding in findings_of(game, *hand, **case))


ROLL = ("shake 5", "roll 4 5", "say dice 9", "mark 9 ties-lose-half", "say short-side TJQK 2 to 1")
"""The facts of the table in a hand with a roll of nine."""
HAND = ("bet 1 over 1000", *ROLL, "no-more-bets", "deal 1 Td", "say card 10 1")


def test_a_late_raise_after_the_money_is_owed_on_the_whole_stake() -> None:
    late = findings_of("easy_over_under", *HAND, "pay 1 over 1000", "bet 1 over 500", "clear 1")
    assert [(finding.code, finding.owed, finding.moved) for finding in late] == [
        ("wrong-settlement", 1500, 1000),
        ("late-bet", None, None),
    ]
    paid = codes("easy_over_under", *HAND, "pay 1 over 1000", "bet 1 over 500", "pay 1 over 500", "clear 1")
    assert paid == ["late-bet"]


def test_what_players_may_bet_is_judged_in_a_void_round_too() -> None:
    hand = ("bet 1 over 1000", "bet 1 under 1000", *ROLL, "bet 2 short-side 500", "no-more-bets", "void")
    back = ("return 1 over 1000", "return 1 under 1000", "return 2 short-side 500")
    assert codes("easy_over_under", *hand, *back) == ["both-sides", "side-without-main"]


def test_a_stake_that_is_paid_and_not_returned_is_not_returned() -> None:
    paid, finding = findings_of("easy_over_under", *HAND, "void", "pay 1 over 1000")
    assert (finding.code, finding.owed, finding.moved) == ("void-not-returned", 1000, 0)
    assert (paid.code, paid.owed, paid.moved) == (
        "out-of-order",
        None,
        1000,
    ), "what was paid in its place has an amount of its own"
    (overpaid,) = findings_of("easy_over_under", *HAND, "void", "return 1 over 1000", "pay 1 over 300")
    assert (overpaid.code, overpaid.owed, overpaid.moved) == ("void-not-returned", 1000, 1300)


def test_findings_at_the_end_of_an_open_round_belong_to_it() -> None:
    sent = facts("easy_over_under", {"hand": [*HAND, "clear 1", "next", "bet 1 over 1000"]} | AROUND)
    first = sent.index(next(fact for fact in sent if fact["kind"] == "round-closed"))
    del sent[first]
    left = [
        finding
        for finding in replay(decode(check(json.dumps(fact).encode()).body) for fact in sent).findings
        if finding.code == "not-settled"
    ]
    assert [finding.round for finding in left] == ["r-0001"]


def test_a_missing_card_is_found_and_stakes_taken_without_it_are_owed_back() -> None:
    two = (
        "bet 1 over 1000",
        "bet 2 over 1000",
        *ROLL,
        "no-more-bets",
        "deal 1 Td",
        "say card 10 1",
        "pay 1 over 1000",
        "clear 1",
    )
    missing = findings_of("easy_over_under", *two, "take 2 over 1000", "clear 2")
    assert [
        (finding.code, finding.spot, finding.wager, finding.owed, finding.moved) for finding in missing
    ] == [
        ("wrong-card-count", "2", "over", None, None),
        ("void-not-returned", "2", "over", 0, -1000),
        ("void-required", None, None, None, None),
    ]


def test_a_wave_before_the_bets_does_not_count_as_the_required_one() -> None:
    easy = (
        "bet 1 over 1000",
        "no-more-bets",
        *ROLL,
        "deal 1 Td",
        "say card 10 1",
        "pay 1 over 1000",
        "clear 1",
    )
    assert codes("easy_over_under", *easy) == ["out-of-order"], (
        "it came too soon (Dealer Instructions 9 and 10), and is not missing as well"
    )
    andar = (
        "shuffle",
        "no-more-bets",
        "deal joker 5s",
        "bet p-1 andar 1000",
        "deal andar 5h",
        "pay p-1 andar 900",
    )
    assert codes("andar_bahar", *andar) == ["bets-not-closed"]


def test_the_forbidden_second_side_is_the_later_bet() -> None:
    hand = (
        "bet 1 over 500",
        "unbet 1 over 500",
        "bet 1 under 1000",
        "bet 1 over 1000",
        *ROLL,
        "no-more-bets",
        "void",
    )
    (finding,) = [
        finding
        for finding in findings_of("easy_over_under", *hand, "return 1 over 1000", "return 1 under 1000")
        if finding.code == "both-sides"
    ]
    assert (finding.wager, finding.number) == ("over", 8)


@pytest.mark.parametrize(
    ("words", "wrong"),
    [((), 0), (("say outcome andar",), 0), (("say outcome andar", "say outcome bahar"), 1)],
)
def test_every_declared_outcome_is_compared_with_the_cards(words: tuple[str, ...], wrong: int) -> None:
    hand = (
        "shuffle",
        "deal joker 5s",
        "bet p-1 andar 1000",
        "no-more-bets",
        "deal andar 5h",
        *words,
        "pay p-1 andar 900",
    )
    assert codes("andar_bahar", *hand) == ["announced-wrong"] * wrong


def test_a_bet_of_a_player_who_is_lost_counts_as_not_placed_until_he_is_back() -> None:
    hand = (
        "shuffle",
        "deal joker 5s",
        "lost p-1",
        "bet p-1 andar 1000",
        "back p-1",
        "bet p-1 bahar 1000",
        "no-more-bets",
        "deal andar 5h",
    )
    assert codes("andar_bahar", *hand, "take p-1 bahar 1000") == []
    assert codes("andar_bahar", *hand, "take p-1 bahar 1000", "pay p-1 andar 900") == ["no-such-bet"]


def test_a_repeated_payment_that_is_returned_is_found_once() -> None:
    hand = (*HAND, "pay 1 over 1000", "pay 1 over 500", "take 1 over 500", "clear 1")
    assert [(finding.code, finding.moved) for finding in findings_of("easy_over_under", *hand)] == [
        ("settled-twice", 1500)
    ]


def test_absurd_amounts_are_judged_and_leave_no_saved_state() -> None:
    sent = facts(
        "andar_bahar",
        {
            "hand": [
                "deal joker 5s",
                "bet p-1 andar 1000",
                "no-more-bets",
                "deal andar 5h",
                "pay p-1 andar 900",
            ]
        }
        | AROUND,
    )
    bet = next(fact for fact in sent if fact["kind"] == "bet")
    bet |= {"kind": "bets", "bets": [["p-1", "andar", 10**15]] * 20_000}
    fold = Fold("aurora/T-01/2026-11-27")
    for number, fact in enumerate(sent, 1):
        fold.take(number, decode(check(json.dumps(fact).encode()).body))
    assert fold.keep() is None
    assert {finding.code for finding in fold.findings.values()} >= {"above-maximum", "wrong-settlement"}


def test_the_shoe_rests_after_a_table_opened_that_continues() -> None:
    table = {"decks": 1}
    hand = (
        "bet 1 over 1000",
        *ROLL,
        "no-more-bets",
        "deal 1 Td",
        "say card 10 1",
        "pay 1 over 1000",
        "clear 1",
    )
    assert codes("easy_over_under", *hand, "next", *hand, table=table) == ["duplicate-card"]
    sent = facts("easy_over_under", {"hand": [*hand, "next", *hand], "table": table} | AROUND)
    second = [place for place, fact in enumerate(sent) if fact["kind"] == "round-opened"][1]
    opening = dict(sent[0]) | {
        "uid": "01a2ffff-0000-7000-8000-000000000000",
        "at": sent[second]["at"],
        "continues": True,
    }
    del opening["n"]
    sent.insert(second, opening)
    assert [
        finding.code
        for finding in replay(decode(check(json.dumps(fact).encode()).body) for fact in sent).findings
    ] == []


def test_a_box_pulled_twice_in_a_day_is_counted_and_recounted_twice() -> None:
    from tests.audit.floor import fact, line, opened

    count = {"kind": "drop-counted", "box": "B-1", "notes": {"10000": 1}, "team": ["n-1"]}
    recount = {"kind": "count-verified", "box": "B-1", "by": "n-9"}
    stream = [
        opened(1),
        *(
            fact(place) | count | {"shift": shift, "amount": 10000}
            for place, shift in ((2, "day"), (3, "swing"))
        ),
        *(fact(place) | recount | {"amount": 10000} for place in (4, 5)),
        fact(6) | recount | {"amount": 20000},
        fact(7) | count | {"shift": "grave", "amount": 10000},
    ]
    findings = replay(decode(check(line(sent)).body) for sent in stream).findings
    assert [(finding.code, finding.number) for finding in findings] == [("count-differs", 7)]


def test_a_stake_below_the_minimum_is_no_finding_if_the_round_ended_while_bets_were_open() -> None:
    back = ("void", "return 1 over 50")
    assert codes("easy_over_under", "bet 1 over 50", *back) == []
    assert codes("easy_over_under", "bet 1 over 50", *ROLL, *back) == ["below-minimum"]
    assert codes("easy_over_under", "bet 1 over 50", "shake 5", "roll 4 5", *back) == ["below-minimum"]
    assert codes("easy_over_under", "bet 1 over 20000", "void", "return 1 over 20000") == ["above-maximum"]


def test_findings_outside_the_manuals_cite_the_event_reference_or_disconnection_rules() -> None:
    lost = (
        "shuffle",
        "deal joker 5s",
        "bet p-1 andar 1000",
        "lost p-1",
        "no-more-bets",
        "deal andar 5h",
        "pay p-1 andar 900",
    )
    (paid,) = findings_of("andar_bahar", *lost)
    assert (paid.code, paid.cite) == ("no-such-bet", "Ezugi Andar Bahar Disconnection")
    sent = facts("lucky_7", {"hand": ["bet p-1 red 1000", "deal table 8h"]})
    sent[-3]["round"] = "r-9999"
    strange = [
        finding
        for finding in replay(decode(check(json.dumps(fact).encode()).body) for fact in sent).findings
        if finding.code == "out-of-order"
    ]
    assert {finding.cite for finding in strange} == {"Event reference, Fields of every fact"}


@pytest.mark.parametrize(
    ("game", "bet"),
    [
        ("casino_over_under", "bet 1 ante 1000"),
        ("lucky_7", "bet p-1 red 1000"),
        ("easy_over_under", "bet 1 over 1000"),
        ("high_side", "bet 1 dice-1 1000"),
        ("andar_bahar", "bet p-1 andar 1000"),
        ("teen_patti", "bet p-1 ante 1000"),
    ],
)
def test_a_round_left_open_before_any_card_has_no_hand_that_is_short_of_one(game: str, bet: str) -> None:
    sent = facts(game, {"hand": [bet, "next", bet]} | AROUND)
    del sent[sent.index(next(fact for fact in sent if fact["kind"] == "round-closed"))]
    left = [
        finding
        for finding in replay(decode(check(json.dumps(fact).encode()).body) for fact in sent).findings
        if finding.round == "r-0001"
    ]
    assert "round-left-open" in {finding.code for finding in left}
    assert {"wrong-card-count", "void-required"} & {finding.code for finding in left} == set()
    closed = codes(game, bet)
    assert "wrong-card-count" in closed


def test_an_ante_that_is_paid_to_a_surrendered_hand_is_not_said_to_be_taken() -> None:
    hand = (
        "bet 1 ante 1000",
        "bet 1 bonus 1000",
        "no-more-bets",
        "deal 1 6c",
        "choose 1 surrender",
        "deal 1 Tc",
        "pay 1 ante 1000",
    )
    late = [
        finding.says
        for finding in findings_of("casino_over_under", *hand)
        if finding.code == "settled-out-of-order"
    ]
    assert late
    assert all(" paid " in says and " taken " not in says for says in late)
