"""Compare a table's tray with its par levels, and propose the fill or credit that brings it back to par.

Wagers and payments do not name denominations. So the tray is computed from its last count and the slips
since, and hands played since are not included. People correct a proposal before they sign it. Nothing is
recorded without them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date
from typing import Any, NamedTuple

from audit.queries import floor
from audit.queries.floor import Now
from casino.cage.slips import pending
from casino.cage.slips.pending import PendingSlip
from casino.presentation.formatting import digits, money
from casino.reference import chip_sets
from casino.reference.calendar import gaming_day
from casino.reference.par_levels import par_of
from casino.reference.registers import currency_of, values_on

LOW, VERY_LOW = 3, 2
"""A denomination is low if the tray has fewer pieces than LOW quarters of par. It is very low if the tray has
fewer pieces than VERY_LOW quarters of par.
"""

PAR_HEIGHT, MOST_HEIGHT = 20, 24
"""In the drawing of a tray: the height of a bar at par, and the greatest height of any bar, in pixels."""


class ParLine(NamedTuple):
    """One denomination of a tray, in pieces.

    Attributes:
        pending: pieces of slips that still lack signatures, negative for credits.
    """

    denomination: int
    par: int
    pieces: int
    pending: int

    @property
    def short(self) -> int:
        """Return how many pieces the tray will lack to reach par if all pending slips are carried out."""
        return max(self.par - self.pieces - self.pending, 0)

    @property
    def over(self) -> int:
        """Return how many pieces the tray will have above par if all pending slips are carried out. Never
        return more pieces than are in the tray.
        """
        return max(min(self.pieces, self.pieces + self.pending - self.par), 0)

    @property
    def height(self) -> int:
        """Return the height of the bar for these pieces, in pixels. A tray at par has PAR_HEIGHT. No bar is
        higher than MOST_HEIGHT.
        """
        if not self.par:
            return PAR_HEIGHT if self.pieces > 0 else 0
        return max(0, min(self.pieces * PAR_HEIGHT // self.par, MOST_HEIGHT))

    @property
    def level(self) -> str:
        """Return `very-low`, `low`, or an empty text if there is enough."""
        if 4 * self.pieces < VERY_LOW * self.par:
            return "very-low"
        return "low" if 4 * self.pieces < LOW * self.par else ""


class TrayAtPar(NamedTuple):
    """The tray of a table with its par levels, the largest denomination first.

    Attributes:
        state: the table with its last count.
    """

    state: Now
    lines: list[ParLine]

    @property
    def fill(self) -> int:
        """Return the amount of the proposed fill in minor units."""
        return sum(line.short * line.denomination for line in self.lines)

    @property
    def credit(self) -> int:
        """Return the amount of the proposed credit in minor units."""
        return sum(line.over * line.denomination for line in self.lines)

    @property
    def amount(self) -> int:
        """Return the amount of the pieces with a par level, in minor units."""
        return sum(line.pieces * line.denomination for line in self.lines)

    @property
    def without_par(self) -> int:
        """Return the amount of the pieces in the tray whose denomination has no par level, in minor units."""
        with_par = {line.denomination for line in self.lines}
        return sum(chip * pieces for chip, pieces in self.state.pieces.items() if chip not in with_par)

    @property
    def is_low(self) -> bool:
        """Return True if a denomination is low."""
        return any(line.level for line in self.lines)

    @property
    def labels(self) -> list[tuple[str, ParLine]]:
        """Return each line with the label of its denomination: `25`, `0.50`."""
        currency = self.state.opened.currency
        zeros = "." + "0" * digits(currency)
        return [(money(line.denomination, currency).removesuffix(zeros), line) for line in self.lines]

    def proposal(self, slip: str) -> dict[int, int]:
        """Return {denomination: pieces} of the proposed slip, a `fill` or a `credit`, without zeros."""
        pieces = {line.denomination: line.short if slip == "fill" else line.over for line in self.lines}
        return {chip: number for chip, number in pieces.items() if number}

    def as_context(self, slip: str) -> dict[str, Any]:
        """Return what the template `cage/_par.html` needs to compare the tray with par: each line with the
        pieces of the proposed slip, a `fill` or a `credit`, and the amount of the slip.
        """
        proposal = self.proposal(slip)
        return {
            "tray": self,
            "what": slip,
            "lines": [(line, proposal.get(line.denomination, 0)) for line in self.lines],
            "proposed": self.fill if slip == "fill" else self.credit,
        }


def trays_at_par(property: str, today: date, states: Iterable[Now]) -> dict[str, TrayAtPar]:
    """Return {table: tray with its par levels}.

    A table is left out if it is not open, if its tray was not counted, or if the register names no par levels
    in the currency in which it is open. Denominations that are not in use are left out too.
    """
    entries = values_on(property, "tables", today)
    states = [state for state in states if state.is_open and state.counted is not None]
    states = [state for state in states if par_of(entries.get(_code(state)))]
    if not states:
        return {}
    own = currency_of(property)
    in_use = {
        currency: chip_sets.chips(property, currency, today)
        for currency in {state.opened.currency for state in states}
    }
    slips = pending.of_property(property)
    trays = {}
    for state in states:
        table, currency = _code(state), state.opened.currency
        par = {chip: pieces for chip, pieces in par_of(entries[table]).items() if chip in in_use[currency]}
        if par and (entries[table].get("currency") or own) == currency:
            of_table = [slip for slip in slips if slip.table == table and slip.currency == currency]
            trays[table] = _tray_at_par(state, par, of_table)
    return trays


def read_tray_at_par(property: str, table: str) -> TrayAtPar | None:
    """Return the tray of one table with its par levels, or None if `trays_at_par` leaves out the table."""
    today = gaming_day(property)
    state = floor.table(property, table, today)
    return None if state is None else trays_at_par(property, today, [state]).get(table)


def _tray_at_par(state: Now, par: dict[int, int], slips: list[PendingSlip]) -> TrayAtPar:
    signing: Counter[int] = Counter()
    for slip in slips:
        direction = 1 if slip.kind == "fill-sent" else -1
        for chip, number in slip.chips.items():
            signing[int(chip)] += direction * number
    lines = [
        ParLine(chip, par[chip], state.pieces.get(chip, 0), signing[chip])
        for chip in sorted(par, reverse=True)
    ]
    return TrayAtPar(state, lines)


def _code(state: Now) -> str:
    return state.table.partition("/")[2]
