"""The example sentences of the findings reference: `python -m tests.reference_sentences` writes them from real replays.

They come from the shared nights with one fault each and from the small streams of the second reading.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import json

from tests.nights.reading import NIGHTS, nights
from tests.second_reading.reading import cases
from tests.simulation.replaying import findings
from tests.simulation.test_night import register

GIVEN = ("round", "spot", "wager", "owed", "moved")
"""What a finding may give besides its sentence."""


class Said(NamedTuple):
    """One finding of a replay: its game, sentence and citation, the kind of fact that it points at, and which of `GIVEN` it gives."""

    game: str
    says: str
    cite: str
    kind: str
    given: tuple[str, ...]


FILE = Path(__file__).resolve().parents[1] / "audit" / "reference" / "sentences.json"


def gathered() -> dict[str, set[Said]]:
    """Return every sentence that replay finds, by code."""
    said: dict[str, set[Said]] = defaultdict(set)
    replays: list[list[bytes | dict[str, Any]]] = [
        [*register(night), *night.lines] for night in nights(*(name for name in NIGHTS if not name.endswith("-honest")))
    ]
    for lines in (*replays, *(list(case.lines) for case in cases())):
        facts = [json.decode(line) if isinstance(line, bytes) else line for line in lines]
        kinds = {fact["uid"]: fact["kind"] for fact in facts}
        game = next(fact["game"] for fact in facts if fact["kind"] == "table-opened")
        for each in findings(lines):
            given = tuple(name for name in GIVEN if getattr(each, name) is not None)
            said[each.code].add(Said(game, each.says, each.cite, kinds[each.uid], given))
    return said


def chosen(said: dict[str, set[Said]]) -> dict[str, dict[str, Any]]:
    """Return one example of each code: the shortest sentence, so that the same replays always give the same example."""
    return {code: _chosen(these) for code, these in sorted(said.items())}


def _chosen(these: set[Said]) -> dict[str, Any]:
    shortest = min(these, key=lambda one: (len(one.says), one))
    given = [name for name in GIVEN if any(name in one.given for one in these)]
    return {
        "game": shortest.game,
        "says": shortest.says,
        "cite": shortest.cite,
        "kinds": sorted({one.kind for one in these}),
        "always": [name for name in given if all(name in one.given for one in these)],
        "sometimes": [name for name in given if not all(name in one.given for one in these)],
    }


if __name__ == "__main__":
    FILE.write_bytes(json.format(json.encode(chosen(gathered())), indent=1) + b"\n")
    sys.stdout.write(f"written: {FILE}\n")
