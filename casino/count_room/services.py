"""What the count room does: boxes pulled, drop counted by a team, and counted again by somebody who has not
seen the first count.

A box belongs to the day and shift in which it was pulled. Two counts that differ stay both: neither is ever
changed, and replay finds it. What waits for a count or a recount is told by the house's own checks
(`audit/replay/checks`), the same that find it once the day is closed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import Any, NamedTuple, cast
from uuid import UUID

from django.utils import timezone

from audit import facts as f
from audit.facts import accepted_form
from audit.queries import cage_facts
from audit.queries.adjustments import restating
from audit.queries.span import Span
from audit.replay.checks import Seen
from audit.replay.checks.counts import Counts, worth
from audit.replay.checks.counts import Kept as CountsKept
from audit.replay.checks.drop import Drop
from audit.replay.recounts import Recounts
from casino.accounts.permissions import can, require
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.reference.registers import threshold
from casino.web.property_turn import in_turn
from casino.web.recording import record, require_tray, table_fact
from games.kit.events import TableOpened

KINDS = frozenset({"table-opened", "box-pulled", "drop-counted", "count-verified", "day-closed"})
TEAM = 2
"""Members of a count team, where the register `thresholds`, key `count-team`, value `{"people": n}`, does not
say.
"""
LETTERS = 40
"""Of a box's number."""
DAYS = 7
"""Gaming days whose boxes may still wait for a count."""
PAPERS = ("voucher", "marker")


class Box(NamedTuple):
    """One pull of a box, with what has been counted of it. `verified` is the recount; both stay None until
    they came.
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
        """The fact by which it is named: its pull, or its count where no pull was recorded."""
        first = self.pulled or self.counted
        assert first is not None
        return first.uid

    @property
    def code(self) -> str:
        return self.table.partition("/")[2]

    @property
    def state(self) -> str:
        """`pulled`, `counted`, `verified`, `differs`."""
        if self.counted is None:
            return "pulled"
        if self.verified is None:
            return "counted"
        return "verified" if self.verified.amount == self.counted.amount else "differs"

    @property
    def difference(self) -> int:
        """Recount less count; 0 until both are there."""
        return (
            self.verified.amount - self.counted.amount
            if self.verified is not None and self.counted is not None
            else 0
        )

    @property
    def people(self) -> frozenset[str]:
        """Whoever had the box in hand, or counted it."""
        pulled = (self.pulled.by, self.pulled.second) if self.pulled is not None else ()
        return frozenset((*pulled, *(self.counted.team if self.counted is not None else ())))


class Waiting(NamedTuple):
    """What a table's day still wants of the count room, as the checks have it."""

    uncounted: list[tuple[str, str]]
    """Box and shift."""
    unverified: list[tuple[str, str]]
    """The same."""
    differing: dict[str, str]
    """uid of the count at which two differ, to what is said of it."""


def boxes(property: str, days: Sequence[date]) -> list[Box]:
    """Every box of these gaming days, by day, table, and the order in which they were pulled."""
    streams = [one.stream for day in days for one in cage_facts.streams(property, day)]
    found: list[Box] = []
    for stream, kept in groupby(cage_facts.facts(property, streams, KINDS), lambda one: one.stream):
        table, _, day = stream.rpartition("/")
        found += boxes_of(table, date.fromisoformat(day), [one.event for one in kept])
    return sorted(found, key=lambda box: (box.day, box.table))


def misplaced(found: Sequence[Box]) -> dict[str, Box]:
    """Return the other box of each that was counted under another table or day than it was pulled from, by
    uid: pull to count and back.
    """
    pulled = [box for box in found if box.pulled is not None and box.counted is None]
    pairs: dict[str, Box] = {}
    for count in (box for box in found if box.pulled is None):
        pull = next((box for box in pulled if box.box == count.box and box.uid not in pairs), None)
        if pull is not None:
            pairs |= {pull.uid: count, count.uid: pull}
    return pairs


