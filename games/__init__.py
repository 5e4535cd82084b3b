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
"""For each game code: the game. All packages in this folder are searched, so a new game needs no entry in a
list.
"""
