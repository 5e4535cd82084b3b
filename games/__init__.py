"""The seven games as their manuals have them: one manual, one file; every file beside this one is a game."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from games.kit.game import Game

GAMES: dict[str, Game] = {
    module.game.code: module.game
    for module in (
        import_module(f"games.{found.name}") for found in iter_modules(__path__) if found.name != "kit"
    )
}
"""Code to game; there is no list to edit."""
