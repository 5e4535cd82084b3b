"""The close of a gaming day, and what is learned after it: a closed day takes no more facts, an adjustment
stands beside it.

The page closes a table's day only where nothing is wanting: it is shut and its closer counted, no slip of it
is under way, every box is counted twice, and no variance is open. The door records a close whatever is
wanting, and replay finds it. A variance is open until surveillance has given its verdict, or an adjustment,
signed by two, names one of the counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import groupby
from typing import NamedTuple
from uuid import UUID

from audit import facts as f
from audit.queries import cage_facts
from audit.queries.adjustments import restating
from audit.queries.span import Span
from audit.replay.results import Tray
from audit.replay.tally import counted_again, shift_of
from audit.review import verdicts
from casino.accounts.permissions import require
from casino.cage.services import slips as slip_services
from casino.cage.services.markers import currency_of as slip_currency
from casino.cage.slips import pending as pending_slips
from casino.cage.slips.pending import PendingSlip
from casino.count_room import queries as count_room
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import code_label, money
from casino.web.property_turn import in_turn
from casino.web.recording import property_fact, record, reject_resubmission, table_fact
from games import GAMES
from games.kit.events import Event, TableClosed, TableOpened, kind_of

KINDS = count_room.KINDS | {"opener-counted", "closer-counted", "table-closed"}
WHAT = {
    "drop": "Drop",
    "opener": "Opener",
    "closer": "Closer",
    "fill": "Fill",
    "credit": "Credit",
    "settlement": "Settlement of wagers",
}
REASON = 500
"""Letters that a reason may have."""
SETTLES = frozenset({"confirmed", "dismissed"})
"""Verdicts by which a variance is no longer open."""


class Wanting(NamedTuple):
    """One thing without which a table's day cannot be closed, in a sentence; and what it is about: `play`,
    `slip`, `count`, `variance`.
    """

    about: str
    says: str


class TableDay(NamedTuple):
    """A table's gaming day on the way to its close."""

    table: str
    day: date
    closed: bool
    wanting: list[Wanting]
    currency: str
    live_dealer: bool
    stays: bool
    """No box was pulled: what is in it is counted with a later day, and the win is pending until then."""
    unopened: bool
    """A tray or a box was counted and no opener: the win is pending until an adjustment says what was in the
    tray.
    """
    variances: dict[str, str]
    """uid of a count to what is open about it."""
    at_issue: frozenset[str]
    """uid of every count of a variance that is open: of an open day, what an adjustment may name."""
    uncounted: list[tuple[str, str, str]]
    """Box, shift, and the uid of its pull."""
    open_before: tuple[date, ...] = ()
    """Earlier gaming days of the table that are not closed: closing this one first takes a reason."""

    @property
    def code(self) -> str:
        return self.table.partition("/")[2]

    @property
    def adjusts(self) -> dict[str, str]:
        """What an adjustment may be of: a live-dealer table's revenue is of its wagers, and a drop is never
        mixed with it. Of an open day the drop alone, where two counts of it differ.
        """
        if self.live_dealer:
            return {"settlement": WHAT["settlement"]}
        return WHAT if self.closed else {"drop": WHAT["drop"]}

    @property
    def ready(self) -> bool:
        return not self.closed and not self.wanting


def tables(property: str, day: date) -> list[TableDay]:
    """Every table that has a stream of this gaming day, with what its close still wants. Straight from the
    ledger.
    """
    streams = [one.stream for one in cage_facts.streams(property, day)]
    kept = {
        stream: [one.event for one in of]
        for stream, of in groupby(cage_facts.facts(property, streams, KINDS), lambda one: one.stream)
    }
    waits = {stream: count_room.counts_to_do(events) for stream, events in kept.items()}
    settled = _settled(
        property, day, [(stream, uid) for stream, one in waits.items() for uid in one.differing], kept
    )
    slips: dict[str, list[PendingSlip]] = {}
    for slip in pending_slips.of_property(property):
        slips.setdefault(pending_slips.stream_of(slip), []).append(slip)
    earlier = cage_facts.open_before(property, day)
    made = [
        _table(stream, day, events, waits[stream], settled, slips.get(stream, ()))
        for stream, events in kept.items()
    ]
    return _still_late(
        property,
        [one._replace(open_before=() if one.closed else tuple(earlier.get(one.table, ()))) for one in made],
    )


