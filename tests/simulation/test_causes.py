"""Every finding cites a clause that exists: a heading of its game's manual, a control of the property, or the
event reference.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from sys import modules

import pytest

from audit.controls import controls
from audit.replay.checks import LEDGER_CHECKS, STREAM_CHECKS, LedgerCheck, StreamCheck
from games import GAMES
from tests.causes import FILE, causes, page

ROOT = Path(__file__).resolve().parents[2]
CONTROL = re.compile(r"Control ([A-Z]{2}-\d\d)(?:, (.+))?")
REFERENCE = "Event reference, "
INTERNAL = re.compile(r"Facts |Findings|\bEnvelope\b|\.md\b|\.toml\b|\.csv\b")
"""Pattern of citations that name a document not available to users."""
STUDIO = (
    "Game Rules",
    "Payout table",
    "Side Bets",
    "Betting Instructions",
    "Playing Instructions",
    "Game Outcomes",
    "Hand Rankings",
    "Payouts",
    "Return To Player",
    "RTP",
    "Error Handling",
    "Disconnection",
)
MANUALS: dict[str, dict[str, int]] = {
    "andar_bahar": {f"Ezugi Andar Bahar {name}": 0 for name in (*STUDIO[:4], *STUDIO[-2:])},
    "bet_on_teen_patti": {
        f"Ezugi Bet on Teen Patti {name}": 0 for name in (STUDIO[0], *STUDIO[2:9], *STUDIO[-2:])
    },
    "teen_patti": {f"Ezugi Teen Patti {name}": 0 for name in (STUDIO[0], *STUDIO[2:9], *STUDIO[-2:])},
    "lucky_7": {f"Ezugi Lucky 7 {name}": 0 for name in (*STUDIO[:4], *STUDIO[-3:])},
    "casino_over_under": {
        "COU Overview of the Rules": 0,
        "COU Dealing Procedures": 6,
        "COU Irregularities in Dealing Procedures": 2,
        "COU Bonus Payout Table": 0,
    },
    "easy_over_under": {
        "EOU Overview": 0,
        "EOU Game Rules": 10,
        "EOU Dealer Instructions": 17,
        "EOU Payouts & House Edge": 0,
    },
    "high_side": {"HS Overview": 0, "HS Rules": 12, "HS Payouts": 0},
}
"""For each game: the headings of its manual as printed, each with its number of rules or steps, or 0 if they
are not numbered.
"""


@cache
def sections() -> frozenset[str]:
    """Return the headings of the event reference."""
    page = (ROOT / "docs" / "events.md").read_text(encoding="utf-8")
    return frozenset(line.lstrip("# ") for line in page.splitlines() if line.startswith("#"))


def is_citation(cite: str, *games: str) -> bool:
    """Return True if the citation names an existing clause of the manual of one of these games, of the
    controls, or of the event reference.
    """
    if INTERNAL.search(cite):
        return False
    if control := CONTROL.fullmatch(cite):
        known = controls().get(control[1])
        return known is not None and control[2] in (None, *known.citations)
    if cite.startswith(REFERENCE):
        return cite.removeprefix(REFERENCE) in sections()
    return any(of_manual(cite, heading, steps) for game in games for heading, steps in MANUALS[game].items())


def of_manual(cite: str, heading: str, steps: int) -> bool:
    """Return True if the citation names this heading, and every rule or step that it names exists under the
    heading.
    """
    if not cite.startswith(heading):
        return False
    place = cite.removeprefix(heading)
    if not steps:
        return not place or place.startswith(", ")
    numbers = [int(number) for number in re.findall(r"\d+", place)]
    return bool(re.fullmatch(r" \d+( (and|to) \d+)?(, .+)?", place)) and all(
        0 < number <= steps for number in numbers
    )


@pytest.fixture(scope="module")
def listed() -> dict[tuple[str, str, str], str]:
    return causes()


@pytest.mark.long
def test_the_list_of_causes_is_current(listed: dict[tuple[str, str, str], str]) -> None:
    assert FILE.read_text(encoding="utf-8") == page(listed), (
        "run python -m tests.causes and read what has changed"
    )


@pytest.mark.long
def test_every_cause_cites_a_clause_that_exists(listed: dict[tuple[str, str, str], str]) -> None:
    wrong = [
        cause for cause in listed if not is_citation(cause[2], *([cause[0]] if cause[0] in GAMES else []))
    ]
    assert wrong == []


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_rule_cites_a_clause_that_exists(game: str) -> None:
    assert [rule.cite for rule in GAMES[game].every_rule() if not is_citation(rule.cite, game)] == []
    assert [cite for cite in GAMES[game].cites.values() if not is_citation(cite, game)] == []


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_headings_of_a_game_are_those_of_its_manual(game: str) -> None:
    assert {heading.rstrip(", ") for heading in GAMES[game].source.headings} <= MANUALS[game].keys()


def test_every_check_cites_a_clause_that_exists() -> None:
    checks: tuple[type[StreamCheck] | type[LedgerCheck], ...] = (*STREAM_CHECKS, *LEDGER_CHECKS)
    for check in checks:
        citations = [
            check.cite,
            *getattr(check, "cites", {}).values(),
            *getattr(modules[check.__module__], "CITE", {}).values(),
        ]
        assert [cite for cite in citations if not is_citation(cite)] == [], check


def literals() -> Iterator[tuple[str, str]]:
    """Yield every text that looks like a citation, with its file, in the code that creates and shows
    findings.
    """
    for file in (*(ROOT / "games").rglob("*.py"), *(ROOT / "audit").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.keyword) and node.arg == "cite" and isinstance(node.value, ast.Constant):
                yield file.name, str(node.value.value)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                text = node.value
                if (
                    re.match(
                        r"Control [A-Z]{2}-\d\d|Event reference, |Facts [A-Z]|Findings [a-z]|(COU|EOU|HS)"
                        r" [A-Z]",
                        text,
                    )
                    and "\n" not in text
                ):
                    yield file.name, text


def test_every_citation_in_the_code_names_a_clause_that_exists() -> None:
    citations = [(file, text) for file, text in literals() if text and not text.endswith((" ", ".", ", "))]
    assert len(citations) > 50
    headings = {heading for manual in MANUALS.values() for heading in manual}
    assert [
        (file, text) for file, text in citations if text not in headings and not is_citation(text, *GAMES)
    ] == []


@pytest.mark.parametrize(
    "cite",
    [
        "Facts Rounds, void",
        "Findings",
        "Envelope",
        "Event reference, Envelope",
        "document.md 28",
        "Control ZZ-01",
        "Control OC-04, N.J.A.C. 1",
        "Event reference, nothing",
        "EOU Dealer Instructions",
        "EOU Dealer Instructions 18",
        "HS Rules 0",
        "Ezugi Game Rules",
        "COU Dealing Procedures 6 and 7",
        "",
    ],
)
def test_an_invalid_citation_is_found(cite: str) -> None:
    assert not is_citation(cite, *GAMES)
