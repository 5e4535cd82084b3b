"""Tests of the hands that `notation` reads for each game. Each rule is followed in some hands and broken in
others. Each hand lists the findings that it must have.
"""

from collections import defaultdict

import pytest

from games import GAMES
from tests.simulation.replaying import differences, findings
from tests.vectors.notation import GAMES as WRITTEN
from tests.vectors.notation import cases, read

PARTS = 3
"""Number of tests into which the hands of a game are divided. One test for each hand would take longer to
report than to run.
"""


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("game", WRITTEN)
def test_a_hand_has_the_findings_listed_with_it(game: str, part: int) -> None:
    wrong = {
        f"{hand.cite}: {hand.name}": problems
        for hand in list(cases(game))[part::PARTS]
        if (problems := differences(findings(hand.facts), hand.finds, hand.also))
    }
    assert wrong == {}


@pytest.mark.parametrize("game", WRITTEN)
def test_each_cited_rule_is_followed_by_one_hand_and_broken_by_another(game: str) -> None:
    shown: dict[str, set[bool]] = defaultdict(set)
    for hand in cases(game):
        shown[hand.cite].add(bool(hand.finds))
    manual = GAMES[game].source.short
    one_sided = {cite for cite, ends in shown.items() if cite.startswith(manual) and ends != {True, False}}
    assert one_sided == set()


@pytest.mark.parametrize("text", ["", "fold 1", "bet 1 over", "bet 1 over ten", "say"])
def test_an_invalid_notation_is_named(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no notation"):
        read(text)
