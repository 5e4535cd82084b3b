"""The rules of Bet on Teen Patti about bets and dealing."""

from __future__ import annotations

from games.bet_on_teen_patti.manual import OUTCOMES, RULES, SIDES, game
from games.kit import events as e
from games.kit import patti
from games.kit.rules import announcement

game.rule("wrong-card-count", on=e.Deal, needs="deal", cite=RULES)(patti.no_fourth_card)
game.rule("wrong-card-count", on=e.RoundClosed, needs="deal", cite=RULES)(patti.six_cards)
game.rule("announced-wrong", on=announcement("outcome"), needs="announce deal", cite=OUTCOMES)(patti.declared)
game.rule("announced-wrong", on=e.RoundClosed, needs="announce deal", cite=OUTCOMES, also_when_void=True)(
    patti.declared_early
)
game.rule("side-without-main", on=e.RoundClosed, needs="bet", cite=SIDES, also_when_void=True)(
    patti.main_for_each_side
)
