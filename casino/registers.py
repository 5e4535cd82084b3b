"""What the registers hold on a gaming day, read from their projection."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from typing import Any, NamedTuple

from casino.calendar import gaming_day
from casino.models import ALWAYS, FOREVER, Device, Entry, Member, Standing, roles_of


def held(property: str, register: str, day: date | None = None) -> dict[str, Any]:
    """Key to value of every entry that holds on this day; None is the property's gaming day now."""
    day = gaming_day(property) if day is None else day
    rows = Standing.objects.filter(property=property, register=register, begins__lte=day, ends__gt=day)
    return dict(rows.order_by("key").values_list("key", "value"))


class Threshold(NamedTuple):
    """What an entry of the register `thresholds` says; nothing where it does not stand, or is no object."""

    said: dict[str, Any]

    def whole(self, name: str) -> int | None:
        """The whole number under this name; None where there is none."""
        value = self.said.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else None


def threshold(property: str, key: str, day: date | None = None) -> Threshold:
    """The threshold of this key on this gaming day; None is the property's gaming day now."""
    entry = held(property, "thresholds", day).get(key)
    return Threshold(entry if isinstance(entry, dict) else {})


def thresholds(property: str, key: str) -> Callable[[date], Threshold]:
    """The same on any gaming day, read once for many of them."""
    entries = list(Standing.objects.filter(property=property, register="thresholds", key=key))

    def on(day: date) -> Threshold:
        value = next((entry.value for entry in entries if entry.begins <= day < entry.ends), None)
        return Threshold(value if isinstance(value, dict) else {})

    return on


def everywhere(register: str, key: str) -> dict[str, Any]:
    """Property to the value of this key on the property's own gaming day."""
    return {row.property: row.value for row in _now(Standing.objects.filter(register=register, key=key))}


def left(ids: Iterable[str]) -> set[str]:
    """Those of these people who have left: a register named them once, and none gives them a role today or on a day to come."""
    named = set(Entry.objects.filter(register="people", key__in=list(ids)).values_list("key", flat=True))
    days: dict[str, date] = {}
    for row in Member.objects.filter(key__in=named):
        if row.ends != FOREVER and row.property not in days:
            days[row.property] = gaming_day(row.property)
        if roles_of(row.value) and (row.ends == FOREVER or row.ends > days[row.property]):
            named.discard(row.key)
    return named


def device(property: str, name: str) -> Device | None:
    """A device as it is registered today; None where it is not."""
    return next(_now(Device.objects.filter(property=property, key=name)), None)


def _now(rows: Any) -> Any:
    """Those that hold now. An entry without bounds, as most are, is spared the question which day it is."""
    days: dict[str, date] = {}
    for row in rows:
        if (row.begins, row.ends) != (ALWAYS, FOREVER):
            if row.property not in days:
                days[row.property] = gaming_day(row.property)
            if not row.begins <= days[row.property] < row.ends:
                continue
        yield row
