"""The findings reference, `docs/findings.md`: every code with its grade, its meaning, its rule, and an
example from a real replay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from sys import modules
from tomllib import loads
from typing import NamedTuple

from msgspec import json

from audit.controls import controls
from audit.reference import markdown as md
from audit.replay.checks import LEDGER_CHECKS, STREAM_CHECKS, LedgerCheck, StreamCheck
from games import GAMES
from games.kit.codes import GRADE
from games.kit.game import Game

HERE = Path(__file__).parent
GRADES = {
    "integrity": (
        "Cards, dice, people or papers cannot be trusted. Something was added, missing, changed or signed by"
        " one person alone."
    ),
    "money": "Too much or too little money moved, or a bet was taken that may not be taken.",
    "outcome": (
        "Cards, dice, decisions or words were not as the rules require, so the outcome of the round is in"
        " question."
    ),
    "procedure": (
        "Steps came in another order than the rules require, or were left out. No amount is wrong because of"
        " it."
    ),
    "notice": (
        "Something that officers should know. Notices are counted and shown on demand; they do not enter the"
        " queue."
    ),
}
SLIPS = {
    "took-a-winner": "owed to the player, and taken from the player",
    "underpaid": "owed to the player, and less was paid",
    "overpaid": "owed to the player, and more was paid",
    "paid-a-loser": "owed to the casino, and paid to the player",
    "undertaken": "owed to the casino, and less was taken",
    "overtaken": "owed to the casino, and more was taken",
    "push-moved": "nothing was owed, and something moved",
}
INTRO = """A **finding** is one rule or control that was broken, found by replaying the recorded
facts. Nobody writes findings: the same facts and the same rules always give the same findings. A
finding is never taken back by a later fact. Surveillance decides about it with a verdict:
confirmed, dismissed or escalated.

Each finding has a **code** (the headings below), a **grade**, a sentence that says what happened,
and a **citation**: the rule of the game's manual, the control of the property (`Control` and its
id), or the section of the [event reference](events.md) for facts that arrived in a wrong order or
form. It points at one fact, and gives the round, the spot and the wager if it is about one. Its id
is the fact's `uid`, the code, the spot and the wager, separated by colons.

**Owed and moved** are amounts in minor units, positive if paid to the player and negative
if taken from the player. Owed may be a fraction of a minor unit, which is written
as text (`"25/2"`).

What depends on a card or die that could not be read is not judged, and neither is a rule that needs
a kind of fact that the table's equipment does not report. Both are shown: on the page of the hand,
and in the report `coverage`.

This page is made from the code by `manage.py reference`."""


MANUALS = """A citation of a rule begins with the short name of a manual, followed by the manual's
own heading and rule or step."""
CONTROLS = """Internal controls of the property, and the regulations that ask for them. A finding
cites a control by its id and the first of its regulations."""


class Meaning(NamedTuple):
    """What a code means, and what its findings point at."""

    means: str
    points_at: str
    rule: str = ""
    """The cited rule in words. It is given only for a code that cites a different rule for each wager, so
    that its rules cannot be listed.
    """


class Example(NamedTuple):
    """A sentence of a finding from a real replay, with its game and citation, and the fields that all
    findings of this code have.
    """

    game: str
    says: str
    cite: str
    kinds: list[str]
    """The kinds of fact that findings of the code point at."""
    always: list[str]
    """Which of the fields round, spot, wager, owed and moved every finding of the code has."""
    sometimes: list[str]


@cache
def meanings() -> dict[str, Meaning]:
    """Return the meaning of every code."""
    table = loads((HERE / "findings.toml").read_text(encoding="utf-8"))
    return {code: Meaning(**fields) for code, fields in table.items()}


@cache
def examples() -> dict[str, Example]:
    """Return an example for each code. Some codes have no example."""
    table = json.decode((HERE / "sentences.json").read_bytes())
    return {code: Example(**fields) for code, fields in table.items()}


def citations(code: str) -> list[str]:
    """Return the rules and controls that findings of a code cite, in the order of the games."""
    rules = [
        rule for game in GAMES.values() for rule in (*(rule for rule, _ in game.rules), *game.always.values())
    ]
    cites = [rule.cite for rule in rules if rule.code == code]
    checks: tuple[type[StreamCheck] | type[LedgerCheck], ...] = (*STREAM_CHECKS, *LEDGER_CHECKS)
    for check in checks:
        if code in check.codes:
            named = getattr(modules[check.__module__], "CITE", {}) | getattr(check, "cites", {})
            cites.append(str(named.get(code, check.cite)))
    cites += [examples()[code].cite] if code in examples() else []
    return list(dict.fromkeys(cites))


@cache
def codes_of_controls() -> dict[str, tuple[str, ...]]:
    """Return {id of a control: codes of the findings that cite it} for all controls that are checked."""
    codes: dict[str, list[str]] = {}
    for code in GRADE:
        for id in dict.fromkeys(match[1] for match in map(_CONTROL.match, citations(code)) if match):
            codes.setdefault(id, []).append(code)
    return {id: tuple(codes[id]) for id in controls() if id in codes}


_CONTROL = re.compile(r"Control ([A-Z]+-\d+)")


def page() -> str:
    """Return the findings reference as Markdown."""
    parts = ["# Findings", md.paragraphs(INTRO), "## Grades"]
    parts.append(
        md.table(
            ("grade", "what it means", "codes"),
            [(grade, says, _links(grade)) for grade, says in GRADES.items()],
        )
    )
    for grade in GRADES:
        parts.append(f"## {grade.capitalize()}")
        for code in _codes(grade):
            parts += _code(code)
    parts += ["## Manuals", md.paragraphs(MANUALS)]
    parts.append(
        md.table(
            ("begins with", "document"), [(game.source.short, _document(game)) for game in GAMES.values()]
        )
    )
    parts += ["## Controls", md.paragraphs(CONTROLS)]
    rows = [
        (f"Control {control.id}", control.area, control.requirement, "; ".join(control.citations))
        for control in controls().values()
    ]
    parts.append(md.table(("control", "area", "what it asks for", "asked for by"), rows))
    return "\n\n".join(parts) + "\n"


def _gives(code: str) -> str:
    """Return the sentence that says which fields a finding of this code has in addition to its sentence. It
    is empty if there is no example.
    """
    example = examples().get(code)
    if example is None:
        return ""
    optional = [f"sometimes {name}" for name in example.sometimes]
    return f"Gives: {', '.join((*example.always, *optional)) or 'the sentence alone'}."


def _document(game: Game) -> str:
    return f"{game.source.title}, {game.source.dated}"


def _codes(grade: str) -> list[str]:
    return [code for code in GRADE if GRADE[code] == grade]


def _links(grade: str) -> str:
    return " ".join(f"[{code}](#{code})" for code in _codes(grade))


def _code(code: str) -> Iterator[str]:
    """Yield the lines of the section about one code."""
    meaning = meanings()[code]
    yield f"### {code}"
    yield md.paragraphs(meaning.means)
    yield md.paragraphs(f"Points at: {meaning.points_at[0].lower()}{meaning.points_at[1:]}")
    if gives := _gives(code):
        yield gives
    if code == "wrong-settlement":
        yield f"The finding says which of these it is:\n\n{md.words(SLIPS)}"
    if meaning.rule:
        yield md.paragraphs(f"Rule: {meaning.rule}")
    elif rules := citations(code):
        yield md.paragraphs(f"Rule: {'; '.join(rules)}.")
    if example := examples().get(code):
        yield md.quote(f"{example.says} ({example.cite})")
