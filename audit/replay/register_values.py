"""Validate the values of register entries. A value must be of its register's type
(`audit/facts/registers.py`). This module has further rules for some registers.

An error names the field and says what to do. Most rules use only the value. The rules for times also use the
property's time zone, because a clock change skips or repeats a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, time, timedelta, tzinfo
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec import UNSET

from audit.facts import HOUSE, KINDS, NAME_LETTERS, clock, is_a_table
from audit.facts import registers as r
from audit.facts.vocabulary import REGISTERS
from audit.replay import accounts, approvals, video_address
from audit.replay.duties import role_conflict
from games import GAMES
from games.kit.currencies import CURRENCIES
from games.kit.game import Game

YEARS = 12
"""The number of years ahead for which clock changes are checked, if an entry has no end."""


class Place(NamedTuple):
    """The context of an entry: its key, the days on which it is in force (None: no bound), and the property's
    time zone if it is known.

    Attributes:
        today: the day on which the entry is made. Earlier days have been played already.
    """

    key: str = ""
    begins: date | None = None
    ends: date | None = None
    zone: tzinfo | None = None
    today: date = date.min

    @property
    def days(self) -> tuple[date, date]:
        """Return the first and the last day for which the entry is checked. Days before today are not
        checked, because they have been played.
        """
        first = max(self.begins or date.min, self.today)
        last = self.ends - timedelta(days=1) if self.ends else first + timedelta(days=366 * YEARS)
        return first, last


def check(register: str, value: Any, place: Place | None = None) -> None:
    """Raise ValueError with the message `field: reason` if a value is not valid.

    Null is allowed in every register: it deletes the entry.
    """
    if register not in REGISTERS:
        raise ValueError(f"it: unknown register {register[:60]!r}; the registers are {', '.join(REGISTERS)}")
    if value is not None:
        entry = r.read(register, value)
        if rule := RULES.get(register):
            rule(entry, place or Place())


def _person(entry: r.PersonValue, place: Place) -> None:
    if reason := role_conflict(entry.roles or ()):
        raise ValueError(f"roles: {reason}")


def _approval(entry: r.ApprovalValue, place: Place) -> None:
    approvals.check_days(entry)
    if strange := approvals.unknown(entry):
        raise ValueError(strange)


def _day_begins(entry: r.DayBeginsValue, place: Place) -> None:
    try:
        zone = clock.zone_named(entry.zone)
    except ValueError as error:
        raise ValueError(str(error) if str(error).startswith("zone: ") else f"zone: {error}") from None
    _comes_once(entry.clock_change, _clock(entry.time, "time"), place._replace(zone=zone), "time")


def _shift(entry: r.ShiftValue, place: Place) -> None:
    _comes_once(entry.clock_change, _clock(entry.begins, "begins"), place, "begins")


def _comes_once(clock_change: str | None, begins: time, place: Place, field: str) -> None:
    """Raise ValueError if a start time occurs twice or never on some day because of a clock change, and the
    entry does not say which time is meant on that day.
    """
    if clock_change in (clock.FIRST, clock.SECOND):
        return
    if clock_change is not None:
        raise ValueError("clock_change: must be first or second")
    if place.zone is None:
        return
    if change := _first_change(begins, place.zone, *place.days):
        day, times = change
        effect = (
            "occurs twice, because the clock is set back"
            if times
            else "does not occur, because the clock is set forward"
        )
        do = (
            "Choose a time that occurs once on every day, or say which hour is meant when the clock is"
            " changed (clock_change: first or second)"
        )
        raise ValueError(f"{field}: on {day.isoformat()} {begins:%H:%M} {effect} in {place.zone}. {do}")


@lru_cache(maxsize=64)
def _first_change(begins: time, zone: tzinfo, first: date, last: date) -> tuple[date, int] | None:
    """Return the first day on which the clock does not show this time exactly once, and how often it shows
    the time on that day. The result is cached, because a new entry causes all entries of a property to be
    checked again.
    """
    return next(clock.changes_over(begins, zone, first, last), None)


def _pit(entry: r.PitValue, place: Place) -> None:
    tables = [table for row in entry.map or () for table in row if table is not None]
    if repeated := next((table for table in tables if tables.count(table) > 1), ""):
        raise ValueError(f"map: table {repeated[:60]} is on the map twice")


def _table(entry: r.TableValue, place: Place) -> None:
    """Check the settings with which a table is opened, if the entry has any, against the game's rules."""
    if place.key and not is_a_table(place.key):
        raise ValueError(
            f"key: a table's code has 1 to {NAME_LETTERS} characters, none of them “/”, and is not “{HOUSE}”"
        )
    if entry.game is not None:
        game = GAMES.get(entry.game)
        if game is None:
            raise ValueError(f"game: unknown game {entry.game!r}; the games are {', '.join(sorted(GAMES))}")
        _played(entry, game)
    for kind in entry.sees or ():
        if kind not in KINDS:
            raise ValueError(f"sees: unknown kind of fact {kind!r}; docs/events.md lists the kinds")


def _played(entry: r.TableValue, game: Game) -> None:
    if entry.edition is not None:
        _known(entry.edition, game.editions, "edition", game)
    for field, values, known in (
        ("pay_tables", entry.pay_tables, game.pay_tables),
        ("readings", entry.readings, game.options),
    ):
        for name, word in (values or {}).items():
            _known(name, known, field, game)
            _known(word, known[name], f"{field}.{name}", game)
    for wager, (minimum, maximum) in (entry.limits or {}).items():
        _known(wager, ("*", *sorted((*game.wagers, *game.payments))), "limits", game)
        if not 0 <= minimum <= maximum:
            raise ValueError(f"limits.{wager}: the minimum is above the maximum, or below 0")


def _chip_set(entry: r.ChipSetValue, place: Place) -> None:
    if place.key and place.key not in CURRENCIES:
        raise ValueError(
            f"key: a currency has three capital letters, such as USD; {place.key!r} is not one of"
            f" {', '.join(CURRENCIES)}"
        )


def _threshold(entry: r.ThresholdValue, place: Place) -> None:
    if entry.confidence is not UNSET and entry.confidence not in CONFIDENCE:
        raise ValueError(f"confidence: it must be one of {', '.join(map(str, CONFIDENCE))} percent")


def _camera(entry: r.CameraValue, place: Place) -> None:
    for field in ("link", "stream"):
        template = getattr(entry, field)
        if template is not UNSET:
            try:
                video_address.check(template)
            except ValueError as error:
                raise ValueError(f"{field}: {error}") from None


CONFIDENCE = (90, 95, 99)
"""Confidence levels, in percent, for the interval of a base level."""


def _account(entry: r.AccountValue, place: Place) -> None:
    accounts.check_key(place.key)


def _clock(text: str, field: str) -> time:
    try:
        read = time.fromisoformat(text)
        if read.tzinfo is None:
            return read
    except ValueError:
        pass
    raise ValueError(f"{field}: {text!r} is not a local time such as 06:00")


def _known(word: str, known: Iterable[str], field: str, game: Game) -> None:
    if word not in known:
        raise ValueError(f"{field}: {game.code} has no {word!r}; it has {', '.join(known)}")


RULES: dict[str, Callable[[Any, Place], None]] = {
    "people": _person,
    "approvals": _approval,
    "day-begins": _day_begins,
    "shifts": _shift,
    "pits": _pit,
    "tables": _table,
    "chip-sets": _chip_set,
    "thresholds": _threshold,
    "accounts": _account,
    "cameras": _camera,
}
"""Registers whose values have rules beyond their type."""
