"""Read drop boxes from the ledger: their pulls, counts and recounts, and the counts that are missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import NamedTuple, cast
from uuid import UUID

from audit import facts as f
from audit.queries import cage_facts
from audit.queries.adjustments import restating
from audit.queries.span import Span
from audit.replay.checks import Seen
from audit.replay.checks.counts import Counts
from audit.replay.checks.counts import State as CountsState
from audit.replay.checks.drop import Drop
from audit.replay.recounts import Recounts
from casino.presentation.errors import ActionRejected
from games.kit.events import TableOpened

KINDS = frozenset({"table-opened", "box-pulled", "drop-counted", "count-verified", "day-closed"})
DAYS = 7
"""Number of gaming days whose boxes are listed as waiting for a count."""


class Box(NamedTuple):
    """A pulled box with its count and its recount (`verified`). Each of the two is None if it is not
    recorded.
    """

    table: str
    day: date
    shift: str
    box: str
    currency: str
    pulled: f.BoxPulled | None
    counted: f.DropCounted | None
    verified: f.CountVerified | None
    sealed: bool

    @property
    def uid(self) -> str:
        """Return the uid of the pull, or of the count if no pull was recorded."""
        first = self.pulled or self.counted
        assert first is not None
        return first.uid

    @property
    def code(self) -> str:
        """Return the name of the table without the property."""
        return self.table.partition("/")[2]

    @property
    def state(self) -> str:
        """Return `pulled`, `counted`, `verified` or `differs`."""
        if self.counted is None:
            return "pulled"
        if self.verified is None:
            return "counted"
        return "verified" if self.verified.amount == self.counted.amount else "differs"

    @property
    def difference(self) -> int:
        """Return recount minus count in minor units; 0 until both are recorded."""
        return (
            self.verified.amount - self.counted.amount
            if self.verified is not None and self.counted is not None
            else 0
        )

    @property
    def papers(self) -> Mapping[str, int]:
        """Return the amount of each kind of paper in the box: as recounted, or as counted if the recount
        names no papers.
        """
        counts = (self.verified, self.counted)
        return next((count.papers for count in counts if count is not None and count.papers is not None), {})

    @property
    def people(self) -> frozenset[str]:
        """Return the staff IDs of those who carried or counted the box."""
        pulled = (self.pulled.by, self.pulled.second) if self.pulled is not None else ()
        return frozenset((*pulled, *(self.counted.team if self.counted is not None else ())))


class CountsToDo(NamedTuple):
    """Missing and differing counts on a table's gaming day, according to the internal-control checks."""

    uncounted: list[tuple[str, str]]
    """Box and shift of every pull without a count."""
    unverified: list[tuple[str, str]]
    """Box and shift of every count without a recount."""
    differing: dict[str, str]
    """For each count that differs from the other count of its box: its uid, and a sentence about the
    difference.
    """


def boxes(property: str, days: Sequence[date]) -> list[Box]:
    """Return every box of these gaming days, sorted by day, table and pull."""
    return boxes_of_streams(
        property, [stream.stream for day in days for stream in cage_facts.streams(property, day)]
    )


def boxes_of_streams(property: str, streams: Sequence[str]) -> list[Box]:
    """Return every box of these gaming days of tables, sorted by day, table and pull."""
    all_boxes: list[Box] = []
    for stream, facts in groupby(cage_facts.facts(property, streams, KINDS), lambda fact: fact.stream):
        table, _, day = stream.rpartition("/")
        all_boxes += boxes_of(table, date.fromisoformat(day), [fact.event for fact in facts])
    return sorted(all_boxes, key=lambda box: (box.day, box.table))


def boxes_with_papers(property: str, streams: Sequence[str]) -> Iterator[tuple[str, Box]]:
    """Yield (stream, box) for each box in these streams that was counted with papers (vouchers, markers)."""
    named = cage_facts.streams_with_papers(property, streams)
    for stream, facts in groupby(cage_facts.facts(property, named, KINDS), lambda fact: fact.stream):
        table, _, day = stream.rpartition("/")
        for box in boxes_of(table, date.fromisoformat(day), [fact.event for fact in facts]):
            if box.counted is not None and box.papers:
                yield stream, box


def find_misplaced(boxes: Sequence[Box]) -> dict[str, Box]:
    """Find boxes that were counted under a table or day other than the one from which they were pulled. A
    pull is matched with a count by the number of the box.

    Return {uid: box} with two entries for each match: from the pull to the box as counted, and from the count
    to the box as pulled.
    """
    pulled = [box for box in boxes if box.pulled is not None and box.counted is None]
    pairs: dict[str, Box] = {}
    for count in (box for box in boxes if box.pulled is None):
        pull = next((box for box in pulled if box.box == count.box and box.uid not in pairs), None)
        if pull is not None:
            pairs |= {pull.uid: count, count.uid: pull}
    return pairs


