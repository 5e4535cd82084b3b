"""List every cause of a finding with its citation: `python -m tests.causes` writes `tests/golden/causes.md`
from replays.

The replays are of the nights of `tests/nights`, the planted faults of the sample, the small streams of
`tests/second_reading`, the hands of `tests/vectors`, the hands that may not be played, and the tests of the
property's own checks.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import chain, product
from pathlib import Path
from typing import Any
from unittest.mock import patch

from msgspec import json

from audit.replay.checks import CODES
from audit.replay.fold import replay
from audit.replay.ledger_fold import replay_ledger
from audit.replay.results import Finding
from casino.sample import FAULTS, plant
from games import GAMES
from tests.games.test_vectors import hand
from tests.nights.reading import NIGHTS, nights
from tests.second_reading.reading import cases
from tests.simulation.replaying import findings
from tests.simulation.test_night import register
from tests.vectors import notation
from tests.vectors.reading import cases as computed

FILE = Path(__file__).parent / "golden" / "causes.md"
PROPERTY = "property"
"""The heading for findings of the property's own checks, which belong to no game."""
OF_PROPERTY = CODES - {code for game in GAMES.values() for code in game.always}
INTRO = """# Causes and their citations

What replay finds, by game and code: each clause that is cited, and one sentence that cites it (the shortest).
`python -m tests.causes` writes this page."""
CHECKED_BY = (
    "tests.audit.checks.test_boxes",
    "tests.audit.checks.test_camera_coverage",
    "tests.audit.checks.test_closing",
    "tests.audit.checks.test_count_team",
    "tests.audit.checks.test_deposits",
    "tests.audit.checks.test_markers",
    "tests.audit.checks.test_overdue",
    "tests.audit.checks.test_seats",
    "tests.audit.checks.test_signers",
    "tests.audit.checks.test_slips",
    "tests.audit.test_ledger_checks",
    "tests.audit.test_missing",
    "tests.audit.test_tray_controls",
    "tests.audit.test_signatures",
)
"""Test modules whose small streams break the property's own checks."""

Cause = tuple[str, str, str]
"""The game, code and citation of a finding."""


def causes() -> dict[Cause, str]:
    """Return the shortest sentence for every cause. If two sentences have the same length, return the first
    in the alphabet.
    """
    shortest: dict[Cause, str] = {}
    for game, finding in chain(of_games(), of_checks()):
        cause = (PROPERTY if finding.code in OF_PROPERTY else game, finding.code, finding.cite)
        says = (
            finding.says
            if cause not in shortest
            else min(shortest[cause], finding.says, key=lambda text: (len(text), text))
        )
        shortest[cause] = says
    return dict(sorted(shortest.items()))


def of_games() -> Iterator[tuple[str, Finding]]:
    """Yield the findings of nights, planted faults, small streams and hands, each with the game in which it
    occurs.
    """
    for night in nights(*(name for name in NIGHTS if not name.endswith("-honest"))):
        yield from _each(night.game, findings([*register(night), *night.lines]))
    for case in cases():
        opened = next(fact for fact in map(json.decode, case.lines) if fact["kind"] == "table-opened")
        yield from _each(opened["game"], findings(case.lines))
    for game in notation.GAMES:
        for written in notation.cases(game):
            yield from _each(game, findings(written.facts))
        for name in FAULTS[game]:
            yield from _each(game, findings(plant(name, game, seed=1)[0]))
    for illegal in computed("illegal"):
        yield from _each(illegal.game, replay(hand(illegal)).findings)


def _each(game: str, found_by_game: Iterable[Finding]) -> Iterator[tuple[str, Finding]]:
    return ((game, finding) for finding in found_by_game)


def of_checks() -> list[tuple[str, Finding]]:
    """Run the tests of the property's own checks. Return the findings that occur in them, except for findings
    about a rule of a game.
    """
    found_by_game: list[Finding] = []

    def keep(replayed: Any) -> Any:
        found_by_game.extend(getattr(replayed, "findings", replayed))
        return replayed

    for name in CHECKED_BY:
        module = import_module(name)
        for function in (
            value
            for value in vars(module).values()
            if inspect.isfunction(value) and value.__name__.startswith("test_")
        ):
            with (
                patch("tests.audit.checks.ledgers.replay_ledger", lambda *of: keep(replay_ledger(*of))),
                patch("tests.audit.controls.replay_ledger", lambda *of: keep(replay_ledger(*of))),
                patch("tests.audit.controls.replay", lambda *of: keep(replay(*of))),
            ):
                for arguments in _given(function):
                    function(**arguments)
    manuals = tuple(game.source.short for game in GAMES.values())
    return [
        (PROPERTY, finding)
        for finding in found_by_game
        if not finding.cite.startswith(manuals) and finding.says.isprintable()
    ]


def _given(function: Any) -> Iterator[dict[str, Any]]:
    """Yield the arguments of each case of a parametrized test. Yield nothing if the test needs a fixture."""
    sets = [[*_cases(mark)] for mark in getattr(function, "pytestmark", ()) if mark.name == "parametrize"]
    for chosen in product(*sets):
        arguments = dict(chain.from_iterable(values.items() for values in chosen))
        if arguments.keys() == inspect.signature(function).parameters.keys():
            yield arguments


def _cases(mark: Any) -> Iterator[dict[str, Any]]:
    named, values = mark.args[:2]
    names = [part.strip() for part in named.split(",")] if isinstance(named, str) else list(named)
    for value in values:
        plain = (
            getattr(value, "values", value)
            if type(value).__name__ == "ParameterSet"
            else (value if len(names) > 1 else (value,))
        )
        yield dict(zip(names, plain, strict=True))


def page(listed: dict[Cause, str]) -> str:
    """Return the list of causes as Markdown, by game, then by code."""
    lines, game, code = [INTRO], "", ""
    for (of, name, cite), says in listed.items():
        if of != game:
            lines.append(f"\n## {of}")
        if (of, name) != (game, code):
            lines.append(f"\n### {name}\n")
        game, code = of, name
        lines.append(f"- {cite}: {says}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FILE.write_text(page(causes()), encoding="utf-8")
    sys.stdout.write(f"written: {FILE}\n")
