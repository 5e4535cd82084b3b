"""The three cards of one spot of Casino Over Under, and how far their settlement has come."""

from __future__ import annotations

from games.kit import events as e
from games.kit.events import Event

WHOLE = 3
"""Cards in a hand."""
PARTS = {"ante": ("base",), "over": ("base",), "under": ("base",), "bonus": ("bonus",)}
"""The part of step 6 in which each wager is announced and settled."""


def worth(pip: int | None) -> int | None:
    """Return what a card counts: ace 11, a face card 10; None for a card that could not be read."""
    return 11 if pip == 1 else min(pip, 10) if pip is not None else None


def parts_of(wager: str | None) -> tuple[str, ...]:
    """Return the parts of step 6 that an announcement about this wager is about: both without a wager, none
    for one of no layout.
    """
    return ("base", "bonus") if wager is None else PARTS.get(wager, ())


def dealt(event: Event) -> str:
    """Return what was done with a card, for a sentence: `spot 1 was dealt Tc`, `Tc was burned`."""
    card = getattr(event, "card", None) or "a card"
    return f"spot {event.to} was dealt {card}" if isinstance(event, e.Deal) else f"{card} was burned"


def second_card(event: Event) -> str:
    """Return that a second card was dealt or burned, for a sentence: `spot 1 was dealt its second card,
    Tc`.
    """
    card = getattr(event, "card", None) or "not read"
    return (
        f"spot {event.to} was dealt its second card, {card},"
        if isinstance(event, e.Deal)
        else f"a second card, {card}, was burned"
    )


def sentence(clause: str) -> str:
    """Return the clause with a capital letter."""
    return clause[:1].upper() + clause[1:]


class Hand:
    """The three cards of one spot, burned ones included, and how far its settlement has come."""

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
        """How many second cards had been dealt when this hand began."""
        self.unasked = unasked
        """True if the player should have been asked about the bonus and was not."""
        self.cards: list[e.Deal | e.Burn] = []
        self.values: list[int | None] = []
        self.whole = False
        """True once all three cards have come."""
        self.burns = 0
        self.extra = 0
        """The number of cards beyond three: they belong to no hand, but the hand is misdealt."""
        self.declared_at = 0
        """How many second cards had been dealt when the choice that counts was made."""
        self.passed_by: Event | None = None
        self.next_card: Event | None = None
        """The first card for another hand, between the second and third of this one, and after its third."""
        self.cleared: Event | None = None
        self.base_moved: Event | None = None
        self.bonus_moved: Event | None = None
        """The first money on ante, over or under, and the last on the bonus, once the cards had decided them.
        """
        self.bonus_word: e.Announce | None = None
        """The first announcement of the bonus after the third card."""
        self.said: dict[str, e.Announce] = {}
        self.silent: dict[str, Event] = {}
        """For `base` and `bonus`: the first announcement, and the money that moved before it."""

    @property
    def total(self) -> int | None:
        """Return the sum of the three cards; None before the third, and if one could not be read."""
        read = [value for value in self.values if value is not None]
        return sum(read) if len(read) == WHOLE else None

    @property
    def shown(self) -> str:
        """Return the cards for a sentence: `9c Tc Ah`; `?` is a card that could not be read or was burned
        face down.
        """
        return " ".join(event.card or "?" for event in self.cards)
