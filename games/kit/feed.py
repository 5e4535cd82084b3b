"""Contradictions and unreadable values in the messages of a feed.

An import profile stores in the fact both values of a contradiction (`contradicts`), the cards that a result
lists (`declared_cards`) and the text that it could not read (`raw_text`). This module judges them for every
game.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.kit import events as e
from games.kit import phrases
from games.kit.cards import PIP
from games.kit.citations import ENVELOPE, reference
from games.kit.events import Event
from games.kit.rules import RuleHit

CODE = "feed-contradicts"
CITE = ENVELOPE
CITE_RESULT = reference("announce")


def contradiction(contradicts: list[tuple[str, str, str]]) -> str:
    """Return a sentence that names the fields of one message that contradict each other."""
    return " ".join(
        f"The feed gives two values for {field}: {value}, and {other}." for field, value, other in contradicts
    )


def unread_card(event: e.Deal | e.Burn) -> str:
    """Return a sentence about a card that was not read. It quotes what the feed sent instead of a card, if
    anything.
    """
    action = f"dealt to {phrases.place(event.to)}" if isinstance(event, e.Deal) else "burned"
    if event.raw_text is None:
        return f"The card {action} could not be read."
    return f"The feed sent {event.raw_text or 'an empty text'}, which is not a card, for the card {action}."


def declared_otherwise(declared: e.Announce, history: list[Event]) -> Iterator[RuleHit]:
    """Yield a sentence for each place to which the result lists other cards than were dealt.

    Args:
        history: the facts of the round.
    """
    dealt: dict[str, list[e.Deal]] = {}
    for fact in history:
        if isinstance(fact, e.Deal):
            dealt.setdefault(fact.to, []).append(fact)
    for place, cards in (declared.declared_cards or {}).items():
        came = dealt.get(place, [])
        if len(cards) != len(came) or not all(map(agrees, cards, came)):
            listed, sides_listed = (
                ", ".join(cards) or "no card",
                ", ".join(card.card or card.raw_text or "one not read" for card in came) or "no card",
            )
            yield RuleHit(
                f"The result that the feed declared lists {listed} at {place}; dealt there: {sides_listed}.",
                at=declared,
                spot=place,
            )


def agrees(listed: str, dealt: e.Deal) -> bool:
    """Return True if a card listed in a result may be the card that was dealt. A card that was not read may
    be any card.
    """
    if dealt.card is None:
        return listed in PIP or dealt.raw_text in (None, listed)
    return listed == dealt.card
