"""Build the timeline of a hand: the places of its facts on the scrub bar, and its pauses, long waits, gaps of
the feed, and findings.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo
from typing import NamedTuple

from audit.review.hands import Played, Recorded
from audit.review.verdicts import CurrentFinding
from casino.presentation.fact_descriptions import sentence
from casino.presentation.formatting import code_label, exact_clock
from games.kit import events as e
from games.kit.events import kind_of

LONG_WAIT = timedelta(seconds=5)
"""A wait between two facts is drawn as a box if it is at least this long."""
GAP = "feed-gap"
MARGIN, WIDTH = 150, 9_700
"""The margin and the width of the scrub bar, in hundredths of a percent of the drawing."""
TICKS = 5
"""Number of clock times below the scrub bar."""
NAMED_FROM = 1_400
"""Minimum width of a box with a name, in hundredths of a percent."""


class Tick(NamedTuple):
    """One fact on the scrub bar and in the list.

    Attributes:
        x: its position.
        offset: milliseconds since the first fact.
    """

    step: int
    number: int
    address: str
    x: str
    offset: int
    after: str
    """The time since the hand's first fact, such as `+24.580 s`."""
    clock: str
    says: str
    findings: list[CurrentFinding]


class Box(NamedTuple):
    """A pause or a long wait on the scrub bar."""

    x: str
    middle: str
    width: str
    says: str
    is_named: bool
    """True if the box is wide enough for its name."""


class Mark(NamedTuple):
    """A finding on the scrub bar. It is drawn as a gap if facts of the feed are missing, otherwise as a
    diamond.
    """

    step: int
    x: str
    address: str
    finding: CurrentFinding
    is_gap: bool


class Timeline(NamedTuple):
    """The scrub bar and the list of facts at one step.

    Attributes:
        x: the place of the step.
    """

    x: str
    ticks: list[Tick]
    pauses: list[Box]
    waits: list[Box]
    marks: list[Mark]
    clocks: list[tuple[str, str]]
    begins: str
    ends: str


def timeline(
    played: Played, findings: Sequence[CurrentFinding], zone: tzinfo, address: str, step: int
) -> Timeline:
    """Return the timeline of a hand, with times of the property's clock.

    Args:
        address: the URL of the replay.
    """
    facts, currency = played.facts, played.currency()
    offsets = _offsets(facts)
    places = _places(offsets)
    of_fact: dict[int, list[CurrentFinding]] = {}
    for finding in findings:
        of_fact.setdefault(finding.number, []).append(finding)
    ticks = [
        Tick(
            number,
            recorded.number,
            f"{address}?step={number}",
            percent(places[number - 1]),
            offsets[number - 1],
            f"+{offsets[number - 1] // 1000}.{offsets[number - 1] % 1000:03d} s",
            exact_clock(recorded.fact.at, zone),
            sentence(recorded.fact, currency),
            of_fact.get(recorded.number, []),
        )
        for number, recorded in enumerate(facts, 1)
    ]
    marks = [
        Mark(tick.step, tick.x, tick.address, finding, finding.code == GAP)
        for tick in ticks
        for finding in tick.findings
    ]
    pauses = _pauses(facts, offsets, places)
    return Timeline(
        ticks[step - 1].x,
        ticks,
        pauses,
        _waits(facts, offsets, places),
        marks,
        _clocks(facts[0].fact.at, offsets[-1], zone),
        ticks[0].clock,
        ticks[-1].clock,
    )


def percent(place: int) -> str:
    """Format a position, given in hundredths of a percent, as an SVG length: `12.50%`."""
    return f"{place // 100}.{place % 100:02d}%"


def _offsets(facts: Sequence[Recorded]) -> list[int]:
    """Return the milliseconds between the first fact and each fact. If a fact is earlier than the fact before
    it, it gets the same offset as that fact.
    """
    offsets, latest = [], facts[0].fact.at
    for recorded in facts:
        latest = max(latest, recorded.fact.at)
        offsets.append((latest - facts[0].fact.at) // timedelta(milliseconds=1))
    return offsets


def _places(offsets: Sequence[int]) -> list[int]:
    """Return the place of each fact on the scrub bar. If all facts have the same time, they are spread
    evenly.
    """
    if offsets[-1] == 0:
        last = max(1, len(offsets) - 1)
        return [MARGIN + WIDTH * place // last for place in range(len(offsets))]
    return [MARGIN + WIDTH * offset // offsets[-1] for offset in offsets]


def _box(begins: int, ends: int, says: str) -> Box:
    middle = (begins + ends) // 2
    return Box(
        percent(begins), percent(middle), percent(max(ends - begins, 40)), says, ends - begins >= NAMED_FROM
    )


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds // 1000}.{milliseconds % 1000 // 100} s"


def _pauses(facts: Sequence[Recorded], offsets: Sequence[int], places: Sequence[int]) -> list[Box]:
    """Return a box for each pause. It begins at a `paused` fact and ends at the next `resumed` fact, or at
    the end of the hand.
    """
    boxes, began = [], None
    for place, recorded in enumerate(facts):
        if isinstance(recorded.fact, e.Paused) and began is None:
            began = place
        is_over = isinstance(recorded.fact, e.Resumed) or place == len(facts) - 1
        if began is not None and is_over:
            paused = facts[began].fact
            reason = paused.reason if isinstance(paused, e.Paused) else ""
            says = f"Paused: {reason}, {_seconds(offsets[place] - offsets[began])}"
            boxes.append(_box(places[began], places[place], says))
            began = None
    return boxes


def _waits(facts: Sequence[Recorded], offsets: Sequence[int], places: Sequence[int]) -> list[Box]:
    """Return a box for each long time without a fact, named by the fact that ended it."""
    return [
        _box(
            places[place - 1],
            places[place],
            f"{_seconds(offsets[place] - offsets[place - 1])} before"
            f" {code_label(kind_of(facts[place].fact)).lower()}",
        )
        for place in range(1, len(facts))
        if timedelta(milliseconds=offsets[place] - offsets[place - 1]) >= LONG_WAIT
    ]


def _clocks(begins: datetime, length: int, zone: tzinfo) -> list[tuple[str, str]]:
    """Return the clock times below the scrub bar, each with its place."""
    if length == 0:
        return []
    shown = []
    for tick in range(TICKS):
        at = (begins + timedelta(milliseconds=length * tick // (TICKS - 1))).astimezone(zone)
        shown.append((percent(MARGIN + WIDTH * tick // (TICKS - 1)), f"{at:%H:%M:%S}"))
    return shown
