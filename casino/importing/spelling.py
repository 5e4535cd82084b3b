"""How vendors spell cards and money, in the house's own terms."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from games.kit.amounts import EXPONENT
from games.kit.events import LIMIT

_RANKS = "A23456789TJQK"
_SUITS = "shdc"


def card_of(spelled: object) -> str | None:
    """`KD`, `9d`, `10H`, `Td` as rank and suit (`Kd`); None where it is no such card: it could not be read."""
    if not isinstance(spelled, str):
        return None
    rank, suit = spelled.strip()[:-1].upper().replace("10", "T"), spelled.strip()[-1:].lower()
    return rank + suit if len(rank) == 1 and rank in _RANKS and suit and suit in _SUITS else None


def minor_units(amount: Any, currency: str) -> int:
    """A decimal number of currency units as whole minor units. Raises ValueError where it is none, or not whole."""
    if isinstance(amount, bool) or not isinstance(amount, int | Decimal):
        raise ValueError(f"{amount!r} is no amount")
    digits = EXPONENT.get(currency, 2)
    sign, figures, exponent = Decimal(amount).as_tuple()
    if not isinstance(exponent, int) or not -40 < exponent < 18 or len(figures) > 40:
        raise ValueError(f"{amount} is no amount of money")
    shift = exponent + digits
    value, rest = divmod(int("".join(map(str, figures))) * 10 ** max(shift, 0), 10 ** max(-shift, 0))
    if rest:
        raise ValueError(f"{amount} {currency} is not a whole number of its smallest unit ({digits} decimals)")
    if value > LIMIT:
        raise ValueError(f"{amount} {currency} is beyond what can be recorded")
    units: int = -value if sign else value
    return units
