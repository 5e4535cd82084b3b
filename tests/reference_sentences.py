"""The example sentences of the findings reference: `python -m tests.reference_sentences` writes them from real replays.

They come from the shared nights with one fault each and from the small streams of the second reading.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

from msgspec import json

from tests.nights.reading import NIGHTS, nights
from tests.second_reading.reading import cases
from tests.simulation.replaying import findings
from tests.simulation.test_night import register

Said = tuple[str, str, str]
"""Game, sentence, citation."""
FILE = Path(__file__).resolve().parents[1] / "audit" / "reference" / "sentences.json"


def gathered() -> dict[str, set[Said]]:
    """Return every sentence that replay finds, by code."""
    said: dict[str, set[Said]] = defaultdict(set)
    for night in nights(*(name for name in NIGHTS if not name.endswith("-honest"))):
        for each in findings(register(night) + list(night.lines)):
            said[each.code].add((night.game, each.says, each.cite))
    for case in cases():
        game = next(json.decode(line)["game"] for line in case.lines if b'"game"' in line)
        for each in findings(case.lines):
            said[each.code].add((game, each.says, each.cite))
    return said


def chosen(said: dict[str, set[Said]]) -> dict[str, dict[str, str]]:
    """Return one example of each code: the shortest sentence, so that the same replays always give the same example."""
    shortest = {code: min(these, key=lambda one: (len(one[1]), one)) for code, these in sorted(said.items())}
    return {code: {"game": game, "says": says, "cite": cite} for code, (game, says, cite) in shortest.items()}


if __name__ == "__main__":
    FILE.write_bytes(json.format(json.encode(chosen(gathered())), indent=1) + b"\n")
    sys.stdout.write(f"written: {FILE}\n")
