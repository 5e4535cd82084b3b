"""The example sentences of the findings reference. `python -m tests.reference_sentences` replays facts and
writes the sentences of their findings.

It replays four groups of facts: the nights of `tests/nights` with one fault each, the small streams of
`tests/second_reading`, the hands of `tests/vectors`, and the days of `reference_day`, on which controls are
broken.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import json

from tests import reference_day
from tests.nights.reading import NIGHTS, nights
from tests.second_reading.reading import cases
from tests.simulation.replaying import findings
from tests.simulation.test_night import register
from tests.vectors import notation
from tests.vectors.notation import GAMES

GIVEN = ("round", "spot", "wager", "owed", "moved")
"""Fields that a finding may have in addition to its sentence."""


class Example(NamedTuple):
    """One finding of a replay: its game, sentence and citation, the kind of the fact to which it belongs, and
    the fields of `GIVEN` that it has.
    """

    game: str
    says: str
    cite: str
    kind: str
    given: tuple[str, ...]
    source: int
    """Where the finding was made: 0 means a whole night, higher numbers mean smaller streams."""


FILE = Path(__file__).resolve().parents[1] / "audit" / "reference" / "sentences.json"


def gather_examples() -> dict[str, set[Example]]:
    """Replay all four groups of facts. Return the findings of each code."""
    examples: dict[str, set[Example]] = defaultdict(set)
    sources: tuple[Iterable[Iterable[bytes | dict[str, Any]]], ...] = (
        (
            [*register(night), *night.lines]
            for night in nights(*(name for name in NIGHTS if not name.endswith("-honest")))
        ),
        (case.lines for case in cases()),
        (hand.facts for game in GAMES for hand in notation.cases(game) if hand.finds),
        reference_day.every(),
    )
    for source, replays in enumerate(sources):
        for lines in replays:
            facts = [json.decode(line) if isinstance(line, bytes) else line for line in lines]
            kinds = {fact["uid"]: fact["kind"] for fact in facts}
            game = next(fact["game"] for fact in facts if fact["kind"] == "table-opened")
            for finding in findings(facts):
                fields = tuple(name for name in GIVEN if getattr(finding, name) is not None)
                examples[finding.code].add(
                    Example(game, finding.says, finding.cite, kinds[finding.uid], fields, source)
                )
    return examples


def chosen(examples: dict[str, set[Example]]) -> dict[str, dict[str, Any]]:
    """Return one example for each code. It is the shortest sentence of a whole night. If no night has a
    finding with the code, it is the shortest sentence of a smaller stream.
    """
    return {code: _chosen(found_by_code) for code, found_by_code in sorted(examples.items())}


def _chosen(found_by_code: set[Example]) -> dict[str, Any]:
    shortest = min(found_by_code, key=lambda example: (example.source, len(example.says), example))
    fields = [name for name in GIVEN if any(name in example.given for example in found_by_code)]
    return {
        "game": shortest.game,
        "says": shortest.says,
        "cite": shortest.cite,
        "kinds": sorted({example.kind for example in found_by_code}),
        "always": [name for name in fields if all(name in example.given for example in found_by_code)],
        "sometimes": [name for name in fields if not all(name in example.given for example in found_by_code)],
    }


if __name__ == "__main__":
    FILE.write_bytes(json.format(json.encode(chosen(gather_examples())), indent=1) + b"\n")
    sys.stdout.write(f"written: {FILE}\n")
