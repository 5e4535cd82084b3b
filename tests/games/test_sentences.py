"""Sentences of findings name each amount that moved, and use the singular where there is one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from audit.facts import check, decode
from audit.replay.fold import replay
from tests.games.hands import findings_of
from tests.vectors.notation import facts


@pytest.mark.parametrize(
    ("hand", "moved", "says"),
    [
        (["pay p-1 7 11000"], 10000, "the stake of 10.00 EUR was not returned, and 110.00 EUR was paid."),
        (["pay p-1 7 900"], -100, "the stake of 10.00 EUR was not returned, and 9.00 EUR was paid."),
        (["take p-1 7 1000"], -1000, "10.00 EUR was taken and not returned."),
        ([], -1000, "the stake of 10.00 EUR was not returned."),
    ],
    ids=["paid", "paid less than the stake", "taken", "nothing"],
)
def test_a_stake_that_was_kept_and_what_was_paid_are_named_apart(
    hand: list[str], moved: int, says: str
) -> None:
    every = findings_of("lucky_7", "bet p-1 7 1000", "no-more-bets", *hand)
    [finding] = [finding for finding in every if finding.code == "void-not-returned"]
    assert (finding.owed, finding.moved) == (0, moved)
    assert finding.says == f"No card was dealt. Nothing is owed on 7 of spot p-1: {says}"


def test_one_card_is_named_in_the_singular() -> None:
    every = findings_of("andar_bahar", "deal joker 5s", "bet p-1 andar 1000", "no-more-bets", "deal andar 6c")
    [finding] = [finding for finding in every if finding.code == "stopped-before-match"]
    assert finding.says == "The round ended after 1 card and none had matched the joker."


@pytest.mark.parametrize(("missing", "says"), [(1, "1 fact is missing."), (2, "2 facts are missing.")])
def test_a_gap_says_how_many_facts_are_missing(missing: int, says: str) -> None:
    sent: list[dict[str, Any]] = facts("lucky_7", {"hand": []})
    for number, fact in enumerate(sent, 1):
        fact |= {"source": "shoe-1", "n": number}
    sent[-1]["n"] += missing
    every = replay(decode(check(json.dumps(fact).encode()).body) for fact in sent).findings
    [finding] = [finding for finding in every if finding.code == "feed-gap"]
    assert finding.says.endswith(f": {says}")
