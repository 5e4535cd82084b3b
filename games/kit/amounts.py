"""Amounts in minor units, and how sentences write them."""

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
"""Digits after the decimal point (ISO 4217); every currency that is not named here has two."""

MORE = 6
"""The most digits beyond the minor unit in a sentence; the pays of all games need fewer."""

Exact = int | Fraction
"""Minor units; a fraction only if the amount is not whole."""


def exact(amount: Fraction) -> Exact:
    """Return the amount as an integer if it is whole, else as a fraction."""
    return amount.numerator if amount.denominator == 1 else amount


def size(amount: Exact) -> Exact:
    """Return the amount without its sign."""
    return amount if amount >= 0 else -amount


def decimal(amount: int, currency: str) -> str:
    """Return minor units as a decimal with the currency's number of digits: `decimal(-1250, "USD")` is
    `"-12.50"`.
    """
    digits = EXPONENT.get(currency, 2)
    text = str(abs(amount)).rjust(digits + 1, "0")
    whole, part = (text[:-digits], text[-digits:]) if digits else (text, "")
    return f"{'-' if amount < 0 else ''}{whole}{'.' if part else ''}{part}"


def say(amount: Exact, currency: str) -> str:
    """Return an amount for a sentence, `12.50 USD`, with as many more digits as it needs: half a cent is
    `0.005 USD`.

    An amount without a finite decimal is given as a fraction of minor units.
    """
    if isinstance(amount, Fraction) and amount.denominator != 1:
        digits = next((more for more in range(1, MORE + 1) if 10**more % amount.denominator == 0), 0)
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
