"""Try every change to the rounds of a night in which nothing is wrong, and return the results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import NamedTuple

from audit.facts import Refused
from audit.replay.results import Finding
from tests.nights.reading import nights
from tests.silence.changes import Change, Fact, changes
from tests.simulation.replaying import findings

MONEY = frozenset({"bet", "bets", "unbet", "take", "pay", "settled", "return"})
"""Kinds of fact whose change must cause a finding with an amount."""
ORDER = frozenset({"swap", "move"})
REFUSED, FOUND, NO_AMOUNT, SILENT = "refused", "found", "no amount", "silent"


class Part(NamedTuple):
    """One round of a night by itself: the opening of the table, the round from index `first` to `last`, and
    the round after it.
    """

    game: str
    facts: list[Fact]
    first: int
    last: int

    def of(self, facts: Sequence[Fact]) -> list[Fact]:
        """Return the facts of this round after a change."""
        name = self.facts[self.first]["round"]
        return [fact for fact in facts if fact.get("round") == name]


class Tried(NamedTuple):
    """A change and its result."""

    part: Part
    change: Change
    result: str
    codes: tuple[str, ...]


def parts(game: str) -> Iterator[Part]:
    """Yield each round of the game's night that has no finding when it is replayed by itself."""
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
    """Return the facts with one source and one clock, and without sequence numbers, so that a change causes
    no finding about the envelope.
    """
    begins = datetime(2026, 11, 27, 20, tzinfo=UTC)
    plain = ({name: value for name, value in fact.items() if name != "n"} for fact in facts)
    return [
        fact | {"at": (begins + timedelta(seconds=place)).isoformat(), "source": "pit-1"}
        for place, fact in enumerate(plain)
    ]


def grave(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings that are put in the queue: all except notices. A change is not detected if it
    causes only a notice.
    """
    return [finding for finding in findings if finding.grade != "notice"]


def tried(played: Iterable[Part], step: int = 1) -> Iterator[Tried]:
    """Try every change to these rounds, and yield each change with its result. If `step` is greater than 1,
    try only every `step`th change. The steps are counted through all rounds, and do not begin again with each
    round.
    """
    every = (
        (part, change)
        for part in played
        for change in changes(part.game, part.facts, part.first, part.last)
        if change.facts != part.facts
    )
    for part, change in islice(every, 0, None, step):
        try:
            grave_findings = grave(findings(stamped(change.facts)))
        except Refused as refused:
            yield Tried(part, change, REFUSED, (refused.code,))
            continue
        codes = tuple(sorted({finding.code for finding in grave_findings}))
        if not grave_findings:
            result = SILENT
        elif (
            change.kind in MONEY
            and change.how not in ORDER
            and not any(finding.owed is not None or finding.moved is not None for finding in grave_findings)
        ):
            result = NO_AMOUNT
        else:
            result = FOUND
        yield Tried(part, change, result, codes)


def counted(results: Iterable[Tried]) -> Counter[str]:
    """Return the number of changes with each result."""
    return Counter(change.result for change in results)
