"""The details of one row (dealer, table or game) of an error board: its rate in words, and its errors by
hour, by day and by code.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import NamedTuple

from casino.boards.chance import in_words, likely_numbers
from casino.boards.errors import ErrorRow, ErrorSum, Judged, sums, sums_of_one, total, with_value
from casino.boards.request import BoardRequest
from casino.presentation.charts.series import Plot, Point, column_chart
from casino.presentation.formatting import code_label
from casino.reference import calendar
from casino.reports.definitions.dealer_errors import ErrorFigures
from casino.reports.grouping import rounded


class Cause(NamedTuple):
    """The errors of one code: their number, and the money beyond what was owed, positive for players."""

    code: str
    label: str
    errors: int
    net: Fraction
    href: str


class Detail(NamedTuple):
    """The details of the chosen row, for the page."""

    row: ErrorRow
    rate: str
    low: str
    high: str
    says: str
    compared: str
    hands: str
    hours: Plot
    days: Plot
    causes: list[Cause]


def detail(
    wanted: BoardRequest, judged: Judged, row: ErrorRow, causes: Sequence[ErrorSum], currency: str
) -> Detail:
    """Return the details of a row in one currency. `causes`: its sums of errors, one for each code."""
    dimension = DIMENSION[wanted.board]
    rate, low, high = (rounded(value, 1) for value in (row.rate, *row.bounds))
    return Detail(
        row,
        rate,
        low,
        high,
        sentence(judged, row, wanted.board),
        compared(judged, row, wanted.board),
        hands_with_errors(wanted, row, [each.key[1] for each in causes]),
        by_hour(wanted, row, currency),
        by_day(wanted, judged, row, currency),
        [_cause(wanted, dimension, row, each) for each in sorted(causes, key=_most_first)],
    )


DIMENSION = {"dealers": "dealer", "tables": "table", "games": "game"}
"""For each error board: the dimension of the tally by which its rows are grouped, which is also the name of
the filter of hands.
"""


def hands_with_errors(wanted: BoardRequest, row: ErrorRow, codes: list[str]) -> str:
    """Return the URL of the search for the hands of a row that have findings of these codes. Return an empty
    text if there are no codes, or if the row has no name to search for.
    """
    return (
        wanted.hands(**{DIMENSION[wanted.board]: row.name}, code=sorted(codes)) if row.name and codes else ""
    )


def _most_first(each: ErrorSum) -> tuple[int, str]:
    return -each.figures.errors, each.key[1]


def _cause(wanted: BoardRequest, dimension: str, row: ErrorRow, each: ErrorSum) -> Cause:
    code, figures = each.key[1], each.figures
    net = Fraction(figures.gained) - Fraction(figures.lost)
    href = wanted.hands(**{dimension: row.name, "code": code})
    return Cause(code, code_label(code), figures.errors, net, href)


def sentence(judged: Judged, row: ErrorRow, board: str) -> str:
    """Return a sentence that explains the figures of a row."""
    if not row.is_judged:
        return f"{row.wagers:,} wagers are too few to judge: chance alone can look like a pattern."
    errors = f"{row.errors:,} or more errors in {row.wagers:,} wagers"
    looked_at = f"{judged.looked_at:,} {board} were" if judged.looked_at != 1 else f"1 {board[:-1]} was"
    if row.is_marked:
        return f"Chance alone gives {errors} {in_words(row.chance)}; {looked_at} compared."
    return f"Not unusual: chance alone gives {errors} {in_words(row.chance)}; {looked_at} compared."


def compared(judged: Judged, row: ErrorRow, board: str) -> str:
    """Return a sentence that compares the rate of a row with the rate of all other rows."""
    others = judged.rate_without(row)
    if not others or not row.is_judged:
        return f"All other {board}: {rounded(others, 1)}"
    times = row.rate / others
    return f"{rounded(times, 1)} times the rate of all other {board}, which is {rounded(others, 1)}"


def _read(
    wanted: BoardRequest, row: ErrorRow, by: str, currency: str, *, before: bool = False
) -> list[ErrorSum]:
    """Return the sums of a row by hour or day. Sums of a game are read from the cache, because the tally
    would have to be read for all its streams.
    """
    span = wanted.with_days_before if before else wanted.span
    dimension = DIMENSION[wanted.board]
    if dimension == "game":
        return with_value(with_value(sums(span, ("game", by)), 0, row.name), 2, currency)
    game = {"game": wanted.game} if wanted.game else {}
    return with_value(sums_of_one(span, (by,), {dimension: row.name, **game}), 2, currency)


def by_hour(wanted: BoardRequest, row: ErrorRow, currency: str) -> Plot:
    """Return the errors of a row by hour of the property's clock. The first hour is the hour in which gaming
    days begin.
    """
    counted: dict[str, int] = {}
    codes: dict[str, list[str]] = {}
    for each in _read(wanted, row, "hour", currency):
        if each.key[1]:
            counted[each.key[0]] = counted.get(each.key[0], 0) + each.figures.errors
            codes.setdefault(each.key[0], []).append(each.key[1])
    begins = calendar.first_hour(wanted.house, wanted.last)
    order = [f"{(begins + place) % 24:02d}" for place in range(24)]
    names = [*order, *sorted(counted.keys() - {*order})]
    points = [
        Point(
            name,
            counted.get(name, 0),
            f"{counted.get(name, 0)} errors",
            hands_with_errors(wanted, row, codes.get(name, [])),
        )
        for name in names
    ]
    return column_chart(points, "Errors by hour of the property's clock", unit="errors", note="hour")


def by_day(wanted: BoardRequest, judged: Judged, row: ErrorRow, currency: str) -> Plot:
    """Return the errors of a row by gaming day, and the errors of the previous period. The expected number
    and its bounds follow from chance at the rate of all rows.
    """
    days: dict[str, list[ErrorSum]] = {}
    for each in _read(wanted, row, "day", currency, before=True):
        days.setdefault(each.key[0], []).append(each)
    rate = Fraction(judged.errors, judged.wagers) if judged.wagers else Fraction(0)
    points = []
    for place in range(wanted.number_of_days):
        day = wanted.begins + timedelta(days=place)
        figures = total(days.get(day.isoformat(), []))
        before = total(days.get(str(day - timedelta(days=wanted.number_of_days)), []))
        codes = [each.key[1] for each in days.get(day.isoformat(), []) if each.key[1]]
        href = hands_with_errors(wanted._replace(begins=day, last=day), row, codes)
        points.append(_day(href, day, figures, before, rate))
    return column_chart(points, "Errors by gaming day", unit="errors", note="gaming day")


def _day(href: str, day: date, figures: ErrorFigures, before: ErrorFigures, rate: Fraction) -> Point:
    low, high = likely_numbers(figures.wagers, rate)
    likely = f"{figures.wagers:,} wagers; 95 % of days: {low} to {high}"
    has_play = bool(figures.wagers or figures.errors)
    return Point(
        name=f"{day.day} {day:%b}",
        value=figures.errors if has_play else None,
        written=f"{figures.errors} errors" if has_play else "–",
        href=href,
        expected=rate * figures.wagers,
        bounds=(low, high),
        before=before.errors,
        tip=(likely if has_play else "no play", f"period before: {before.errors}"),
    )
