"""Validate the values of register entries that Catwalk itself reads: one check for each register.

An error names the field and says what to do. A value may have members that Catwalk does not read. Every check
uses the value alone, except for a time: whether it occurs exactly once on every day depends on the property's
time zone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, time, timedelta, tzinfo
from functools import lru_cache
from typing import Any, NamedTuple

from audit.facts import HOUSE, KINDS, NAME_LETTERS, clock, is_a_table
from audit.facts.registers import check_threshold
from audit.facts.vocabulary import REGISTERS, ROLES
from audit.replay import accounts, approvals
from audit.replay.duties import role_conflict
from games import GAMES
from games.kit.currencies import CURRENCIES
from games.kit.events import LIMIT
from games.kit.game import Game

YEARS = 12
"""How many years ahead clock changes are checked, for an entry without an end."""


class Place(NamedTuple):
    """Context of an entry: its key, the days on which it is in force (null = no bound), and the property's
    time zone if it is known.

    `today` is the day on which it is entered. Earlier days have been played already.
    """

    key: str = ""
    begins: date | None = None
    ends: date | None = None
    zone: tzinfo | None = None
    today: date = date.min

    @property
    def days(self) -> tuple[date, date]:
        """Return the days for which the entry is checked: those on which it is in force from today on,
        because earlier days have been played.
        """
        first = max(self.begins or date.min, self.today)
        last = self.ends - timedelta(days=1) if self.ends else first + timedelta(days=366 * YEARS)
        return first, last


def check(register: str, value: Any, place: Place | None = None) -> None:
    """Raise ValueError, `field: why`, for a value that must be a mistake.

    Null is allowed in every register: it deletes the entry.
    """
    if register not in REGISTERS:
        raise ValueError(f"it: there is no register {register[:60]!r}; there are {', '.join(REGISTERS)}")
    if value is not None and register in CHECKS:
        CHECKS[register](value, place or Place())


def _person(value: Any, place: Place) -> None:
    if not isinstance(value, dict):
        raise ValueError('it: a person is an object {"role": …} or {"roles": [ … ]}')
    for field, roles in (("role", [value.get("role", "dealer")]), ("roles", value.get("roles", []))):
        if not isinstance(roles, list):
            raise ValueError(f"{field}: a list of roles is needed")
        for role in roles:
            if role not in ROLES:
                raise ValueError(f"{field}: there is no role {role!r}; there are {', '.join(ROLES)}")
        if says := role_conflict(roles):
            raise ValueError(f"{field}: {says}")
    if value.get("tables") is not None:
        _whole(value["tables"], "tables", 1)


def _approval(value: Any, place: Place) -> None:
    if isinstance(value, dict) and not str(value.get("letter") or "").strip():
        raise ValueError("letter: a text is needed, the name of the regulator's letter")
    if strange := approvals.unknown(approvals.read(value)):
        raise ValueError(strange)


def _property(value: Any, place: Place) -> None:
    _object(value, "{name, currency}")
    if (name := value.get("name")) is not None:
        _text(name, "name")
    if (currency := value.get("currency")) is not None:
        _currency(currency, "currency")


def _day_begins(value: Any, place: Place) -> None:
    _object(value, "{time, zone}")
    begins = _clock(value.get("time"), "time", "06:00")
    try:
        zone = clock.zone_named(_text(value.get("zone"), "zone"))
    except ValueError as error:
        raise ValueError(str(error) if str(error).startswith("zone: ") else f"zone: {error}") from None
    _comes_once(value, begins, place._replace(zone=zone), "time")


def _shift(value: Any, place: Place) -> None:
    _object(value, '{"begins": "14:00"}')
    _comes_once(value, _clock(value.get("begins"), "begins", "14:00"), place, "begins")


def _comes_once(value: dict[str, Any], begins: time, place: Place, field: str) -> None:
    """Raise ValueError for a start time that occurs twice or never on some day because of a clock change,
    unless the entry says what is meant then.
    """
    if value.get("clock_change") in (clock.FIRST, clock.SECOND):
        return
    if value.get("clock_change") is not None:
        raise ValueError("clock_change: it is first or second: which is meant of an hour that comes twice")
    if place.zone is None:
        return
    if found := _first_change(begins, place.zone, *place.days):
        day, times = found
        how = (
            "comes twice, because the clock is put back"
            if times
            else "never comes, because the clock is put forward"
        )
        do = (
            "Choose an hour that every day has once, or say which is meant when the clock is changed"
            " (clock_change: first or second)"
        )
        raise ValueError(f"{field}: on {day.isoformat()} {begins:%H:%M} {how} in {place.zone}. {do}")


@lru_cache(maxsize=64)
def _first_change(begins: time, zone: tzinfo, first: date, last: date) -> tuple[date, int] | None:
    """Return the first of these days on which the clock does not show this time exactly once, with how often
    it does. The result is cached, because a property's entries are checked again with every new one.
    """
    return next(clock.changes_over(begins, zone, first, last), None)


def _pit(value: Any, place: Place) -> None:
    _object(value, '{"title": …}')
    if (title := value.get("title")) is not None:
        _text(title, "title")


def _table(value: Any, place: Place) -> None:
    """Check the settings with which a table is opened, if the entry has any, against the game's rules."""
    _object(value, "{pit, game, edition, pay_tables, decks, spots, limits, chip, readings, sees}")
    if place.key and not is_a_table(place.key):
        raise ValueError(
            f"key: a table's code has 1 to {NAME_LETTERS} letters, none of them “/”, and is not “{HOUSE}”"
        )
    if (code := value.get("game")) is not None:
        game = GAMES.get(code) if isinstance(code, str) else None
        if game is None:
            raise ValueError(f"game: there is no {code!r} here; there are {', '.join(sorted(GAMES))}")
        _played(value, game)
    for field in ("decks", "spots"):
        if field in value:
            _whole(value[field], field)
    if "chip" in value:
        _whole(value["chip"], "chip", 1)
    if "currency" in value:
        _currency(value["currency"], "currency")
    for kind in _list(value.get("sees", []), "sees"):
        if kind not in KINDS:
            raise ValueError(f"sees: there is no kind of fact {kind!r}")


