"""Table layouts: draw a hand as its game does. All values of a hand are taken from the game's own round, so
nothing is computed twice.

Each game has a module here, named by its code, whose function `felt(laid, round)` returns the values for the
template `templates/felts/<code>.html`. A game without a module is drawn by `general.html`: the dice, then
every place with its cards and wagers.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, NamedTuple

from audit.review.hands import Played
from audit.review.verdicts import CurrentFinding
from casino.surveillance.layouts.laid import Laid

OWN = frozenset(module.name for module in iter_modules(__path__))
"""Names of the modules here: the games with their own layout, and shared modules."""


class Felt(NamedTuple):
    """A hand's layout: the name of its template and the values for it."""

    template: str
    laid: Laid
    own: dict[str, Any]


def felt_of(played: Played, findings: Sequence[CurrentFinding], limit: int) -> Felt | None:
    """Return the layout of a hand, with at most `limit` wagers. Return None if nothing was dealt, rolled or
    bet.
    """
    layout = Laid(played, findings, limit)
    if not layout.anything:
        return None
    game = played.opened.game if played.opened is not None else ""
    if game not in OWN or played.round is None:
        return Felt("felts/general.html", layout, {})
    return Felt(
        f"felts/{game}.html",
        layout,
        import_module(f"casino.surveillance.layouts.{game}").felt(layout, played.round),
    )
