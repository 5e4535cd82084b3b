"""Store what each person prefers to see. No figure depends on these preferences. When a person's name is
erased, the person's preferences are erased too.
"""

from __future__ import annotations

from typing import Any

from msgspec import json

from audit import database

_STORE = """INSERT INTO preference (person, name, value) VALUES (%s, %s, %s)
    ON CONFLICT (person, name) DO UPDATE SET value = preference.value || excluded.value"""


def preferences_of(person: str, kind: str) -> dict[str, dict[str, Any]]:
    """Return {name: value} of a person's preferences of one kind, for example `report`. The kind is not part
    of the returned names.
    """
    query = "SELECT name, value FROM preference WHERE person = %s AND starts_with(name, %s)"
    return {
        name.partition(":")[2]: value if isinstance(value, dict) else json.decode(value)
        for name, value in database.rows(query, [person, f"{kind}:"])
    }


def preference_of(person: str, kind: str, name: str) -> dict[str, Any]:
    """Return one preference of a person, or {} if the person has none."""
    query = "SELECT value FROM preference WHERE person = %s AND name = %s"
    for (value,) in database.rows(query, [person, f"{kind}:{name}"]):
        return value if isinstance(value, dict) else json.decode(value, type=dict[str, Any])
    return {}


def set_preference(person: str, kind: str, name: str, value: dict[str, Any]) -> None:
    """Set some fields of a preference. Its other fields do not change."""
    database.execute(_STORE, [person, f"{kind}:{name}", json.encode(value).decode()])


def erase(person: str) -> None:
    """Erase all preferences of a person."""
    database.execute("DELETE FROM preference WHERE person = %s", [person])
