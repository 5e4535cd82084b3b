"""Andar Bahar. Ezugi Game Rules, chapter Andar Bahar.

The joker is dealt, bets are made, then single cards go to Andar and Bahar in turn until one has the
joker's value. The wagers: on which side it falls, and after how many cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from games.kit import events as e
from games.kit.events import Event
from games.kit.game import Finds, Game, Said, Source, word
from games.kit.line import Line
from games.kit.odds import Odds, total_return
from games.kit.round import BEFORE, OPEN, Round
from games.kit.table import Table

RULES, PAYOUT, SIDES = "Ezugi Andar Bahar Game Rules", "Ezugi Andar Bahar Payout table", "Ezugi Andar Bahar Side Bets"
BETTING, ERRORS = "Ezugi Andar Bahar Betting Instructions", "Ezugi Andar Bahar Error Handling"


class Edition(NamedTuple):
    """What editions differ in: the side dealt first, and what the two sides return."""

    first: str
    returns: dict[str, str]


EDITIONS = {
    "ezugi": Edition("andar", {"andar": "X1.9", "bahar": "X2"}),  # Ezugi Andar Bahar, Payout table; "Andar first"
    "ezugi-bahar-first": Edition("bahar", {"andar": "X2", "bahar": "X1.9"}),  # a real table of March 2023: its own rules page
}
SIDE_BETS = {  # Ezugi Andar Bahar, Side Bets: cards after the joker, first to last, and the total return
    "1-5": (1, 5, "X3.5"), "6-10": (6, 10, "X4.5"), "11-15": (11, 15, "X5.5"), "16-25": (16, 25, "X4.5"),
    "26-30": (26, 30, "X15"), "31-35": (31, 35, "X25"), "36-40": (36, 40, "X50"), "41+": (41, 51, "X120"),
}  # fmt: skip
WAGERS = ("andar", "bahar", *SIDE_BETS)

QUESTIONS = (
    "Is X the total return or the win to one? Total return: read to one, Andar, Bahar and 1-5 would give the player an edge.",
    "The text pays 1-5 'odds of 3:1', the table X3.5, which is 2.5 to 1. The table is followed; 3 to 1 would give the player 8.43 %.",
    "Does the joker count among the cards? No: 'the number of cards that will be dealt after the Joker card'.",
    "Which side is dealt first? The manual says Andar; the edition ezugi-bahar-first is a real table's: Bahar first, paid 0.9.",
    "A cancelled round refunds 'initial bets': every stake of the round is returned.",
    "0.9 to 1 and the side bets' half units do not divide every stake. The reading `rounding` answers it.",
)


class AndarBaharRound(Round):
    """The joker, the cards after it, and the match."""

    __slots__ = ("cards", "joker", "last", "match", "unread", "words")

    def __init__(self, table: Table, opened: Event, number: int) -> None:
        super().__init__(table, opened, number)
        self.windows = dict.fromkeys(WAGERS, BEFORE)
        self.joker: int | None = None
        self.last: e.Deal | None = None
        self.cards = 0
        self.match: e.Deal | None = None
        self.unread = False
        """A card that could not be read, or cannot be: it may have been the match, so the outcome is not judged."""
        self.words: list[e.Announce] = []
        """Outcomes declared before the match."""

    def must_close(self, event: Event) -> bool:
        return self.windows["andar"] != BEFORE and isinstance(event, e.Deal) and event.to != "joker"

    def betting_closed(self, event: Event) -> None:
        if self.windows["andar"] == OPEN:
            self.close(event, *WAGERS)

    def decided(self, spot: str) -> bool:
        return self.match is not None

    def undecided(self) -> bool:
        return self.match is None

    def dealt(self, event: e.Deal, pip: int | None) -> None:
        if event.to == "joker":
            if self.windows["andar"] == BEFORE:
                self.open(event, *WAGERS)
                self.joker = pip
                self.unread = self.unread or pip is None or self.cards > 0
            return
        self.betting_closed(event)
        if self.match is not None:
            return
        self.last = event
        self.cards += 1
        if pip is None:
            self.unread = True
        elif pip == self.joker and not self.unread:
            self.match = event
            self.deciding(event)

    def announce(self, event: e.Announce) -> None:
        if event.what == "outcome" and self.match is None:
            self.words.append(event)


game = Game(
    code="andar_bahar",
    source=Source("Ezugi", "Ezugi Game Rules, Andar Bahar", "edition seen in the house's seeds; pays of 2023"),
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
    cites={
        "bets-not-closed": BETTING, "not-shuffled": RULES, "shoe-overrun": RULES, "duplicate-card": RULES, "wrong-decks": RULES,
        "late-bet": BETTING, "late-unbet": BETTING, "out-of-order": BETTING, "no-such-wager": PAYOUT, "settled-too-soon": RULES,
        "settled-twice": PAYOUT, "no-such-bet": RULES, "void-not-returned": ERRORS, "void-without-reason": ERRORS,
        "void-not-signed": ERRORS,
    },
    questions=QUESTIONS,
)  # fmt: skip


def pays(returns: str, what: str, cite: str) -> Odds:
    """A printed total return as odds."""
    return Odds(*total_return(returns), f"{what} returns {returns}, the stake included.", cite)


MAINS = {
    name: {side: pays(returns, side.capitalize(), PAYOUT) for side, returns in edition.returns.items()}
    for name, edition in EDITIONS.items()
}
BANDS = {wager: (first, last, pays(returns, wager, SIDES)) for wager, (first, last, returns) in SIDE_BETS.items()}
OTHER_SIDE = Odds(-1, 1, "The match fell on the other side.", RULES)
OTHER_COUNT = Odds(-1, 1, "The match did not fall within these cards.", SIDES)


@game.settles("andar", "bahar")
def main(round: AndarBaharRound, line: Line) -> Odds | None:
    """The side on which the joker's value came wins by the edition's payout table."""
    mains = MAINS.get(round.table.opened.edition)
    if round.match is None or mains is None:
        return None
    return mains[line.wager] if round.match.to == line.wager else OTHER_SIDE


@game.settles(*SIDE_BETS)
def side_bet(round: AndarBaharRound, line: Line) -> Odds | None:
    """The number of cards after the joker, the match included, wins its band."""
    if round.match is None:
        return None
    first, last, odds = BANDS[line.wager]
    return odds if first <= round.cards <= last else OTHER_COUNT


@game.rule("wrong-deal-order", on=e.Deal, needs="deal", cite=BETTING)
def in_turn(round: AndarBaharRound, event: e.Deal) -> Finds:
    """The first side is dealt first, and then the two in turn, each card by its position."""
    first = round.table.edition.first if round.table.edition else "andar"
    if event.to == "joker":
        late = round.windows["andar"] == BEFORE and round.cards
        return Said("The joker was dealt after the first cards.", before=round.last) if late else None
    turn = first if round.cards % 2 == 0 else ("bahar" if first == "andar" else "andar")
    if event.to != turn and round.match is None:
        return Said(f"Card {round.cards + 1} after the joker went to {event.to}; it is {turn}'s turn.", before=round.last)
    return None


@game.rule("wrong-card-count", on=e.Deal, needs="deal", cite=RULES)
def one_joker(round: AndarBaharRound, event: e.Deal) -> Finds:
    """One joker is dealt."""
    return "A second joker was dealt; it belongs to no hand." if event.to == "joker" and round.windows["andar"] != BEFORE else None


@game.rule("dealt-after-match", on=e.Deal, needs="deal", cite=RULES)
def stop_at_the_match(round: AndarBaharRound, event: e.Deal) -> Finds:
    """Once the matching card is drawn the round ends."""
    if round.match is not None and event.to != "joker":
        return Said(f"A card was dealt after {round.match.card} had matched the joker on {round.match.to}.", before=round.match)
    return None


def first_money(round: AndarBaharRound, event: Event) -> Event:
    """The round's first take or pay, else the fact that ended it."""
    return next((fact for fact in round.trail if isinstance(fact, e.Take | e.Pay | e.Settled)), event)


