"""What people type into the forms of floor, cage and count room: amounts of a currency, and pieces by denomination."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Context, Decimal, DecimalException, Inexact, InvalidOperation, Overflow
from typing import NamedTuple

from casino.acts import NotAccepted
from casino.signing import words
from games.kit.amounts import EXPONENT, decimal

MOST = 10**13
"""Minor units, or pieces, that may be typed."""
_EXACT = Context(prec=40, traps=[InvalidOperation, Overflow, Inexact])
"""Nothing is rounded in silence, whatever another library has set for everybody."""


def minor(text: str, currency: str, name: str, *, least: int = 0) -> int:
    """An amount as it is typed, `1,250.00`, in minor units of the currency; nothing typed is 0.

    Raises NotAccepted, naming the field, for what is no amount, a part of the smallest coin, or less than `least`.
    """
    typed = text.replace(",", "").strip()
    digits = EXPONENT.get(currency, 2)
    try:
        found = _EXACT.multiply(_EXACT.create_decimal(typed or "0"), 10**digits)
    except DecimalException:
        found = Decimal(-MOST)
    if not found.is_finite() or found != found.to_integral_value() or not least <= found <= MOST:
        raise NotAccepted(f"{words(name)}: an amount such as {decimal(12500, currency)}, not below {decimal(least, currency)}.", name)
    return int(found)


def pieces(post: Mapping[str, str], prefix: str, denominations: Iterable[int], currency: str) -> dict[str, int]:
    """{denomination in minor units: pieces} of the fields `PREFIX-DENOMINATION`; one left empty, or 0, is not in it.

    Raises NotAccepted, naming the field, for what is no whole number from 0.
    """
    found: dict[str, int] = {}
    for denomination in denominations:
        name = f"{prefix}-{denomination}"
        typed = post.get(name, "").replace(",", "").strip()
        if not typed:
            continue
        if not (typed.isascii() and typed.isdigit() and len(typed) < 12):
            raise NotAccepted(f"Pieces of {decimal(denomination, currency)}: a whole number, not “{typed[:20]}”.", name)
        if int(typed):
            found[str(denomination)] = int(typed)
    return found


class Denomination(NamedTuple):
    """A line of the form: the worth of one piece, as it stands in the field's name, and what was typed before."""

    minor: int
    text: str
    typed: str


def denominations(of: Iterable[int], prefix: str, post: Mapping[str, str]) -> list[Denomination]:
    """The lines of `floor/_pieces.html`, the largest first, with what was typed."""
    return [Denomination(one, str(one), post.get(f"{prefix}-{one}", "")) for one in sorted(of, reverse=True)]


def worth(counted: Mapping[str, int]) -> int:
    """What these pieces are worth, in minor units."""
    return sum(int(denomination) * count for denomination, count in counted.items())
