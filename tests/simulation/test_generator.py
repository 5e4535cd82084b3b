"""Generated nights: the same seed gives the same bytes, amounts add up, and settlements equal the results of
an independent computation.
"""

from collections import Counter
from fractions import Fraction
from uuid import UUID

import pytest

from audit.facts.money_kinds import MONEY_KINDS
from casino.sample import FAULTS, TABLES, honest_day, sample_house
from casino.sample.faults.planting import fault
from casino.sample.tables.settling import rounded
from games import GAMES
from tests.nights.reading import NIGHTS, Night, nights
from tests.simulation.planted import planted
from tests.vectors.reading import cases

FELT = [game for game, table in TABLES.items() if not table.studio]


def shared(game: str, *endings: str) -> list[Night]:
    """Return the nights of this game that are stored in files with these endings. Return an empty list if
    there are no such files.
    """
    files = [f"{game}-{ending}" for ending in endings if f"{game}-{ending}" in NIGHTS]
    return list(nights(*files)) if files else []


@pytest.mark.long
def test_the_second_opinion_agrees_with_the_settlements_computed_elsewhere() -> None:
    wrong, games = [], set()
    for case in cases():
        if case.game in TABLES and not case.illegal:
            games.add(case.game)
            computed = TABLES[case.game].opinion(case)
            if any(computed[wager] != net for wager, (net, _) in case.expected.items()):
                wrong.append(case)
    assert wrong == []
    assert games == set(TABLES)


def test_every_game_has_a_sample_table_and_the_sample_property_has_one() -> None:
    assert set(TABLES) == set(GAMES)
    assert {fact["game"] for fact in sample_house(1) if fact["kind"] == "table-opened"} == set(GAMES)


@pytest.mark.parametrize(
    ("stake", "owes", "reading", "settles"),
    [
        (1_900, "-950", "house", -1_000),
        (1_900, "-950", "player", -900),
        (350, "315", "house", 300),
        (350, "315", "player", 400),
        (100, "-50", "exact", -50),
    ],
)
def test_an_amount_is_rounded_once_as_the_option_says(
    stake: int, owes: str, reading: str, settles: int
) -> None:
    assert rounded(Fraction(owes), 100, reading, stake) == settles


@pytest.mark.parametrize("game", FAULTS)
def test_the_same_seed_makes_the_same_day_and_another_seed_another(game: str) -> None:
    assert honest_day(game, 7) == honest_day(game, 7)
    assert honest_day(game, 7) != honest_day(game, 8)


def test_a_fact_is_identified_by_its_time_and_counted_by_its_source() -> None:
    facts = sample_house(3)
    ids = [UUID(fact["uid"]) for fact in facts]
    assert len(set(ids)) == len(ids)
    assert {identifier.version for identifier in ids} == {7}
    last: Counter[tuple[str, str]] = Counter()
    for fact in facts:
        last[fact["table"], fact["source"]] += 1
        assert fact["n"] == last[fact["table"], fact["source"]]


@pytest.mark.parametrize("game", TABLES)
def test_generated_days_have_every_kind_of_the_shared_days(game: str) -> None:
    for night in shared(game, "honest", "house"):
        days = [honest_day(game, seed, house="-house/" in night.name) for seed in range(12)]
        assert {fact["kind"] for fact in night.facts} - {fact["kind"] for day in days for fact in day} - {
            "corrected"
        } == set()


@pytest.mark.parametrize("game", FELT)
@pytest.mark.parametrize("seed", range(5))
def test_the_tray_and_the_box_of_an_honest_day_add_up(game: str, seed: int) -> None:
    facts = honest_day(game, seed, house=True, shifts=3, rounds=60)
    torn = {fact["slip"] for fact in facts if fact["kind"] == "slip-voided"}
    total: Counter[str] = Counter()
    taken: Counter[tuple[str, str, str]] = Counter()
    dead = set()
    for fact in facts:
        if fact.get("slip") not in torn and "amount" in fact:
            total[fact["kind"]] += fact["amount"]
        if fact["kind"] == "void":
            dead.add(fact["round"])
        if fact["kind"] == "take" and fact["round"] not in dead:
            taken[fact["round"], fact["spot"], fact["wager"]] += fact["amount"]
        if fact["kind"] == "return":
            total["back"] += min(fact["amount"], taken[fact["round"], fact["spot"], fact["wager"]])
    into = total["opener-counted"] + total["fill-sent"] + total["take"]
    assert (
        total["closer-counted"]
        == into - total["credit-sent"] - total["chips-bought"] - total["pay"] - total["back"]
    )
    assert total["drop-counted"] == total["count-verified"] == total["chips-bought"]


@pytest.mark.parametrize("game", FELT)
def test_the_money_of_an_honest_day_goes_to_the_bank(game: str) -> None:
    """Test that the cage receives the notes of all boxes, sends them to the bank, and writes off no more than
    a marker that is not paid.
    """
    kinds: Counter[str] = Counter()
    for seed in range(8):
        facts = honest_day(game, seed, house=True, money=True)
        amounts: Counter[str] = Counter()
        for fact in facts:
            amounts[fact["kind"]] += fact.get("amount", 0)
            kinds[fact["kind"]] += 1
        notes = [fact["notes"] for fact in facts if fact["kind"] == "drop-counted"]
        cash = sum(int(note) * number for box in notes for note, number in box.items())
        assert amounts["drop-received"] == amounts["deposit-sent"] == amounts["deposit-confirmed"] == cash
        unpaid = amounts["marker-issued"] - amounts["marker-paid"]
        assert unpaid >= amounts["marker-written-off"] >= amounts["marker-recovered"]
    assert all(kinds[kind] for kind in MONEY_KINDS)


@pytest.mark.parametrize("game", FAULTS)
def test_every_expected_finding_names_a_fact_of_its_night(game: str) -> None:
    for name, stream in planted(game).items():
        assert stream.astray == (), name
        assert bool(stream.codes) != ("honest" in name or name.startswith("at-")), name


@pytest.mark.parametrize("game", TABLES)
def test_every_code_of_the_shared_faults_can_be_planted(game: str) -> None:
    codes = {code for stream in planted(game).values() for code in stream.codes}
    for night in shared(game, "faults"):
        assert {expected["code"] for expected in night.expect} <= codes, night.name


def test_a_fault_of_a_game_that_is_shared_already_says_what_to_do() -> None:
    with pytest.raises(ValueError, match=r"first add it to the game.s `lacks`"):
        fault("feed-gap", "andar_bahar")(lambda day: None)
