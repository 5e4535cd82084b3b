"""Tests of the hands written down for each game. Each rule is kept in some and broken in others, and the
findings are those that the hands list.
"""

from collections import defaultdict

import pytest

from games import GAMES
from tests.simulation.replaying import differences, findings
from tests.vectors.notation import GAMES as WRITTEN
from tests.vectors.notation import Hand, cases, read

HANDS = [pytest.param(hand, id=f"{hand.cite}: {hand.name}") for game in WRITTEN for hand in cases(game)]


@pytest.mark.parametrize("hand", HANDS)
def test_a_hand_shows_what_the_log_says(hand: Hand) -> None:
    assert differences(findings(hand.facts), hand.finds, hand.also) == [], hand.cite


@pytest.mark.parametrize("game", WRITTEN)
def test_a_rule_that_is_cited_by_a_hand_is_kept_by_one_and_broken_by_another(game: str) -> None:
    shown: dict[str, set[bool]] = defaultdict(set)
    for hand in cases(game):
        shown[hand.cite].add(bool(hand.finds))
    manual = GAMES[game].source.short
    one_sided = {cite for cite, ends in shown.items() if cite.startswith(manual) and ends != {True, False}}
    assert one_sided == set()


@pytest.mark.parametrize("text", ["", "fold 1", "bet 1 over", "bet 1 over ten", "say"])
def test_what_is_no_notation_is_named(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no notation"):
        read(text)
