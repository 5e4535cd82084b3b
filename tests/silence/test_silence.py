"""Every small change to a round without faults causes a finding, is refused, or is on the list of changes
that are not faults. A round without findings must be correct.

A change of money or of a stake must cause a finding with an amount. By default every third change to the
shortest round of each night is tried; `make long` tries all changes to the first twelve.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.counts import LONG
from tests.silence import honest_house, house
from tests.silence.changes import WAGERS, Change
from tests.silence.honest import CONDITIONS, entries, on_the_list
from tests.silence.trying import NO_AMOUNT, SILENT, Part, Tried, parts, tried
from tests.simulation.replaying import findings

ROUNDS, STEP = (12, 1) if LONG else (1, 3)
LISTED = entries()


def chosen(game: str) -> list[Part]:
    """Return the rounds to try: the shortest round of a night in which money moves or, in a long run, the
    first twelve rounds of the night.
    """
    every = list(parts(game))
    played = [
        part
        for part in every
        if any(fact["kind"] in ("take", "pay", "settled") for fact in part.of(part.facts))
    ]
    return every[:ROUNDS] if LONG else sorted(played, key=lambda part: part.last - part.first)[:ROUNDS]


@pytest.mark.parametrize("game", WAGERS)
def test_every_change_to_an_honest_round_is_found_or_on_the_list(game: str) -> None:
    results: Counter[str] = Counter()
    missed = []
    for part in chosen(game):
        for each in tried(part, STEP):
            honest = each.result in (SILENT, NO_AMOUNT) and on_the_list(each, LISTED) is not None
            results["honest" if honest else each.result] += 1
            if each.result in (SILENT, NO_AMOUNT) and not honest:
                missed.append(f"{each.result}: {part.facts[part.first]['round']}: {each.change}")
    assert missed == []
    assert results["found"] > results["honest"] > 0


def test_a_change_that_is_not_on_the_list_is_not_honest() -> None:
    part = chosen("lucky_7")[0]
    fact = next(fact for fact in part.of(part.facts) if fact["kind"] in ("take", "pay", "settled"))
    removed = Change("remove", fact, "", "", [each for each in part.facts if each is not fact])
    assert on_the_list(Tried(part, removed, SILENT, ()), LISTED) is None


def test_every_entry_of_the_list_has_a_reason_and_known_conditions() -> None:
    assert LISTED
    for entry in LISTED:
        assert entry.reason.endswith((".", ")."))
        assert set(entry.when.split()) <= CONDITIONS.keys()
        assert entry.first
        assert entry.second if entry.sort == "either_order" else entry.how


def test_no_condition_of_the_list_is_unused() -> None:
    assert {name for entry in LISTED for name in entry.when.split()} == CONDITIONS.keys()


def test_the_property_is_honest() -> None:
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