def _still_late(property: str, found: list[TableDay]) -> list[TableDay]:
    """The same, without the boxes of closed days of which a late count has been recorded."""
    named = count_room.late_counts(
        property, (f"{one.table}/{one.day}" for one in found if one.closed and one.uncounted)
    )
    return [one._replace(uncounted=[box for box in one.uncounted if box[2] not in named]) for one in found]


def _table(
    stream: str,
    day: date,
    events: Sequence[Event],
    waits: count_room.CountsToDo,
    settled: frozenset[str],
    slips: Sequence[PendingSlip],
) -> TableDay:
    closed = any(isinstance(event, f.DayClosed) for event in events)
    opening = next((event for event in reversed(events) if isinstance(event, TableOpened)), None)
    currency, game = (opening.currency, GAMES.get(opening.game)) if opening is not None else ("", None)
    live_dealer = game is not None and game.live_dealer
    opened, pulls = _last(events, TableOpened), [event for event in events if isinstance(event, f.BoxPulled)]
    wanting: list[Wanting] = []
    if opened > _last(events, TableClosed):
        wanting.append(Wanting("play", "The table is still open: it is closed on the floor page."))
    openers, closers = _trays(events)
    boxes = bool(pulls) or any(isinstance(event, f.DropCounted) for event in events)
    if closers < max(openers, int(boxes and not live_dealer)):
        wanting.append(Wanting("play", "The closer has not been counted."))
    wanting += [Wanting("slip", _lacks(slip)) for slip in slips]
    wanting += [
        Wanting("count", f"Box {box}{_of(shift)} has not been counted.") for box, shift in waits.uncounted
    ]
    wanting += [
        Wanting("count", f"Box {box}{_of(shift)} has not been recounted.") for box, shift in waits.unverified
    ]
    variances = {uid: says for uid, says in waits.differing.items() if uid not in settled}
    wanting += [Wanting("variance", f"{says} The variance is open.") for says in variances.values()]
    pending = list(waits.uncounted)
    uncounted = []
    for pull in reversed(pulls):
        if (pull.box, pull.shift) in pending:
            pending.remove((pull.box, pull.shift))
            uncounted.append((pull.box, pull.shift, pull.uid))
    stays = bool(openers or closers) and not boxes
    unopened = not openers and (bool(closers) or boxes) and not live_dealer
    table = stream.rpartition("/")[0]
    at_issue = frozenset[str]().union(*(two for two in _pairs(events) if two & variances.keys()), variances)
    return TableDay(
        table,
        day,
        closed,
        [] if closed else wanting,
        currency,
        live_dealer,
        stays,
        unopened,
        variances,
        at_issue,
        uncounted,
    )


def _pairs(events: Sequence[object]) -> list[frozenset[str]]:
    """The uids of each two counts that are held against each other."""
    return [frozenset((count, recount.uid)) for count, recount in count_room.pairs_of(events).items()]


def _lacks(slip: PendingSlip) -> str:
    signed = pending_slips.signatures_by_role(slip)
    missing = ", ".join(
        code_label(role).lower() for role in slip_services.ROLES[slip.kind] if role not in signed
    )
    over = "void" if "sent_by" in signed else "withdrawn"
    what = f"A {slip_services.NAMES[slip.kind]} of {money(slip.amount, slip.currency)} {slip.currency}"
    return f"{what} is under way and lacks {missing}: it is signed to its end or {over} on the cage's page."


