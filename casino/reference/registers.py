"""Read the values of the registers on a gaming day, from the tables of `projection.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from fractions import Fraction
from typing import Any, NamedTuple

from audit import database
from casino.models import ALWAYS, FOREVER, Device, Entry, Member, roles_of
from casino.reference import standing
from casino.reference.calendar import gaming_day
from games.kit.amounts import EXPONENT

DOLLARS = "USD"
"""The currency of a property that has no currency in its register `property`."""


def values_on(property: str, register: str, day: date | None = None) -> dict[str, Any]:
    """Return {key: value} of all entries in force on a day, by default the property's current gaming day."""
    day = gaming_day(property) if day is None else day
    return standing.on(property, register, day)


class Threshold(NamedTuple):
    """The value of an entry of the register `thresholds`. It is empty if there is no entry, or if the entry's
    value is not an object.
    """

    said: dict[str, Any]

    def whole(self, name: str) -> int | None:
        """Return the member of the value that has this name if it is an integer, otherwise None."""
        value = self.said.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else None


def threshold(property: str, key: str, day: date | None = None) -> Threshold:
    """Return the threshold with this key on a gaming day, by default the property's current one."""
    entry = values_on(property, "thresholds", day).get(key)
    return Threshold(entry if isinstance(entry, dict) else {})


def threshold_amounts(property: str, key: str) -> Callable[[date, str], Fraction | None]:
    """Return a function that returns the amount of this threshold in minor units, or None, for a gaming day
    and a currency.

    The amount is entered in the property's currency. In another currency, the threshold is the same number of
    whole units. The register is read only once.
    """
    of_keys = (("thresholds", key), ("property", "*"))
    entries = [
        [row for row in standing.of_register([property], register) if row.key == name]
        for register, name in of_keys
    ]

    def on(day: date, currency: str) -> Fraction | None:
        values = (next((row.value for row in of if row.begins <= day < row.ends), None) for of in entries)
        entered, house = (value if isinstance(value, dict) else {} for value in values)
        minimum = Threshold(entered).whole("amount")
        return None if minimum is None else Fraction(minimum * _one(currency), _one(_named(house)))

    return on


def currency_of(property: str) -> str:
    """Return the currency of the property according to its register `property`."""
    house = values_on(property, "property").get("*")
    return _named(house if isinstance(house, dict) else {})


def _named(house: dict[str, Any]) -> str:
    named = house.get("currency")
    return named if isinstance(named, str) else DOLLARS


def _one(currency: str) -> int:
    """Return the number of minor units in one whole unit of a currency."""
    return int(10 ** EXPONENT.get(currency, 2))


def values_at_all_properties(register: str, key: str) -> dict[str, Any]:
    """Return {property: value of this key} on the current gaming day of each property."""
    return {row.property: row.value for row in _now(standing.of_key(register, key))}


def find_departed(ids: Iterable[str]) -> set[str]:
    """Return the people with these IDs who have left: a register of people contains them, but they have no
    role today or later.
    """
    named = set(Entry.objects.filter(register="people", key__in=list(ids)).values_list("key", flat=True))
    days: dict[str, date] = {}
    for row in Member.objects.filter(key__in=named):
        if row.ends != FOREVER and row.property not in days:
            days[row.property] = gaming_day(row.property)
        if roles_of(row.value) and (row.ends == FOREVER or row.ends > days[row.property]):
            named.discard(row.key)
    return named


def device(property: str, name: str) -> Device | None:
    """Return a device with the settings in force today, or None if it is not registered."""
    rows = database.prepared_instances(Device, _DEVICE, [property, name])
    device: Device | None = next(_now(rows), None)
    return device


_DEVICE = "register = 'devices' AND property = %s AND key = %s"


def _now(rows: Any) -> Any:
    """Yield the rows that are in force on the current gaming day of their property. A row without first and
    last day is always in force, so no gaming day is computed for it.
    """
    days: dict[str, date] = {}
    for row in rows:
        if (row.begins, row.ends) != (ALWAYS, FOREVER):
            if row.property not in days:
                days[row.property] = gaming_day(row.property)
            if not row.begins <= days[row.property] < row.ends:
                continue
        yield row