def boxes_of(table: str, day: date, facts: Sequence[object]) -> list[Box]:
    """Return the boxes of one table on one gaming day.

    A count belongs to the first pull of the same box and shift that has no count yet. A recount belongs to
    the count with which replay compares it.
    """
    boxes: list[Box] = []
    currency, sealed = "", any(isinstance(event, f.DayClosed) for event in facts)
    pairs = pairs_of(facts)
    for event in facts:
        if isinstance(event, TableOpened):
            currency = event.currency
        elif isinstance(event, f.BoxPulled):
            boxes.append(Box(table, day, event.shift, event.box, currency, event, None, None, sealed))
        elif isinstance(event, f.DropCounted):
            matches = [
                place
                for place, box in enumerate(boxes)
                if (box.box, box.shift, box.counted) == (event.box, event.shift, None)
            ]
            verified = pairs.get(event.uid)
            if matches:
                boxes[matches[0]] = boxes[matches[0]]._replace(counted=event, verified=verified)
            else:
                boxes.append(Box(table, day, event.shift, event.box, currency, None, event, verified, sealed))
    return boxes


def pairs_of(facts: Sequence[object]) -> dict[str, f.CountVerified]:
    """Return {uid of a count: its recount}. The recount may have been recorded before the count. Replay uses
    the same rule to match them.
    """
    recounts, known, pairs = (
        Recounts(),
        dict[str, f.DropCounted | f.CountVerified](),
        dict[str, f.CountVerified](),
    )
    for event in facts:
        if isinstance(event, f.DropCounted | f.CountVerified):
            known[event.uid] = event
            if (other := recounts.other(event)) is not None:
                two = (event, known[other.uid])
                count, recount = two if isinstance(event, f.DropCounted) else two[::-1]
                assert isinstance(recount, f.CountVerified)
                pairs[count.uid] = recount
    return pairs


def box_of(property: str, pull: UUID) -> Box:
    """Return the box with this uid: the uid of its pull or, if it has no pull, the uid of its count. Raise
    ActionRejected if there is no such box.
    """
    fact = cage_facts.fact(property, pull)
    if fact is not None and isinstance(fact.event, f.BoxPulled | f.DropCounted):
        table, _, day = fact.stream.rpartition("/")
        facts = [other.event for other in cage_facts.facts(property, [fact.stream], KINDS)]
        for box in boxes_of(table, date.fromisoformat(day), facts):
            if box.uid == str(pull):
                return box
    raise ActionRejected("There is no such box. Choose one from the list of boxes.")


def late_counts(property: str, streams: Iterable[str]) -> set[str]:
    """Return the uids of those pulls in these streams whose box was counted late. A count is late if the day
    was already closed. It is then recorded as an adjustment.
    """
    named = sorted(set(streams))
    return (
        {
            adjustment.of
            for adjustment in restating(Span(property=property), named)
            if adjustment.what == "drop"
        }
        if named
        else set()
    )


def is_hidden(property: str, fact: cage_facts.RecordedFact) -> bool:
    """Return True if this is a count that must not be shown yet, because the box has not been recounted."""
    if not isinstance(fact.event, f.DropCounted):
        return False
    facts = [other.event for other in cage_facts.facts(property, [fact.stream], KINDS)]
    own = [
        box
        for box in boxes_of("", fact.event.day, facts)
        if box.counted is not None and box.counted.uid == fact.event.uid
    ]
    return any(box.verified is None and not box.sealed for box in own)


def counts_to_do(facts: Sequence[object]) -> CountsToDo:
    """Return the missing and differing counts of a table's gaming day, by the checks of replay."""
    drop, counts, currency = Drop(), Counts(), ""
    differing: dict[str, str] = {}
    for event in facts:
        if isinstance(event, TableOpened):
            currency = event.currency
        if isinstance(event, f.BoxPulled | f.DropCounted):
            list(drop.see(event, Seen(0, {}, currency)))
        if isinstance(event, f.BoxPulled | f.DropCounted | f.CountVerified):
            for breach in counts.see(event, Seen(0, {}, currency)):
                differing[event.uid] = breach.says
    state = cast(CountsState, counts.state)
    unverified = [
        (box, count.shift or "") for box, waits in state.recounts.counted.items() for count in waits
    ]
    return CountsToDo(drop.missing(), unverified, differing)


def games(property: str, tables: Sequence[tuple[str, date]]) -> dict[tuple[str, date], str]:
    """Return {(table, day): game}. If a table was opened several times on a day, the last opening counts.
    Days on which the table was not opened are left out.
    """
    return {key: opened.game for key, opened in _openings(property, tables)}


def shifts(property: str, tables: Sequence[tuple[str, date]]) -> dict[tuple[str, date], dict[str, datetime]]:
    """Return {(table, day): {shift: when it begins}}, in the order of the shifts. Days on which the table was
    not opened are left out.
    """
    begins_of: dict[tuple[str, date], dict[str, datetime]] = {}
    for key, opened in _openings(property, tables):
        begins_of.setdefault(key, {}).update(opened.shifts or {})
    return {
        key: dict(sorted(begins.items(), key=lambda item: item[::-1])) for key, begins in begins_of.items()
    }


def _openings(
    property: str, tables: Sequence[tuple[str, date]]
) -> Iterator[tuple[tuple[str, date], TableOpened]]:
    streams = {f"{property}/{code}/{day}": (code, day) for code, day in tables}
    for fact in cage_facts.facts(property, list(streams), ["table-opened"]):
        assert isinstance(fact.event, TableOpened)
        yield streams[fact.stream], fact.event


def recent_days(today: date) -> list[date]:
    """Return the recent gaming days, the latest first. Boxes of these days are listed if they still wait for
    a count.
    """
    return [today - timedelta(days=back) for back in range(DAYS)]