def _trays(events: Sequence[Event]) -> tuple[int, int]:
    """How many openers and closers stand: a tray that was counted again has one."""
    trays: list[Tray] = []
    opened: TableOpened | None = None
    for event in events:
        if isinstance(event, TableOpened):
            opened = event
        elif isinstance(event, f.OpenerCounted | f.CloserCounted):
            tray = (
                kind_of(event),
                opened.currency if opened is not None else "",
                shift_of(opened, event.at),
                event.amount,
            )
            if not counted_again(trays, tray):
                trays.append(tray)
    closers = sum(kind == "closer-counted" for kind, *_ in trays)
    return len(trays) - closers, closers


def _of(shift: str) -> str:
    return f" of shift {shift}" if shift else ""


def _last(events: Sequence[Event], kind: type[Event]) -> int:
    return max((place for place, event in enumerate(events) if isinstance(event, kind)), default=-1)


def _settled(
    property: str, day: date, differing: Sequence[tuple[str, str]], kept: Mapping[str, Sequence[Event]]
) -> frozenset[str]:
    """Counts at which two differ and which are settled: by a verdict, or by an adjustment that names a count
    of the box.
    """
    if not differing:
        return frozenset()
    judged = verdicts.latest(property, [f"{uid}:count-differs::" for _, uid in differing])
    done = {uid for _, uid in differing if judged.get(f"{uid}:count-differs::") in SETTLES}
    named: dict[str, set[str]] = {}
    for one in restating(Span(property=property), sorted({stream for stream, _ in differing})):
        named.setdefault(one.stream, set()).add(one.of)
    pairs = {stream: _pairs(kept[stream]) for stream in {stream for stream, _ in differing}}
    for stream, uid in differing:
        if next((two for two in pairs[stream] if uid in two), {uid}) & named.get(stream, set()):
            done.add(uid)
    return frozenset(done)


def close_day(by: Person, property: str, day: date, codes: Iterable[str], reason: str = "") -> list[str]:
    """Close the day of these tables, all or none; the codes of those closed now. Raises ActionRejected where one
    wants something.

    `reason`: why it is closed while an earlier day of a table is open; recorded with the close of that table.
    """
    require(by, "close-day", property)
    chosen = sorted(set(codes))
    if not chosen:
        raise ActionRejected("Choose the tables whose day is to be closed.", "tables")
    with in_turn(property):
        return _close(by, property, day, chosen, reason.strip())


def _close(by: Person, property: str, day: date, chosen: Sequence[str], reason: str) -> list[str]:
    known = {one.code: one for one in tables(property, day)}
    for code in chosen:
        one = known.get(code)
        if one is None:
            raise ActionRejected(f"{code} was not open on {day}.", "tables")
        if one.wanting:
            raise ActionRejected(
                f"{code} cannot be closed yet. {' '.join(each.says for each in one.wanting)}", "tables"
            )
    left = [code for code in chosen if not known[code].closed]
    early = [known[code] for code in left if known[code].open_before]
    if early and (not reason or len(reason) > REASON or "\0" in reason):
        says = "; ".join(f"{one.code}: {' and '.join(map(str, one.open_before))}" for one in early)
        raise ActionRejected(
            f"Earlier gaming days are not closed. {says}. Close them first, or say in at most {REASON}"
            " letters why not.",
            "reason",
        )
    because = {one.code: {"reason": reason} for one in early}
    if left:
        record(
            by,
            property,
            [
                table_fact("day-closed", property, code, day, by=by.id, **because.get(code, {}))
                for code in left
            ],
        )
    return left


class Change(NamedTuple):
    """What an adjustment says. `amount` is signed: + raises the win. `of`: the uid of the fact that it is
    about.
    """

    table: str
    day: date
    what: str
    amount: int
    reason: str
    of: str = ""


def currency_of(one: TableDay, of: str) -> str:
    """That in which an adjustment of this day is: of the fact that it names, a box's where that is about one;
    else the day's last.
    """
    property, stream = one.table.partition("/")[0], f"{one.table}/{one.day}"
    try:
        named = cage_facts.fact(property, UUID(of))
    except ValueError:
        return one.currency
    if named is None or named.stream != stream:
        return one.currency
    beside = cage_facts.currencies(cage_facts.facts(property, [stream]))
    return beside.get(named.event.uid) or slip_currency(named) or one.currency


