"""The games, each built from its manual. Every package in this folder except `kit` is a game."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from games.kit.game import Game

GAMES: dict[str, Game] = {
    module.game.code: module.game
    for module in (
        import_module(f"games.{module.name}") for module in iter_modules(__path__) if module.name != "kit"
    )
}
"""Game code to game. The packages are found by searching the folder, so no list must be edited for a new
game.
"""
