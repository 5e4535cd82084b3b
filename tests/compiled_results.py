"""Print what replay yields for the vectors and the nights: `python -m tests.compiled_results [STEP]`.

Each line has the SHA-256 of the findings, the tally and the state of one stream. With CATWALK_COMPILED the
compiled modules replay, and without it the sources. The first line says which of them replayed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from hashlib import sha256

import casino.runtime.compiled  # before all modules that may be compiled
from audit.facts import check, decode
from audit.replay.fold import Fold
from audit.replay.rules_fingerprint import rules_of, rules_of_ledger
from games import GAMES
from games.kit.events import Event, ReadCorrected, RoundCancelled
from tests.games.test_vectors import hand
from tests.nights.reading import nights
from tests.vectors.reading import FILES, cases


def result_of(stream: str, facts: Iterable[Event]) -> str:
    """Replay these facts. Return one hash of everything that the replay yields: findings, tally and saved
    state.
    """
    facts = list(facts)
    fold = Fold(stream, learned=[fact for fact in facts if isinstance(fact, ReadCorrected | RoundCancelled)])
    for number, event in enumerate(facts, 1):
        fold.take(number, event)
    state = b"" if fold.in_round else fold.keep() or b""
    return sha256(repr((fold.findings, fold.tally, fold.rested)).encode() + state).hexdigest()


def lines(step: int) -> Iterator[str]:
    """Yield one line for the rules of each game and for those of the ledger, for each stream of the nights,
    and for each file of vectors. Replay only one in `step` of the streams and of the cases in a file.
    """
    for game in GAMES:
        yield f"rules {game} {rules_of(game)}"
    yield f"rules {rules_of_ledger()}"
    for place, night in enumerate(nights()):
        if place % step == 0:
            facts = (decode(check(line).body) for line in night.lines)
            yield f"night {night.name} {result_of(night.stream, facts)}"
    for name in FILES:
        digest, count = sha256(), 0
        for place, case in enumerate(cases(name)):
            if place % step == 0:
                digest.update(result_of("bench/T/2026-11-27", hand(case)).encode())
                count += 1
        yield f"vectors {name} {count} {digest.hexdigest()}"


if __name__ == "__main__":
    state = casino.runtime.compiled.STATE
    print(f"compiled modules: {len(state.modules)}{f' ({state.problem})' if state.problem else ''}")
    for line in lines(int(sys.argv[1]) if len(sys.argv) > 1 else 1):
        print(line)
