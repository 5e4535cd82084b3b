"""Example thresholds for jurisdictions, and an example chart of accounts. A property can adopt a profile and
change its entries afterwards.

Each profile is a module. If a value comes from a regulation, its source is given. A value without a source is
a default of Catwalk and says nothing about a regulator. The register `profile` contains the name of the
adopted profile.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, NamedTuple

from audit.facts.input_parsing import day_of
from casino.reference.entries import Entry
from games.kit.amounts import EXPONENT


class Value(NamedTuple):
    """One entry of the profile. `amount` is in whole units of the property's currency. The threshold applies
    from this amount on. If `beyond` is True, it applies only above this amount.

    Attributes:
        source: the source of the value, or empty for a default of Catwalk.
    """

    key: str
    says: str
    source: str = ""
    amount: int | None = None
    beyond: bool = False
    more: dict[str, Any] = {}


class Rule(NamedTuple):
    """A requirement of a jurisdiction, if it is not a threshold. People must follow it. If Catwalk enforces
    it, the text says so.
    """

    says: str
    source: str


THRESHOLDS = "thresholds"


class Profile(NamedTuple):
    """An example of entries for one register, such as the thresholds of a jurisdiction."""

    name: str
    title: str
    about: str
    values: tuple[Value, ...]
    rules: tuple[Rule, ...]
    register: str = THRESHOLDS


@cache
def all_profiles() -> list[Profile]:
    """Return all profiles, sorted by name."""
    return [_read(module.name) for module in sorted(iter_modules(__path__), key=lambda module: module.name)]


def get_profile(name: str) -> Profile | None:
    """Return the profile of this name, or None."""
    return next((profile for profile in all_profiles() if profile.name == name), None)


def entries(profile: Profile, currency: str, begins: str) -> list[Entry]:
    """Return the register entries with which a property adopts the profile.

    Raise ValueError if that day is invalid.

    Args:
        currency: the currency of the property.
        begins: the first gaming day.
    """
    first = day_of(begins)
    if first is None:
        raise ValueError(
            f"“{begins[:20]}” is not a valid date. Write the first gaming day like this: 2026-11-27."
        )
    day = first.isoformat()
    result = [Entry("profile", "*", {"name": profile.name}, day)] if profile.register == THRESHOLDS else []
    for value in profile.values:
        amount = (
            {}
            if value.amount is None
            else {"amount": value.amount * 10 ** EXPONENT.get(currency, 2) + value.beyond}
        )
        result.append(Entry(profile.register, value.key, {**amount, **value.more}, day))
    return result


def _read(name: str) -> Profile:
    module = import_module(f"casino.reference.profiles.{name}")
    about, register = " ".join((module.__doc__ or "").split()), getattr(module, "REGISTER", THRESHOLDS)
    return Profile(name.replace("_", "-"), module.TITLE, about, module.VALUES, module.RULES, register)
