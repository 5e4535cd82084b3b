"""The boards of dealers, tables and games: money errors in 1,000 wagers, compared with chance."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from fractions import Fraction
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from audit.queries.cache.aggregates import Aggregate, merge
from casino.accounts.names import names_of
from casino.boards import errors as figures
from casino.boards.detail import DIMENSION, detail, hands_with_errors
from casino.boards.errors import ErrorRow, ErrorSum, Judged
from casino.boards.request import BoardRequest
from casino.presentation.charts.cells import MoneyAxis, MoneyCell, RateAxis, RateCell, money_axis, rate_axis
from casino.presentation.charts.multiples import Column, Multiples, Rows, small_multiples
from casino.presentation.formatting import display
from casino.reports.error_chance import LEAST_TRIALS
from casino.reports.grouping import rounded

ROWS = 20
"""Number of rows that are shown unless the user asks for all."""
MULTIPLES = 12
"""Number of tables whose errors by gaming day are drawn."""


class Shown(NamedTuple):
    """A row of the board, with the drawings in its cells and the URLs of its links."""

    row: ErrorRow
    name: str
    title: str
    rate: str
    low: str
    high: str
    hands: str
    address: str
    is_chosen: bool
    drawn: tuple[RateAxis, RateCell]
    money: MoneyCell


def error_board(request: HttpRequest, wanted: BoardRequest, context: dict[str, Any]) -> HttpResponse:
    """Show an error board."""
    dimension = DIMENSION[wanted.board]
    by = (dimension,) if dimension == "game" else ("game", dimension)
    place = len(by) - 1
    every = figures.sums(wanted.span, by)
    is_limited = dimension != "game" and bool(wanted.game)
    of_game = [row for row in every if row.key[0] == wanted.game] if is_limited else every
    currencies = _currencies(of_game)
    currency = wanted.currency if wanted.currency in currencies else next(iter(currencies), "")
    judged = figures.judge((row for row in of_game if row.key[-1] == currency), place)
    rows = judged.rows if wanted.every else judged.rows[:ROWS]
    chosen = next((row for row in judged.rows if row.name == wanted.chosen), next(iter(judged.rows), None))
    axis = _axis(judged, rows)
    amounts = money_axis((row.lost, row.gained) for row in rows)
    names = names_of(row.name for row in rows) if dimension == "dealer" else {}
    context |= {
        "judged": judged,
        "rows": [_shown(wanted, row, chosen, axis, amounts, names, _causes(row, place)) for row in rows],
        "axis": axis,
        "currency": currency,
        "currencies": [
            (code, wanted.address(currency=code), code == currency)
            for code in currencies
            if len(currencies) > 1
        ],
        "least": LEAST_TRIALS,
        "every_address": wanted.address(all="1"),
        "is_cut": len(rows) < len(judged.rows),
        "rate": rounded(judged.rate, 1),
        "heading": dimension.capitalize(),
        "detail": chosen and detail(wanted, judged, chosen, _causes(chosen, place), currency),
        "chosen_name": display(dimension, chosen.name) or "not known" if chosen is not None else "",
        "multiples": _multiples(wanted, rows, currency) if dimension == "table" else None,
    }
    return render(request, "boards/errors.html", context)


def _currencies(rows: Sequence[ErrorSum]) -> list[str]:
    """Return the currencies of the rows, the one with the most wagers first. Amounts in different currencies
    are never added up.
    """
    wagers: dict[str, int] = {}
    for row in rows:
        wagers[row.key[-1]] = wagers.get(row.key[-1], 0) + row.figures.wagers
    return sorted(wagers, key=lambda currency: (-wagers[currency], currency))


def _axis(judged: Judged, rows: Sequence[ErrorRow]) -> RateAxis:
    """Return the axis for the rates. It leaves out the bounds of rows that are not judged, because these
    bounds may be very wide.
    """
    values = [value for row in rows if row.is_judged for value in row.bounds]
    return rate_axis(values or [row.rate for row in rows], judged.rate)


def _shown(
    wanted: BoardRequest,
    row: ErrorRow,
    chosen: ErrorRow | None,
    axis: RateAxis,
    amounts: MoneyAxis,
    names: dict[str, str],
    causes: list[ErrorSum],
) -> Shown:
    dimension = DIMENSION[wanted.board]
    rate, low, high = (rounded(value, 1) for value in (row.rate, *row.bounds))
    label = f"{rate}, between {low} and {high}"
    return Shown(
        row=row,
        name=display(dimension, row.name) or "not known",
        title=names.get(row.name, ""),
        rate=rate,
        low=low,
        high=high,
        hands=hands_with_errors(wanted, row, [code_sum.key[1] for code_sum in causes]),
        address=wanted.address(of=row.name),
        is_chosen=row == chosen,
        drawn=(axis, axis.cell(row.rate, row.bounds, label, marked=row.is_marked, judged=row.is_judged)),
        money=amounts.cell(row.lost, row.gained),
    )


def _causes(row: ErrorRow, place: int) -> list[ErrorSum]:
    """Return the sums of a row's errors, one for each code. The key of each sum is the name of the row and
    the code.

    Args:
        place: the index of the name in the keys of the row's parts. The code follows the name.
    """
    return merge(
        Aggregate((row.name, part.key[place + 1]), part.figures) for part in row.parts if part.key[place + 1]
    )


def _multiples(wanted: BoardRequest, rows: Sequence[ErrorRow], currency: str) -> Multiples | None:
    """Return a small chart for each of the first tables on the board: its errors by gaming day. Return None
    if the board is empty.
    """
    first = rows[:MULTIPLES]
    by_day = {
        (table, day): errors
        for (table, day, of), (errors,), _ in figures.errors_by_day(wanted.span)
        if of == currency
    }
    days = [str(wanted.begins + timedelta(days=place)) for place in range(wanted.number_of_days)]
    charts = [
        Rows(
            display("table", row.name),
            f"{sum(by_day.get((row.name, day), 0) for day in days)} errors",
            wanted.address(of=row.name),
            [Fraction(by_day.get((row.name, day), 0)) for day in days],
            columns=[
                Column(
                    display("day", day),
                    f"{by_day[row.name, day]} errors" if (row.name, day) in by_day else "",
                    wanted.address(of=row.name, **{"from": day, "to": day}),
                )
                for day in days
            ],
        )
        for row in first
    ]
    note = f"Errors by gaming day, {wanted.days_in_words}, at all games of the table."
    return (
        small_multiples(charts, "Errors by gaming day and table", note=note, unit="errors")
        if charts
        else None
    )
