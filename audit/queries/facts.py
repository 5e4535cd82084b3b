"""Facts as recorded in the ledger, in the order of commit: all facts, or facts of a few kinds in decoded
form.

Some information is not in a fact itself, such as its table's currency and shifts. It is read from other facts
of the same stream and never from tallies. So a list of slips or counts is complete as soon as they are
recorded, and at a given position it never changes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from audit import database
from audit import facts as f
from audit.facts import LEDGER_KINDS, decode
from audit.ledger.store import OF_THE_LEDGER
from audit.queries.list_filters import (
    Query,
    Selection,
    Where,
    asks_of_streams,
    instant,
    limited,
    streams,
    within_streams,
)
from audit.queries.span import LAST
from audit.replay.voids import voids
from games.kit import events as e
from games.kit.events import Event

PAGE = 2000
"""Number of facts that are read at a time."""
REACH = 50_000
"""Maximum number of ledger positions that one page searches. The limit applies if few facts match, for
example a rare kind, a table or a game.
"""
FACT = ("property", "position", "stream", "number", "kind", "uid", "round", "recorded_at", "body")
_FACTS = f"""SELECT property, position, stream, number, kind, uid::text AS uid, round,
    {instant("recorded_at", "recorded_at")},
    convert_from(body, 'UTF8') AS body FROM fact f"""


def facts(selection: Selection) -> Query:
    """Return a query of all recorded facts with the columns of FACT, in each property's order of commit. The
    body of a fact is not changed.
    """
    condition = _where(selection, () if selection.kind is None else (selection.kind,))
    return Query(
        f"{_FACTS} WHERE {condition} ORDER BY property, position{limited(selection)}", condition.values
    )


def fact(property: str, uid: str) -> Query:
    """Return a query of the fact with this uid, with the columns of FACT. If there is no such fact, the query
    returns no rows.
    """
    return Query(f"{_FACTS} WHERE property = %s AND uid = %s", [property, uid])


def recorded_finding_id(property: str, id: str) -> str:
    """Return the id of a finding as its fact spells the uid. The given id may have upper or lower case
    hexadecimal digits. If the fact is not recorded, return the id unchanged.
    """
    uid, colon, suffix = id.partition(":")
    try:
        known = UUID(uid)
    except ValueError:
        return id
    query = "SELECT convert_from(body, 'UTF8')::json ->> 'uid' FROM fact WHERE property = %s AND uid = %s"
    row = database.first_row(query, [property, known]) if len(uid) == 36 else None
    return f"{row[0]}{colon}{suffix}" if row is not None else id


def hashes(property: str, uid: str) -> tuple[str, str] | None:
    """Return the leaf hash of a fact and the chain's hash at its position, in hexadecimal, or None if there
    is no such fact.
    """
    query = "SELECT encode(leaf, 'hex'), encode(chain, 'hex') FROM fact WHERE property = %s AND uid = %s"
    return next(((row[0], row[1]) for row in database.rows(query, [property, uid])), None)


def _where(selection: Selection, kinds: Collection[str]) -> Where:
    """Return the SQL condition for the requested facts.

    If days are requested, first find the range of positions that contains all facts of these days, so that
    the query does not read the rest of the ledger.
    """
    condition, property = Where(), selection.span.property
    if property is not None:
        condition.add("f.property = %s", property)
    if selection.after is not None:
        condition.add("(f.property, f.position) > (%s, %s)", *selection.after)
        if property is not None:
            condition.add("f.position > %s", selection.after[1])
    if selection.until is not None:
        condition.add("f.position <= %s", selection.until)
    if kinds:
        if set(kinds) <= LEDGER_KINDS:
            condition.add(f"f.{OF_THE_LEDGER}")
        condition.add("f.kind = ANY(%s)", sorted(kinds))
    if selection.slip is not None:
        condition.add("serial_of(f.body) = md5(%s)", selection.slip)
    if selection.game is None and (
        selection.table is None or None in (selection.span.begins, selection.span.ends)
    ):
        condition.within("f.stream", selection)  # keeps the order of the index; a join would not
        if selection.table is not None:
            condition.add("left(f.stream, -11) = %s", selection.table)
    else:
        within_streams(condition, "f.stream", selection)
    if property is not None and asks_of_streams(selection):
        from_streams, values = streams(selection)
        for sign, bound, number in ((">=", "min", "1"), ("<=", "max", "s.number"))[
            selection.after is not None :
        ]:
            place = f"b.property = s.property AND b.stream = s.name AND b.number = {number}"
            reach = from_streams.replace("FROM stream s", f"FROM stream s JOIN fact b ON {place}", 1)
            condition.add(f"f.position {sign} (SELECT {bound}(b.position) {reach})", *values)
    return condition


def within_reach(selection: Selection) -> tuple[Selection, int | None]:
    """Limit a request for one property to the number of positions that one page searches.

    Return the limited request and the last position to search, or None as the position if no limit is needed.
    There is no index for some kinds of facts, nor for the facts of one table in the order of commit. A page
    therefore ends after this number of positions, even if it shows few facts, so that its cost does not grow
    with the ledger.
    """
    property = selection.span.property
    is_unindexed = selection.kind is not None and selection.kind not in LEDGER_KINDS
    if property is None or not (is_unindexed or selection.table is not None or selection.game is not None):
        return selection, None
    first, last = 1, LAST
    if asks_of_streams(selection):
        from_streams, values = streams(selection)
        ends = "b.property = s.property AND b.stream = s.name AND b.number IN (1, s.number)"
        reach = from_streams.replace("FROM stream s", f"FROM stream s JOIN fact b ON {ends}", 1)
        bounds = f"SELECT coalesce(min(b.position), 1), coalesce(max(b.position), 0) {reach}"
        first, last = database.rows(bounds, values)[0]
    begins = max(first - 1, selection.after[1] if selection.after is not None else 0)
    last = last if selection.until is None else min(last, selection.until)
    if last - begins <= REACH:
        return selection, None
    return selection._replace(after=(property, begins), until=begins + REACH), begins + REACH


class Recorded(NamedTuple):
    """A fact with its place in the ledger."""

    property: str
    position: int
    stream: str
    number: int
    uid: str
    recorded_at: datetime
    fact: Any


class OtherFacts(NamedTuple):
    """The other facts of a stream that are needed to describe one fact: the openings of the table, and the
    facts of the requested kinds. Each fact comes with its number in the stream.
    """

    openings: list[tuple[int, e.TableOpened]]
    others: list[tuple[int, Event]]

    def opened(self, number: int) -> e.TableOpened | None:
        """Return the table's opening in force at the fact with this number, or None if the table had not been
        opened.
        """
        return next((opened for at, opened in reversed(self.openings) if at <= number), None)


def of_kinds(
    selection: Selection, kinds: Sequence[str], other_kinds: Sequence[str] = ()
) -> Iterator[tuple[Recorded, OtherFacts]]:
    """Yield the facts of these kinds in the order of commit. Each comes with the facts of its stream that
    have one of `other_kinds`.
    """
    left = selection.limit
    while left is None or left > 0:
        page = _page(selection._replace(limit=PAGE if left is None else min(left, PAGE)), kinds)
        others = other_facts_of(
            {(recorded.property, recorded.stream) for recorded in page}, other_kinds, selection.until
        )
        yield from (
            (recorded, others.get((recorded.property, recorded.stream), _NOTHING)) for recorded in page
        )
        if len(page) < PAGE:
            return
        selection = selection._replace(after=(page[-1].property, page[-1].position))
        left = None if left is None else left - len(page)


def adjusted(selection: Selection) -> Iterator[tuple[Recorded, e.TableOpened | None]]:
    """Yield every adjustment in the order of commit, with the table's opening that was in force at the
    adjusted fact.

    For a count, this is the opening in force when its box was pulled. For an adjustment that names no fact,
    it is the last opening of the adjusted day.
    """
    for recorded, _ in of_kinds(selection, ("adjusted",)):
        of = (recorded.property, f"{recorded.fact.of_table}/{recorded.fact.of_day}")
        named = _number(recorded, of[1])
        others = other_facts_of({of}, ("box-pulled",) if named is not None else (), selection.until).get(
            of, _NOTHING
        )
        yield recorded, others.opened(LAST if named is None else _pulled(others, *named))


def _number(recorded: Recorded, stream: str) -> tuple[int, Any] | None:
    """Return the adjusted fact with its number, or None if it is not in this stream."""
    try:
        uid = str(UUID(recorded.fact.of or ""))
    except ValueError:
        return None
    query = "SELECT number, body FROM fact WHERE property = %s AND uid = %s AND stream = %s"
    return next(
        ((row[0], decode(bytes(row[1]))) for row in database.rows(query, [recorded.property, uid, stream])),
        None,
    )


def _pulled(others: OtherFacts, number: int, fact: Any) -> int:
    """Return the number of a fact. If the fact is the count of a box, return the number of the last fact
    before it that pulled the box.
    """
    pulls = (
        at
        for at, other in others.others
        if at < number and isinstance(other, f.BoxPulled) and other.box == fact.box
    )
    return max(pulls, default=number) if isinstance(fact, f.DropCounted | f.CountVerified) else number


_NOTHING = OtherFacts([], [])


def _page(selection: Selection, kinds: Sequence[str]) -> list[Recorded]:
    condition = _where(selection, kinds)
    query = f"""SELECT property, position, stream, number, uid::text, recorded_at, body AS fact FROM fact f
        WHERE {condition}
        ORDER BY property, position{limited(selection)}"""
    return database.records(Recorded, query, condition.values, fact=lambda body: decode(bytes(body)))


BESIDE = frozenset(
    (
        "table-closed",
        "opener-counted",
        "closer-counted",
        "fill-sent",
        "credit-sent",
        "slip-voided",
        "box-pulled",
        "drop-counted",
    )
)
"""The kinds of fact in the index `fact_of_the_floor`."""
_OPENING = "kind IN ('table-opened', 'dealer-seated', 'round-opened', 'corrected') AND kind = 'table-opened'"
_BESIDE = """kind IN ('table-closed', 'opener-counted', 'closer-counted', 'fill-sent', 'credit-sent',
    'slip-voided', 'box-pulled',
    'drop-counted') AND kind = ANY(%s)"""


def other_facts_of(
    wanted: Collection[tuple[str, str]], kinds: Sequence[str], until: int | None
) -> dict[tuple[str, str], OtherFacts]:
    """Return {(property, stream): openings and other facts}. The other facts have one of these kinds, which
    must be in BESIDE. They are in the order of play.
    """
    by_stream: dict[tuple[str, str], OtherFacts] = {}
    if not wanted:
        return by_stream
    places = [list(column) for column in zip(*sorted(wanted), strict=True)]
    asks: list[tuple[str, list[Any]]] = [(_OPENING, []), *([(_BESIDE, [list(kinds)])] if kinds else [])]
    for condition, values in asks:
        query = f"""SELECT f.property, f.stream, f.number, f.body
            FROM unnest(%s::text[], %s::text[]) AS w (property, stream)
            JOIN fact f ON f.property = w.property AND f.stream = w.stream AND {condition}
            WHERE %s::bigint IS NULL OR f.position <= %s ORDER BY 1, 2, 3"""
        for property, stream, number, body in database.rows(query, [*places, *values, until, until]):
            of_stream, event = (
                by_stream.setdefault((property, stream), OtherFacts([], [])),
                decode(bytes(body)),
            )
            if isinstance(event, e.TableOpened):
                of_stream.openings.append((number, event))
            else:
                of_stream.others.append((number, event))
    return by_stream


def voided(place: int, slip: f.FillSent | f.CreditSent, others: OtherFacts) -> bool:
    """Return True if a slip is void.

    A slip that is recorded later under the serial of a voided slip is judged as a new slip.

    Args:
        place: the number of the slip's fact in its stream.
    """
    numbers = (
        (number, other)
        for number, other in others.others
        if isinstance(other, f.SlipVoided) and other.slip == slip.slip
    )
    return any(voids(number, other.at, place, slip.at) for number, other in numbers)
