"""`sees` lists the kinds of facts that a table's equipment reports. It excuses absent facts only: a recorded
fact is judged even if its kind is not in the list.

The tests replay every planted fault at a second table. The `sees` of that table lacks one kind: that of the
fact at which the finding is reported.
"""

from __future__ import annotations

from typing import Any

import pytest

from casino.sample import FAULTS, plant
from games import GAMES
from games.kit.events import AT_THE_TABLE, kind_of
from games.kit.rule_needs import PRESENT
from tests.simulation.replaying import findings, fits

BATCHES = {"bets": {"bets", "bet"}, "settled": {"settled", "take", "pay"}}
"""For each kind of batch: the batch, and the kinds of the single facts that it replaces."""
ABSENT_BETS = frozenset({"side-without-main", "side-above-main", "unequal-bet"})
"""Codes of findings that are reported at one bet because another bet is missing or too low. The other bet may
have been made at the table without being reported.
"""
NAMED = ("code", "uid", "spot", "wager")


def without(facts: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    """Return the facts of a table as they are, except that `sees` of its opening does not list this kind."""
    hidden = BATCHES.get(kind, {kind})

    def blind(fact: dict[str, Any]) -> dict[str, Any]:
        return (
            fact | {"sees": [name for name in fact["sees"] if name not in hidden]}
            if fact["kind"] == "table-opened"
            else fact
        )

    return [blind(fact) for fact in facts]


def is_excused(kind: str, expected: dict[str, Any]) -> bool:
    """Return True if the finding could be wrong because another fact of this kind was not reported."""
    if expected["code"] in ABSENT_BETS and kind in ("bet", "bets"):
        return True
    short = {"underpaid": "pay", "undertaken": "take"}.get(expected.get("slip", ""))
    return kind == short or (kind == "settled" and expected["code"] in ("wrong-settlement", "settled-twice"))


@pytest.mark.parametrize("game", FAULTS)
def test_a_recorded_fact_is_judged_even_if_the_table_does_not_report_its_kind(game: str) -> None:
    checked: set[tuple[str, str, str]] = set()
    for name in FAULTS[game]:
        facts, expectations = plant(name, game, 0)
        kinds = {fact["uid"]: fact["kind"] for fact in facts}
        for expected in expectations["expect"]:
            of = (expected["code"], kinds[expected["uid"]], expected.get("slip", ""))
            if of in checked or is_excused(of[1], expected):
                continue
            checked.add(of)
            fields = {field: expected[field] for field in NAMED if field in expected}
            assert any(fits(finding, fields) for finding in findings(without(facts, of[1]))), (
                name,
                fields,
                of[1],
            )
    assert len(checked) > 30


def test_only_kinds_that_a_rule_names_may_be_absent() -> None:
    kinds = {kind_of(kind) for kind in AT_THE_TABLE}
    codes = {rule.code for game in GAMES.values() for rule in game.every_rule()}
    assert set(PRESENT) <= codes
    assert set().union(*PRESENT.values()) <= kinds
    for game in GAMES.values():
        for rule, _ in game.rules:
            assert rule.present <= rule.needs, (game.code, rule.code, rule.cite)


def test_an_unsigned_correction_and_an_unsigned_void_are_found_at_a_table_that_reports_neither() -> None:
    for game in FAULTS:
        facts, expectations = plant("corrected-unsigned", game, 0)
        assert expectations["expect"][0]["code"] in {
            finding.code for finding in findings(without(facts, "corrected"))
        }, game
        facts, expectations = plant("void-not-signed", game, 0)
        assert "void-not-signed" in {finding.code for finding in findings(without(facts, "void"))}, game
