"""Published faults of other systems, numbered from B1. Each fault is impossible in Catwalk, which computes
the right value.

Each fault is translated to a case with Catwalk's facts. Catwalk does not have everything that other systems
have, for example no price in a feed, no result code and no wallet. The case is then about the corresponding
part of Catwalk, which `CASES` names.
"""

from __future__ import annotations

import io
import json
import tomllib
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from audit.facts import Refused, check, decode
from audit.findings import examine as examination
from audit.ledger import intake, store
from audit.ledger.intake import Sender
from audit.replay.fold import replay
from audit.replay.results import Finding, Play
from casino.importing import ImportOptions, Refusal, profiles
from games import GAMES
from games.kit.certificate import CONTRADICTS
from tests.casino.feeding import run
from tests.games.test_certificate import line as certified
from tests.simulation.replaying import differences, findings
from tests.vectors.notation import facts, finds

EASY, ANDAR, TEEN, BET_ON, LUCKY = (
    "easy_over_under",
    "andar_bahar",
    "teen_patti",
    "bet_on_teen_patti",
    "lucky_7",
)

_FAULTS = tomllib.loads((Path(__file__).parent / "public_faults.toml").read_text(encoding="utf-8"))
CASES: dict[str, str] = _FAULTS["cases"]
"""For each published fault (B case), by its number: its description, and what Catwalk does instead."""

MATCH_ON_4 = ["cards 3", "match"]
TRIPS_2, FLUSH_456 = "2s 2h 2d", "4h 5h 6h"
PAIR_8 = "cards 8s 8d 4c Jh 7c 2d"
STEEL = "cards As 2s 3s 4s 5s Kd"

Hand = tuple[str, str, list[str], list[str], dict[str, Any]]
HANDS: list[Hand] = [
    (case["case"], case["game"], case["hand"], case["finds"], case.get("more", {}))
    for case in _FAULTS["hands"]
]


@pytest.mark.parametrize(
    ("letter", "game", "hand", "right", "case"),
    [pytest.param(*hand, id=f"{hand[0]}-{place}") for place, hand in enumerate(HANDS)],
)
def test_a_published_fault_of_other_systems_is_impossible_in_catwalk(
    letter: str, game: str, hand: list[str], right: list[str], case: dict[str, Any]
) -> None:
    sent = facts(game, {"hand": hand} | case)
    assert differences(findings(sent), finds({"finds": right}, "finds"), finds(case, "also")) == [], CASES[
        letter
    ]


def findings_of(sent: list[dict[str, Any]]) -> list[Finding]:
    """Replay these facts and return all findings, notices included."""
    return replay(decode(check(json.dumps(fact).encode()).body) for fact in sent).findings


def counted(game: str, *hand: str) -> Play:
    """Replay a hand and return the sums of its tally over all wagers."""
    sent = facts(game, {"hand": list(hand)})
    rows = replay(decode(check(json.dumps(fact).encode()).body) for fact in sent).tally.play.values()
    names = ("rounds", "voided", "bets", "staked", "paid", "taken", "returned")
    return Play(
        **{
            name: sum(getattr(row, name) for row in rows if (row.bets > 0) != (name in names[:2]))
            for name in names
        }
    )


def imported(*messages: dict[str, Any]) -> list[Any]:
    """Import these messages as the vendor of a live Andar Bahar table sends them. Return the facts."""
    options = ImportOptions(table="aurora/228000", zone=ZoneInfo("UTC"), edition="ezugi-bahar-first")
    lines = b"".join(json.dumps(message).encode() + b"\n" for message in messages)
    return list(profiles.profile("live_andar_bahar").read(io.BytesIO(lines), options))


def message(kind: str, **fields: Any) -> dict[str, Any]:
    common = {
        "MessageType": kind,
        "roundId": 7,
        "timeStamp": "2030-01-05 22:00:00:000",
        "TableId": "228000",
        "gameType": "AndarBahar",
    }
    return common | fields


@pytest.mark.parametrize("spelled", ["??", "", "[Game]<Game>", "1C", None])
def test_b01_a_card_that_a_feed_cannot_spell_is_a_card_that_was_not_read(
    db: Any, spelled: str | None
) -> None:
    results = imported(
        message("Card", CardHand="joker", CardName="AH"), message("Card", CardHand="bahar", CardName=spelled)
    )
    sent = [json.loads(fact.body) for fact in results]
    assert [fact["card"] for fact in sent if fact["kind"] == "deal"] == ["Ah", None]
    assert [fact["kind"] for fact in sent] == ["table-opened", "round-opened", "deal", "deal"]


