"""Parse what people type into forms: amounts of a currency, and chips or notes by denomination."""

from __future__ import annotations

import re
from collections.abc import Mapping

from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import field_label
from games.kit.amounts import EXPONENT, decimal

MOST = 10**13
"""The largest accepted amount, and the largest accepted value of pieces, in minor units."""
THOUSANDS = 3
"""Amounts with this number of decimals are rejected if their currency has fewer. For example, `1.500` may
mean 1,500 and must not become 1.50.
"""
_WHOLE = r"[0-9]{1,3}(?:,[0-9]{3}){1,4}|[0-9]{1,14}"
"""Pattern of a whole number, with a comma before every three digits or without commas. `12,50` does not
match, because it must not become 1,250.00.
"""
_amount = re.compile(rf"({_WHOLE})(?:\.([0-9]{{1,6}}))?").fullmatch
_count = re.compile(_WHOLE).fullmatch


def parse_amount(text: str, currency: str, name: str, *, minimum: int = 0) -> int:
    """Parse an amount such as `1,250.00` and return it in minor units of the currency. An empty text is 0.

    Raise ActionRejected, which names the field, in three cases: the text is not an amount, it has a fraction
    of a minor unit, or the amount is less than `minimum`.
    """
    match, digits = _amount(text.strip() or "0"), EXPONENT.get(currency, 2)
    integer, part = (match[1].replace(",", ""), match[2] or "") if match else ("", "")
    part = part if digits < THOUSANDS == len(part) else part.rstrip("0")
    amount = int(integer + part.ljust(digits, "0")) if integer and len(part) <= digits else -1
    if not minimum <= amount <= MOST:
        written = f", not “{text.strip()[:20]}”" if text.strip() else ""
        example, bound = decimal(12500, currency), decimal(minimum, currency)
        raise ActionRejected(
            f"{field_label(name)}: an amount such as {example} or 1,250, not below {bound}{written}.", name
        )
    return amount


def parse_pieces(text: str, denomination: int, currency: str) -> int:
    """Return the typed number of pieces of one denomination. `denomination` is in minor units. An empty text
    is 0.

    Raise ActionRejected if the text is not a whole number, or if the pieces are worth more than MOST.
    """
    typed = text.strip() or "0"
    if not _count(typed) or (count := int(typed.replace(",", ""))) * denomination > MOST:
        raise ActionRejected(
            f"Pieces of {decimal(denomination, currency)}: type a whole number, not “{typed[:20]}”."
        )
    return count


def total_value(counted: Mapping[str, int]) -> int:
    """Return the total value in minor units of {denomination: number of pieces}."""
    return sum(int(denomination) * count for denomination, count in counted.items())
