"""The certificate page. It has a section for each game, with its pay tables, the cost of each wager, and the
figures that the manual prints wrongly.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from casino.presentation.charts.rows import Bar, RowChart, bar_chart
from casino.presentation.formatting import game_title, minus
from casino.reports import certificates
from casino.reports.certificates import Shown
from casino.web import request_params
from games import GAMES
from games.kit.certificate import Pay
from games.kit.game import Source
from games.kit.printed_odds import AGREES, CONTRADICTS, percent
from games.kit.question import Question


class PayTable(NamedTuple):
    """A pay table to draw: its title and, for each outcome, its pay and how often it occurs, in percent."""

    title: str
    rows: list[tuple[str, list[str], str]]


class Edition(NamedTuple):
    name: str
    rows: list[dict[str, Any]]
    tables: list[PayTable]
    chart: RowChart


class Section(NamedTuple):
    """The section of the page about one game."""

    code: str
    title: str
    source: Source
    contradictions: list[str]
    in_text: tuple[str, ...]
    """The points that the manual states in two different ways."""
    questions: tuple[Question, ...]
    agrees: int
    places: list[str]
    """The citations of the figures that the manual prints."""
    editions: list[Edition]


@require_safe
def certificate(request: HttpRequest) -> HttpResponse:
    """Show the certificates. They depend only on the rules, so they are the same at every property."""
    request_params.permitted_properties(request, "see-certificate")
    return render(
        request,
        "reports/certificate.html",
        {"sections": [_section(game) for game in certificates.certified_games()]},
    )


def _section(game: str) -> Section:
    lines = certificates.shown(certificates.lines(game))
    contradictions = [sentence for line in lines if (sentence := certificates.contradiction(game, line.line))]
    places = sorted({line.line.printed.cite for line in lines if line.line.printed is not None})
    agrees = sum(line.line.verdict == AGREES for line in lines)
    editions = [
        Edition(name, [_row(game, line) for line in of], _pay_tables(of), _chart(of))
        for name, of in certificates.by_edition(lines)
    ]
    return Section(
        game,
        game_title(game),
        GAMES[game].source,
        contradictions,
        GAMES[game].contradictions,
        GAMES[game].questions,
        agrees,
        places,
        editions,
    )


def _row(game: str, shown: Shown) -> dict[str, Any]:
    odds, printed = shown.line.figures, shown.line.printed
    return {
        "wager": shown.line.case.wager,
        "unit": certificates.unit(game, shown.line.case.wager),
        "details": _details(shown),
        "edge": odds.edge,
        "edge_percent": percent(odds.edge, 4),
        "rtp": percent(odds.rtp, 4),
        "variance": percent(odds.variance / 100, 4),
        "hit": percent(odds.hit, 4),
        "push": percent(odds.push, 4),
        "printed": printed,
        "verdict": shown.line.verdict,
        "wrong": shown.line.verdict == CONTRADICTS,
    }


def _details(shown: Shown) -> str:
    """Return what tells lines of the same wager apart: pay table, decks and reading of the manual."""
    table = f"table {shown.pay_table}" if shown.pay_table else ""
    decks = f"{shown.decks} deck{'' if shown.decks == '1' else 's'}" if shown.decks else ""
    return " · ".join(filter(None, (table, decks, shown.reading)))


def _pay_tables(of: list[Shown]) -> list[PayTable]:
    """Return the pay tables to draw. All wagers that have a single pay are in one table. Every other wager
    has a table of its own.
    """
    single, drawn = [], []
    for shown, pays in certificates.pay_tables(of):
        rows = [
            (f"{pay.net.numerator} to {pay.net.denominator}", [odds.why for odds in pay.odds], _often(pay))
            for pay in pays
        ]
        if len(rows) == 1:
            single.append((rows[0][0], [shown.line.case.wager], rows[0][2]))
        else:
            drawn.append(
                PayTable(
                    (
                        f"{shown.line.case.wager}, table {shown.pay_table}"
                        if shown.pay_table
                        else shown.line.case.wager
                    ),
                    rows,
                )
            )
    return [PayTable("Wagers with one pay", single), *drawn] if single else drawn


def _often(pay: Pay) -> str:
    return f"{percent(pay.often, 4)}%" if pay.often is not None else ""


def _chart(of: list[Shown]) -> RowChart:
    """Return a chart with a bar for each line of a certificate. The bar shows the edge in percent. Its label
    says how the line differs from the other lines.
    """
    count_by_key: dict[tuple[str, str, str], int] = {}
    for shown in of:
        key = (shown.line.case.wager, shown.pay_table, shown.reading)
        count_by_key[key] = count_by_key.get(key, 0) + 1
    tables = {
        wager: {shown.pay_table for shown in of if shown.line.case.wager == wager}
        for wager in {shown.line.case.wager for shown in of}
    }
    bars = []
    for drawn in of:
        wager, edge = drawn.line.case.wager, drawn.line.figures.edge
        table = drawn.pay_table if len(tables[wager]) > 1 else ""
        decks = f"{drawn.decks} decks" if count_by_key[wager, drawn.pay_table, drawn.reading] > 1 else ""
        name = " ".join(part for part in (wager, table, drawn.reading, decks) if part)
        bars.append(Bar(name, edge * 100, minus(percent(edge, 4)), counted=True))
    return bar_chart(bars, "House edge", unit="% of the stake", note="in the order of the table")
