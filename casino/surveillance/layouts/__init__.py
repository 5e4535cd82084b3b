"""The felt of a hand as its game lays it out. What a hand is worth is asked of the game's own round; nothing
is worked out a second time.

A game has one file here, named by its code, with `felt(laid)`: what its template
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
"""The games with a file here, and the files that they share."""


class Felt(NamedTuple):
    """What draws the hand, and what it is told."""

    template: str
    laid: Laid
    own: dict[str, Any]


def felt_of(played: Played, found: Sequence[Standing], most: int) -> Felt | None:
    """The felt of a hand; None where nothing lies on it. Of wagers, at most so many are drawn."""
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
