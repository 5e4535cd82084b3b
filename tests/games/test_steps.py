"""Every step of the three dealing manuals is judged by a rule that cites it, or is on the list of steps that
no fact can show.
"""

from __future__ import annotations

import json
import tomllib
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from audit.facts import check, decode
from audit.replay.fold import replay
from games import GAMES
from tests.second_reading.reading import cases as streams
from tests.vectors.notation import cases

GAME = {GAMES[code].source.short: code for code in ("casino_over_under", "easy_over_under", "high_side")}
"""For each manual, by its short name: its game."""
STEPS: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parent / "steps.toml").read_text(encoding="utf-8")
)["step"]


@cache
def cited_clauses(game: str) -> dict[str, set[str]]:
    """Return each clause that findings cite, with the codes of these findings. The findings are those in the
    hands and streams written for a game.
    """
    codes: dict[str, set[str]] = defaultdict(set)
    written = [[json.dumps(fact).encode() for fact in hand.facts] for hand in cases(game)]
    written += [list(case.lines) for case in streams() if json.loads(case.lines[0])["game"] == game]
    for lines in written:
        for finding in replay(decode(check(line).body) for line in lines).findings:
            codes[finding.cite].add(finding.code)
    return codes


def numbers(clause: str) -> set[str]:
    """Return the numbers of the steps that a clause names."""
    return {word for word in clause.split() if word.isdigit()}


def cited(game: str, clause: str) -> set[str]:
    """Return the codes of findings that cite this clause, alone or together with other steps under the same
    heading.
    """
    heading = clause.rstrip("0123456789 and") if numbers(clause) else clause
    return {
        code
        for cite, codes in cited_clauses(game).items()
        for code in codes
        if cite == clause
        or (cite.startswith(heading) and numbers(clause) and numbers(clause) <= numbers(cite))
    }


@pytest.mark.parametrize("step", STEPS, ids=lambda step: f"{step['clause']}: {step['does']}")
def test_a_step_is_judged_under_its_own_clause_or_no_fact_can_show_it(step: dict[str, Any]) -> None:
    game = GAME[step["clause"].split()[0]]
    assert ("judged" in step) != ("unseen" in step)
    assert step["does"].endswith((".", "?'", "'."))
    if "unseen" in step:
        assert step["unseen"].endswith(".")
    else:
        assert set(step["judged"]) <= cited(game, step["clause"])


@pytest.mark.parametrize("game", GAME.values())
def test_every_order_that_a_rule_of_the_game_judges_is_on_the_list(game: str) -> None:
    manual = GAMES[game].source.short
    listed = {
        code for step in STEPS if step["clause"].startswith(f"{manual} ") for code in step.get("judged", ())
    }
    orders = (
        "out-of-order",
        "settled-out-of-order",
        "wrong-deal-order",
        "dealt-too-soon",
        "revealed-too-soon",
        "not-announced",
    )
    assert {rule.code for rule, _ in GAMES[game].rules if rule.code in orders} <= listed