@pytest.mark.parametrize(("at", "grade"), [("11:18:32.500", "integrity"), ("11:18:32.298", "notice")])
def test_b03_a_bet_whose_clock_contradicts_the_order_is_a_notice(at: str, grade: str) -> None:
    sent = facts(ANDAR, {"hand": ["deal joker 5s", "no-more-bets", "bet p-1 andar 1000", "match"]})
    for fact in sent:
        clock, source = {"no-more-bets": ("11:18:32.399", "pit-1"), "bet": (at, "rfid-3")}.get(
            fact["kind"], ("", "hand")
        )
        fact |= {"at": f"2026-11-27T{clock}Z" if clock else fact["at"], "source": source}
        del fact["n"]
    (late,) = [finding for finding in findings_of(sent) if finding.code == "late-bet"]
    assert (late.grade, late.spot, late.wager) == (grade, "p-1", "andar")
    assert ("pit-1 gives" in late.says) == (grade == "notice")


def test_b05_a_cancelled_round_is_counted_once_and_nothing_is_won_by_it() -> None:
    play = counted(ANDAR, "deal joker 5s", "bet p-1 andar 1000", "cards 4", "void")
    assert (play.rounds, play.voided, play.staked, play.returned, play.taken - play.paid) == (
        1,
        1,
        1000,
        1000,
        0,
    )


BANDS = {
    "1-5": (1, "5/2"),
    "6-10": (6, "7/2"),
    "11-15": (11, "9/2"),
    "16-25": (16, "7/2"),
    "26-30": (26, "14"),
    "31-35": (31, "24"),
    "36-40": (36, "49"),
    "41+": (41, "119"),
}


@pytest.mark.parametrize("band", BANDS)
def test_b07_every_band_wins_one_less_than_its_x(band: str) -> None:
    first, to_one = BANDS[band]
    hand = ["deal joker 5s", f"bet p-1 {band} 1000", f"cards {first - 1}", "match"]
    (owed,) = [
        finding.owed
        for finding in findings_of(facts(ANDAR, {"hand": hand, "without": [f"pay p-1 {band}"]}))
        if finding.code == "not-settled"
    ]
    assert owed == 1000 * Fraction(to_one)


def test_b09_two_editions_in_one_day_settle_each_round_by_its_own() -> None:
    dealt = {"ezugi-0.95": "cards As Kd Jh Ks 9h 4d", "ezugi": "cards Ah Kc Jd Kh 9d 4c"}
    older, newer = (
        facts(BET_ON, {"hand": ["bet p-1 player-a 10000", cards], "table": {"edition": edition}})
        for edition, cards in dealt.items()
    )
    later = [
        fact | {"uid": fact["uid"].replace("01a2", "01a3"), "n": fact["n"] + len(older) - 1} for fact in newer
    ]
    for fact in later:
        if "round" in fact:
            fact["round"] = "r-0002"
        fact["at"] = datetime.fromisoformat(fact["at"]).replace(hour=13).isoformat()
    stream = [fact for fact in older if fact["kind"] != "table-closed"] + later
    assert findings_of(stream) == []
    assert [fact["amount"] for fact in stream if fact["kind"] == "pay"] == [9500, 9800]
    swapped = [
        fact | ({"amount": 19300 - fact["amount"]} if fact["kind"] == "pay" else {}) for fact in stream
    ]
    assert [(finding.round, finding.owed, finding.moved) for finding in findings_of(swapped)] == [
        ("r-0001", 9500, 9800),
        ("r-0002", 9800, 9500),
    ]


def test_b11_the_pay_table_does_not_return_what_is_printed() -> None:
    """Test fault B11: the manual prints a return of 95.51 %, which belongs to another pay table. The pay
    table in use returns 95.62 %, and the certificate reports the contradiction.
    """
    line = certified(TEEN, "pair-or-better")
    assert line.figures.rtp == Fraction(5283, 5525)
    assert line.verdict == CONTRADICTS


