"""The parts of the win on the pages "Where the hold went": their names, their list and a waterfall chart."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NamedTuple

from casino.presentation.charts.rows import Step, Waterfall, waterfall_chart
from casino.presentation.formatting import grouped
from casino.reports.columns import Absent
from casino.reports.definitions import where_the_hold_went as report

PARTS = {
    # For each part: its title, its meaning, and the report that explains it, with its grouping.
    "theoretical": (
        "Theoretical win",
        "Stakes times the exact edge at perfect play, and the effect of rounding.",
        "statistics",
        ("table", "wager"),
    ),
    "choices": (
        "Players' choices",
        "Cost of players' decisions compared with the best ones.",
        "",
        (),
    ),
    "luck": (
        "Luck",
        "The rest of the win by the rules. It is zero on average.",
        "statistics",
        ("table",),
    ),
    "undivided": (
        "Not divided",
        "The three parts above as one figure, if decisions are not reported or hands cannot be judged.",
        "coverage",
        (),
    ),
    "errors": (
        "Dealer errors",
        "Amounts moved minus amounts owed. Negative: players gained.",
        "dealer-errors",
        ("dealer", "table"),
    ),
    "corrections": (
        "Corrected later",
        "Collected from players by corrections, or paid to them.",
        "voids",
        (),
    ),
    "not_counted": (
        "Not counted",
        "Dealt win of days that are not counted. The counted win leaves it out.",
        "",
        (),
    ),
    "unexplained": ("Unexplained", "The counted win minus the dealt win.", "opener-closer", ()),
}
DIFFERENCES = {
    "theoretical": "it includes stakes that cannot be judged, and no rounding",
    "luck": "its win includes dealer errors",
}
"""For each part whose report has another figure for the win: the difference."""
LESS_NOT_COUNTED = "Less not counted"
"""The step of the chart from the dealt win to the counted win. Its amount is the negative of the part."""
NOUGHT = ("0", "0.00", "0.000")


class Part(NamedTuple):
    """One part of the win, in the list next to the chart.

    Attributes:
        address: the report whose total is this amount, or a list of the hands behind it.
        related: the title and the address of a report that explains the part, and how its figures differ, or
            empty texts.
    """

    name: str
    amount: str | Absent
    says: str
    address: str
    related: tuple[str, str, str]


def waterfall(row: dict[str, Any], linked: Iterable[Part], currency: str) -> Waterfall:
    """Return the waterfall chart of a row. Each of its steps links to the address of the part with the same
    name in `linked`.
    """
    addresses = {part.name: part.address for part in linked}
    addresses[LESS_NOT_COUNTED] = addresses.get(PARTS["not_counted"][0], "")
    linked_steps = [step._replace(href=addresses.get(step.name, "")) for step in steps(row)]
    return waterfall_chart(linked_steps, "Parts of the win", currency)


def steps(row: dict[str, Any]) -> list[Step]:
    """Return the steps of a row's waterfall chart. First come the parts that add up to the dealt win, then
    the days that are not counted and the unexplained amount, which lead to the counted win. A live-dealer
    table has no counts, so its chart ends with the dealt win.
    """
    drawn = [
        _step(PARTS[part][0], row[part])
        for part in list(PARTS)[:6]
        if part in ("theoretical", "choices", "luck", "errors") or has_amount(row[part])
    ]
    drawn.append(_step("Dealt", row["dealt"], total=True))
    if isinstance(row["counted"], Absent) or row["basis"] == report.STUDIO:
        return drawn
    if has_amount(row["not_counted"]):
        left = str(row["not_counted"])
        other = left.removeprefix("-") if left.startswith("-") else f"-{left}"
        drawn.append(_step(LESS_NOT_COUNTED, other))
    if not isinstance(row["unexplained"], Absent):
        drawn.append(_step("Unexplained", row["unexplained"])._replace(unexplained=True))
    return [*drawn, _step("Counted", row["counted"], total=True)]


def has_amount(amount: Any) -> bool:
    """Return True if a cell of the report is an amount other than zero."""
    return not isinstance(amount, Absent) and amount not in NOUGHT


def _step(name: str, amount: Any, *, total: bool = False) -> Step:
    return Step(name, Fraction(str(amount)), grouped(amount), total)
