"""The database tables of the daily log, of cameras that are down, and of recordings that are held. Only this
module writes these tables. `rebuild` computes them again.

Facts are read once, in the order of commit. `audit/review/log_rows.py` computes the rows.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction

from audit import database
from audit.facts import decode
from audit.ledger import store
from audit.review.log_rows import TABLES, Entry, Hold, LogRows, Outage, one_form

FOLLOWED = frozenset(
    {
        "log-written",
        "hand-over-accepted",
        "camera-down",
        "camera-up",
        "hold-ordered",
        "hold-secured",
        "hold-released",
        "clip-exported",
    }
)
POSITIONS = "log_followed"
"""The database table with the position up to which facts were read, and the number of entries so far."""


class InTables:
    """Finds rows that were computed from earlier facts, in the database tables of a property."""

    def __init__(self, property: str) -> None:
        self.property = property

    def entry(self, uid: str) -> Entry | None:
        """Return the entry whose fact has this uid."""
        return entry_of(self.property, uid)

    def outage(self, camera: str) -> Outage | None:
        """Return the current outage of a camera, or None if the camera is not down."""
        query = f"SELECT {columns(Outage)} FROM camera_outage WHERE property = %s AND camera = %s"
        rows = database.records(Outage, f"{query} AND ended_position IS NULL", [self.property, camera])
        return rows[0] if rows else None

    def hold(self, uid: str) -> Hold | None:
        """Return the hold that was ordered by the fact with this uid."""
        return hold_of(self.property, uid)


def entry_of(property: str, uid: str) -> Entry | None:
    """Return the entry whose fact has this uid, or None if no entry has it."""
    query = f"SELECT {columns(Entry)} FROM log_entry WHERE property = %s AND uid = %s"
    rows = database.records(Entry, query, [property, one_form(uid)])
    return rows[0] if rows else None


def hold_of(property: str, uid: str) -> Hold | None:
    """Return the order to keep a recording (a hold) that the fact with this uid gave, or None if there is no
    such order.
    """
    query = f"SELECT {columns(Hold)} FROM video_hold WHERE property = %s AND uid = %s"
    rows = database.records(Hold, query, [property, one_form(uid)])
    return rows[0] if rows else None


def follow(property: str) -> int:
    """Read the facts of the log that were recorded since the last call. Return their number."""
    with transaction.atomic():
        database.execute(f"INSERT INTO {POSITIONS} VALUES (%s, 0, 0) ON CONFLICT DO NOTHING", [property])
        query = f"SELECT position, entries FROM {POSITIONS} WHERE property = %s FOR UPDATE"
        position, entries = database.rows(query, [property])[0]
        rows, count = LogRows(InTables(property), entries), 0
        for place, _, _, body in store.read_kinds(property, FOLLOWED, position):
            rows.take(place, decode(body))
            position, count = place, count + 1
        if not count:
            return 0
        for table, name in TABLES.items():
            changed = [row for (of, _), row in rows.changed.items() if of is table]
            database.execute_many(_upsert(table, name), [(property, *row) for row in changed])
        query = f"UPDATE {POSITIONS} SET position = %s, entries = %s WHERE property = %s"
        database.execute(query, [position, rows.entries, property])
    return count


def rebuild(property: str) -> None:
    """Delete the rows of a property in the tables of the log, and compute them again from its facts."""
    with transaction.atomic():
        for table in (*TABLES.values(), POSITIONS):
            database.execute(f"DELETE FROM {table} WHERE property = %s", [property])
        follow(property)


def columns(row: Any) -> str:
    """Return SQL for the columns of a row. JSON is read as text."""
    return ", ".join(f"{name}::text AS {name}" if name in JSON else f'"{name}"' for name in row._fields)


JSON = frozenset({"video", "still_open"})


def _upsert(row: Any, table: str) -> str:
    """Return SQL that inserts a row of a table, or replaces the row with the same key."""
    names = [f'"{name}"' for name in row._fields]
    values = ", ".join(["%s"] * (len(names) + 1))
    changes = ", ".join(f"{name} = excluded.{name}" for name in names[1:])
    return f"""INSERT INTO {table} (property, {", ".join(names)}) VALUES ({values})
        ON CONFLICT (property, {names[0]}) DO UPDATE SET {changes}"""
