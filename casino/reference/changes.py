"""Describe changes of reference data: the value before and after, who changed it, and when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import Any, NamedTuple

from msgspec import json

from audit.facts.input_parsing import whole
from audit.models import Fact
from casino.models import ALWAYS, FOREVER, Standing
from casino.models import Entry as Recorded
from casino.presentation.formatting import code_label, day_label, game_title, wager_words
from casino.presentation.formatting import money as format_money
from casino.reference import calendar
from casino.reference.entries import Entry
from casino.reference.registers import currency_of
from games.kit.amounts import say

NOTHING = "nothing"
AMOUNTS = ("amount", "chip", "chips", "notes", "limits")
"""Members of a value that contain amounts in minor units."""


class Line(NamedTuple):
    """A member of an entry's value as text, before and after the change."""

    name: str
    before: str
    after: str

    @property
    def changed(self) -> bool:
        return self.before != self.after

    @property
    def was_set(self) -> bool:
        """Return True if the member had a value before."""
        return self.before != NOTHING


class Other(NamedTuple):
    """Another entry that the new entry replaces on some of its days. `when` says on which days."""

    previous: Standing
    when: str
    lines: list[Line]


class Change(NamedTuple):
    """A new register entry and its effect.

    Attributes:
        previous: the entry that was in force on the new entry's first day.
        behind: the new entry's first day if it is today or in the past. None if it is in the future.
        others: entries in force on other days of the new entry, which it replaces too.
    """

    entry: Entry
    lines: list[Line]
    previous: Standing | None
    behind: date | None
    others: list[Other]

    @property
    def when(self) -> str:
        """Return a text with the days on which the new entry is in force."""
        return lasting(
            *(
                None if day is None else date.fromisoformat(day)
                for day in (self.entry.begins, self.entry.ends)
            )
        )

    @property
    def news(self) -> bool:
        """Return True if the entry changes anything on any of its days."""
        if self.previous is None:
            return self.entry.value is not None or bool(self.others)
        begins, ends = (self.entry.begins or ALWAYS.isoformat()), (self.entry.ends or FOREVER.isoformat())
        covered = self.previous.begins.isoformat() <= begins and ends <= self.previous.ends.isoformat()
        return not covered or any(line.changed for line in self.lines)


def change(property: str, entry: Entry) -> Change:
    """Return what an entry would change at a property, compared with what is in force on its first day (by
    default today).
    """
    today = calendar.gaming_day(property)
    day = date.fromisoformat(entry.begins) if entry.begins else today
    begins, ends = (
        (date.fromisoformat(entry.begins) if entry.begins else ALWAYS),
        (date.fromisoformat(entry.ends) if entry.ends else FOREVER),
    )
    rows = Standing.objects.filter(
        property=property, register=entry.register, key=entry.key, begins__lt=ends, ends__gt=begins
    )
    standing = list(rows.order_by("begins"))
    previous = next((row for row in standing if row.begins <= day < row.ends), None)
    money = money_of(property, entry.register, entry.key)
    others = [
        Other(
            row,
            lasting(max(row.begins, begins), min(row.ends, ends)),
            list(compared(row.value, entry.value, money)),
        )
        for row in standing
        if row is not previous and row.value != entry.value
    ]
    lines = list(compared(previous.value if previous is not None else None, entry.value, money))
    return Change(entry, lines, previous, begins if day <= today else None, others)


def compared(before: Any, after: Any, money: str) -> Iterator[Line]:
    """Yield a line for each member of the old value or the new value. The members of the new value come
    first. Amounts are shown in the currency `money`.
    """
    old, new = (dict(members(value, money)) for value in (before, after))
    for name in dict.fromkeys((*new, *old)):
        yield Line(name, old.get(name, NOTHING), new.get(name, NOTHING))


def members(value: Any, money: str, of: str = "") -> Iterator[tuple[str, str]]:
    """Yield the label and the text of each member of a value. If a member is inside another one, its label
    contains both names: `Limits, every wager`.
    """
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from members(inner, money, f"{of}/{name}" if of else name)
    elif value is not None:
        name = of.partition("/")[0]
        if name == "limits" and isinstance(value, list) and len(value) == 2:
            minimum, maximum = (written(amount, money) for amount in value)
            yield _label(of, money), f"{minimum} to {maximum}"
        elif name == "par" and isinstance(value, int):
            yield _label(of, money), f"{value:,} pieces"
        elif name == "game" and isinstance(value, str):
            yield _label(of, money), game_title(value)
        else:
            yield _label(of, money), written(value, money if name in AMOUNTS else "")