@pytest.mark.parametrize(
    ("answer", "owed"), [("straight-flush", 100_000), ("flush", 10_000), ("nothing", -500)]
)
def test_b13_the_steel_wheel_is_paid_as_the_property_decided(answer: str, owed: int) -> None:
    move = f"{'pay' if owed > 0 else 'take'} p-1 3+3 {abs(owed)}"
    hand = ["bet p-1 ante 1000", "bet p-1 3+3 500", STEEL, move]
    right = {"hand": hand, "table": {"readings": {"rounding": "exact", "steel-wheel": answer}}}
    assert [finding for finding in findings_of(facts(TEEN, right)) if finding.wager == "3+3"] == []
    assert GAMES[TEEN].options["steel-wheel"] == ("straight-flush", "flush", "nothing")
    others = {"straight-flush": "flush", "flush": "nothing", "nothing": "straight-flush"}
    wrong = {"hand": hand, "table": {"readings": {"rounding": "exact", "steel-wheel": others[answer]}}}
    assert [finding.code for finding in findings_of(facts(TEEN, wrong)) if finding.wager == "3+3"] == [
        "wrong-settlement"
    ]


def test_b23_a_tie_is_wagered_and_not_won() -> None:
    play = counted(TEEN, "bet p-1 ante 1000", "cards As Kd Jh Ah Kc Js")
    assert (play.staked, play.taken, play.paid) == (2000, 0, 0)


def test_b25_one_uid_is_one_stake_and_two_uids_are_two(house: Any) -> None:
    sent = facts(LUCKY, {"hand": ["bet p-1 red 500", "deal table 8h", "pay p-1 red 490"]})
    bet = next(place for place, fact in enumerate(sent) if fact["kind"] == "bet")
    lines = [json.dumps(fact).encode() for fact in sent]
    for part in (lines[: bet + 1], [lines[bet], lines[bet]], lines[bet:]):
        intake.post(part, Sender("studio"))
    assert stakes() == [500]
    second = sent[bet] | {"uid": "01a2ffff-0000-7000-8000-000000000000", "n": 99, "round": "r-0002"}
    for fact in (second, second, second | {"uid": "01a2fffe-0000-7000-8000-000000000000"}):
        intake.post([json.dumps(fact).encode()], Sender("studio"))
    assert stakes() == [500, 500, 500]
    with pytest.raises(Refused, match="another body"):
        intake.post([json.dumps(second | {"amount": 600}).encode()], Sender("studio"))
    assert stakes() == [500, 500, 500]


def stakes() -> list[int]:
    """Return every bet in the ledger."""
    recorded = [json.loads(row.body) for row in store.read_stream("aurora", "aurora/T-01/2026-11-27")]
    return [fact["amount"] for fact in recorded if fact["kind"] == "bet"]


@pytest.mark.parametrize("result", ["0", "", "tie", "3", 0, None])
def test_b31_a_result_that_the_game_does_not_have_is_refused_and_the_round_left_open(
    db: Any, result: Any
) -> None:
    results = imported(message("GAME_RESULT", GameResults={"RoundId": 7, "WinningHand": result}))
    assert [type(item) for item in results] == [Refusal]
    assert "WinningHand" in str(results[0])


@pytest.mark.parametrize("other", [{"b": 0}, {"rate": "1.98"}, {"rate": 0, "b": 0, "price": "free"}])
def test_b35_another_field_than_the_amount_is_not_a_price(other: dict[str, Any]) -> None:
    sent = facts(
        BET_ON, {"hand": ["bet p-1 player-a 10000", "cards As Kd Jh Ks 9h 4d", "pay p-1 player-a 9800"]}
    )
    assert (
        findings_of(
            [fact | (other if fact["kind"] in ("bet", "pay", "table-opened") else {}) for fact in sent]
        )
        == []
    )


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"edition": ""}, "edition"),
        ({"edition": "ezugi-1"}, "edition"),
        ({"pay_tables": {}}, "pay_tables"),
        ({"pay_tables": {"player-a": "x"}}, "pay"),
    ],
)
def test_b35_a_table_whose_prices_are_not_known_is_refused_and_never_free(
    change: dict[str, Any], reason: str
) -> None:
    opened = facts(BET_ON, {"hand": ["bet p-1 player-a 10000"]})[0]
    assert check(json.dumps(opened).encode()).kind == "table-opened"
    with pytest.raises(Refused, match=reason):
        check(json.dumps(opened | change).encode())


