"""Add the correct procedure to hands that tests write in short notation. The notation leaves out the facts
that are the same in every hand.

A draft is a fact without uid, time and source. A filler is a class that adds the missing drafts of a game
between the given ones. Each game has a module with five names.

`TABLE`: the settings of the table. `Fill`: the filler of the game. `deal(case)`: yields the facts of one test
case from the opening of the round to its close, with stakes and without settlement. `FIRST`: the notations
that must come before the first card that names no spot. `PLACE`: a place to which tests may deal any number
of cards.
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
