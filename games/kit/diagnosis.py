"""The most likely cause of a wrong settlement, if one cause explains exactly the amount that moved.

A game names its own likely mistakes (`@game.mistakes`). Mistakes that can happen at every table are named
here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from games.kit.amounts import Exact
from games.kit.line import Line
from games.kit.round import Round

FACTORS = {10: "tenth", 100: "hundredth", 5: "fifth", 20: "twentieth", 4: "quarter", 2: "half"}
"""The common ratios between two denominations of chips."""


EXPLAINS = frozenset(
    (
        "late-bet",
        "late-unbet",
        "late-pull",
        "pull-not-allowed",
        "unequal-bet",
        "bet-not-offered",
        "choice-too-late",
        "choice-without-bet",
        "announced-wrong",
        "marker-wrong-value",
        "marker-wrong-side",
        "feed-contradicts",
    )
)
"""Codes of findings that already explain a wrong settlement, because the dealer misheard, misread or allowed
something and settled accordingly. If there is such a finding, no other cause is given.
"""


def likeliest_cause(round: Round, line: Line, owed: Exact, mistakes: Iterable[tuple[str, Exact]]) -> str:
    """Return a sentence with the cause that explains exactly the amount that moved. The text begins with a
    space.

    The sentence names all mistakes of the game that fit. If no mistake of the game fits, mistakes that can
    happen at every table are tried: half a cent, a wrong direction, the amount of another spot, a wrong chip.

    Args:
        round: the round in which the wager was settled.
        line: the spot and wager that were settled wrongly.
        owed: what is owed on them, in minor units, positive if the player receives it.
        mistakes: the mistakes that the game names, each as a sentence and the amount that would have moved.

    Returns:
        The sentence; empty if no cause fits.
    """
    moved = line.moved
    fitting = dict.fromkeys(says for says, amount in mistakes if amount == moved)
    if fitting:
        return f" Likeliest cause: {' Or: '.join(fitting)}"
    return next(
        (f" Likeliest cause: {says}" for says, amount in common(round, line, owed) if amount == moved), ""
    )


def common(round: Round, line: Line, owed: Exact) -> Iterator[tuple[str, Exact]]:
    """Yield the mistakes that can happen at every table. Each is a sentence and the amount that would have
    moved.
    """
    stake = line.at_risk
    if isinstance(owed, Fraction):
        yield "less than the smallest coin is owed, and it was rounded.", owed.__floor__()
        yield "less than the smallest coin is owed, and it was rounded.", owed.__ceil__()
    yield "it was settled as a push.", 0
    yield "it was taken as a whole loss.", -stake
    yield "it was paid even money, as a plain win.", stake
    yield "winning and losing were mixed up.", -owed
    if owed > 0:
        yield "odds to one were read as odds for one, which include the stake.", owed - stake
        yield "odds for one were read as odds to one, and the stake was paid in addition.", owed + stake
    for other in round.lines.values():
        if other is not line and stake and (other.spot == line.spot or other.wager == line.wager):
            due = round.owed(other) if other.stake and round.decided(other.spot, other.wager) else None
            if due:
                yield f"it is the amount of spot {other.spot}, {other.wager}.", due
    for factor, part in FACTORS.items():
        yield f"chips of {factor} times the value were moved.", owed * factor
        yield f"chips of a {part} of the value were moved.", Fraction(owed) / factor