def _played(value: dict[str, Any], game: Game) -> None:
    _known(value.get("edition"), game.editions, "edition", game)
    for field, known in (("pay_tables", game.pay_tables), ("readings", game.options)):
        for name, said in _object(value.get(field, {}), "one for each", field).items():
            _known(name, known, field, game)
            _known(said, known[name], f"{field}.{name}", game)
    for wager, limits in _object(value.get("limits", {}), "{wager or *: [least, most]}", "limits").items():
        _known(wager, ("*", *sorted((*game.wagers, *game.payments))), "limits", game)
        least, most = _pair(limits, f"limits.{wager}")
        if least > most:
            raise ValueError(f"limits.{wager}: the least lies above the most")


def _chip_set(value: Any, place: Place) -> None:
    _object(value, '{"chips": [minor units…], "notes": [minor units…]}')
    if place.key:
        _currency(place.key, "key")
    for field in ("chips", "notes"):
        for worth in _list(value.get(field, []), field):
            _whole(worth, field, 1)


def _threshold(value: Any, place: Place) -> None:
    check_threshold(_object(value, '{"amount": minor units}'))
    if "confidence" in value and value["confidence"] not in CONFIDENCE:
        raise ValueError(f"confidence: it is one of {', '.join(map(str, CONFIDENCE))} percent")


CONFIDENCE = (90, 95, 99)
"""Confidence levels, in percent, for the interval of a base level."""


def _account(value: Any, place: Place) -> None:
    accounts.check(place.key, value)


def _profile(value: Any, place: Place) -> None:
    _text(_object(value, '{"name": …}').get("name"), "name")


def _equipment(value: Any, place: Place) -> None:
    """Check an entry about equipment: the tables for which a device may send facts, or at which a camera
    points.
    """
    if isinstance(value, dict):
        for table in _list(value.get("tables", []), "tables"):
            _text(table, "tables")
        for field in ("people", "house"):
            if not isinstance(value.get(field, False), bool):
                raise ValueError(f"{field}: true or false")


def _object(value: Any, shape: str, field: str = "it") -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{field}: it is an object {shape}")
    return value


def _list(value: Any, field: str) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"{field}: a list is needed")
    return value


def _text(value: Any, field: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{field}: a text is needed")
    return value


def _clock(value: Any, field: str, such: str) -> time:
    try:
        told = time.fromisoformat(_text(value, field))
        if told.tzinfo is None:
            return told
    except ValueError:
        pass
    raise ValueError(f"{field}: {value!r} is no local time such as {such}")


def _whole(value: Any, field: str, least: int = 0) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= LIMIT:
        raise ValueError(f"{field}: a whole number from {least} to {LIMIT:,} is needed")
    return value


def _pair(value: Any, field: str) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError(f"{field}: two amounts are needed, the least and the most")
    return _whole(value[0], field), _whole(value[1], field)


def _currency(value: Any, field: str) -> None:
    if value not in CURRENCIES:
        raise ValueError(
            f"{field}: a currency has three capital letters, such as USD; {value!r} is not one of"
            f" {', '.join(CURRENCIES)}"
        )


def _known(value: Any, known: Iterable[str], field: str, game: Game) -> None:
    if value is not None and value not in known:
        raise ValueError(f"{field}: {game.code} has no {value!r}; it has {', '.join(known)}")


CHECKS: dict[str, Callable[[Any, Place], None]] = {
    "people": _person,
    "approvals": _approval,
    "property": _property,
    "day-begins": _day_begins,
    "shifts": _shift,
    "pits": _pit,
    "tables": _table,
    "chip-sets": _chip_set,
    "thresholds": _threshold,
    "profile": _profile,
    "devices": _equipment,
    "cameras": _equipment,
    "accounts": _account,
}
"""The registers whose values Catwalk itself reads."""
