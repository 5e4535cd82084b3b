"""The limits in the address of a report: reading them, checking their values, and the links of the page that
remove them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from audit.queries import known_values
from casino.presentation.formatting import display, wager_label
from casino.reference import standing
from casino.reports import limits
from casino.reports.catalog import Report
from casino.web.request_params import clean_text
from games import GAMES

Pairs = tuple[tuple[str, str], ...]
"""Limits as pairs of a name and a value, in the order of `limits.NAMES`."""


LISTED = 12
"""Up to this number of known values, an error lists all of them. Otherwise it names only similar ones."""
REGISTERS = {"table": "tables", "pit": "pits", "dealer": "people", "shift": "shifts"}
"""For each name of a limit: the register whose keys are its values."""
CHECKED = ("table", "game", "pit", "shift", "dealer", "wager")
"""The names of the limits whose values are checked."""


class UnknownValue(NamedTuple):
    """A value of a limit that the property does not have on any day, and the known values to choose from."""

    name: str
    says: str
    known: list[str]


class ShownLimit(NamedTuple):
    """One limit of a report, as the page shows it. `address` is the page without this limit."""

    name: str
    text: str
    address: str


class FilterField(NamedTuple):
    """A field of a page with which its user limits the report. A field without choices is typed."""

    name: str
    choices: list[tuple[str, str]]
    """(value, text) of each choice."""


def fields(names: Sequence[str], pairs: Pairs, property: str) -> list[FilterField]:
    """Return a field for each name by which a page can be limited and is not limited yet.

    Args:
        names: the names by which the page can be limited. Days and months have fields of their own.
        pairs: the limits of the page.
        property: the property whose registers have the values.
    """
    limited = {name for name, _ in pairs}
    return [
        FilterField(name, [] if name == "dealer" else _choices(name, property))
        for name in CHECKED
        if name in names and name not in limited
    ]


def _choices(name: str, property: str) -> list[tuple[str, str]]:
    """Return the choices of a field. A property without a register of shifts types them, because a search of
    the ledger for its shifts reads all of it.
    """
    values = _registered(name, property)
    if name == "table" and not values:
        values = known_values.in_ledger(property, name)
    words = {value: wager_label(value) if name == "wager" else display(name, value) for value in values}
    return sorted(words.items(), key=lambda pair: pair[1])


def read(sent: Mapping[str, str], property: str) -> Pairs:
    """Return the limits in these parameters. A table without a property is a table of `property`."""
    pairs = ((name, clean_text(sent.get(name))) for name in limits.NAMES)
    return tuple((name, with_property(name, value, property)) for name, value in pairs if value)


def error(report: Report, sent: Iterable[str]) -> str:
    """Return a sentence about parameters by which the report cannot be limited, or empty text."""
    names = set(sent)
    return limits.error(report, [name for name in limits.NAMES if name in names])


def with_property(name: str, value: str, property: str) -> str:
    """Return the value of a limit. A table without a property is a table of `property`."""
    return f"{property}/{value}" if name == "table" and "/" not in value else value


def unknown_value(pairs: Pairs, *properties: str) -> UnknownValue | None:
    """Return the first limit whose value is neither in the registers nor in the ledger of any of the
    properties on any day. A report that is limited to it would be empty.
    """
    for name, value in pairs:
        if name not in CHECKED:
            continue
        registered = {key for property in properties for key in _registered(name, property)}
        if value in registered:
            continue
        known = registered.union(*(known_values.in_ledger(property, name) for property in properties))
        if value not in known and not (
            name == "dealer" and any(known_values.was_seated(property, value) for property in properties)
        ):
            return _unknown(name, value, properties, known)
    return None


def _registered(name: str, property: str) -> set[str]:
    """Return the values of a limit that the games and the registers have, on any day."""
    if name == "game":
        return set(GAMES)
    if name == "wager":
        return {wager for game in GAMES.values() for wager in game.wagers}
    keys = {row.key for row in standing.of_register([property], REGISTERS[name])}
    if name == "table":
        return {f"{property}/{key}" for key in keys}
    if name == "pit":
        values = (row.value for row in standing.of_register([property], "tables"))
        keys |= {value["pit"] for value in values if isinstance(value, dict) and value.get("pit")}
    return keys


def _unknown(name: str, value: str, properties: Sequence[str], known: set[str]) -> UnknownValue:
    prefix = f"{properties[0]}/" if len(properties) == 1 else ""
    value, names = value.removeprefix(prefix), sorted(word.removeprefix(prefix) for word in known)
    offered = names if len(names) <= LISTED else get_close_matches(value, names, 5, cutoff=0.5)
    advice = f" Choose {', '.join(offered)}." if offered else ""
    of = ", ".join(properties)
    return UnknownValue(
        name, f"{name.capitalize()}: “{value[:40]}” is not a {name} of {of}.{advice}", offered
    )


def shown(pairs: Pairs, address: Callable[[Pairs], str]) -> list[ShownLimit]:
    """Return the limits for display. `address` returns the address of the page with the given limits."""
    return [
        ShownLimit(name, display(name, value), address(tuple(pair for pair in pairs if pair[0] != name)))
        for name, value in pairs
    ]
