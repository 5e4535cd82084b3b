"""The URL of the form of an adjustment, whose fields are filled in from a finding."""

from __future__ import annotations

from fractions import Fraction

from django.urls import reverse
from django.utils.http import urlencode

from casino.presentation.formatting import code_label, money, place, wager_words

SETTLEMENT = "settlement"
"""The value of the form field `what` if a payment to or from a player was wrong."""


def adjustment_url(
    stream: str,
    finding: str,
    code: str,
    wager: tuple[str, str] | None = None,
    to_player: Fraction | None = None,
    currency: str = "",
) -> str:
    """Return the URL of the form that adjusts a closed day because of a finding.

    Args:
        stream: the table's gaming day.
        finding: the id of the finding, which begins with the uid of its fact.
        code: the code of the finding.
        wager: spot and wager, if the finding is about a wager.
        to_player: what a player must still get, in minor units; negative if it must come back. An amount that
            is not a whole number of minor units, or None, is not filled in.
        currency: the currency of the amount.
    """
    table, _, day = stream.rpartition("/")
    property, _, code_of_table = table.partition("/")
    fields = {"property": property, "day": day, "table": code_of_table, "of": finding.partition(":")[0]}
    if wager is not None and to_player and to_player.denominator == 1:
        fields |= {
            "what": SETTLEMENT,
            "amount": money(abs(to_player), currency),
            "direction": "lowers" if to_player > 0 else "raises",
            "reason": f"{code_label(code)}: {place(wager[0])}, {wager_words(wager[1])}",
        }
    return f"{reverse('closing_adjust')}?{urlencode(fields)}"
