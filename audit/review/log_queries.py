"""Read the daily log, the cameras that are down, and the recordings that are held."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from audit import database
from audit.review.log_projection import columns
from audit.review.log_projection import entry_of as entry_of
from audit.review.log_projection import hold_of as hold_of
from audit.review.log_rows import ORDERED, RELEASED, Entry, Export, Hold, Outage
from audit.review.projections import GRADES
from audit.review.queue import NOTICE_RANK

PAGE = 50
UID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
WAITING = 200
"""Maximum number of items that a page shows in each of its lists: open entries, cameras that are down, and
recordings that are held.
"""


class Wanted(NamedTuple):
    """Filters of the log of a property.

    Attributes:
        state: empty for all entries, `open` for open entries.
    """

    type: str = ""
    table: str = ""
    day: date | None = None
    by: str = ""
    camera: str = ""
    state: str = ""


def entries(property: str, wanted: Wanted, before: int | None = None) -> list[Entry]:
    """Return a page of entries whose numbers are lower than `before`, latest first. If more entries follow,
    the result has one extra entry.
    """
    condition, values = "property = %s AND number < %s", [property, before if before is not None else 2**62]
    filters: tuple[tuple[str, Any], ...] = (
        ("type = %s", wanted.type),
        ("of_table = %s", wanted.table),
        ("day = %s", wanted.day),
        ("by = %s", wanted.by),
        ("camera = %s", wanted.camera),
    )
    for clause, value in filters:
        if value:
            condition, values = f"{condition} AND {clause}", [*values, value]
    if wanted.state == "open":
        condition += " AND waits"
    return _entries(f"{condition} ORDER BY number DESC LIMIT {PAGE + 1}", values)


def entry(property: str, number: int) -> Entry | None:
    """Return the entry with this number, or None if the log has no such entry."""
    rows = _entries("property = %s AND number = %s", [property, number])
    return rows[0] if rows else None


def numbered(property: str, numbers: Sequence[int]) -> dict[int, Entry]:
    """Return {number: entry} of these entries."""
    rows = _entries("property = %s AND number = ANY (%s)", [property, list(numbers)]) if numbers else []
    return {row.number: row for row in rows}


def about_hand(property: str, stream: str, round: str) -> list[Entry]:
    """Return the entries about a hand, in the order in which they were written."""
    table, _, day = stream.rpartition("/")
    return _entries(
        "property = %s AND of_table = %s AND of_day = %s AND round = %s ORDER BY number",
        [property, table, day, round],
    )


def about_fact(property: str, uid: str) -> list[Entry]:
    """Return the entries about a fact outside a hand, such as a slip or a count."""
    return _entries("property = %s AND of = %s ORDER BY number", [property, uid.lower()])


def about_table(property: str, table: str, day: date) -> list[Entry]:
    """Return the latest entries about a table's gaming day."""
    return _entries(
        "property = %s AND of_table = %s AND of_day = %s ORDER BY number DESC LIMIT 20",
        [property, table, day],
    )


def waiting(property: str) -> list[Entry]:
    """Return the open entries, oldest first: hand-overs that nobody has accepted, and entries that must still
    be closed.
    """
    return _entries(f"property = %s AND waits ORDER BY number LIMIT {WAITING}", [property])


def last_hand_over(property: str, type: str) -> Entry | None:
    """Return the latest entry of this type, such as a hand-over, or None if there is no such entry."""
    rows = _entries("property = %s AND type = %s ORDER BY number DESC LIMIT 1", [property, type])
    return rows[0] if rows else None


def outages(property: str) -> list[Outage]:
    """Return the cameras that are down, by camera."""
    query = f"SELECT {columns(Outage)} FROM camera_outage WHERE property = %s AND ended_position IS NULL"
    return database.records(Outage, f"{query} ORDER BY camera LIMIT {WAITING}", [property])


def outages_of(property: str, camera: str) -> list[Outage]:
    """Return the latest outages of a camera, latest first."""
    query = f"SELECT {columns(Outage)} FROM camera_outage WHERE property = %s AND camera = %s"
    return database.records(Outage, f"{query} ORDER BY position DESC LIMIT 20", [property, camera])


def holds(property: str, states: Sequence[str], limit: int = WAITING) -> list[Hold]:
    """Return the holds in one of these states, in the order in which they were ordered."""
    condition = f"property = %s AND state = ANY (%s) ORDER BY position LIMIT {limit:d}"
    return _holds(condition, [property, list(states)])


