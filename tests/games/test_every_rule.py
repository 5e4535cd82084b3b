"""Every rule of every game is complete: it cites its source, has a sentence as dealers would say it, and a
test breaks it.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from audit.facts import check, decode
from audit.replay.fold import replay
from games import GAMES
from games.kit.codes import GRADE
from tests.simulation.planted import planted
from tests.vectors.filling import FILLING
from tests.vectors.notation import cases, facts

OTHERS = ("Control ", "Event reference, ")
"""Beginnings of citations that do not name the manual of a game."""


def codes(sent: list[dict[str, Any]]) -> set[str]:
    return {
        finding.code
        for finding in replay(decode(check(json.dumps(fact).encode()).body) for fact in sent).findings
    }


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_rule_names_its_document_its_heading_and_a_sentence(game: str) -> None:
    for rule in GAMES[game].every_rule():
        assert rule.code in GRADE, rule
        assert rule.says.strip(), rule
        assert rule.cite.startswith((*GAMES[game].source.headings, *OTHERS)), rule
    for rule, _ in GAMES[game].rules:
        assert rule.cite.startswith(GAMES[game].source.headings), (
            f"{rule.code} is the game's own rule and cites its manual"
        )
        assert rule.says.endswith("."), f"{rule.code}: the docstring is a sentence"


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_rule_is_broken_by_a_hand_or_by_a_planted_fault(game: str) -> None:
    broken = {finding["code"] for hand in cases(game) for finding in hand.finds}
    broken |= {code for fault in planted(game).values() for code in fault.codes}
    broken |= codes(round_of_unreadable_cards(game))
    assert {rule.code for rule in GAMES[game].every_rule()} - broken == set()


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_settlement_cites_its_manual(game: str) -> None:
    for hand in cases(game):
        for finding in replay(decode(check(json.dumps(fact).encode()).body) for fact in hand.facts).findings:
            if finding.code in ("wrong-settlement", "not-settled", "settled-twice"):
                assert finding.cite.startswith(GAMES[game].source.headings), finding


@pytest.mark.parametrize("game", sorted(GAMES))
def test_one_card_more_than_the_deck_holds_is_found_once_and_the_last_one_is_not(game: str) -> None:
    overruns = [code for code in codes(round_of_unreadable_cards(game)) if code == "shoe-overrun"]
    assert overruns == ["shoe-overrun"]
    assert "shoe-overrun" not in codes(round_of_unreadable_cards(game, cards=52))


def round_of_unreadable_cards(game: str, cards: int = 53) -> list[dict[str, Any]]:
    """Return the facts of a round in which this number of unreadable cards is dealt from one deck."""
    filling = FILLING[game]
    dealt = sum(text.startswith("deal ") for text in filling.FIRST)
    hand = [*filling.FIRST, *[f"deal {filling.PLACE} -"] * (cards - dealt)]
    return facts(game, {"hand": hand, "around": "nothing", "table": {"decks": 1}})
