"""Where the CPU time of a replay goes: `python -m tests.benchmarks.replay_parts [--rounds N] [--turns N]`.

The benchmark records an honest night of each game in its own embedded installation. For each game it prints
microseconds of CPU time for each fact, by part, and the number of calls of Python functions. It measures each
part alone, or as the difference between a whole fold and a fold without the part. All values are the least of
several turns. CATWALK_COMPILED chooses the compiled modules; their calls are not counted.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import sys
from collections.abc import Callable
from time import process_time

import casino.runtime.compiled  # before all modules that may be compiled
from audit.replay.fold import Fold
from games.kit.events import Event
from games.kit.round import Round
from games.kit.shoe import Shoe
from games.kit.table import Table
from tests.benchmarks.own import own_house
from tests.benchmarks.replay import fill, read, replay, streams

PARTS = ("read", "hash", "decode", "source", "play", "rules", "tally", "compare")
"""`source`: clock and counter of the source, and the choice of the method. `play`: effects on the round and
settlement. `rules`: the game's own rules. `tally`: the sums of a finished round, the hold attribution and the
row of the round. `compare`: reading in pages for replay, saving the state, and the comparison of the result
with the stored one.
"""
Work = Callable[[], object]


class WithoutTable(Fold):
    """A fold in which no fact has an effect on play."""

    def make_table(self, opened: Event, shoe: Shoe | None) -> Table | None:
        return None


class WithoutRules(Fold):
    """A fold that applies none of the game's own rules."""

    def make_table(self, opened: Event, shoe: Shoe | None) -> Table | None:
        table = super().make_table(opened, shoe)  # type: ignore[arg-type]  # the kind is always table-opened
        if table is not None:
            table.plans = {kind: (effect, ()) for kind, (effect, _) in table.plans.items()}
            table.money_rules = dict.fromkeys(table.money_rules, ())
            table.rules, table.words = {}, {}
        return table


class WithoutTally(Fold):
    """A fold that adds no finished round to the tally."""

    def end_round(self, round: Round, event: Event) -> None:
        self.gather(event)
        self.in_round = False
        self.of_round.clear()


def folded(kind: type[Fold], stream: str, events: list[Event]) -> None:
    """Fold these facts and collect the finished rounds."""
    fold = kind(stream, None, [])
    fold.rounds = []
    for number, event in enumerate(events, 1):
        fold.take(number, event)


def parts(name: tuple[str, str], turns: int) -> dict[str, float]:
    """Return the microseconds of each part for one stream, the times of reading and of the whole replay, and
    the Python calls of a fold, all for each fact.
    """
    from audit.facts import decode
    from audit.facts.chain import leaf_of
    from audit.ledger import store

    bodies = [body for page in store.read_bodies(*name) for _, body in page]
    events = [decode(body) for body in bodies]
    works: dict[str, Work] = {
        "pages": lambda: sum(len(page) for page in store.read_bodies(*name)),
        "hash": lambda: [leaf_of(body) for body in bodies] and None,
        "decode": lambda: [decode(body) for body in bodies] and None,
        "fold": lambda: folded(Fold, name[1], events),
        "source": lambda: folded(WithoutTable, name[1], events),
        "no rules": lambda: folded(WithoutRules, name[1], events),
        "no tally": lambda: folded(WithoutTally, name[1], events),
        "reading": lambda: read(name),
        "replay": lambda: replay(name),
    }
    spent = {work: float("inf") for work in works}
    for _ in range(turns):
        for work, act in works.items():
            start = process_time()
            act()
            spent[work] = min(spent[work], (process_time() - start) / len(bodies) * 1e6)
    rules, tally = spent["fold"] - spent["no rules"], spent["fold"] - spent["no tally"]
    return {
        "read": spent["pages"],
        "hash": spent["hash"],
        "decode": spent["decode"],
        "source": spent["source"],
        "play": spent["fold"] - spent["source"] - rules - tally,
        "rules": rules,
        "tally": tally,
        "compare": spent["replay"] - spent["fold"] - spent["decode"] - spent["pages"],
        "reading": spent["reading"],
        "replay": spent["replay"],
        "calls": calls(name[1], events) / len(events),
    }


def calls(stream: str, events: list[Event]) -> int:
    """Return the number of calls of Python functions in a fold."""
    profile = cProfile.Profile(builtins=False)
    profile.runcall(folded, Fold, stream, events)
    return sum(entry.callcount for entry in profile.getstats())


def main(argv: list[str]) -> int:
    """Print one line for each game, and their mean."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.replay_parts", description="The CPU time of a replay, by part."
    )
    parser.add_argument("--rounds", type=int, default=1_000, help="rounds of each night (default 1000)")
    parser.add_argument("--turns", type=int, default=5, help="measurements of each part (default 5)")
    options = parser.parse_args(argv)
    state = casino.runtime.compiled.STATE
    with own_house():
        facts = fill(options.rounds, 1)
        names = streams()
        for name in names:
            replay(name)  # store the results, with which later replays are compared
        gc.collect()
        gc.freeze()
        gc.disable()
        rows = {name[1].split("/")[1]: parts(name, options.turns) for name in names}
    print(
        f"{facts} facts, microseconds of CPU time for each fact (least of {options.turns}),"
        f" {len(state.modules)} modules compiled:"
    )
    columns = (*PARTS, "replay", "reading", "calls")
    print(f"{'':22}" + "".join(f"{column:>9}" for column in (*columns, "ratio")))
    mean = {column: sum(row[column] for row in rows.values()) / len(rows) for column in columns}
    for label, row in (*rows.items(), ("mean", mean)):
        cells = "".join(f"{row[column]:9.2f}" for column in columns)
        print(f"{label:22}{cells}{row['reading'] / row['replay']:9.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