def boxes_of(table: str, day: date, facts: Sequence[object]) -> list[Box]:
    """The boxes of one table's day. A count belongs to the first pull of its box and shift that has none, a
    recount to the count that it is held against.
    """
    found: list[Box] = []
    currency, sealed = "", any(isinstance(event, f.DayClosed) for event in facts)
    pairs = pairs_of(facts)
    for event in facts:
        if isinstance(event, TableOpened):
            currency = event.currency
        elif isinstance(event, f.BoxPulled):
            found.append(Box(table, day, event.shift, event.box, currency, event, None, None, sealed))
        elif isinstance(event, f.DropCounted):
            mine = [
                place
                for place, one in enumerate(found)
                if (one.box, one.shift, one.counted) == (event.box, event.shift, None)
            ]
            verified = pairs.get(event.uid)
            if mine:
                found[mine[0]] = found[mine[0]]._replace(counted=event, verified=verified)
            else:
                found.append(Box(table, day, event.shift, event.box, currency, None, event, verified, sealed))
    return found


def pairs_of(facts: Sequence[object]) -> dict[str, f.CountVerified]:
    """uid of a count to its recount, whichever of them came first: by the rule by which replay holds them
    against each other.
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
    """The box that was pulled, or counted, by this fact. Raises ActionRejected where there is none."""
    kept = cage_facts.fact(property, pull)
    if kept is not None and isinstance(kept.event, f.BoxPulled | f.DropCounted):
        table, _, day = kept.stream.rpartition("/")
        facts = [one.event for one in cage_facts.facts(property, [kept.stream], KINDS)]
        for box in boxes_of(table, date.fromisoformat(day), facts):
            if box.uid == str(pull):
                return box
    raise ActionRejected("There is no such box. Look at the list of boxes.")


def late_counts(property: str, streams: Iterable[str]) -> set[str]:
    """The uids of pulls of these streams of which a count came late and is recorded, as an adjustment."""
    named = sorted(set(streams))
    return (
        {one.of for one in restating(Span(property=property), named) if one.what == "drop"}
        if named
        else set()
    )


def hidden(property: str, kept: cage_facts.Kept) -> bool:
    """Whether this is a count that nobody may read yet: its recount is to come."""
    if not isinstance(kept.event, f.DropCounted):
        return False
    facts = [one.event for one in cage_facts.facts(property, [kept.stream], KINDS)]
    own = [
        box
        for box in boxes_of("", kept.event.day, facts)
        if box.counted is not None and box.counted.uid == kept.event.uid
    ]
    return any(box.verified is None and not box.sealed for box in own)


def waiting(facts: Sequence[object]) -> Waiting:
    """What one table's day still wants, and where its counts differ: asked of the checks, by which replay
    finds the same.
    """
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
    kept = cast(CountsKept, counts.kept)
    unverified = [(box, one.shift or "") for box, waits in kept.recounts.counted.items() for one in waits]
    return Waiting(drop.missing(), unverified, differing)


def pull_box(
    by: Person, second: Person, property: str, table: str, day: date, shift: str, box: str, *, uid: str
) -> None:
    """Two people take a box from its table to the count room, one of them of security. Raises ActionRejected, or
    PermissionDenied.
    """
    for person in (by, second):
        require(person, "pull-box", property)
    if by.id == second.id:
        raise ActionRejected(
            "A box is carried by two people: the second signature is another person's.", "second"
        )
    if not any(can(person, "carry-slip", property) for person in (by, second)):
        raise ActionRejected("One of the two who carry a box is of security.", "second")
    name = _named(box)
    with in_turn(property):
        for one in boxes(property, [day]):
            if one.box == name and one.counted is None and one.pulled is not None:
                raise ActionRejected(
                    f"Box {name} was pulled from {one.code} and waits to be counted. Which box is this?",
                    "box",
                )
        require_tray(table, games(property, [(table, day)]).get((table, day), ""))
        known = shifts(property, [(table, day)]).get((table, day))
        if known is not None and shift not in (known or [""]):
            has = (
                f"has the shifts {', '.join(known)} on {day}: choose one of them"
                if known
                else f"has no shifts on {day}: choose none"
            )
            raise ActionRejected(f"Shift: {table} {has}.", "shift")
        if known and known[shift] > timezone.now():
            raise ActionRejected(
                f"Shift: {shift} of {day} has not begun at {table}: choose the one in which the box was"
                " pulled.",
                "shift",
            )
        fact = table_fact(
            "box-pulled", property, table, day, box=name, shift=shift, by=by.id, second=second.id
        )
        record(by, property, [fact | {"uid": uid}])


def games(property: str, tables: Sequence[tuple[str, date]]) -> dict[tuple[str, date], str]:
    """The game of tables' days as the tables were opened last; a day on which a table was never opened is not
    in it.
    """
    return {key: opened.game for key, opened in _openings(property, tables)}


def shifts(property: str, tables: Sequence[tuple[str, date]]) -> dict[tuple[str, date], dict[str, datetime]]:
    """The shifts of tables' days as the tables were opened, in their order, with when each begins; a day on
    which a table was never opened is not in it.
    """
    found: dict[tuple[str, date], dict[str, datetime]] = {}
    for key, opened in _openings(property, tables):
        found.setdefault(key, {}).update(opened.shifts or {})
    return {key: dict(sorted(begins.items(), key=lambda one: one[::-1])) for key, begins in found.items()}


def _openings(
    property: str, tables: Sequence[tuple[str, date]]
) -> Iterator[tuple[tuple[str, date], TableOpened]]:
    streams = {f"{property}/{code}/{day}": (code, day) for code, day in tables}
    for kept in cage_facts.facts(property, list(streams), ["table-opened"]):
        assert isinstance(kept.event, TableOpened)
        yield streams[kept.stream], kept.event


def count_drop(
    team: Sequence[Person],
    property: str,
    pull: UUID,
    notes: dict[str, int],
    papers: dict[str, int],
    *,
    uid: str,
) -> int:
    """A team counts what is in a box; the amount. Raises ActionRejected, or PermissionDenied."""
    for member in team:
        require(member, "count-drop", property)
    if len({member.id for member in team}) < len(team):
        raise ActionRejected("Each of a count team is another person.", f"member_{len(team)}")
    if len(team) < (least := team_size(property)):
        raise ActionRejected(
            f"A count team is {least} people or more, each with a signature.", f"member_{len(team) + 1}"
        )
    with in_turn(property):
        box = box_of(property, pull)
        if box.counted is not None:
            raise ActionRejected(
                f"Box {box.box} has been counted. A second count is the recount, by somebody else."
            )
        _check_hands(box, team, "count")
        said = {"shift": box.shift, "team": [member.id for member in team]}
        return _count("drop-counted", team[0], property, box, notes, papers, uid, said)


def verify_count(
    by: Person, property: str, pull: UUID, notes: dict[str, int], papers: dict[str, int], *, uid: str
) -> int:
    """The recount, by one who counted not, carried not, and has not seen the first; its amount. Raises
    ActionRejected, or PermissionDenied.
    """
    require(by, "verify-count", property)
    with in_turn(property):
        box = box_of(property, pull)
        if box.counted is None:
            raise ActionRejected(
                f"Box {box.box} has not been counted yet: the recount comes after the team's count."
            )
        if box.verified is not None:
            raise ActionRejected(f"Box {box.box} has been recounted. What both counts say is on its line.")
        _check_hands(box, [by], "recount")
        return _count(
            "count-verified", by, property, box, notes, papers, uid, {"by": by.id, "shift": box.shift}
        )


def team_size(property: str) -> int:
    """How many a count team is here, at the least."""
    people = threshold(property, "count-team").whole("people")
    return people if people is not None and people > 0 else TEAM


def recent(today: date) -> list[date]:
    """The gaming days whose boxes may wait for a count, the latest first."""
    return [today - timedelta(days=back) for back in range(DAYS)]


def _named(box: str) -> str:
    """The number as it stands on the box, leading zeros and all."""
    name = accepted_form(box)
    if not name or len(name) > LETTERS or not name.isprintable():
        raise ActionRejected(f"Box: its number as it stands on the box, at most {LETTERS} letters.", "box")
    return name


def _check_hands(box: Box, people: Sequence[Person], what: str) -> None:
    for person in people:
        if person.id in box.people:
            raise ActionRejected(
                f"{person.id} carried or counted box {box.box}: the {what} is somebody else's."
            )


def _count(
    kind: str,
    by: Person,
    property: str,
    box: Box,
    notes: dict[str, int],
    papers: dict[str, int],
    uid: str,
    said: dict[str, Any],
) -> int:
    amount = worth(notes, papers)
    fact = table_fact(kind, property, box.code, box.day, box=box.box, notes=notes, amount=amount, **said)
    record(by, property, [fact | {"uid": uid} | ({"papers": papers} if papers else {})])
    return amount
