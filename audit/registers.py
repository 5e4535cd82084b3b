"""The property's registers as of a gaming day: people, approvals, when the day begins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from audit import facts as f


class Registers:
    """All entries of a property. An entry holds from its first day until the day before `to`; a later one of the same key replaces it."""

    def __init__(self, entries: Iterable[f.RegisterSet]) -> None:
        """`entries` in the order of commit."""
        self.entries: dict[str, dict[str, list[f.RegisterSet]]] = {}
        self.people: dict[date, frozenset[str]] = {}
        self.days: dict[date, tuple[datetime, datetime] | None] = {}
        for entry in entries:
            self.entries.setdefault(entry.register, {}).setdefault(entry.key, []).append(entry)

    def on(self, register: str, day: date) -> Iterator[tuple[str, Any]]:
        """Key and value of every entry that holds on this day. A null value strikes the key out."""
        for key, entries in self.entries.get(register, {}).items():
            for entry in reversed(entries):
                if (entry.from_ is None or entry.from_ <= day) and (entry.to is None or day < entry.to):
                    if entry.value is not None:
                        yield key, entry.value
                    break

    def dealers(self, day: date) -> frozenset[str]:
        """Who deals here on this day; where nobody is named, nobody can be judged by it."""
        if day not in self.people:
            self.people[day] = frozenset(key for key, value in self.on("people", day) if deals(value))
        return self.people[day]

    def knows_approvals(self, day: date) -> bool:
        """Whether any approval is registered for this day."""
        return any(True for _ in self.on("approvals", day))

    def approves(self, game: str, edition: str, wager: str, pay_table: str, day: date) -> bool:
        """Whether an approval covers the game's edition, and this pay table of the wager where one is named."""
        return any(covers(value, game, edition, wager, pay_table, day) for _, value in self.on("approvals", day))

    def day(self, day: date) -> tuple[datetime, datetime] | None:
        """The gaming day as instants, its end not in; None where the register does not say when it begins."""
        if day not in self.days:
            begins, ends = self.begins(day), self.begins(day + timedelta(days=1)) if day < date.max else None
            self.days[day] = (begins, ends) if begins is not None and ends is not None else None
        return self.days[day]

    def day_of(self, at: datetime) -> date | None:
        """The gaming day that an instant falls into; None where the register does not say."""
        near = at.date()
        for day in (near - timedelta(days=1), near, near + timedelta(days=1)):
            bounds = self.day(day)
            if bounds is not None and bounds[0] <= at < bounds[1]:
                return day
        return None

    def begins(self, day: date) -> datetime | None:
        """The instant at which this gaming day begins by the property's clock."""
        for _, value in self.on("day-begins", day):
            try:
                return datetime.combine(day, time.fromisoformat(value["time"]), ZoneInfo(value["zone"]))
            except (KeyError, TypeError, ValueError, ZoneInfoNotFoundError):
                continue
        return None


def deals(value: Any) -> bool:
    """Whether an entry of the register of people is a dealer's; one that says no role may be."""
    if not isinstance(value, dict):
        return True
    roles = value.get("roles", value.get("role", "dealer"))
    return "dealer" in (roles if isinstance(roles, list) else [roles])


def covers(value: Any, game: str, edition: str, wager: str, pay_table: str, day: date) -> bool:
    """Whether one approval {game, edition, pay_tables, letter, from, to} covers a wager's pay table on a day."""
    if not isinstance(value, dict) or value.get("game") != game or value.get("edition") not in (None, edition):
        return False
    if any(value.get(end) is not None and not isinstance(value.get(end), str) for end in ("from", "to")):
        return False
    if (value.get("from") or "") > day.isoformat() or (value.get("to") or "9999-99") <= day.isoformat():
        return False
    tables = value.get("pay_tables")
    if not wager or tables is None:
        return True
    named = tables.get(wager) if isinstance(tables, dict) else None
    return pay_table in named if isinstance(named, list) else named == pay_table
