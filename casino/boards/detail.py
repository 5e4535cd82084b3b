"""The details of one row (dealer, table or game) of an error board: its rate in words, and its errors by
hour, by day and by code.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import NamedTuple

from casino.boards.errors import ErrorRow, ErrorSum, Judged, counts_of_one, sums, with_value
from casino.boards.request import BoardRequest
from casino.presentation.charts.series import Plot, Point, column_chart
from casino.presentation.formatting import code_label
from casino.reference import calendar
from casino.reports.error_chance import in_words, likely_numbers
from casino.reports.grouping import rounded

OF_ALL_HOURS = "opens the hands of all hours"
"""What the link of an hour shows: the search for hands has no filter for an hour."""


class Cause(NamedTuple):
    """The errors of one code: their number, and the wrongly paid money.

    Attributes:
        net: what players received too much, minus what they received too little.
    """

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
    """Return the details of a board's row in one currency.

    Args:
        causes: the sums of the row's errors, one sum for each code.
    """
    dimension = DIMENSION[wanted.board]
    rate, low, high = (rounded(value, 1) for value in (row.rate, *row.bounds))
    hours, days = _read(wanted, row, currency)
    return Detail(
        row,
        rate,
        low,
        high,
        sentence(judged, row, wanted.board),
        compared(judged, row, wanted.board),
        hands_with_errors(wanted, row, [cause.key[1] for cause in causes]),
        by_hour(wanted, row, hours),
        by_day(wanted, judged, row, days),
        [_cause(wanted, dimension, row, cause) for cause in sorted(causes, key=_most_first)],
    )


DIMENSION = {"dealers": "dealer", "tables": "table", "games": "game"}
"""For each error board: the dimension of the tally by which its rows are grouped. The filter of hands has the
same name.
"""


def hands_with_errors(wanted: BoardRequest, row: ErrorRow, codes: list[str]) -> str:
    """Return the URL of a search for hands of this dealer, table or game. Only hands with findings of these
    codes are listed. The URL is empty if there are no codes, or if the row has no name.
    """
    return (
        wanted.hands(**{DIMENSION[wanted.board]: row.name}, code=sorted(codes)) if row.name and codes else ""
    )


def _most_first(cause: ErrorSum) -> tuple[int, str]:
    return -cause.figures.errors, cause.key[1]


def _cause(wanted: BoardRequest, dimension: str, row: ErrorRow, cause: ErrorSum) -> Cause:
    code, figures = cause.key[1], cause.figures
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
        return f"The rate of all other {board} is {rounded(others, 1)}"
    times = row.rate / others
    return f"{rounded(times, 1)} times the rate of all other {board}, which is {rounded(others, 1)}"


class Counts(NamedTuple):
    """The number of wagers in an hour or on a gaming day, and {code: number of errors}."""

    wagers: int
    errors: dict[str, int]

    @property
    def number(self) -> int:
        """Return the number of errors."""
        return sum(self.errors.values())


NONE = Counts(0, {})


def _read(wanted: BoardRequest, row: ErrorRow, currency: str) -> tuple[dict[str, Counts], dict[str, Counts]]:
    """Return {hour: counts} and {gaming day: counts} of a row. The gaming days include the period before the
    requested one. For a game, the counts are read from the cache, because the tallies of all its tables are
    too many to read.
    """
    dimension = DIMENSION[wanted.board]
    if dimension == "game":
        return (
            _of_game(sums(wanted.span, ("game", "hour")), row.name, currency),
            _of_game(sums(wanted.with_days_before, ("game", "day")), row.name, currency),
        )
    hours: dict[str, Counts] = {}
    days: dict[str, Counts] = {}
    filters = {dimension: row.name} | ({"game": wanted.game} if wanted.game else {})
    begins = wanted.begins.isoformat()
    for count in counts_of_one(wanted.with_days_before, filters):
        if count.currency != currency:
            continue
        _add(days, count.day, count.wagers, count.errors)
        if count.day >= begins:
            _add(hours, count.hour, count.wagers, count.errors)
    return hours, days


def _of_game(rows: Sequence[ErrorSum], game: str, currency: str) -> dict[str, Counts]:
    """Return the counts of one game in one currency, by day or by hour."""
    counts: dict[str, Counts] = {}
    for error_sum in with_value(with_value(rows, 0, game), 2, currency):
        name, code = error_sum.key
        _add(counts, name, error_sum.figures.wagers, {code: error_sum.figures.errors} if code else {})
    return counts


def _add(counts: dict[str, Counts], name: str, wagers: int, errors: dict[str, int]) -> None:
    before = counts.get(name, NONE)
    added = {code: before.errors.get(code, 0) + number for code, number in errors.items()}
    counts[name] = Counts(before.wagers + wagers, before.errors | added)


def by_hour(wanted: BoardRequest, row: ErrorRow, hours: dict[str, Counts]) -> Plot:
    """Return a chart of a row's errors by hour of the property's clock. It begins with the hour in which
    gaming days begin.
    """
    begins = calendar.first_hour(wanted.house, wanted.last)
    order = [f"{(begins + place) % 24:02d}" for place in range(24)]
    names = [*order, *sorted(name for name, counts in hours.items() if counts.errors and name not in order)]
    points = []
    for name in names:
        counts = hours.get(name, NONE)
        href = hands_with_errors(wanted, row, list(counts.errors))
        points.append(Point(name, counts.number, _errors(counts.number), href, tip=(OF_ALL_HOURS,)))
    return column_chart(points, "Errors by hour of the property's clock", unit="errors", note="hour")


def _errors(number: int) -> str:
    return f"{number} error{'' if number == 1 else 's'}"


def by_day(wanted: BoardRequest, judged: Judged, row: ErrorRow, days: dict[str, Counts]) -> Plot:
    """Return a chart of a row's errors by gaming day, with the errors of the previous period. For each day,
    it also shows how many errors are expected at the rate of all rows, and the range that chance gives.
    """
    rate = Fraction(judged.errors, judged.wagers) if judged.wagers else Fraction(0)
    points = []
    for place in range(wanted.number_of_days):
        day = wanted.begins + timedelta(days=place)
        counts = days.get(day.isoformat(), NONE)
        before = days.get(str(day - timedelta(days=wanted.number_of_days)), NONE)
        href = hands_with_errors(wanted._replace(begins=day, last=day), row, list(counts.errors))
        points.append(_day(href, day, counts, before, rate))
    return column_chart(points, "Errors by gaming day", unit="errors", note="gaming day")


def _day(href: str, day: date, counts: Counts, before: Counts, rate: Fraction) -> Point:
    low, high = likely_numbers(counts.wagers, rate)
    likely = f"{counts.wagers:,} wagers; 95 % of days: {low} to {high}"
    has_play = bool(counts.wagers or counts.number)
    return Point(
        name=f"{day.day} {day:%b}",
        value=counts.number if has_play else None,
        written=_errors(counts.number) if has_play else "–",
        href=href,
        expected=rate * counts.wagers,
        bounds=(low, high),
        before=before.number,
        tip=(likely if has_play else "no play", f"previous period: {before.number}"),
    )
