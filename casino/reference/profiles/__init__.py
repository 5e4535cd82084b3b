"""Thresholds as a jurisdiction has them, and a chart of accounts, shipped as examples: a property takes one
over and changes what it likes.

A profile is one file here. It says of each value where it was read, or that nobody read it: then it is a
default of the house and no claim about a regulator. The name of a jurisdiction stays in the register
`profile`.
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
    """An entry of the profile's register; of `thresholds`: from `amount` on, in whole units of the property's
    currency, or only beyond it.

    `source` is empty where none was read.
    """

    key: str
    says: str
    source: str = ""
    amount: int | None = None
    beyond: bool = False
    more: dict[str, Any] = {}


class Rule(NamedTuple):
    """What a jurisdiction asks for that is no threshold: it is kept by the people, and by the acts of this
    house where it says so.
    """

    says: str
    source: str


THRESHOLDS = "thresholds"


class Profile(NamedTuple):
    """One example, of entries of one register: a jurisdiction's thresholds, or another."""

    name: str
    title: str
    about: str
    values: tuple[Value, ...]
    rules: tuple[Rule, ...]
    register: str = THRESHOLDS


@cache
def all_profiles() -> list[Profile]:
    """The profiles, in the order of their names."""
    return [_read(found.name) for found in sorted(iter_modules(__path__), key=lambda found: found.name)]


def get_profile(name: str) -> Profile | None:
    """The profile of this name; None where there is none."""
    return next((profile for profile in all_profiles() if profile.name == name), None)


def entries(profile: Profile, currency: str, begins: str) -> list[Entry]:
    """What a property of this currency records that takes it over from this gaming day on. Raises ValueError
    for what is no day.
    """
    first = day_of(begins)
    if first is None:
        raise ValueError(f"“{begins[:20]}” is no day. Write the first gaming day as 2026-11-27.")
    day = first.isoformat()
    made = [Entry("profile", "*", {"name": profile.name}, day)] if profile.register == THRESHOLDS else []
    for value in profile.values:
        amount = (
            {}
            if value.amount is None
            else {"amount": value.amount * 10 ** EXPONENT.get(currency, 2) + value.beyond}
        )
        made.append(Entry(profile.register, value.key, {**amount, **value.more}, day))
    return made


def _read(name: str) -> Profile:
    module = import_module(f"casino.reference.profiles.{name}")
    about, register = " ".join((module.__doc__ or "").split()), getattr(module, "REGISTER", THRESHOLDS)
    return Profile(name.replace("_", "-"), module.TITLE, about, module.VALUES, module.RULES, register)
