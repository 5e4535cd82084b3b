"""Money amounts in minor units (for example cents), and how sentences show them."""

from __future__ import annotations

from fractions import Fraction

EXPONENT = {
    code: digits
    for digits, codes in (
        (0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"),
        (3, "BHD IQD JOD KWD LYD OMR TND"),
        (4, "CLF UYW"),
    )
    for code in codes.split()
}
"""The number of digits after the decimal point for each currency code (ISO 4217). A currency that is not
listed here has two digits.
"""

MORE = 6
"""The maximum number of digits after the minor unit in a formatted amount. The pay tables of all games need
fewer.
"""

Exact = int | Fraction
"""An amount in minor units. It is a fraction only if it is not a whole number of minor units."""


def exact(amount: Fraction) -> Exact:
    """Return the amount as an integer if it is whole, else as a fraction."""
    return amount.numerator if amount.denominator == 1 else amount


def size(amount: Exact) -> Exact:
    """Return the amount without its sign."""
    return amount if amount >= 0 else -amount


def decimal(amount: int, currency: str) -> str:
    """Return an amount in minor units as a decimal with the digits of its currency: `decimal(-1250, "USD")`
    is `"-12.50"`.
    """
    digits = EXPONENT.get(currency, 2)
    text = str(abs(amount)).rjust(digits + 1, "0")
    units, decimals = (text[:-digits], text[-digits:]) if digits else (text, "")
    return f"{'-' if amount < 0 else ''}{units}{'.' if decimals else ''}{decimals}"


def say(amount: Exact, currency: str) -> str:
    """Format an amount for a sentence: `12.50 USD`. If the amount is not a whole number of minor units, it
    gets more digits: half a cent is `0.005 USD`.

    If the amount has no finite decimal, it is written as a fraction of minor units.
    """
    if isinstance(amount, Fraction) and amount.denominator != 1:
        digits = next((count for count in range(1, MORE + 1) if 10**count % amount.denominator == 0), 0)
        if not digits:
            return f"{amount.numerator}/{amount.denominator} minor units {currency}"
        minor = EXPONENT.get(currency, 2)
        scaled = str(abs(amount.numerator) * (10**digits // amount.denominator)).rjust(
            minor + digits + 1, "0"
        )
        return (
            f"{'-' if amount < 0 else ''}{scaled[: -minor - digits]}.{scaled[-minor - digits :]} {currency}"
        )
    return f"{decimal(int(amount), currency)} {currency}"
