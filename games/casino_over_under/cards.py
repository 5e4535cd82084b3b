"""The three cards of one spot of Casino Over Under, and the state of their settlement."""

from __future__ import annotations

from games.kit import events as e
from games.kit.events import Event

WHOLE = 3
"""The number of cards in a hand."""
PARTS = {"ante": ("base",), "over": ("base",), "under": ("base",), "bonus": ("bonus",)}
"""For each wager: the part of the hand, `base` or `bonus`, with which it is announced and settled (COU
Dealing Procedures 6).
"""


def worth(pip: int | None) -> int | None:
    """Return the value of a card (ace 11, face card 10), or None if the card could not be read."""
    return 11 if pip == 1 else min(pip, 10) if pip is not None else None


def parts_of(wager: str | None) -> tuple[str, ...]:
    """Return the parts of the hand, `base` or `bonus`, that an announcement about this wager concerns. An
    announcement without a wager concerns both parts. If the game has no such wager, return an empty tuple.
    """
    return ("base", "bonus") if wager is None else PARTS.get(wager, ())


def dealt(event: Event) -> str:
    """Return the clause that says that a card was dealt or burned: `spot 1 was dealt Tc`, `Tc was burned`."""
    card = getattr(event, "card", None) or "a card"
    return f"spot {event.to} was dealt {card}" if isinstance(event, e.Deal) else f"{card} was burned"


def second_card(event: Event) -> str:
    """Return the clause that says that a second card was dealt or burned: `spot 1 was dealt its second card,
    Tc,`.
    """
    card = getattr(event, "card", None) or "not read"
    return (
        f"spot {event.to} was dealt its second card, {card},"
        if isinstance(event, e.Deal)
        else f"a second card, {card}, was burned"
    )


def sentence(clause: str) -> str:
    """Return the clause with a capital letter, to begin a sentence."""
    return clause[:1].upper() + clause[1:]


class Hand:
    """The three cards of one spot, burned ones included, and the state of their settlement."""

    __slots__ = (
        "base_moved",
        "bonus_moved",
        "bonus_word",
        "burns",
        "cards",
        "cleared",
        "declared_at",
        "extra",
        "next_card",
        "passed_by",
        "said",
        "seconds",
        "silent",
        "spot",
        "unasked",
        "values",
        "whole",
    )

    def __init__(self, spot: str, seconds: int, unasked: bool) -> None:
        self.spot, self.seconds = spot, seconds
        """`seconds`: how many second cards had been dealt at the table before this hand began."""
        self.unasked = unasked
        """True if the dealer should have asked the player about the bonus and did not."""
        self.cards: list[e.Deal | e.Burn] = []
        self.values: list[int | None] = []
        self.whole = False
        """True once the hand has all three cards."""
        self.burns = 0
        self.extra = 0
        """The number of cards beyond three. They make the hand a misdeal."""
        self.declared_at = 0
        """How many second cards had been dealt at the table before the choice that counts."""
        self.passed_by: Event | None = None
        self.next_card: Event | None = None
        """`passed_by` is the first card for another hand between the second and third card of this one.
        `next_card` is the first card for another hand after the third card of this one.
        """
        self.cleared: Event | None = None
        self.base_moved: Event | None = None
        self.bonus_moved: Event | None = None
        """`base_moved` is the first fact that moved money on ante, over or under after the cards had decided
        these wagers. `bonus_moved` is the last fact that moved money on the bonus after the cards had decided
        it.
        """
        self.bonus_word: e.Announce | None = None
        """The first announcement of the bonus after the third card."""
        self.said: dict[str, e.Announce] = {}
        self.silent: dict[str, Event] = {}
        """For each part of the hand, `base` or `bonus`: `said` has its first announcement, and `silent` has
        the fact that moved money before that announcement.
        """

    @property
    def total(self) -> int | None:
        """Return the sum of the three cards, or None if a card is missing or could not be read."""
        read = [value for value in self.values if value is not None]
        return sum(read) if len(read) == WHOLE else None

    @property
    def shown(self) -> str:
        """Return the cards for a sentence: `9c Tc Ah`. A card that could not be read or was burned face down
        is `?`.
        """
        return " ".join(event.card or "?" for event in self.cards)
