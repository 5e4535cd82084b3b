"""Check that a counted box was pulled from the same table on the same day, and that a pulled box waits for
its count at one table only.

A box is identified by its full name: `000127` and `127` are two boxes. A box that had no count when its day
was closed leads to `drop-missing`. This check remembers its pull, because the box may be counted under
another table later.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from audit import facts as f
from audit.controls import cite
from audit.replay.checks import Ledger, LedgerCheck, Place
from audit.replay.results import Finding
from audit.replay.table_days import keep_latest
from games.kit.events import Event

CITE = {
    "box-elsewhere": cite("DR-06"),
    "box-unknown": cite("DR-08"),
    "box-pulled-twice": cite("DR-08"),
    "signer-not-entitled": cite("CO-02"),
}


class Pull(Struct):
    """A box that was pulled and has not been counted."""

    place: Place
    shift: str
    by: str
    second: str

    def in_words(self) -> str:
        """Return where and when the box was pulled, for a sentence."""
        return f"{self.place.table} on {self.place.day}{f', shift {self.shift}' if self.shift else ''}"


class State(Struct):
    """The pulls, counts and recounts of boxes. `waiting`: {box: pulls that wait for a count}.

    When the day of a stream is closed, its data are removed from the fields that have streams as keys.
    """

    waiting: dict[str, list[Pull]] = field(default_factory=dict)
    lost: dict[str, list[Pull]] = field(default_factory=dict)
    """For each box: its pulls that had no count when their day was closed."""
    known: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    """For each stream: box and shift of each box that was pulled or counted."""
    counted: dict[str, list[str]] = field(default_factory=dict)
    """For each stream: the box of every count."""
    recounted: dict[str, list[str]] = field(default_factory=dict)
    """For each stream: the box of every recount."""


class Boxes(LedgerCheck):
    name = "boxes"
    codes = ("box-elsewhere", "box-unknown", "box-pulled-twice", "signer-not-entitled")
    cite = CITE["box-unknown"]
    kinds = (f.BoxPulled, f.DropCounted, f.CountVerified, f.DayClosed, f.Adjusted)
    StateType = State

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        state = self.state
        assert isinstance(state, State)
        if isinstance(event, f.BoxPulled):
            yield from self.pull(state, event, ledger.place)
        elif isinstance(event, f.DropCounted):
            yield from self.count(state, event, ledger.place)
        elif isinstance(event, f.CountVerified):
            yield from self.recount(state, event, ledger.place)
        elif isinstance(event, f.DayClosed):
            state.known.pop(ledger.place.stream, None)
            state.counted.pop(ledger.place.stream, None)
            state.recounted.pop(ledger.place.stream, None)
            for box, pull in [(box, pull) for box, pulls in state.waiting.items() for pull in pulls]:
                if pull.place.stream == ledger.place.stream:
                    take(state.waiting, box, pull)
                    state.lost.setdefault(box, []).append(pull)
        elif isinstance(event, f.Adjusted) and event.of is not None:
            for box, pull in [(box, pull) for box, pulls in state.lost.items() for pull in pulls]:
                if pull.place.uid == event.of:
                    take(state.lost, box, pull)

    def pull(self, state: State, event: f.BoxPulled, place: Place) -> Iterator[Finding]:
        """Record the pull of a box. Yield a finding if the box already waits for its count at another table,
        or from an earlier pull in the same shift.

        A table may use the same box number in every shift (`audit.replay.recounts`).
        """
        for pull in state.waiting.get(event.box, ()):
            if pull.place.table != place.table or (pull.place.stream, pull.shift) == (
                place.stream,
                event.shift,
            ):
                latest = Pull(place, event.shift, event.by, event.second)
                says = (
                    f"Box {event.box} was pulled from {latest.in_words()}."
                    f" It was pulled from {pull.in_words()} and has not been counted since."
                )
                yield self.finding("box-pulled-twice", place, says, cite=CITE["box-pulled-twice"])
                break
        state.waiting.setdefault(event.box, []).append(Pull(place, event.shift, event.by, event.second))
        known_of(state, place.stream).append((event.box, event.shift))

    def count(self, state: State, event: f.DropCounted, place: Place) -> Iterator[Finding]:
        pulls_here = [pull for pull in state.waiting.get(event.box, ()) if pull.place.stream == place.stream]
        exact = next((pull for pull in pulls_here if pull.shift == event.shift), None)
        known = known_of(state, place.stream)
        state.counted.setdefault(place.stream, []).append(event.box)
        keep_latest(state.counted, place.stream)
        if exact is not None:
            take(state.waiting, event.box, exact)
            if carried := sorted({exact.by, exact.second} & set(event.team)):
                says = (
                    f"Box {event.box} was pulled from {exact.in_words()}, and {' and '.join(carried)} both"
                    " carried and counted it."
                )
                yield self.finding("signer-not-entitled", place, says, cite=CITE["signer-not-entitled"])
        elif (
            event.box,
            event.shift,
        ) not in known:  # the check `counts` detects two counts of one pull
            known.append((event.box, event.shift))
            yield from self.unknown(state, event, place, take=True)

    def recount(self, state: State, event: f.CountVerified, place: Place) -> Iterator[Finding]:
        """Yield a finding if a recounted box was not pulled, or if it was recounted too often. A box may have
        as many recounts as pulls. If it has more counts than pulls, it may have as many recounts as counts.

        A recount may be recorded before its count.
        """
        pulled = sum(box == event.box for box, _ in state.known.get(place.stream, ()))
        recounted = state.recounted.setdefault(place.stream, [])
        keep_latest(state.recounted, place.stream)
        recounted.append(event.box)
        if not pulled:
            yield from self.unknown(state, event, place, take=False)
        elif (times := recounted.count(event.box)) > max(
            pulled, state.counted.get(place.stream, []).count(event.box)
        ):
            frequency = "once" if pulled == 1 else f"{pulled} times"
            says = (
                f"Box {event.box} of {place.table} was recounted {times} times on {place.day}; it was pulled"
                f" {frequency}."
            )
            yield self.finding("box-unknown", place, says, cite=CITE["box-unknown"])

    def unknown(
        self, state: State, event: f.DropCounted | f.CountVerified, place: Place, *, take: bool
    ) -> Iterator[Finding]:
        """Yield a finding for a count or a recount of a box that was not pulled from this table on this day
        in this shift.
        """
        counted = (
            f"Box {event.box} was counted under {place.table} on"
            f" {place.day}{f', shift {event.shift}' if event.shift else ''}"
        )
        pulls = [*state.waiting.get(event.box, ()), *state.lost.get(event.box, ())]
        pull = min(pulls, key=lambda pull: pull.place.table != place.table, default=None)
        if pull is None:
            says = f"{counted}, and was never pulled."
            if similar := sorted(
                box for box in state.waiting if box != event.box and plain(box) == plain(event.box)
            ):
                says = (
                    f"{says} Box {similar[0]}, pulled from {state.waiting[similar[0]][0].in_words()}, waits"
                    " for its count."
                )
            yield self.finding("box-unknown", place, says, cite=CITE["box-unknown"])
            return
        if take:
            drop(state, event.box, pull)
        says = f"{counted}. It was pulled from {pull.in_words()}."
        if pull.place.stream == place.stream:
            yield self.finding("box-unknown", place, says, cite=CITE["box-unknown"])
            return
        for at in (place, pull.place) if take else (place,):
            yield self.finding("box-elsewhere", at, says, cite=CITE["box-elsewhere"])


def known_of(state: State, stream: str) -> list[tuple[str, str]]:
    """Return the box and shift of each box that was pulled or counted in a stream. It is the list in the
    state, so that a caller can append to it.
    """
    if stream not in state.known:
        state.known[stream] = []
        keep_latest(state.known, stream)
    return state.known.get(stream, [])


def take(pulls: dict[str, list[Pull]], box: str, pull: Pull) -> None:
    """Remove a pull of a box from `pulls`, which is {box: its pulls}."""
    pulls[box].remove(pull)
    if not pulls[box]:
        del pulls[box]


def drop(state: State, box: str, pull: Pull) -> None:
    """Remove a pull of a box from the state, because its count was found. The pull is in `state.waiting` or,
    if its day was closed without a count, in `state.lost`.
    """
    take(state.waiting if pull in state.waiting.get(box, ()) else state.lost, box, pull)


def plain(box: str) -> str:
    """Return a box's name without differences in spelling: leading zeros, spaces, capital letters."""
    return "".join(box.split()).lower().lstrip("0")


CHECK = Boxes
