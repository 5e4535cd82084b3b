"""An eighth game is one more module: no list has to be edited, and every common rule applies to it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).resolve().parents[2]

RED_OR_BLACK = '''"""Red or Black: one card for the table."""

from games.kit import events as e
from games.kit.game import Game, Source
from games.kit.odds import Odds
from games.kit.round import OPEN, Round


class RedOrBlack(Round):
    __slots__ = ("card",)

    def __init__(self, table, opened, number):
        super().__init__(table, opened, number)
        self.windows = {"red": OPEN, "black": OPEN}
        self.card = None

    def betting_closed(self, event):
        self.close(event, "red", "black")

    def decided(self, spot, wager):
        return self.card is not None

    def dealt(self, event, pip):
        self.betting_closed(event)
        if self.card is None and pip is not None:
            self.card = event
            self.deciding(event)


game = Game(
    code="red_or_black", source=Source("RB", "Red or Black", "2026-11-27", ("RB Rules ",)), round=RedOrBlack,
    live_dealer=False,
    wagers=("red", "black"), editions={"2026": None}, pay_tables={}, decks=1, every_round=True,
    has_place=frozenset(("table",)).__contains__, plays=(), decided_by="deal",
    cites={"late-bet": "RB Rules 2"},
)


@game.settles("red", "black")
def colour(round, line):
    won = (round.card.card[1] in "hd") == (line.wager == "red")
    return Odds(1 if won else -1, 1, "The colour of the card wins.", "RB Rules 1")


@game.rule("wrong-card-count", on=e.Deal, needs="deal", cite="RB Rules 3")
def one_card(round, event):
    """One card is dealt."""
    return "A second card was dealt." if round.card else None
'''

PLAY = """
import json, sys
from audit.facts import check, decode
from audit.replay.fold import replay
findings = replay(decode(check(line).body) for line in sys.stdin.buffer).findings
print(json.dumps([(f.code, f.cite, f.owed, f.moved) for f in findings]))
"""


@pytest.fixture
def house_with_eight(tmp_path: Path) -> Path:
    """Copy the packages games and audit to another folder and add one game."""
    for package in ("games", "audit"):
        shutil.copytree(PROJECT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "games" / "red_or_black.py").write_text(RED_OR_BLACK, encoding="utf-8")
    return tmp_path


OPENING = {
    "game": "red_or_black",
    "edition": "2026",
    "pay_tables": {},
    "decks": 1,
    "spots": 6,
    "limits": {"*": [100, 5000]},
    "currency": "USD",
    "chip": 100,
    "readings": {},
    "sees": [
        "bet",
        "deal",
        "take",
        "pay",
        "return",
        "shuffled",
        "no-more-bets",
        "round-opened",
        "round-closed",
        "void",
    ],
}


def replay_in_copy(house: Path, *hand: tuple[str, dict[str, Any]]) -> Any:
    """Replay one round in `house`, a copy of the packages with an eighth game. Return code, citation, amount
    owed and amount moved of each finding.
    """
    facts: list[tuple[str, dict[str, Any]]] = [
        ("table-opened", OPENING),
        ("shuffled", {"shoe": "s", "decks": 1}),
    ]
    facts += [
        (kind, {"round": "r-1"} | fields)
        for kind, fields in (("round-opened", {}), *hand, ("round-closed", {}))
    ]
    lines = [
        json.dumps(
            {
                "uid": f"01890000-0000-7000-8000-{number:012}",
                "table": "aurora/RB-1",
                "day": "2026-11-27",
                "kind": kind,
                "source": "pit",
            }
            | {"at": "2026-11-27T20:00:00Z"}
            | fields
        )
        for number, (kind, fields) in enumerate(facts)
    ]
    result = subprocess.run(
        [sys.executable, "-c", PLAY],
        input="\n".join(lines),
        cwd=house,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(result.stdout)


def test_an_eighth_game_is_one_file_and_is_audited_at_once(house_with_eight: Path) -> None:
    hand: list[tuple[str, dict[str, Any]]] = [
        ("bet", {"spot": "1", "wager": "red", "amount": 1000}),
        ("bet", {"spot": "2", "wager": "black", "amount": 1000}),
        ("no-more-bets", {}),
        ("bet", {"spot": "3", "wager": "red", "amount": 500}),
        ("deal", {"to": "table", "card": "Td"}),
        ("pay", {"spot": "1", "wager": "red", "amount": 900}),
        ("take", {"spot": "2", "wager": "black", "amount": 1000}),
        ("pay", {"spot": "3", "wager": "red", "amount": 500}),
    ]
    assert replay_in_copy(house_with_eight, *hand) == [
        ["late-bet", "RB Rules 2", None, None],
        ["wrong-settlement", "RB Rules 1", 1000, 900],
    ]


@pytest.mark.parametrize(
    ("dealt", "codes"),
    [
        ([], ["void-not-returned", "void-required"]),
        ([("deal", {"to": "table", "card": None})], ["card-not-read"]),
        ([("deal", {"to": "table", "card": "Xs"})], ["impossible-card"]),
    ],
)
def test_a_card_that_could_not_be_read_is_not_a_card_that_never_came(
    house_with_eight: Path, dealt: list[tuple[str, dict[str, Any]]], codes: list[str]
) -> None:
    bet, taken = (
        ("bet", {"spot": "1", "wager": "red", "amount": 1000}),
        ("take", {"spot": "1", "wager": "red", "amount": 1000}),
    )
    assert [
        finding[0] for finding in replay_in_copy(house_with_eight, bet, ("no-more-bets", {}), *dealt, taken)
    ] == codes
