"""The correct procedure around a hand, in one module for each game. It consists of facts that the notations
of a hand leave out because they are the same in every hand.

A game's module defines five names. `TABLE` has the settings of the table for the game's hands. `Fill` is a
`Filler` that adds the missing facts between the given ones. `deal(case)` yields the facts of one line of the
vectors from the opening of the round to its close, with stakes and without settlement. `FIRST` has the
notations that come before the first plain card of a hand. `PLACE` is a place to which any number of cards may
be dealt.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

FILLING: dict[str, ModuleType] = {
    module.name: import_module(f"{__name__}.{module.name}")
    for module in iter_modules(__path__)
    if module.name != "filler"
}
"""The module of each game. A new module in this package is found automatically."""
