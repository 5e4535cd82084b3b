"""The odds that a manual prints, and the alternatives that it could have meant. Both are compared with the
computed odds.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from games.kit.chances import Chances, figures, mean
from games.kit.line import Line
from games.kit.odds import to_one
from games.kit.round import Round
from games.kit.seat import Reprice

AGREES, CONTRADICTS, NOT_PRINTED = "agrees", "contradicts", "not printed"
EDGE, RTP, PAYS, DRAWN = "edge", "RTP", "pays", "drawn"
"""The kinds of printed figure: a house edge or a return in percent, pays in words, or a pay table drawn on
the layout.
"""


class PrintedFigure(NamedTuple):
    """One figure that the manual of a game's first edition prints, with its citation."""

    wagers: tuple[str, ...]
    what: str
    figure: str
    """The figure as it is printed: `3.21` for percent, `3:1` for a pay, `1:1 2:1` for all pays of a pay
    table.
    """
    cite: str
    pay_table: str | None = None
    """The pay table for which the figure is printed, or None for all pay tables of the wager."""
    conditions: Mapping[str, Any] = {}
    """The conditions for which the figure is printed. It applies to cases that meet all of them."""

    def __str__(self) -> str:
        return f"{self.short} ({self.cite})"

    @property
    def short(self) -> str:
        """Return the figure without its citation: `edge 3.21%`."""
        return f"{self.what} {self.figure}{'%' if self.what in (EDGE, RTP) else ''}"

    def concerns(self, wager: str, pay_table: str | None, conditions: Mapping[str, Any]) -> bool:
        """Return True if the figure applies to this wager, pay table and these conditions."""
        return (
            wager in self.wagers
            and self.pay_table in (None, pay_table)
            and self.conditions.items() <= conditions.items()
        )

    def is_what(self, of: Chances) -> bool:
        """Return True if these chances give the printed figure when they are rounded to as many digits."""
        if self.what in (PAYS, DRAWN):
            return {Fraction(*to_one(pays)) for pays in self.figure.split()} == wins(of)
        exact = figures(of)
        return (
            percent(exact.edge if self.what == EDGE else exact.rtp, len(self.figure.partition(".")[2]))
            == self.figure
        )


class AlternativePay(NamedTuple):
    """A pay table or an option value that the game does not use. It is printed or used elsewhere, or the
    manual could have meant it.
    """

    name: str
    source: str
    wagers: tuple[str, ...]
    reprice: Reprice
    answers: Mapping[str, str] = {}
    """The property's values of the options with which the odds of the alternative are computed."""

    def __str__(self) -> str:
        return f"{self.name} ({self.source})"


def instead(pays: Mapping[Fraction, Fraction | int]) -> Reprice:
    """Return a function that settles by another pay table.

    Args:
        pays: for each amount that a win pays under the game's own table, the amount that is paid instead.
            Both amounts are for a stake of one.
    """
    table = {usual: Fraction(own_pay) for usual, own_pay in pays.items()}

    def reprice(round: Round, line: Line, net: Fraction) -> Fraction:
        return table.get(net, net)

    return reprice


def wins(of: Chances) -> set[Fraction]:
    """Return every amount that a win can pay for a stake of one."""
    return {net for net in of if net > 0}


def percent(part: Fraction, digits: int) -> str:
    """Return a share in percent, rounded half away from zero: `-0.05` with one digit is `-0.1`."""
    scaled = abs(part) * 100 * 10**digits
    units = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    text = str(units).rjust(digits + 1, "0")
    units_text, decimals = (text[:-digits], text[-digits:]) if digits else (text, "")
    return f"{'-' if part < 0 and units else ''}{units_text}{'.' if decimals else ''}{decimals}"


def whose_edge(of: Chances) -> str:
    """Return a clause that says who has the edge and how large it is."""
    average = mean(of)
    return (
        f"gives the player an edge of {percent(average, 4)}%"
        if average > 0
        else f"has an edge of {percent(-average, 4)}%"
    )
