"""Read register values with prepared statements. Every page reads some of them, and Django's models take four
times as long to build a query and its rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple

from audit import database


class StandingValue(NamedTuple):
    """The value of one key of a register. It applies from the gaming day `begins` until the day before
    `ends`.
    """

    property: str
    key: str
    value: Any
    begins: date
    ends: date


def of_register(properties: Sequence[str], register: str) -> list[StandingValue]:
    """Return all values of a register at these properties. They may be valid on any day. They are sorted by
    property, key and first day.
    """
    query = f"{_SELECT} WHERE property = ANY (%s) AND register = %s ORDER BY property, key, begins"
    return _rows(query, [list(properties), register])


def everywhere(register: str) -> list[StandingValue]:
    """Return all values of a register at all properties. They may be valid on any day. They are sorted by key
    and first day.
    """
    return _rows(f"{_SELECT} WHERE register = %s ORDER BY key, begins", [register])


def of_key(register: str, key: str) -> list[StandingValue]:
    """Return all values of one key of a register at all properties. They may be valid on any day."""
    return _rows(f"{_SELECT} WHERE register = %s AND key = %s ORDER BY property, begins", [register, key])


def on(property: str, register: str, day: date) -> dict[str, Any]:
    """Return {key: value} of the register on a gaming day."""
    query = f"{_SELECT} WHERE property = %s AND register = %s AND begins <= %s AND ends > %s ORDER BY key"
    return {row.key: row.value for row in _rows(query, [property, register, day, day])}


_SELECT = "SELECT property, key, value, begins, ends FROM casino_standing"


def _rows(query: str, values: Sequence[Any]) -> list[StandingValue]:
    return list(database.prepared_rows(query, values, StandingValue._make))
