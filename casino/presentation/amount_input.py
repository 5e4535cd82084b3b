"""Parse what people type into forms: amounts of a currency, and chips or notes by denomination."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import field_label
from games.kit.amounts import EXPONENT, decimal

MOST = 10**13
"""The most minor units, or pieces, that may be typed."""
THOUSANDS = 3
"""Decimals that are rejected if a currency has fewer: `1.500` may mean 1,500, and must not become 1.50."""
_WHOLE = r"[0-9]{1,3}(?:,[0-9]{3}){1,4}|[0-9]{1,14}"
"""Digits, with a comma between every three or with none: `12,50` is rejected and must not become 1,250.00."""
_amount = re.compile(rf"({_WHOLE})(?:\.([0-9]{{1,6}}))?").fullmatch
_count = re.compile(_WHOLE).fullmatch


def parse_amount(text: str, currency: str, name: str, *, least: int = 0) -> int:
    """Return a typed amount, such as `1,250.00`, in minor units of the currency. An empty text is 0.

    Raise ActionRejected, naming the field, for a text that is not an amount, a fraction of the smallest coin,
    or an amount below `least`.
    """
    found, digits = _amount(text.strip() or "0"), EXPONENT.get(currency, 2)
    whole, part = (found[1].replace(",", ""), found[2] or "") if found else ("", "")
    part = part if digits < THOUSANDS == len(part) else part.rstrip("0")
    amount = int(whole + part.ljust(digits, "0")) if whole and len(part) <= digits else -1
    if not least <= amount <= MOST:
        written = f", not “{text.strip()[:20]}”" if text.strip() else ""
        example, bound = decimal(12500, currency), decimal(least, currency)
        raise ActionRejected(
            f"{field_label(name)}: an amount such as {example} or 1,250, not below {bound}{written}.", name
        )
    return amount


def parse_counts(
    post: Mapping[str, str], prefix: str, denominations: Iterable[int], currency: str
) -> dict[str, int]:
    """Return {denomination in minor units: count} of the fields `PREFIX-DENOMINATION`, without empty ones and
    zeros.

    Raise ActionRejected, naming the field, for a text that is not a whole number.
    """
    found: dict[str, int] = {}
    for denomination in denominations:
        name = f"{prefix}-{denomination}"
        typed = post.get(name, "").strip()
        if not typed:
            continue
        if not _count(typed) or (count := int(typed.replace(",", ""))) * denomination > MOST:
            raise ActionRejected(
                f"Pieces of {decimal(denomination, currency)}: a whole number, not “{typed[:20]}”.", name
            )
        if count:
            found[str(denomination)] = count
    return found


class Denomination(NamedTuple):
    """A line of the form: the value of one piece, as in the field's name, and what was typed before."""

    minor: int
    text: str
    typed: str


def denominations(of: Iterable[int], prefix: str, post: Mapping[str, str]) -> list[Denomination]:
    """Return the lines of `floor/_pieces.html`, the largest first, with what was typed."""
    return [Denomination(one, str(one), post.get(f"{prefix}-{one}", "")) for one in sorted(of, reverse=True)]


def total_value(counted: Mapping[str, int]) -> int:
    """Return the value of these pieces in minor units."""
    return sum(int(denomination) * count for denomination, count in counted.items())
