"""Fills and credits that still gather signatures: what is asked for, and who has signed so far. The only
writer of `slip_under_way`.

Nothing here is a fact yet and nothing has a serial. What is asked for never changes once somebody has signed
it, nor does its gaming day.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from msgspec import json

from casino.reference.calendar import gaming_day


class Mark(NamedTuple):
    """One signature: as what, by whom, when."""

    role: str
    id: str
    at: datetime


class UnderWay(NamedTuple):
    """A slip that lacks a signature. `uid` will be that of its fact."""

    uid: UUID
    property: str
    table: str
    kind: str
    currency: str
    chips: dict[str, int]
    amount: int
    signatures: tuple[Mark, ...]
    begun: datetime
    day: date
    """The table's gaming day on which it was asked for."""


_SELECT = (
    'SELECT uid, property, "table", kind, currency, chips::text, amount, signatures::text, begun, day FROM'
    " slip_under_way"
)


def signed(slip: UnderWay) -> dict[str, Mark]:
    """Role to its signature."""
    return {mark.role: mark for mark in slip.signatures}


def stream(slip: UnderWay) -> str:
    """Where it is recorded with its last signature."""
    return f"{slip.property}/{slip.table}/{slip.day}"


def begin(slip: UnderWay) -> bool:
    """Keep a new one; False where one with this uid stands already."""
    query = """INSERT INTO slip_under_way (uid, property, "table", kind, currency, chips, amount, signatures, begun, day)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING"""
    values = (*slip[:5], _text(slip.chips), slip.amount, _text(slip.signatures), slip.begun, slip.day)
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        return bool(cursor.rowcount)


def take(property: str, uid: UUID) -> UnderWay | None:
    """One of them, locked until the transaction ends: of two who sign at once the second sees the first."""
    return next(_found("WHERE property = %s AND uid = %s FOR UPDATE", (property, uid)), None)


def find(property: str, uid: UUID) -> UnderWay | None:
    """The same to look at."""
    return next(_found("WHERE property = %s AND uid = %s", (property, uid)), None)


def of_property(property: str) -> list[UnderWay]:
    """All of a property, by table and age."""
    return list(_found('WHERE property = %s ORDER BY "table", begun, uid', (property,)))


def keep(slip: UnderWay, signatures: Iterable[Mark]) -> None:
    """These are its signatures now."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE slip_under_way SET signatures = %s WHERE uid = %s", [_text(tuple(signatures)), slip.uid]
        )


def end(slip: UnderWay) -> None:
    """It is under way no more: it is a fact, or was never one."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM slip_under_way WHERE uid = %s", [slip.uid])


def _text(value: Any) -> str:
    return json.encode(value).decode()


def _found(condition: str, values: tuple[Any, ...]) -> Iterator[UnderWay]:
    with connection.cursor() as cursor:
        cursor.execute(f"{_SELECT} {condition}", values)
        rows = cursor.fetchall()
    for uid, property, table, kind, currency, chips, amount, signatures, begun, day in rows:
        marks = tuple(Mark(*mark) for mark in json.decode(signatures, type=list[tuple[str, str, datetime]]))
        yield UnderWay(
            uid,
            property,
            table,
            kind,
            currency,
            json.decode(chips),
            amount,
            marks,
            begun,
            day or gaming_day(property, begun),
        )
