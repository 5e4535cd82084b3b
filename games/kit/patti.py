"""What Teen Patti and Bet on Teen Patti have in common: two hands of three cards, and the side wagers on
them.

Both chapters of the Ezugi rules print the same pay tables for Pair or better and for the 3+3 Bonus, and the
same ranking of hands.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from games.kit import events as e
from games.kit import phrases
from games.kit.events import Event
from games.kit.odds import Odds, to_one
from games.kit.poker import (
    A23,
    FIVE_NAMES,
    FLUSH,
    HIGH_CARD,
    MINI_ROYAL,
    PAIR,
    STEEL_WHEEL,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_NAMES,
    TRIPS,
    six,
    three,
)
from games.kit.protocols import RoundTable
from games.kit.round import CLOSED, OPEN, Round
from games.kit.rules import Mistake, RuleHit, RuleResult

PAIR_OR_BETTER = {  # Ezugi Teen Patti and Bet on Teen Patti, Payouts. Its "Royal flush" is the mini royal.
    "mini royal": "200:1",
    "straight flush": "40:1",
    "three of a kind": "30:1",
    "straight": "6:1",
    "flush": "3:1",
    "pair": "1:1",
}
THREE_PLUS_THREE = {  # Ezugi Teen Patti and Bet on Teen Patti, Payouts
    "royal flush": "1000:1",
    "straight flush": "200:1",
    "four of a kind": "50:1",
    "full house": "25:1",
    "flush": "20:1",
    "straight": "10:1",
    "three of a kind": "5:1",
}
# These are pay tables of other casinos, which give the printed returns of 95.51 % and 91.44 %.
FITS_THE_PRINTED_RETURN = {
    "pair": PAIR_OR_BETTER | {"mini royal": "100:1", "straight": "5:1", "flush": "4:1"},
    "3+3": (
        THREE_PLUS_THREE
        | {
            "four of a kind": "100:1",
            "full house": "20:1",
            "flush": "15:1",
            "three of a kind": "7:1",
        }
    ),
}
OTHER_ORDERS = {  # other rankings of the kinds of three cards, lowest first
    "three of a kind was ranked above the straight flush.": (
        HIGH_CARD,
        PAIR,
        FLUSH,
        STRAIGHT,
        STRAIGHT_FLUSH,
        MINI_ROYAL,
        TRIPS,
    ),
    "the flush was ranked above the straight, as among five cards.": (
        HIGH_CARD,
        PAIR,
        STRAIGHT,
        FLUSH,
        TRIPS,
        STRAIGHT_FLUSH,
        MINI_ROYAL,
    ),
}
OPTIONS = {"a23": tuple(A23), "steel-wheel": STEEL_WHEEL}


class TwoHands(Round):
    """A round with two hands of three cards. The last of the six cards decides every wager."""

    __slots__ = ("hands", "made", "sixth", "strengths", "words")

    counts_unread = True
    places: ClassVar[tuple[str, str]]
    mains: ClassVar[tuple[str, ...]]
    """The main wagers. A side wager may be bet only together with one of them."""
    sides: ClassVar[tuple[str, ...]]

    def __init__(self, table: RoundTable, opened: Event, number: int) -> None:
        super().__init__(table, opened, number)
        self.windows = dict.fromkeys((*self.mains, *self.sides), OPEN)
        self.hands: dict[str, list[str | None]] = {place: [] for place in self.places}
        """The cards of each hand. A card that could not be read or is impossible is None."""
        self.sixth: Event | None = None
        self.strengths: dict[str, int | None] = dict.fromkeys(self.places)
        """The strength of each hand, when both hands are complete. None if one of the hand's cards is not
        known.
        """
        self.made: int | None = None
        """The cached strength of the best five of the six cards, with the table's value of the option
        `steel-wheel`.
        """
        self.words: list[e.Announce] = []
        """Outcomes that were declared before the sixth card."""

    def betting_closed(self, event: Event) -> None:
        if self.windows[self.mains[0]] != CLOSED:
            self.close(event, *self.mains, *self.sides)

    def decided(self, spot: str, wager: str) -> bool:
        return self.sixth is not None

    def undecided(self) -> bool:
        return self.sixth is None

    def undecided_because(self) -> str:
        return (
            f"Each hand has three cards; {given({place: len(cards) for place, cards in self.hands.items()})}."
        )

    def dealt(self, event: e.Deal, pip: int | None) -> None:
        self.betting_closed(event)
        hand = self.hands[event.to]
        if len(hand) == 3:
            return  # a fourth card belongs to no hand
        hand.append(event.card if pip is not None else None)
        if len(hand) == 3 and self.sixth is None and all(len(cards) == 3 for cards in self.hands.values()):
            self.sixth = event
            for place in self.places:
                self.strengths[place] = self.read(place, self.table.answers["a23"])
            self.revealed(event)
            self.deciding(event)

    def revealed(self, event: Event) -> None:
        """Do nothing. A game whose players decide when both hands are complete overrides this method."""

    def read(self, place: str, a23: str) -> int | None:
        """Return the strength of a hand, or None if one of its cards is not known.

        Args:
            a23: a value of the option that ranks ace, two, three.
        """
        cards = [card for card in self.hands[place] if card is not None]
        return three(cards, a23) if len(cards) == 3 else None

    def best(self, steel_wheel: str | None = None) -> int | None:
        """Return the strength of the best five of all six cards; None if one of them is not known."""
        cards = [card for hand in self.hands.values() for card in hand if card is not None]
        if len(cards) < 6:
            return None
        if steel_wheel is not None:
            return six(cards, steel_wheel)
        if self.made is None:
            self.made = six(cards, self.table.answers["steel-wheel"])
        return self.made

    def held(self, place: str) -> str:
        """Return the cards and the kind of a hand, for a sentence."""
        cards, strength = " ".join(card or "?" for card in self.hands[place]), self.strengths[place]
        return cards if strength is None else f"{cards} ({THREE_NAMES[strength >> 12]})"

    @abstractmethod
    def outcome(self) -> str | None:
        """Return the outcome that the studio must declare, or None if the manual does not define it."""

    def announce(self, event: e.Announce) -> None:
        if event.what == "outcome" and self.sixth is None:
            self.words.append(event)

    def first_money(self, event: Event) -> Event:
        """Return the first fact of the round that takes or pays money. If no money moved, return the fact
        that ended the round.
        """
        return next((fact for fact in self.trail if isinstance(fact, e.Take | e.Pay | e.Settled)), event)


# -- settlement ------------------------------------------------------------------------------------------


def table_of(
    pays: Mapping[str, str], kinds: Sequence[str], wager: str, loses: str, cite: str
) -> tuple[Odds, ...]:
    """Return a printed pay table as odds for each kind of hand, lowest first. A kind of hand that is not in
    the pay table loses.
    """
    lost = Odds(-1, 1, f"{wager} loses: {loses}", cite)
    return tuple(
        Odds(*to_one(pays[kind]), f"{wager} pays {pays[kind]} for a {kind}.", cite) if kind in pays else lost
        for kind in kinds
    )


def pair_table(wager: str, cite: str, pays: Mapping[str, str] = PAIR_OR_BETTER) -> tuple[Odds, ...]:
    """Return the pay table of Pair or better, one entry for each kind of three cards."""
    return table_of(pays, THREE_NAMES, wager, "the hand has no pair.", cite)


def six_table(cite: str, pays: Mapping[str, str] = THREE_PLUS_THREE) -> tuple[Odds, ...]:
    """Return the pay table of the 3+3 Bonus, one entry for each kind of five cards."""
    return table_of(pays, FIVE_NAMES, "The 3+3 Bonus", "the six cards make less than three of a kind.", cite)


def of_three(table: Sequence[Odds], strength: int | None) -> Odds | None:
    """Return the odds in a pay table for three cards of this strength; None if it is not known."""
    return None if strength is None else table[strength >> 12]


def of_six(table: Sequence[Odds], strength: int | None) -> Odds | None:
    """Return the odds in a pay table for five cards of this strength; None if it is not known."""
    return None if strength is None else table[strength >> 20]


# -- mistakes of dealers ------------------------------------------------------------------------------------


def other_ranks(round: TwoHands) -> Iterator[tuple[str, int, int]]:
    """Yield other ways of ranking the two hands. Each has a sentence and the two strengths that result."""
    first, second = round.places
    for reading in A23:
        if reading != round.table.answers["a23"]:
            own, other = round.read(first, reading), round.read(second, reading)
            if own is not None and other is not None:
                yield f"A-2-3 was ranked as the {reading} straight.", own, other
    own, other = round.strengths[first], round.strengths[second]
    if own is not None and other is not None:
        for says, order in OTHER_ORDERS.items():
            yield says, _ranked(own, order), _ranked(other, order)
        yield "only the highest card was compared.", own >> 8, other >> 8


def _ranked(strength: int, order: Sequence[int]) -> int:
    """Return the strength of a hand under another ranking.

    Args:
        order: the kinds of hand, lowest first.
    """
    return order.index(strength >> 12) << 12 | strength & 0xFFF


def other_lines(table: Sequence[Odds], kinds: Sequence[str], right: Odds | None) -> Iterator[Mistake]:
    """Yield the mistakes of a dealer who settles by another line of the same pay table."""
    for kind, odds in zip(kinds, table, strict=True):
        if odds != right:
            hand = kind if kind.endswith("of a kind") else f"a {kind}"
            yield Mistake(f"it was settled as for {hand}.", odds)


def pair_mistakes(
    round: TwoHands,
    own: str,
    other: str,
    table: Sequence[Odds],
    other_table: Sequence[Odds],
    bonus: Sequence[Odds] = (),
) -> Iterator[Mistake]:
    """Yield the mistakes that a dealer may make on a pair wager: paying by the other hand, by another
    casino's pay table, or by another line of the pay table.
    """
    right = of_three(table, round.strengths[own])
    other_odds, other_pay = (
        of_three(table, round.strengths[other]),
        of_three(other_table, round.strengths[own]),
    )
    if other_odds is not None and other_odds != right:
        yield Mistake(
            "it was settled on the hand of"
            f" {'the dealer' if other == 'dealer' else f'Player {other.upper()}'}.",
            other_odds,
        )
    if other_pay is not None:
        yield Mistake(
            "it was paid by the pay table of other casinos, which agrees with the printed return.", other_pay
        )
    bonus_odds = of_three(bonus, round.strengths[own]) if bonus else None
    if bonus_odds is not None:
        yield Mistake("it was paid by the table of the ante bonus.", bonus_odds)
    yield from other_lines(table, THREE_NAMES, right)


def six_mistakes(round: TwoHands, table: Sequence[Odds], other_table: Sequence[Odds]) -> Iterator[Mistake]:
    """Yield the mistakes that a dealer may make on the 3+3 Bonus: ranking the suited A-2-3-4-5 differently,
    or paying by another casino's pay table or by another line of the pay table.
    """
    right = of_six(table, round.best())
    for reading in STEEL_WHEEL:
        odds = of_six(table, round.best(reading))
        if odds is not None and odds != right:
            yield Mistake(f"the suited A-2-3-4-5 was read as {reading.replace('-', ' ')}.", odds)
    other_pay = of_six(other_table, round.best())
    if other_pay is not None:
        yield Mistake(
            "it was paid by the pay table of other casinos, which agrees with the printed return.", other_pay
        )
    yield from other_lines(table, FIVE_NAMES, right)


# -- rules; each game adds its own citation ------------------------------------------------------------------


def no_fourth_card(round: TwoHands, event: e.Deal) -> RuleResult:
    """Only three cards may be dealt to each hand."""
    return (
        f"A fourth card was dealt to {event.to}; it belongs to no hand."
        if len(round.hands[event.to]) == 3
        else None
    )


def given(dealt: Mapping[str, int]) -> str:
    """Return the clause that says how many cards each hand was dealt."""
    return " and ".join(f"{phrases.place(name)} was dealt {count or 'none'}" for name, count in dealt.items())


def six_cards(round: TwoHands, event: Event) -> RuleResult:
    """A round with bets must be dealt to the end: three cards to each hand."""
    short = {place: len(cards) for place, cards in round.hands.items() if len(cards) < 3}
    played = round.first_card is not None or any(line.stake for line in round.lines.values())
    if not short or not played:
        return None
    return RuleHit(f"Each hand has three cards; {given(short)}.", at=round.first_money(event))


def declared(round: TwoHands, event: e.Announce) -> RuleResult:
    """The studio must declare the outcome that follows from the cards."""
    right = round.outcome()
    if right is None or event.value == right:
        return None
    held = " and ".join(f"{place} has {round.held(place)}" for place in round.places)
    return f"The studio declared {event.value}, but {held}: the outcome is {right}."


def declared_early(round: TwoHands, event: Event) -> Iterator[RuleHit]:
    """An outcome that is declared before the last card must agree with the cards."""
    for early in round.words:
        message = declared(round, early)
        if isinstance(message, str):
            yield RuleHit(message, at=early)


def main_for_each_side(round: TwoHands, event: Event) -> Iterator[RuleHit]:
    """A side wager needs a main wager on the same spot."""
    for spot, lines in round.spots.items():
        if any(line.stake and line.wager in round.mains for line in lines):
            continue
        for line in lines:
            if line.stake and line.wager in round.sides:
                says = f"Spot {spot} bet on {line.wager} without {' or '.join(round.mains)}."
                yield RuleHit(says, at=line.first, spot=spot, wager=line.wager)
