"""Table layouts: a hand as its game draws it. What a hand is worth comes from the game's own round; nothing
is computed twice.

A game has one module here, named by its code, with `felt(laid)`, which returns what its template
`templates/felts/<code>.html` draws. A game without one is drawn by `general.html`: dice, then every place
with its cards and wagers.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, NamedTuple

from audit.review.hands import Played
from audit.review.verdicts import Standing
from casino.surveillance.layouts.laid import Laid

OWN = frozenset(found.name for found in iter_modules(__path__))
"""The games with a module here, and the modules that they share."""


class Felt(NamedTuple):
    """The template of a hand, and its values."""

    template: str
    laid: Laid
    own: dict[str, Any]


def felt_of(played: Played, found: Sequence[Standing], most: int) -> Felt | None:
    """Return the layout of a hand with at most `most` wagers; None if there is nothing on it."""
    laid = Laid(played, found, most)
    if not (laid.anything or played.wagers):
        return None
    game = played.opened.game if played.opened is not None else ""
    if game not in OWN or played.round is None:
        return Felt("felts/general.html", laid, {})
    return Felt(
        f"felts/{game}.html",
        laid,
        import_module(f"casino.surveillance.layouts.{game}").felt(laid, played.round),
    )