def test_b37_an_unknown_game_is_refused_by_validation() -> None:
    opened = facts(EASY, {"hand": ["bet 1 over 1000", "roll 5 5", "deal 1 Td"]})[0]
    with pytest.raises(Refused, match="21"):
        check(json.dumps(opened | {"game": "21"}).encode())


def test_b43_a_round_cancelled_after_settlement_nets_to_zero_and_keeps_its_facts() -> None:
    hand = ["bet p-1 7-up 1000", "deal table 8s", "pay p-1 7-up 1000", "pause", "void", "take p-1 7-up 1000"]
    play = counted(LUCKY, *hand)
    assert (play.rounds, play.voided, play.staked, play.returned, play.taken - play.paid) == (
        1,
        1,
        1000,
        1000,
        0,
    )
    kinds = [fact["kind"] for fact in facts(LUCKY, {"hand": hand})]
    assert [kind for kind in kinds if kind in ("pay", "void", "return", "take")] == [
        "pay",
        "void",
        "return",
        "take",
    ]


@pytest.mark.parametrize(("rounding", "owed"), [("house", 1), ("player", 2), ("exact", "8/5")])
def test_b45_two_stakes_on_one_wager_are_rounded_once(rounding: str, owed: Any) -> None:
    """Test that two stakes on one wager are added before the amount is rounded. Each stake is owed 0.8, so
    that 1.6 is rounded. If each were rounded alone, the result would be 0 or 2.
    """
    table = {"limits": {"*": [1, 100]}, "readings": {"rounding": rounding}}
    hand = {"hand": ["bet p-1 odd 1", "bet p-1 odd 1", "deal table 9h"], "table": table}
    right = facts(LUCKY, hand | {"around": "nothing"})
    assert [finding.owed for finding in findings_of(right) if finding.code == "not-settled"] == [owed]


def test_b45_stakes_of_two_players_or_wagers_are_rounded_each_for_itself() -> None:
    table = {"limits": {"*": [1, 100]}, "readings": {"rounding": "house"}}
    hand = [
        "bet p-1 odd 2",
        "bet p-2 odd 2",
        "bet p-2 red 2",
        "deal table 9h",
        "pay p-1 odd 1",
        "pay p-2 odd 1",
        "pay p-2 red 1",
    ]
    assert findings_of(facts(LUCKY, {"hand": hand, "table": table})) == []


def test_b47_ten_cents_and_twenty_are_thirty(house: Any) -> None:
    sent = facts(
        LUCKY,
        {"hand": ["bet p-1 red 10", "bet p-2 red 20", "deal table 8s"], "table": {"limits": {"*": [1, 100]}}},
    )
    intake.post([json.dumps(fact).encode() for fact in sent], Sender("studio"))
    examination.examine()
    (row,) = json.loads(run("report", "hold", "--format", "json").out)["rows"]
    assert (row["win"], row["denominator"]) == ("0.30", "0.30")


@pytest.mark.parametrize("amount", ["0.30000000000000004", "0.3", "30.0", "3e1", "NaN"])
def test_b47_an_amount_with_a_point_is_refused_by_validation(amount: str) -> None:
    bet = next(fact for fact in facts(LUCKY, {"hand": ["bet p-1 red 10"]}) if fact["kind"] == "bet")
    with pytest.raises(Refused):
        check(json.dumps(bet).replace('"amount": 10', f'"amount": {amount}').encode())


@pytest.mark.parametrize("kind", ["pay", "take", "bet"])
def test_b49_an_amount_of_zero_is_refused(kind: str) -> None:
    hand = ["bet p-1 7-up 1000", "deal table 8s" if kind == "pay" else "deal table 6s"]
    fact = next(fact for fact in facts(LUCKY, {"hand": hand}) if fact["kind"] == kind)
    with pytest.raises(Refused, match="amount"):
        check(json.dumps(fact | {"amount": 0}).encode())


def test_every_public_fault_of_the_b_cases_is_shown() -> None:
    shown = {letter for letter, *_ in HANDS} | {
        name[5:8].upper() for name in globals() if name.startswith("test_b")
    }
    assert set(CASES) == {f"B{number:02}" for number in range(1, 50, 2)} == shown
