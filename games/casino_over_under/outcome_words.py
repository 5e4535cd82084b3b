"""Errors in the announced outcome of Casino Over Under (COU Dealing Procedures 6)."""

from __future__ import annotations

from games.casino_over_under.cards import Hand
from games.casino_over_under.hands import OverUnderRound
from games.casino_over_under.manual import bonus, over_or_under
from games.kit import events as e
from games.kit.odds import same_odds

EVEN_MONEY = "even money"  # COU Dealing Procedures 6: "Winner on the over 23 for even money"


def wrong_word(round: OverUnderRound, hand: Hand, event: e.Announce) -> str | None:
    """Return the sentence about an error in an announced outcome, or None if the known cards do not show an
    error.
    """
    total, spot = hand.total, hand.spot
    if total is None or hand.extra:
        return None
    if event.value is not None and str(event.value) != str(total):
        return f"The dealer announced {event.value} for spot {spot}; its cards, {hand.shown}, make {total}."
    line = round.lines.get((spot, event.wager or ""))
    if line is None and event.wager == round.side(spot):
        # The player chose the side without chips on it, but the ante still depends on that side.
        line = round.lines.get((spot, "ante"))
    if event.wager in round.table.game.wagers and not (line and line.stake):
        return f"The dealer announced {event.wager} for spot {spot}, which has no wager there."
    if line is None or event.pays is None:
        return None
    odds = bonus(round, line) if line.wager == "bonus" else over_or_under(round, line)
    if odds is None:
        return None
    if odds.up < 0:
        return (
            f"The dealer announced that {line.wager} of spot {spot} pays {event.pays}; it loses on {total}"
            f" ({hand.shown})."
        )
    is_even_money = event.pays.strip().lower() == EVEN_MONEY and odds.up == odds.down
    if not is_even_money and not same_odds(event.pays, odds.up, odds.down):
        if odds.up == 0:
            correct = "the player surrendered, so nothing is owed on it"
        else:
            correct = f"on {total} ({hand.shown}) it pays {odds.up} to {odds.down}"
        return f"The dealer announced that {line.wager} of spot {spot} pays {event.pays}; {correct}."
    return None
