"""The largest unexplained amount of the rows of "Where the hold went": its table, its gaming day, its shift,
and the place where it is (tray or box).
"""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import NamedTuple

from casino.presentation.formatting import cents
from casino.reports.definitions.where_the_hold_went import FELT, AttributionFigures, AttributionRow
from casino.reports.grouping import PLAY_ALONE
from casino.reports.hold_attribution_request import AttributionRequest, narrowed
from casino.reports.row_links import details_address

OF_DAY, OF_SHIFT = ("table", "day"), ("table", "day", "shift")
MOST_DAYS = 35
"""Maximum number of gaming days in which the largest amount is looked for. More days would make the page
slow.
"""


class LargestUnexplained(NamedTuple):
    """The table's gaming day with the largest unexplained amount in one currency, and its shift.

    Attributes:
        amount: the unexplained amount of the shift. If it is not known by shift, that of the day.
        shift: the name of the shift, or empty text if the amount is not known by shift.
        place: `in the tray`, `in the box`, `in tray and box`, or empty text if this is not known.
        address: the page of the table's day, with its counts and findings.
        others: the number of other table days with an unexplained amount.
        of_row: the value of the page's grouping in whose row the amount is.
    """

    amount: str
    table: str
    day: str
    shift: str
    place: str
    address: str
    others: int
    of_row: str


def is_too_long(wanted: AttributionRequest) -> bool:
    """Return True if the page has too many gaming days to look for the largest amount."""
    return (wanted.last - wanted.begins).days >= MOST_DAYS


def largest_unexplained(wanted: AttributionRequest) -> dict[str, LargestUnexplained]:
    """Return {currency: the largest unexplained amount} of the rows of a page. A currency without an
    unexplained amount has no entry. Rows by dealer or hour have no counts, so nothing is unexplained in them.
    """
    if is_too_long(wanted) or PLAY_ALONE & {*wanted.within, wanted.by}:
        return {}
    largest: dict[str, tuple[AttributionRow, str, str]] = {}
    numbers: dict[str, int] = {}
    for row, values in _rows(wanted, OF_DAY):
        currency = row.key[-1]
        if row.key[-2] != FELT or not row.figures.unexplained:
            continue
        numbers[currency] = numbers.get(currency, 0) + 1
        known = largest.get(currency)
        if known is None or _size(row) > _size(known[0]):
            largest[currency] = row, values["table"], values["day"]
    return {
        currency: _with_shift(wanted, row, table, day, numbers[currency] - 1)
        for currency, (row, table, day) in largest.items()
    }


def _rows(wanted: AttributionRequest, names: tuple[str, ...]) -> list[tuple[AttributionRow, dict[str, str]]]:
    """Return the rows of a page in the grouping `names`, each with the values of these names. A value may
    also come from a filter of the page.
    """
    by = tuple(name for name in names if name not in wanted.within)
    return [
        (row, wanted.within | dict(zip(by, row.key, strict=False)))
        for row in narrowed(wanted, (*wanted.within, *by))
    ]


def _with_shift(
    wanted: AttributionRequest, of_day: AttributionRow, table: str, day: str, others: int
) -> LargestUnexplained:
    """Return the largest amount of a table's day: that of one of its shifts, if it is known by shift."""
    on = date.fromisoformat(day)
    only_day = wanted._replace(begins=on, last=on)
    currency = of_day.key[-1]
    shifts = [
        (row, values)
        for row, values in _rows(only_day, tuple(dict.fromkeys((*OF_SHIFT, wanted.by))))
        if (values["table"], values["day"], row.key[-1]) == (table, day, currency) and row.figures.unexplained
    ]
    row, values = max(shifts, key=lambda pair: _size(pair[0]), default=(of_day, {"table": table, "day": day}))
    return LargestUnexplained(
        amount=f"{cents(Fraction(row.figures.unexplained), currency)} {currency}",
        table=table,
        day=day,
        shift=values.get("shift", ""),
        place=place_of(row.figures),
        address=_address(wanted, table, day),
        others=others,
        of_row=values.get(wanted.by, ""),
    )


def _address(wanted: AttributionRequest, table: str, day: str) -> str:
    """Return the address of the counts of a table's day. If the page has a filter that the page of the whole
    day does not have, such as a shift, return the address of this page for the day, with the filter.
    """
    address = details_address(wanted.scope, {"table": table, "day": day})
    return address if "?" in address else f"{address}?part=unexplained#list"


def place_of(figures: AttributionFigures) -> str:
    """Return where an unexplained amount is: `in the tray`, `in the box`, or `in tray and box`. Return empty
    text if the purchases of chips were not recorded, because the amount cannot be divided then.
    """
    if not figures.split:
        return ""
    places = [name for name in ("tray", "box") if getattr(figures, name)]
    return f"in {'the ' if len(places) == 1 else ''}{' and '.join(places)}" if places else ""


def _size(row: AttributionRow) -> Fraction:
    return abs(Fraction(row.figures.unexplained))
