"""Store pending slips: fills and credits that still wait for signatures. No other module writes the table
`slip_under_way`.

A pending slip is not a fact and has no serial. Its chips and its gaming day never change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from msgspec import json

from audit import database
from casino.reference.calendar import gaming_day
from casino.sealing import journal


class Signature(NamedTuple):
    """A signature of a pending slip: the role, the staff ID and the time."""

    role: str
    id: str
    at: datetime


class PendingSlip(NamedTuple):
    """A slip that still lacks signatures. Its fact will have the same `uid`."""

    uid: UUID
    property: str
    table: str
    kind: str
    currency: str
    chips: dict[str, int]
    amount: int
    signatures: tuple[Signature, ...]
    begun: datetime
    day: date
    """The gaming day of the table at the time of the request."""


LATE = timedelta(minutes=15)
"""Time after which a slip that still lacks signatures is shown as late. No rule names such a limit."""
TABLE = "slip_under_way"
_SELECT = (
    'SELECT uid, property, "table", kind, currency, chips::text, amount, signatures::text, begun, day FROM'
    " slip_under_way"
)


def signatures_by_role(slip: PendingSlip) -> dict[str, Signature]:
    """Return {role: signature} of a slip."""
    return {signature.role: signature for signature in slip.signatures}


def is_late(slip: PendingSlip, instant: datetime) -> bool:
    """Return True if the slip has waited for its signatures longer than LATE."""
    return instant - slip.begun > LATE


def stream_of(slip: PendingSlip) -> str:
    """Return the stream in which a slip will be recorded."""
    return f"{slip.property}/{slip.table}/{slip.day}"


def insert(slip: PendingSlip) -> bool:
    """Store a new pending slip. Return False if a slip with its uid exists."""
    query = """
        INSERT INTO slip_under_way
            (uid, property, "table", kind, currency, chips, amount, signatures, begun, day)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING"""
    values = (*slip[:5], _json(slip.chips), slip.amount, _json(slip.signatures), slip.begun, slip.day)
    with transaction.atomic():
        is_new = bool(database.execute(query, values))
        if is_new:
            journal.record(TABLE, [slip.uid])
    return is_new


def lock(property: str, uid: UUID) -> PendingSlip | None:
    """Lock a pending slip until the transaction ends, and return it. Return None if it does not exist.

    If two people sign at the same moment, the second request waits for the first and then reads its
    signature.
    """
    return next(_select("WHERE property = %s AND uid = %s FOR UPDATE", (property, uid)), None)


def get(property: str, uid: UUID) -> PendingSlip | None:
    """Return a pending slip without locking it; None if it does not exist."""
    return next(_select("WHERE property = %s AND uid = %s", (property, uid)), None)


def of_property(property: str) -> list[PendingSlip]:
    """Return all pending slips of a property, sorted by table and age."""
    return list(_select('WHERE property = %s ORDER BY "table", begun, uid', (property,)))


def save_signatures(slip: PendingSlip, signatures: Iterable[Signature]) -> None:
    """Replace the signatures of a pending slip."""
    query = "UPDATE slip_under_way SET signatures = %s WHERE uid = %s"
    with transaction.atomic():
        database.execute(query, [_json(tuple(signatures)), slip.uid])
        journal.record(TABLE, [slip.uid])


def remove(slip: PendingSlip) -> None:
    """Delete a pending slip that has been recorded, voided or withdrawn."""
    with transaction.atomic():
        database.execute(f"DELETE FROM {TABLE} WHERE uid = %s", [slip.uid])
        journal.record(TABLE, [slip.uid])


def _json(value: Any) -> str:
    return json.encode(value).decode()


def _select(condition: str, values: tuple[Any, ...]) -> Iterator[PendingSlip]:
    rows = database.rows(f"{_SELECT} {condition}", values)
    for uid, property, table, kind, currency, chips, amount, signatures, begun_at, day in rows:
        signed = json.decode(signatures, type=list[tuple[str, str, datetime]])
        yield PendingSlip(
            uid,
            property,
            table,
            kind,
            currency,
            json.decode(chips),
            amount,
            tuple(Signature(*signature) for signature in signed),
            begun_at,
            day or gaming_day(property, begun_at),
        )