def adjust(by: Person, second: Person, property: str, change: Change, *, uid: str) -> None:
    """Record an adjustment of a closed day, or of two counts that differ. Raises ActionRejected, or
    PermissionDenied.
    """
    require(by, "adjust", property)
    require(second, "sign-adjustment", property)
    with in_turn(property):
        reject_resubmission(property, uid)
        _adjust(by, second, property, change, uid)


def _adjust(by: Person, second: Person, property: str, change: Change, uid: str) -> None:
    if by.id == second.id:
        raise ActionRejected(
            "An adjustment is signed by two: the second signature is another person's.", "second"
        )
    if change.what not in WHAT:
        raise ActionRejected(f"What is adjusted is one of: {', '.join(WHAT.values()).lower()}.", "what")
    if change.amount == 0:
        raise ActionRejected("Amount: 0 adjusts nothing.", "amount")
    reason = change.reason.strip()
    if not reason or len(reason) > REASON or "\0" in reason:
        raise ActionRejected(
            f"Say in at most {REASON} letters why; it stands in the month's list of adjustments.", "reason"
        )
    said = {
        "of_table": change.table,
        "of_day": change.day.isoformat(),
        "what": change.what,
        "amount": change.amount,
        "reason": reason,
    }
    about = _about(property, change)
    record(
        by,
        property,
        [property_fact("adjusted", by, property, second=second.id, **said, **about) | {"uid": uid}],
    )


def _about(property: str, change: Change) -> dict[str, str]:
    """The fact that it names, of that table's day.

    An open day is mended where it is open, but for two counts that differ, while they are at issue. A count
    that came late is recorded once: another who does the same at once counts the box no second time.
    """
    code = change.table.partition("/")[2]
    one = next((one for one in tables(property, change.day) if one.code == code), None)
    if one is None or change.table.partition("/")[0] != property:
        raise ActionRejected(
            f"{code or 'This table'} was not open on {change.day}: there is nothing to adjust.", "table"
        )
    if change.what not in one.adjusts and one.live_dealer:
        raise ActionRejected(
            f"{code} is a live-dealer table and has no drop and no tray: its settlement of wagers is"
            " adjusted.",
            "what",
        )
    try:
        named = cage_facts.fact(property, UUID(change.of)) if change.of else None
    except ValueError:
        raise ActionRejected(
            "The fact that this is about: its uid, as it stands in the ledger; or nothing.", "of"
        ) from None
    if change.of and (named is None or named.stream != f"{change.table}/{change.day}"):
        raise ActionRejected(
            f"The fact that this is about does not stand in the day of {code} on {change.day}.", "of"
        )
    if not one.closed and (change.what not in one.adjusts or change.of not in one.at_issue):
        says = "Of an open day the drop alone is adjusted, by two counts that differ and are not settled yet."
        raise ActionRejected(
            f"The day of {code} is still open: count, fill or correct there. {says}", "table"
        )
    if change.what == "drop" and named is not None and isinstance(named.event, f.BoxPulled):
        _is_late(property, named)
    return {"of": change.of} if change.of else {}


def _is_late(property: str, pull: cage_facts.Kept) -> None:
    """Raises ActionRejected where the box of this pull has been counted, on its day or by an adjustment since."""
    box = count_room.box_of(property, UUID(pull.event.uid))
    if box.counted is not None:
        raise ActionRejected(
            f"Box {box.box} was counted on its day: what was found later names that count, or nothing.", "of"
        )
    for one in restating(Span(property=property), [pull.stream]):
        if one.of == pull.event.uid and one.what == "drop":
            late = f"{money(one.amount, box.currency)} {box.currency}, signed by {one.by} and {one.second}"
            raise ActionRejected(
                f"The late count of box {box.box} is recorded: {late}. What corrects it names nothing.", "of"
            )
