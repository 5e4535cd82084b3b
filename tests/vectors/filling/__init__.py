"""The honest procedure around a hand, one file a game: what its notations leave out because it goes without
saying.

A game's file gives `TABLE`, the settings of its hands' table; `Fill`, a `Filler` that lays the missing facts
between the given ones; `deal(case)`, the facts of one line of the vectors between the opening of the round
and its close, with stakes and without settlement; `FIRST` and `PLACE`, the notations that come before the
first plain card of a hand, and the place to which one may be dealt over and over.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

FILLING: dict[str, ModuleType] = {
    found.name: import_module(f"{__name__}.{found.name}")
    for found in iter_modules(__path__)
    if found.name != "filler"
}
"""Game to its file; there is no list to edit."""