def _label(of: str, money: str) -> str:
    """Return the label of a member of a value from the path to it, such as `pay_tables/spread`."""
    name, _, within = of.partition("/")
    label = LABELS.get(name) or code_label(name or "value")
    if not within:
        return label
    chip = whole(within) if name == "par" else None
    if chip is not None:
        return f"{label}, {say(chip, money)}"
    return f"{label}, {'every wager' if within == '*' else wager_words(within.replace('/', ', '))}"


LABELS = {
    "sees": "Reported by its equipment",
    "house": "May post facts of the property's own stream",
    "readings": "Reading",
    "pay_tables": "Pay table",
    "par": "Par of the tray",
    "chip": "Smallest chip",
    "demand": "Required",
}
"""The labels of members whose names do not say what they are. Their forms use the same words."""


def written(value: Any, money: str = "") -> str:
    """Format the value of a member: True and False as yes and no, and a list with commas. If `money` is a
    currency, format a number as an amount in it.
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "-"
    if isinstance(value, list):
        separator = "; " if any(isinstance(item, list) for item in value) else ", "
        return separator.join(written(item, money) for item in value) or "none"
    if money and isinstance(value, int):
        return f"{format_money(value, money)} {money}"
    return value if isinstance(value, str) else json.encode(value).decode()


def money_of(property: str, register: str, key: str) -> str:
    """Return the currency of the amounts in the entry with this register and key."""
    return key if register == "chip-sets" else currency_of(property)


def lasting(begins: date | None, ends: date | None) -> str:
    """Return the range of days on which an entry is in force, as text with its first and its last day. None
    means that the range has no first or no last day.

    Args:
        ends: the day after the last day.
    """
    first = f"from {day_label(begins)}" if begins not in (None, ALWAYS) else ""
    last = f"to {day_label(ends - timedelta(days=1))}" if ends is not None and ends != FOREVER else ""
    return " ".join(filter(None, (first, last))) or "always"


def seal(property: str, changes: Sequence[Change]) -> str:
    """Return a hash of the changes as the page shows them. It ensures that both signers sign exactly these
    changes.
    """
    entries = [
        (
            *change.entry,
            None if change.previous is None else str(change.previous.uid),
            [(str(other.previous.uid), other.when) for other in change.others],
        )
        for change in changes
    ]
    return sha256(json.encode([property, entries], order="deterministic")).hexdigest()


class Done(NamedTuple):
    """An entry in the history of a key, and what the entry changed."""

    entry: Recorded
    at: datetime | None
    lines: list[Line]

    @property
    def when(self) -> str:
        return lasting(self.entry.begins, self.entry.ends)


def history(property: str, register: str, key: str, upto: int | None = None) -> list[Done]:
    """Return all entries of a key, newest first, with the signer, the time, and the changes on the entry's
    first day.
    """
    entries = list(
        Recorded.objects.filter(property=property, register=register, key=key).order_by("position")
    )
    money = money_of(property, register, key)
    times = recorded_at(property, [entry.position for entry in entries])
    result = []
    for place, entry in enumerate(entries):
        at = times.get(entry.position)
        day = (
            entry.begins
            if entry.begins != ALWAYS
            else (calendar.gaming_day(property, at) if at is not None else ALWAYS)
        )
        before = next(
            (other for other in reversed(entries[:place]) if other.begins <= day < other.ends), None
        )
        result.append(
            Done(entry, at, list(compared(before.value if before is not None else None, entry.value, money)))
        )
    return [row for row in reversed(result) if upto is None or row.entry.position == upto]


def recorded_at(property: str, positions: Sequence[int]) -> dict[int, datetime]:
    """Return {position: when its fact was recorded}."""
    return dict(
        Fact.objects.filter(property=property, position__in=positions).values_list("position", "recorded_at")
    )
