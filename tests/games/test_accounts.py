"""After any change to the facts of a night without faults, the sums of tray and tally agree with the findings
on every amount: no money moves without a finding.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from msgspec import structs

from audit.replay.fold import Fold
from games import GAMES
from games.kit import events as e
from games.kit.events import Event
from tests.counts import LONG
from tests.games import accounts
from tests.games.test_fuzz import HONEST

SEEDS = range(2000 if LONG else 20)
FACTS = 120
"""Number of facts of the night that are used and changed."""
Change = Callable[[Random, list[Event], str], None]


def envelope(of: Event, uid: str) -> dict[str, Any]:
    """Return the common fields of a fact that is added next to another one."""
    return {"uid": uid, "table": of.table, "day": of.day, "at": of.at, "source": "added", "round": of.round}


def add_money(rng: Random, night: list[Event], uid: str) -> None:
    """Add a take, pay or return for a wager, a few facts before or after a fact about that wager, sometimes
    in another round.
    """
    place, about = rng.choice(
        [(place, fact) for place, fact in enumerate(night) if isinstance(fact, e.Bet | e.Take | e.Pay)]
    )
    target = rng.randrange(max(2, place - 5), min(len(night), place + 12))
    kind = rng.choice((e.Take, e.Pay, e.Return))
    fields = envelope(about, uid) | ({"round": night[target].round} if rng.random() < 0.2 else {})
    amount = rng.choice((about.amount, about.amount // 2 or 1, about.amount * 3))
    night.insert(target, kind(**fields, spot=about.spot, wager=about.wager, amount=amount))


def change_amount(rng: Random, night: list[Event], uid: str) -> None:
    """Change an amount: double it, halve it, or reduce it to one minor unit."""
    place, fact = rng.choice(
        [(place, fact) for place, fact in enumerate(night) if isinstance(fact, e.Bet | e.Take | e.Pay)]
    )
    night[place] = structs.replace(fact, amount=rng.choice((1, fact.amount * 2, fact.amount // 2 or 1)))


def void(rng: Random, night: list[Event], uid: str) -> None:
    """Void a random round and leave all other facts unchanged."""
    place = rng.randrange(2, len(night))
    night.insert(
        place, e.Void(**envelope(night[place], uid), reason="card exposed", by="s-101", second="s-102")
    )


def drop(rng: Random, night: list[Event], uid: str) -> None:
    """Remove a random fact."""
    del night[rng.randrange(2, len(night))]


def double(rng: Random, night: list[Event], uid: str) -> None:
    """Insert a copy of a random fact at a random place."""
    fact = night[rng.randrange(2, len(night))]
    night.insert(rng.randrange(2, len(night)), structs.replace(fact, uid=uid))


def move(rng: Random, night: list[Event], uid: str) -> None:
    """Move a random fact to another place."""
    night.insert(rng.randrange(2, len(night) - 1), night.pop(rng.randrange(2, len(night))))


CHANGES: dict[str, tuple[Change, ...]] = {
    "money": (add_money, change_amount),
    "void": (void, change_amount),
    "order": (drop, double, move),
}


@pytest.mark.parametrize("changes", CHANGES)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_all_sums_agree_after_a_night_was_changed(game: str, changes: str) -> None:
    for seed in SEEDS:
        rng, night = Random(seed), HONEST[game][:FACTS]
        for turn in range(rng.randint(1, 3)):
            rng.choice(CHANGES[changes])(rng, night, f"added-{turn}")
        night.append(e.TableClosed(**envelope(night[-1], "closed") | {"round": None}))
        fold = Fold("aurora/T/2026-11-27")
        for number, fact in enumerate(night, 1):
            fold.take(number, fact)
        assert accounts.differences(fold, night) == [], f"seed {seed}"
