"""Corrections of cards and dice that were read wrongly, and the sentences about them."""

from __future__ import annotations

from msgspec import structs

from games.kit import events as e
from games.kit import phrases
from games.kit.events import Event
from games.kit.signatures import signers

CODE = "read-corrected"


def corrected(event: Event, by: e.ReadCorrected) -> Event:
    """Return a copy of the fact with the corrected value. If the correction is not about the card or dice of
    this fact, return the fact unchanged.
    """
    if isinstance(event, e.Deal | e.Burn) and by.card is not None:
        return structs.replace(event, card=by.card, raw_text=None)
    if isinstance(event, e.Roll) and by.dice is not None:
        return structs.replace(event, dice=by.dice)
    return event


def value(event: Event) -> str:
    """Return the card or dice that a fact read, for a sentence; an empty text if they could not be read."""
    if isinstance(event, e.Roll):
        return " and ".join(map(str, event.dice)) or "nothing"
    card = event.card if isinstance(event, e.Deal | e.Burn) else None
    return card or ""


def place(event: Event) -> str:
    """Return the card or roll that a fact reports, for a sentence: `The roll`, `The card dealt to spot 1`."""
    if isinstance(event, e.Roll):
        return "The roll"
    return f"The card dealt to {phrases.place(event.to)}" if isinstance(event, e.Deal) else "The burned card"


def sentence(read: Event, by: e.ReadCorrected) -> str:
    """Return the sentence that says what was read, what is correct, and who corrected it."""
    misread_value, correct_value = value(read), value(corrected(read, by))
    manner = f"was read as {misread_value}" if misread_value else "could not be read"
    return (
        f"{place(read)} {manner} and is {correct_value}: {by.reason or 'no reason given'} (signed by"
        f" {signers(by.by, by.second)})."
    )