@game.rule("stopped-before-match", on=e.RoundClosed, needs="deal", cite=RULES)
def until_the_match(round: AndarBaharRound, event: Event) -> Finds:
    """Cards are dealt until one has the joker's value."""
    if round.match is not None or round.unread or round.joker is None:
        return None
    return Said(
        f"The round ended after {round.cards} cards and none had matched the joker.", at=first_money(round, event), spot="", wager=""
    )


@game.rule("wrong-card-count", on=e.RoundClosed, needs="deal bet", cite=RULES)
def a_joker_for_the_bets(round: AndarBaharRound, event: Event) -> Finds:
    """A round begins with the joker."""
    if round.windows["andar"] == BEFORE and any(line.stake for line in round.lines.values()):
        return Said("There were bets, and no joker was dealt.", at=first_money(round, event))
    return None


@game.rule("announced-wrong", on=word("outcome"), needs="announce deal", cite=RULES)
def studio_outcome(round: AndarBaharRound, event: e.Announce) -> Finds:
    """The outcome that the studio declares is the side on which the match fell."""
    if round.match and event.value != round.match.to:
        return f"The studio declared {event.value}; {round.match.card} matched on {round.match.to}."
    return None


@game.rule("announced-wrong", on=e.RoundClosed, needs="announce deal", cite=RULES, though_void=True)
def outcome_before_the_match(round: AndarBaharRound, event: Event) -> Iterator[Said]:
    """An outcome declared before the match is measured against it."""
    for early in round.words:
        if round.match and early.value != round.match.to:
            yield Said(f"The studio declared {early.value}; {round.match.card} matched on {round.match.to}.", at=early)
