"""The content of the manual of Andar Bahar: pay tables, editions, open questions, and how each wager is
settled.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from games.andar_bahar.hands import AndarBaharRound
from games.andar_bahar.questions import CONTRADICTIONS, QUESTIONS
from games.kit import studio
from games.kit.game import Game
from games.kit.line import Line
from games.kit.odds import Odds, total_return
from games.kit.rules import Mistake

CHAPTER = "Andar Bahar"
RULES, PAYOUT, SIDES = (
    "Ezugi Andar Bahar Game Rules",
    "Ezugi Andar Bahar Payout table",
    "Ezugi Andar Bahar Side Bets",
)
BETTING = "Ezugi Andar Bahar Betting Instructions"


class Edition(NamedTuple):
    """What differs between editions: the side that is dealt first, and the total return on each side."""

    first: str
    returns: dict[str, str]


EDITIONS = {
    "ezugi": Edition(
        "andar", {"andar": "X1.9", "bahar": "X2"}
    ),  # Ezugi Andar Bahar, Payout table; "Andar first"
    "ezugi-bahar-first": Edition(
        "bahar", {"andar": "X2", "bahar": "X1.9"}
    ),  # the rules page of a real table, March 2023
}
NO_LAST = 10**6  # "41 or more" has no upper limit: with one deck the match is the 49th card at the latest
SIDE_BETS = {  # Ezugi Andar Bahar, Side Bets: cards after the joker, from and to, and the total return
    "1-5": (1, 5, "X3.5"),
    "6-10": (6, 10, "X4.5"),
    "11-15": (11, 15, "X5.5"),
    "16-25": (16, 25, "X4.5"),
    "26-30": (26, 30, "X15"),
    "31-35": (31, 35, "X25"),
    "36-40": (36, 40, "X50"),
    "41+": (41, NO_LAST, "X120"),
}
WAGERS = ("andar", "bahar", *SIDE_BETS)


game = Game(
    code="andar_bahar",
    source=studio.source(CHAPTER, (RULES, PAYOUT, SIDES, BETTING), f"{studio.DATED}; pays of 2023"),
    round=AndarBaharRound,
    live_dealer=True,
    wagers=WAGERS,
    editions=EDITIONS,
    pay_tables={wager: {"ezugi": None} for wager in WAGERS},
    decks=1,
    every_round=True,
    has_place=frozenset(("joker", "andar", "bahar")).__contains__,
    plays=(),
    decided_by="deal",
    cites=studio.cites(CHAPTER, rules=RULES, betting=BETTING, order=BETTING, payout=PAYOUT, outcome=RULES)
    | {"no-such-bet": RULES},
    questions=QUESTIONS,
    contradictions=CONTRADICTIONS,
)


def pays(returns: str, subject: str, cite: str) -> Odds:
    """Return the odds that a printed total return means, such as `X1.9`. A total return includes the
    stake.
    """
    return Odds(*total_return(returns), f"{subject} returns {returns}, the stake included.", cite)


MAINS = {
    name: {side: pays(returns, side.capitalize(), PAYOUT) for side, returns in edition.returns.items()}
    for name, edition in EDITIONS.items()
}
BANDS = {
    wager: (first, last, pays(returns, wager, SIDES)) for wager, (first, last, returns) in SIDE_BETS.items()
}
OTHER_SIDE = Odds(-1, 1, "The match fell on the other side.", RULES)
OTHER_COUNT = Odds(-1, 1, "The match did not fall within these cards.", SIDES)


@game.settles("andar", "bahar")
def main(round: AndarBaharRound, line: Line) -> Odds | None:
    """Return the odds owed on a main bet: the side to which the match was dealt wins by the edition's payout
    table.
    """
    mains = MAINS.get(round.table.opened.edition)
    if round.match is None or mains is None:
        return None
    return mains[line.wager] if round.match.to == line.wager else OTHER_SIDE


@game.settles(*SIDE_BETS)
def side_bet(round: AndarBaharRound, line: Line) -> Odds | None:
    """Return the odds owed on a side bet, by the number of cards after the joker, including the match."""
    if round.match is None:
        return None
    first, last, odds = BANDS[line.wager]
    return odds if first <= round.cards <= last else OTHER_COUNT


@game.mistakes("andar", "bahar")
def another_edition(round: AndarBaharRound, line: Line) -> Iterator[Mistake]:
    """Yield the mistakes that a dealer may make on main bets: paying the other side's return, or reading a
    total return as odds to one.
    """
    for name, mains in MAINS.items():
        if name != round.table.opened.edition:
            yield Mistake(f"it was paid as under the edition {name}.", mains[line.wager])
    if round.table.edition is not None:
        yield to_one_by_mistake(round.table.edition.returns[line.wager])


@game.mistakes(*SIDE_BETS)
def another_count(round: AndarBaharRound, line: Line) -> Iterator[Mistake]:
    """Yield the mistakes that a dealer may make on side bets: reading a total return as odds to one, paying
    3:1 as the text says, or counting the joker as one of the cards.
    """
    first, last, odds = BANDS[line.wager]
    yield to_one_by_mistake(SIDE_BETS[line.wager][2])
    if line.wager == "1-5":
        yield Mistake(
            "it was paid 3 to 1, as the text says, instead of X3.5, as the table says.", Odds(3, 1, "", SIDES)
        )
    if (first <= round.cards + 1 <= last) != (first <= round.cards <= last):
        counted = odds if first <= round.cards + 1 <= last else OTHER_COUNT
        yield Mistake("the joker was counted among the cards.", counted)


def to_one_by_mistake(returns: str) -> Mistake:
    """Return the odds that result if a total return is read as the winnings alone."""
    up, down = total_return(returns)
    return Mistake(f"{returns} was read as {returns[1:]} to one.", Odds(up + down, down, "", PAYOUT))
