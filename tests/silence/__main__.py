"""Print the results of all changes, by game: `python -m tests.silence [GAME|property ...] [ROUNDS]`."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import islice

from tests.silence import honest_house, house
from tests.silence.changes import WAGERS
from tests.silence.honest import entries, on_the_list
from tests.silence.trying import NO_AMOUNT, SILENT, parts, tried


def main(games: list[str], rounds: int | None) -> int:
    """Print the figures, and each kind of change that neither causes a finding nor is in honest.toml. Return
    the number of such changes.
    """
    listed, left = entries(), 0
    print(
        f"{'game':20} {'rounds':>6} {'tried':>8} {'found':>8} {'refused':>8} {'on the list':>11}"
        f" {'silent':>7}"
    )
    for game in games:
        results: Counter[str] = Counter()
        silent: dict[tuple[str, ...], list[str]] = {}
        played = list(islice(parts(game), rounds))
        for tried_change in tried(played):
            honest = (
                tried_change.result in (SILENT, NO_AMOUNT) and on_the_list(tried_change, listed) is not None
            )
            results["honest" if honest else tried_change.result] += 1
            if tried_change.result in (SILENT, NO_AMOUNT) and not honest:
                change = tried_change.change
                other = str(change.became.get("kind", "")) if change.how in ("swap", "move") else ""
                key = (tried_change.result, change.how, change.kind, change.field, other, *tried_change.codes)
                silent.setdefault(key, []).append(
                    f"{tried_change.part.facts[tried_change.part.first]['round']}: {change}"
                )
        missed = results[SILENT] + results[NO_AMOUNT]
        left += missed
        figures = (
            len(played),
            sum(results.values()),
            results["found"],
            results["refused"],
            results["honest"],
            missed,
        )
        print("{:20} {:6} {:8} {:8} {:8} {:11} {:7}".format(game, *figures))
        for key, examples in sorted(silent.items()):
            print("   ", len(examples), " ".join(part for part in key if part), "|", examples[0])
    return left


def of_property() -> int:
    """Print the figures for cage, count room and registers. Return the number of changes that neither cause a
    finding nor are in honest_house.toml.
    """
    facts = house.honest()
    results: Counter[str] = Counter()
    for change, became in honest_house.tried(facts, house.changes(facts)):
        honest = became in (SILENT, NO_AMOUNT) and honest_house.on_the_list(change) is not None
        results["honest" if honest else became] += 1
        if became in (SILENT, NO_AMOUNT) and not honest:
            print("   ", became, change)
    missed = results[SILENT] + results[NO_AMOUNT]
    figures = 0, sum(results.values()), results["found"], results["refused"], results["honest"], missed
    print("{:20} {:6} {:8} {:8} {:8} {:11} {:7}".format("property", *figures))
    return missed


if __name__ == "__main__":
    named = [argument for argument in sys.argv[1:] if not argument.isdigit()]
    count = next((int(argument) for argument in sys.argv[1:] if argument.isdigit()), None)
    games = [argument for argument in named if argument != "property"] or ([] if named else list(WAGERS))
    left = main(games, count)
    sys.exit(left + (of_property() if "property" in named or not named else 0) != 0)
