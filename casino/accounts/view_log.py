"""The viewing log: who viewed which hand, and who downloaded which report. Its rows are never changed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from audit import database
from casino.models import Person

PAGE = 100
KINDS = {"hands": "stream <> ''", "files": "stream = ''"}
"""{kind of entry: its condition}. Reports and files have no stream."""


class Viewing(NamedTuple):
    """One entry: a person viewed a hand or downloaded a report. For a report, `hand` is the name of the
    report, and `address` is its URL.
    """

    id: int
    at: datetime
    person: str
    property: str
    stream: str
    hand: str
    address: str


def record(person: Person, property: str, stream: str, hand: str) -> None:
    """Record that a person views a hand. Call this before the hand is shown."""
    query = "INSERT INTO viewing (person, property, stream, hand) VALUES (%s, %s, %s, %s)"
    database.execute(query, [person.pk, property, stream, hand])


def record_report(viewer: Any, property: str, named: str, address: str) -> None:
    """Record that a person or a device downloads a report. Call this before the report is sent. `named` is
    the name of the report, and `address` its URL.
    """
    query = "INSERT INTO viewing (person, property, stream, hand, address) VALUES (%s, %s, '', %s, %s)"
    database.execute(query, [getattr(viewer, "key", None) or viewer.pk, property, named, address])


def viewings(
    properties: Sequence[str],
    *,
    person: str = "",
    table: str = "",
    kind: str = "",
    since: datetime | None = None,
    before: int | None = None,
) -> list[Viewing]:
    """Return a page of entries whose ids are lower than `before`, latest first. If more entries follow, the
    result has one extra entry.

    Args:
        properties: the properties whose entries are returned.
        person: the staff ID or device of the entries, or empty text for all.
        table: the table of the entries, such as `EOU-01` or `aurora/EOU-01`, or empty text for all.
        kind: the key of KINDS of the entries, or empty text for all.
        since: the time of the earliest entry, or None for all.
        before: the ID of the entry that follows the page, or None for the latest page.
    """
    values: list[Any]
    condition, values = (
        "property = ANY (%s) AND id < %s",
        [list(properties), before if before is not None else 2**62],
    )
    if person:
        condition, values = f"{condition} AND person = %s", [*values, person]
    if table:
        tables = [table] if "/" in table else [f"{property}/{table}" for property in properties]
        condition, values = f"{condition} AND stream ^@ ANY (%s)", [*values, [f"{name}/" for name in tables]]
    if kind:
        condition = f"{condition} AND {KINDS[kind]}"
    if since is not None:
        condition, values = f"{condition} AND at >= %s", [*values, since]
    query = (
        f"SELECT id, at, person, property, stream, hand, address FROM viewing WHERE {condition} ORDER BY id"
        f" DESC LIMIT {PAGE + 1}"
    )
    return database.records(Viewing, query, values)
