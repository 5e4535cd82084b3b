"""Tests of every small change to rounds in which nothing is wrong. Each change causes a finding, is refused,
or is on the list of changes that are not faults. A round without findings must be correct.

A change of money or of a stake must cause a finding with an amount. By default a share of the changes is
tried, taken from all rounds of each night; `make long` tries all changes to all rounds.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.counts import LONG
from tests.silence import honest_house, house
from tests.silence.changes import WAGERS, Change, Fact
from tests.silence.honest import CONDITIONS, entries, on_the_list
from tests.silence.opinion import moves
from tests.silence.trying import NO_AMOUNT, SILENT, Part, Tried, parts, tried
from tests.simulation.replaying import findings

DIVISIONS, STEP = (12, 1) if LONG else (1, 499)
"""DIVISIONS: the number of tests into which the rounds of a night are divided. STEP: one in this number of
changes is tried. 499 is a prime number, so that the changes do not fall on the same place in each round.
"""
LISTED = entries()


@pytest.mark.parametrize("division", range(DIVISIONS))
@pytest.mark.parametrize("game", WAGERS)
def test_every_change_to_an_honest_round_is_found_or_on_the_list(game: str, division: int) -> None:
    results: Counter[str] = Counter()
    missed = []
    for change in tried(list(parts(game))[division::DIVISIONS], STEP):
        honest = change.result in (SILENT, NO_AMOUNT) and on_the_list(change, LISTED) is not None
        results["honest" if honest else change.result] += 1
        if change.result in (SILENT, NO_AMOUNT) and not honest:
            missed.append(
                f"{change.result}: {change.part.facts[change.part.first]['round']}: {change.change}"
            )
    assert missed == []
    assert results["found"] > results["honest"] > 0


def test_a_change_that_is_not_on_the_list_is_not_honest() -> None:
    part, fact = first("lucky_7", "take", "pay", "settled")
    assert on_the_list(Tried(part, removed(part, fact), SILENT, ()), LISTED) is None


def test_a_void_excuses_a_missing_card_only_if_every_stake_went_back() -> None:
    part, void = first("casino_over_under", "void")
    round = part.of(part.facts)
    card = next(fact for fact in round if fact["kind"] == "deal")
    assert on_the_list(Tried(part, removed(part, card), SILENT, ()), LISTED) is not None
    back = next(fact for fact in round if fact["kind"] == "return")
    assert on_the_list(Tried(part, removed(part, card, back), SILENT, ()), LISTED) is None
    assert on_the_list(Tried(part, removed(part, card, void), SILENT, ()), LISTED) is None


def test_a_stake_without_an_amount_is_honest_only_if_the_wager_pushes() -> None:
    honest: dict[bool, set[bool]] = {True: set(), False: set()}
    for part in parts("teen_patti"):
        round = part.of(part.facts)
        moved = {(spot, wager) for fact in round for spot, wager, _ in moves(fact)}
        for bet in round:
            if bet["kind"] == "bet" and bet["wager"] == "play":
                without_amount = Tried(part, removed(part, bet), NO_AMOUNT, ())
                honest[(bet["spot"], "play") in moved].add(on_the_list(without_amount, LISTED) is not None)
    assert honest == {True: {False}, False: {True}}


def first(game: str, *kinds: str) -> tuple[Part, Fact]:
    """Return a round and a fact: the first fact of one of these kinds in the game's night, and the round to
    which the fact belongs.
    """
    return next((part, fact) for part in parts(game) for fact in part.of(part.facts) if fact["kind"] in kinds)


def removed(part: Part, *facts: Fact) -> Change:
    """Return the change that removes these facts from a round."""
    return Change("remove", facts[0], "", "", [fact for fact in part.facts if fact not in facts])


def test_every_entry_of_the_list_has_a_reason_and_known_conditions() -> None:
    assert LISTED
    for entry in LISTED:
        assert entry.reason.endswith((".", ")."))
        assert set(entry.when.split()) <= CONDITIONS.keys()
        assert entry.first
        assert entry.second if entry.sort == "either_order" else entry.how


def test_no_condition_of_the_list_is_unused() -> None:
    assert {name for entry in LISTED for name in entry.when.split()} == CONDITIONS.keys()


def test_the_property_without_faults_has_no_finding() -> None:
    assert findings(house.honest()) == []


def test_every_change_to_cage_count_room_and_registers_is_found_or_on_the_list() -> None:
    facts = house.honest()
    chosen = list(house.changes(facts))[:: 1 if LONG else 15]
    results: Counter[str] = Counter()
    missed = []
    for change, became in honest_house.tried(facts, chosen):
        honest = became in (SILENT, NO_AMOUNT) and honest_house.on_the_list(change) is not None
        results["honest" if honest else became] += 1
        if became in (SILENT, NO_AMOUNT) and not honest:
            missed.append(f"{became}: {change}")
    assert missed == []
    assert results["found"] > results["honest"] > 0


def test_every_entry_of_the_list_of_the_property_has_a_reason_and_a_known_condition() -> None:
    entries = [entry for listed in honest_house.LISTED.values() for entry in listed]
    assert all(entry["reason"].endswith(".") for entry in entries)
    assert {entry["when"] for entry in entries if "when" in entry} == honest_house.CONDITIONS.keys()