def released(property: str) -> list[Hold]:
    """Return the recordings that were released, latest first."""
    return _holds("property = %s AND state = %s ORDER BY position DESC LIMIT 50", [property, RELEASED])


def to_secure(property: str) -> int:
    """Return the number of recordings that were ordered to be held and are not secured."""
    query = "SELECT count(*) FROM video_hold WHERE property = %s AND state = %s"
    number: int = database.rows(query, [property, ORDERED])[0][0]
    return number


def holds_of_hand(property: str, stream: str, round: str) -> list[Hold]:
    """Return the holds of a hand's recordings."""
    table, _, day = stream.rpartition("/")
    condition = "property = %s AND of_table = %s AND of_day = %s AND round = %s ORDER BY position"
    return _holds(condition, [property, table, day, round])


def exports_of_hand(property: str, stream: str, round: str) -> list[Export]:
    """Return the exported pieces of a hand's recordings."""
    table, _, day = stream.rpartition("/")
    query = f"""SELECT {columns(Export)} FROM clip_export
        WHERE property = %s AND of_table = %s AND of_day = %s AND round = %s ORDER BY position"""
    return database.records(Export, query, [property, table, day, round])


def holds_of_fact(property: str, uid: str) -> list[Hold]:
    """Return the holds of recordings of this fact, which belongs to no hand."""
    return _holds("property = %s AND of = %s ORDER BY position", [property, uid.lower()])


def exports_of_fact(property: str, uid: str) -> list[Export]:
    """Return the exported pieces of recordings of this fact, which belongs to no hand."""
    query = f"SELECT {columns(Export)} FROM clip_export WHERE property = %s AND of = %s ORDER BY position"
    return database.records(Export, query, [property, uid.lower()])


def hands_waiting(property: str) -> dict[str, int]:
    """Return {grade: number of hands that need a verdict}, as the queue counts them. The result has up to
    four further counts: how many of these hands wait for a second reviewer (`second`), and how many are
    `escalated`, `assigned` or `snoozed`. A hand may be in several of the further counts. Counts of 0 are left
    out.
    """
    query = """SELECT rank, count(*), count(*) FILTER (WHERE state = 'second'),
            count(*) FILTER (WHERE state = 'escalated'), count(*) FILTER (WHERE owner <> ''),
            count(*) FILTER (WHERE until > now())
        FROM queued WHERE property = %s AND state = ANY ('{open,second,escalated}') AND rank < %s
        GROUP BY 1 ORDER BY 1"""
    rows = database.rows(query, [property, NOTICE_RANK])
    by_grade = {GRADES[rank - 1]: hands for rank, hands, *_ in rows}
    totals = [sum(column) for column in list(zip(*rows, strict=True))[2:]]
    return by_grade | {name: total for name, total in zip(FURTHER, totals, strict=False) if total}


FURTHER = ("second", "escalated", "assigned", "snoozed")
"""The counts of hands that are included in the counts by grade."""


class EntryFact(NamedTuple):
    """The fact of an entry, with its hashes."""

    stream: str
    number: int
    body: bytes
    leaf: bytes
    chain: bytes
    recorded_at: datetime


def fact_of(property: str, position: int) -> EntryFact:
    """Return the fact at a position of the ledger."""
    query = """SELECT stream, number, body, leaf, chain, recorded_at FROM fact
        WHERE property = %s AND position = %s"""
    stream, number, body, leaf, chain, recorded_at = database.rows(query, [property, position])[0]
    return EntryFact(stream, number, bytes(body), bytes(leaf), bytes(chain), recorded_at)


def places_of(property: str, uids: Sequence[str]) -> dict[str, tuple[str, int]]:
    """Return {uid: (stream, number)} of these facts. A text that is not a uid is ignored."""
    wanted = [uid for uid in uids if UID.fullmatch(uid)]
    query = "SELECT uid::text, stream, number FROM fact WHERE property = %s AND uid = ANY (%s::uuid[])"
    rows = database.rows(query, [property, wanted]) if wanted else []
    return {uid: (stream, number) for uid, stream, number in rows}


def _entries(condition: str, values: Sequence[Any]) -> list[Entry]:
    return database.records(Entry, f"SELECT {columns(Entry)} FROM log_entry WHERE {condition}", values)


def _holds(condition: str, values: Sequence[Any]) -> list[Hold]:
    return database.records(Hold, f"SELECT {columns(Hold)} FROM video_hold WHERE {condition}", values)
