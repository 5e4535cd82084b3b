"""Facts of a sample property that are not in the stream of a table, such as register entries."""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Any

from casino.sample.tables.day import Day
from casino.sample.tables.drafts import property_fact
from casino.sample.tables.staff import ADMINISTRATORS, INSTALLERS


def register(day: Day, name: str, key: str, value: Any) -> dict[str, Any]:
    """Return a fact that sets one register entry. The fact is posted early on the gaming day; the entry is in
    force from the start of the year.
    """
    return entry(day.rng, len(day.before) + 1, day.property, day.day, name, key, value)


def entry(
    rng: Random, number: int, property: str, day: date, name: str, key: str, value: Any, begins: str = ""
) -> dict[str, Any]:
    """Return a `register-set` fact of the property's stream. It is signed by two administrators; other people
    sign the administrators' own entries. If `begins` is empty, the entry is in force from the start of the
    year.
    """
    by, second = INSTALLERS if key in ADMINISTRATORS else ADMINISTRATORS
    fields = {
        "register": name,
        "key": key,
        "value": value,
        "from": begins or f"{day.year}-01-01",
        "to": None,
        "by": by,
        "second": second,
    }
    return property_fact(rng, number, property, day, "register-set", fields)
