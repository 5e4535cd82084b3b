"""The figures of a closed table on the form for an adjustment: as closed, as restated by earlier adjustments,
and as this adjustment would make them.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from casino.day_close.forms import DIRECTIONS, AdjustmentForm
from casino.presentation.amount_input import parse_amount
from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import digits, grouped, money


class AdjustedFigures(NamedTuple):
    """The figures of a table's day on one basis and in one currency, as text. A figure that is not known has
    the reason instead, such as `pending`.

    Attributes:
        over_label: `Drop` at a table with chips, `Handle` at a live-dealer table.
        closed_win: the win as the day was closed.
        closed_over: the drop or handle as the day was closed.
        adjusted: the sum of the earlier adjustments, or empty text without any.
        restated_win: the win with the earlier adjustments.
        after: the win with the adjustment in the form too. Empty if the form has no amount in this currency,
            or if the win is not known.
    """

    currency: str
    over_label: str
    closed_win: str
    closed_over: str
    adjustments: int
    adjusted: str
    restated_win: str
    after: str


def adjusted_figures(figures: Mapping[str, Any], currency: str, change: int | None) -> AdjustedFigures:
    """Return the figures for the form.

    Args:
        figures: a row of the report of closed and restated hold, as {column: text}.
        currency: the currency of the adjustment.
        change: the adjustment in minor units, positive if it raises the win, or None if the form has none.
    """
    own, absent = str(figures["currency"]), figures["absent"]
    after = ""
    if change is not None and own == currency and not absent["restated_win"]:
        after = money(Fraction(str(figures["restated_win"])) * 10 ** digits(own) + change, own)
    return AdjustedFigures(
        own,
        str(figures["basis"]).rpartition("/")[2].strip().capitalize(),
        grouped(figures["closed_win"]),
        grouped(figures["closed_denominator"]),
        int(figures["adjustments"]),
        "" if absent["adjusted"] else grouped(figures["adjusted"]),
        grouped(figures["restated_win"]),
        after,
    )


def typed_change(form: AdjustmentForm, currency: str) -> int | None:
    """Return the amount in the form in minor units, negative if it lowers the win. Return None if the amount
    or the direction is missing or invalid.
    """
    sign = DIRECTIONS.get(str(form["direction"].value()))
    try:
        amount = parse_amount(str(form["amount"].value()), currency, "amount", minimum=1)
    except ActionRejected:
        return None
    return None if sign is None else sign * amount
