"""The property's registers as of a gaming day: people, approvals, start of the gaming day, and others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any

from audit import facts as f
from audit.facts import clock
from audit.replay.approvals import Approval
from audit.replay.approvals import read as approval


class Registers:
    """All register entries of a property. An entry is in force from its first day until the day before `to`.
    A later entry with the same key replaces it.
    """

    def __init__(self, entries: Iterable[f.RegisterSet]) -> None:
        """Read `entries` in the order of commit."""
        self.entries: dict[str, dict[str, list[f.RegisterSet]]] = {}
        self.people: dict[date, frozenset[str]] = {}
        self.roles: dict[date, dict[str, frozenset[str] | None]] = {}
        self.days: dict[date, tuple[datetime, datetime] | None] = {}
        for entry in entries:
            self.entries.setdefault(entry.register, {}).setdefault(entry.key, []).append(entry)

    def on(self, register: str, day: date) -> Iterator[tuple[str, Any]]:
        """Yield key and value of every entry that is in force on this day. A null value deletes the key."""
        for key, entries in self.entries.get(register, {}).items():
            for entry in reversed(entries):
                if (entry.from_ is None or entry.from_ <= day) and (entry.to is None or day < entry.to):
                    if entry.value is not None:
                        yield key, entry.value
                    break

    def value(self, register: str, key: str, day: date) -> Any:
        """Return the value of a key on this day, or None if no entry is in force or the key was deleted."""
        for entry in reversed(self.entries.get(register, {}).get(key, ())):
            if (entry.from_ is None or entry.from_ <= day) and (entry.to is None or day < entry.to):
                return entry.value
        return None

    def dealers(self, day: date) -> frozenset[str]:
        """Return the dealers of this day. If there are no dealers, the register cannot be used to judge who
        deals.
        """
        if day not in self.people:
            self.people[day] = frozenset(key for key, value in self.on("people", day) if deals(value))
        return self.people[day]

    def staff(self, day: date) -> dict[str, frozenset[str] | None]:
        """Return the roles of each person who is in the register of people on this day, or None for a person
        whose entry does not name roles.
        """
        if day not in self.roles:
            self.roles[day] = {key: roles_of(value) for key, value in self.on("people", day)}
        return self.roles[day]

    @cached_property
    def knows_approvals(self) -> bool:
        """Return True if approvals are registered for this property.

        An approval counts even if it has expired or is not in force yet. A deleted approval does not count.
        """
        return any(is_ever_in_force(entries) for entries in self.entries.get("approvals", {}).values())

    def approvals(self, day: date) -> list[Approval]:
        """Return the valid approvals whose entries are in force on this day, regardless of the dates in the
        approvals.
        """
        return list(letters(value for _, value in self.on("approvals", day)))

    @cached_property
    def letters(self) -> list[Approval]:
        """Return the last approval of each letter, even if the approval is not in force yet or has expired.
        If an approval has no dates, the dates of its entry are used.
        """
        last = [entries[-1] for entries in self.entries.get("approvals", {}).values()]
        dates = [
            {name: day.isoformat() for name, day in (("from", entry.from_), ("to", entry.to)) if day}
            for entry in last
        ]
        return list(
            letters(
                own | entry.value
                for own, entry in zip(dates, last, strict=True)
                if isinstance(entry.value, dict)
            )
        )

    def day(self, day: date) -> tuple[datetime, datetime] | None:
        """Return the start and the end (exclusive) of a gaming day, or None if the register `day-begins` has
        no valid entry.
        """
        if day not in self.days:
            begins, ends = self.begins(day), self.begins(day + timedelta(days=1)) if day < date.max else None
            self.days[day] = (begins, ends) if begins is not None and ends is not None else None
        return self.days[day]

    def day_of(self, at: datetime) -> date | None:
        """Return the gaming day of an instant, or None if the register `day-begins` has no valid entry."""
        near = at.date()
        for day in (
            near + timedelta(days=days) for days in (-2, -1, 0, 1)
        ):  # In the far west, a day may begin late in the evening.
            bounds = self.day(day)
            if bounds is not None and bounds[0] <= at < bounds[1]:
                return day
        return None

    def begins(self, day: date) -> datetime | None:
        """Return the instant at which this gaming day begins by the property's clock, or None if the register
        `day-begins` has no valid entry.
        """
        for _, value in sorted(self.on("day-begins", day), key=lambda entry: entry[0]):
            read, at = clock.day_clock(value), clock.day_begins(value, day)
            if read is not None and at is not None:
                return at.astimezone(read[1])
        return None


def deals(value: Any) -> bool:
    """Return True if an entry of the register of people has the role of dealer, or does not name roles."""
    if not isinstance(value, dict):
        return True
    roles = value.get("roles", value.get("role", "dealer"))
    return "dealer" in (roles if isinstance(roles, list) else [roles])


def roles_of(value: Any) -> frozenset[str] | None:
    """Return the roles in an entry of the register of people. Return None if the entry does not name roles,
    so that the person may have any role.
    """
    if not isinstance(value, dict):
        return None
    roles = value.get("roles") if value.get("roles") is not None else value.get("role")
    if roles is None:
        return None
    return frozenset(
        role for role in (roles if isinstance(roles, list) else [roles]) if isinstance(role, str)
    )


def letters(values: Iterable[Any]) -> Iterator[Approval]:
    """Yield the approvals in these register values. Skip invalid values."""
    for value in values:
        with suppress(ValueError):
            yield approval(value)


def is_ever_in_force(entries: list[f.RegisterSet]) -> bool:
    """Return True if there is any day on which an entry of this key is in force. There is no such day if
    every entry was deleted with effect from its own first day.
    """
    for entry in reversed(entries):
        if entry.value is not None:
            return True
        if entry.from_ is None and entry.to is None:
            return False
    return False
