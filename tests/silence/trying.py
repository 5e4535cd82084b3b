"""Try every change to the rounds of an honest night and say what became of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from audit.facts import Refused
from audit.replay.results import Finding
from tests.nights.reading import nights
from tests.silence.changes import Change, Fact, changes
from tests.simulation.replaying import findings

MONEY = frozenset({"bet", "bets", "unbet", "take", "pay", "settled", "return"})
"""Kinds of which a change that is found must be found with an amount."""
ORDER = frozenset({"swap", "move"})
REFUSED, FOUND, NO_AMOUNT, SILENT = "refused", "found", "no amount", "silent"


class Part(NamedTuple):
    """A round of a night by itself: the opening, the round from `first` to `last`, and the round after it."""

    game: str
    facts: list[Fact]
    first: int
    last: int

    def of(self, facts: Sequence[Fact]) -> list[Fact]:
        """Return the facts of this round among changed facts."""
        name = self.facts[self.first]["round"]
        return [fact for fact in facts if fact.get("round") == name]


class Tried(NamedTuple):
    """A change and what became of it."""

    part: Part
    change: Change
    result: str
    codes: tuple[str, ...]


def parts(game: str) -> Iterator[Part]:
    """Return each round of the game's honest night in which nothing is found, by itself."""
    (night,) = nights(f"{game}-honest")
    facts = night.facts
    opens = [place for place, fact in enumerate(facts) if fact["kind"] == "round-opened"]
    closes = [place for place, fact in enumerate(facts) if fact["kind"] == "round-closed"]
    for number in range(len(opens) - 1):
        begins, ends = opens[number], closes[number]
        between = facts[(closes[number - 1] + 1 if number else opens[0]) : begins]
        head = facts[: opens[0]] + between
        listed = stamped([*head, *facts[begins : ends + 1], *facts[ends + 1 : closes[number + 1] + 1]])
        if not grave(findings(listed)):
            yield Part(game, listed, len(head), len(head) + ends + 1 - begins)


def stamped(facts: Iterable[Fact]) -> list[Fact]:
    """Return the facts as one source with one clock and without counters: nothing is found by the envelope
    alone.
    """
    begins = datetime(2026, 11, 27, 20, tzinfo=UTC)
    plain = ({name: value for name, value in fact.items() if name != "n"} for fact in facts)
    return [
        fact | {"at": (begins + timedelta(seconds=place)).isoformat(), "source": "pit-1"}
        for place, fact in enumerate(plain)
    ]


def grave(found: Iterable[Finding]) -> list[Finding]:
    """Return the findings that are queued: a notice is not an answer to a change."""
    return [one for one in found if one.grade != "notice"]


def tried(part: Part) -> Iterator[Tried]:
    """Try every change to a round."""
    for change in changes(part.game, part.facts, part.first, part.last):
        if change.facts == part.facts:
            continue
        try:
            found = grave(findings(stamped(change.facts)))
        except Refused as refused:
            yield Tried(part, change, REFUSED, (refused.code,))
            continue
        codes = tuple(sorted({one.code for one in found}))
        if not found:
            result = SILENT
        elif (
            change.kind in MONEY
            and change.how not in ORDER
            and not any(one.owed is not None or one.moved is not None for one in found)
        ):
            result = NO_AMOUNT
        else:
            result = FOUND
        yield Tried(part, change, result, codes)


def counted(results: Iterable[Tried]) -> Counter[str]:
    """Return how many changes came to which result."""
    return Counter(one.result for one in results)
