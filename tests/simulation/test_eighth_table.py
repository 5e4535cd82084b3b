"""A sample table of an eighth game is one more module: days without faults, and every shared fault, work for
it.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.games.test_eighth_game import PROJECT, RED_OR_BLACK

TABLE = '''"""Honest rounds of Red or Black, and a second opinion on what they pay."""

from fractions import Fraction

from .play import Play, placed
from .table import Dealt, Table, end_of


def red_or_black(wager, stake, card):
    return Fraction(stake if (card[1] in "hd") == (wager == "red") else -stake)


class RedOrBlackTable(Table):
    game, letters, seats, every_round, only_decks = "red_or_black", "RB", 6, True, 1
    sees = (
        "alarm", "alarm-answered", "bet", "corrected", "deal", "dealer-seated", "no-more-bets", "pay",
        "return", "round-closed", "round-opened", "shuffled", "table-closed", "table-opened", "take",
        "unbet", "void",
    )
    places = ("table",)
    wagers = {"red": ("win", "lose"), "black": ("win", "lose")}
    plain = ("red", "black")
    exact = {"chip": 100, "rounding": "exact", "limits": {"*": (1_000, 50_000)}}
    lacks = frozenset(
        {"duplicate-card", "not-shuffled:order", "not-shuffled:new-deck", "pay-table-not-approved:pay-table"}
    )
    # one card a round, and no pay table

    @classmethod
    def settings(cls, rng):
        limits = {"*": (1_000, 50_000)}
        return {
            "edition": "2026", "pay_tables": {}, "decks": 1, "limits": limits, "chip": 100, "currency": "USD"
        }

    @classmethod
    def opinion(cls, case):
        return {wager: red_or_black(wager, stake, case.cards[0]) for wager, stake in case.stakes.items()}

    def play(self, stakes=None, card=""):
        play = self.begin(stakes if stakes is not None else self.drawn_stakes())
        play.add("round-opened")
        for spot, wager, amount in play.laid():
            self.bet(play, spot, wager, amount)
        play.add("no-more-bets")
        shown = self.deal(play, "table", card)["card"]
        for spot, wager, amount in placed(play):
            self.move(play, spot, wager, self.settled(red_or_black(wager, amount, shown), amount))
        play.add("round-closed")
        return play

    def drawn_stakes(self):
        wagers = {spot: self.rng.choice(self.plain) for spot in sorted(self.rng.sample("123456", 3))}
        return {spot: {wager: self.amount(wager)} for spot, wager in wagers.items()}

    def hand(self, wager, want, stake=0, spot=""):
        spot, stake = spot or "4", stake or self.amount(wager)
        colour = "hd" if (wager == "red") == (want == "win") else "sc"
        card = self.rng.choice("A23456789TJQK") + self.rng.choice(colour)
        play = self.play(self.drawn_stakes() | {spot: {wager: stake}}, card)
        return Dealt(play, spot, stake, Fraction(stake if want == "win" else -stake))
'''

PLANT = """
import json
from casino.sample import FAULTS, TABLES, plant, played
from tests.simulation.replaying import differences, findings
GAME = "red_or_black"
wrong = {}
for seed in range(3):
    day = played(GAME, seed, house=True)
    if said := differences(findings(day.facts()), day.notices(), []):
        wrong[f"honest {seed}"] = said
for name in FAULTS[GAME]:
    facts, said = plant(name, GAME, 1)
    if bad := differences(findings(facts), said["expect"], said["also"]):
        wrong[name] = bad
print(json.dumps([len(FAULTS[GAME]), wrong]))
"""


@pytest.fixture
def house_with_eight(tmp_path: Path) -> Path:
    """Copy the packages that the nights need to another folder and add a game and its sample table."""
    for package in ("games", "audit", "casino/sample"):
        shutil.copytree(PROJECT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "tests" / "simulation").mkdir(parents=True)
    shutil.copy(PROJECT / "tests" / "simulation" / "replaying.py", tmp_path / "tests" / "simulation")
    (tmp_path / "games" / "red_or_black.py").write_text(RED_OR_BLACK, encoding="utf-8")
    (tmp_path / "casino" / "sample" / "tables" / "red_or_black.py").write_text(TABLE, encoding="utf-8")
    return tmp_path


def test_every_shared_fault_is_planted_and_found_at_an_eighth_game_at_once(house_with_eight: Path) -> None:
    process = subprocess.run(
        [sys.executable, "-c", PLANT], cwd=house_with_eight, capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stderr
    planted, wrong = json.loads(process.stdout)
    assert wrong == {}
    assert planted > 80
