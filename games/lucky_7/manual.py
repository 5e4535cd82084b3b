"""The content of the manual of Lucky 7: pay tables, editions, open questions, and how each wager is
settled.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.kit import studio
from games.kit.cards import PIP
from games.kit.events import Burn
from games.kit.game import Game
from games.kit.line import Line
from games.kit.odds import Odds, to_one
from games.kit.rules import Mistake
from games.lucky_7.hands import SEVEN, Lucky7Round, winners
from games.lucky_7.questions import CONTRADICTIONS, QUESTIONS

CHAPTER = "Lucky 7"
RULES, PAYOUT, SIDES = "Ezugi Lucky 7 Game Rules", "Ezugi Lucky 7 Payout table", "Ezugi Lucky 7 Side Bets"
BETTING, RETURN = "Ezugi Lucky 7 Betting Instructions", "Ezugi Lucky 7 RTP"

MAIN_PAYS = {"7-up": "1:1", "7": "11:1", "7-down": "1:1"}  # Ezugi Lucky 7, Payout table
EDITIONS = {  # Ezugi Lucky 7, Side Bets
    "ezugi": {"red": "0.98:1", "black": "0.98:1", "odd": "0.8:1", "even": "1.1:1"},
    "ezugi-0.9": {
        "red": "0.9:1",
        "black": "0.9:1",
        "odd": "0.8:1",
        "even": "1:1",
    },  # gives the returns of 95.0 and 92.31 % that the manual prints
}
WAGERS = ("7-up", "7", "7-down", "red", "black", "odd", "even")
BURNED = 3  # Ezugi Lucky 7, Betting Instructions


game = Game(
    code="lucky_7",
    source=studio.source(CHAPTER, (RULES, PAYOUT, SIDES, BETTING, RETURN), f"{studio.DATED}; pays of 2023"),
    round=Lucky7Round,
    live_dealer=True,
    wagers=WAGERS,
    editions=EDITIONS,
    pay_tables={wager: {"ezugi": None} for wager in WAGERS},
    decks=8,
    every_round=False,
    has_place=frozenset(("table",)).__contains__,
    plays=(Burn,),
    decided_by="deal",
    cites=studio.cites(CHAPTER, rules=RULES, betting=BETTING, order=BETTING, payout=PAYOUT, outcome=RULES)
    | {"no-such-bet": RULES},
    questions=QUESTIONS,
    contradictions=CONTRADICTIONS,
)


def pays(wager: str, odds: str, cite: str) -> Odds:
    """Return the odds of a wager.

    Args:
        odds: the payout as the manual prints it.
    """
    return Odds(*to_one(odds), f"{wager} pays {odds}.", cite)


MAINS = {wager: pays(wager, odds, PAYOUT) for wager, odds in MAIN_PAYS.items()}
SIDE_WINS = {
    name: {wager: pays(wager, odds, SIDES) for wager, odds in edition.items()}
    for name, edition in EDITIONS.items()
}
HALF = Odds(-1, 2, "The card is a 7: 7 Up and 7 Down lose half of the bet.", PAYOUT)
WINS = {card: winners(card, pip) for card, pip in PIP.items()}
LOST = Odds(-1, 1, "", RULES)
LOST_MAIN = {
    card: Odds(-1, 1, f"The card is {card}, {'below' if '7-down' in won else 'above'} 7.", RULES)
    for card, won in WINS.items()
    if "7" not in won
}
LOST_SIDE = {
    card: Odds(
        -1,
        1,
        f"The card is {card}: {'red' if 'red' in won else 'black'} and {'odd' if 'odd' in won else 'even'}.",
        SIDES,
    )
    for card, won in WINS.items()
}
"""For each card: the odds of a side bet that loses on it."""


@game.settles("7-up", "7", "7-down")
def main(round: Lucky7Round, line: Line) -> Odds | None:
    """Return the odds owed on a bet on above 7, below 7 or 7. On a 7 the bets on above and below lose
    half.
    """
    if round.pip is None:
        return None
    if line.wager in round.winners:
        return MAINS[line.wager]
    return HALF if round.pip == SEVEN else LOST_MAIN[round.card.card]  # type: ignore[union-attr,index]  # a card with a pip was dealt


@game.settles("red", "black", "odd", "even")
def side_bet(round: Lucky7Round, line: Line) -> Odds | None:
    """Return the odds owed on a side bet on the card's color or on odd or even, by the edition's pay table. A
    7 is odd.
    """
    wins = SIDE_WINS.get(round.table.opened.edition)
    if round.pip is None or wins is None:
        return None
    if line.wager in round.winners:
        return wins[line.wager]
    return LOST_SIDE[round.card.card]  # type: ignore[union-attr,index]  # a card with a pip was dealt


@game.mistakes("7-up", "7-down")
def half_or_side_missed(round: Lucky7Round, line: Line) -> Iterator[Mistake]:
    """Yield the mistakes that a dealer may make on the main bets: taking the whole bet on a 7, taking half
    without a 7, or counting the card as another value.
    """
    if round.pip == SEVEN:
        yield Mistake("a 7 loses half, and the whole bet was taken.", LOST)
    elif line.wager not in round.winners:
        yield Mistake("the card was mistaken for a 7, and half was taken.", HALF)
    yield from miscounted(round, line, MAINS, LOST)


@game.mistakes("red", "black", "odd", "even")
def another_pay(round: Lucky7Round, line: Line) -> Iterator[Mistake]:
    """Yield the mistakes that a dealer may make on the side bets: paying as the other edition or another side
    bet does, taking half on a 7 as on the main bets, or mistaking the value or color of the card.
    """
    edition = round.table.opened.edition
    own_pay = SIDE_WINS.get(edition)
    if own_pay is None or round.pip is None:
        return
    if line.wager in round.winners:
        for name, wins in SIDE_WINS.items():
            if wins is not own_pay:
                yield Mistake(f"it was paid as under the edition {name}.", wins[line.wager])
        for wager, odds in own_pay.items():
            if wager != line.wager:
                yield Mistake(f"it was paid as {wager}, {EDITIONS[edition][wager]}.", odds)
    if round.pip == SEVEN:
        yield Mistake("half was taken, but on a 7 only 7 Up and 7 Down lose half.", HALF)
    if line.wager in ("odd", "even"):
        yield from miscounted(round, line, own_pay, LOST)
    if line.wager not in round.winners:
        yield Mistake(f"the card was mistaken for {line.wager}.", own_pay[line.wager])


def miscounted(round: Lucky7Round, line: Line, wins: dict[str, Odds], loses: Odds) -> Iterator[Mistake]:
    """Yield the mistake of counting the card as another value: an ace as 14, a ten as 1, or a court card as
    another one.
    """
    if round.pip is None or round.card is None or round.card.card is None:
        return
    if (counted := COUNTED_AS.get(round.card.card[0])) is not None:
        won = line.wager in winners(round.card.card, counted[0])
        yield Mistake(counted[1], wins[line.wager] if won else loses)


COUNTED_AS = {
    "A": (14, "the ace was counted high, as 14."),
    "T": (1, "the ten was counted as 1."),
    "J": (10, "the Jack was counted as ten."),
    "Q": (11, "the Queen was counted as 11."),
    "K": (10, "the King was counted as ten."),
}
"""For each rank that is easily miscounted: the wrong value that a dealer may take it for, and a sentence that
explains the mistake.
"""
