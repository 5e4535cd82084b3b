"""Convert vendors' spellings of cards and amounts to the spelling of facts. Check whether two fields with the
same meaning agree.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, NamedTuple

from msgspec import json

from audit.facts.input_parsing import whole
from games.kit.amounts import EXPONENT
from games.kit.cards import PIP
from games.kit.events import LIMIT

_RANKS = "A23456789TJQK"
_SUITS = "shdc"


def parse_card(spelled: object) -> str | None:
    """Return the rank and suit (`Kd`) of a card such as `KD`, `9d`, `10H` or `Td`, or None if the text is not
    a card.
    """
    if not isinstance(spelled, str):
        return None
    rank, suit = spelled.strip()[:-1].upper().replace("10", "T"), spelled.strip()[-1:].lower()
    return rank + suit if len(rank) == 1 and rank in _RANKS and suit and suit in _SUITS else None


RAW_LETTERS = 60
"""Maximum length of the recorded beginning of a text that could not be interpreted."""
_ALSO = {"A": {11, 14}, "J": {10}, "Q": {10}, "K": {10}}
"""For some ranks: values that the rank may have in addition to its usual one. Vendors send an ace as 1, 11 or
14, and a face card as 10 or as its rank.
"""


class Card(NamedTuple):
    """A card as it was sent: its rank and suit; or None, with the text that was sent, if the text is not a
    card.
    """

    card: str | None
    raw_text: str | None = None

    @property
    def fields(self) -> dict[str, Any]:
        """Return the fields of a fact that describe the card."""
        return (
            {"card": self.card} if self.raw_text is None else {"card": self.card, "raw_text": self.raw_text}
        )

    @property
    def shown(self) -> str:
        """Return the card, or the text that was sent instead of it."""
        return self.card or self.raw_text or ""


def read_card(spelled: object) -> Card:
    """Return the card that a text names. If it names no card, return a Card with the text itself, so that no
    input is lost.
    """
    card = parse_card(spelled)
    return Card(card, None if card is not None or spelled is None else raw_text(spelled))


def raw_text(sent: object) -> str:
    """Return the value that was sent, as text that a fact can contain."""
    text = str(sent) if isinstance(sent, str | int | Decimal) else json.encode(sent).decode()
    return text.strip()[:RAW_LETTERS]


def parse_integer(sent: object) -> int | None:
    """Return an integer that was sent as a number or as text, such as `9`, `"9"` or `9.0`. Return None if the
    value is not an integer.
    """
    if isinstance(sent, bool):
        return None
    if isinstance(sent, str):
        return whole(sent)
    if isinstance(sent, Decimal):
        return (
            int(sent)
            if sent.is_finite() and abs(sent) < 10**18 and sent == sent.to_integral_value()
            else None
        )
    return sent if isinstance(sent, int) else None


def counts_as(card: str, value: object) -> bool:
    """Return True if a vendor may send this number for the value of the card."""
    number = parse_integer(value)
    return number is not None and number in {PIP[card], *_ALSO.get(card[0], ())}


def minor_units(amount: Any, currency: str) -> int:
    """Convert an amount in whole units of the currency, such as `12.50`, to minor units. Raise ValueError if
    it is not a number, or not a whole number of minor units.
    """
    if isinstance(amount, bool) or not isinstance(amount, int | Decimal):
        raise ValueError(f"{amount!r} is not an amount")
    digits = EXPONENT.get(currency, 2)
    sign, figures, exponent = Decimal(amount).as_tuple()
    if not isinstance(exponent, int) or not -40 < exponent < 18 or len(figures) > 40:
        raise ValueError(f"{amount} is not an amount of money")
    shift = exponent + digits
    value, remainder = divmod(int("".join(map(str, figures))) * 10 ** max(shift, 0), 10 ** max(-shift, 0))
    if remainder:
        raise ValueError(
            f"{amount} {currency} is not a whole number of its smallest unit ({digits} decimals)"
        )
    if value > LIMIT:
        raise ValueError(f"{amount} {currency} is too large to be recorded")
    units: int = -value if sign else value
    return units
