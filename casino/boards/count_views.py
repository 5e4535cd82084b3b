"""The boards of codes, officers and exposure. They show findings with their verdicts, the verdicts of each
officer, and the most that the casino can lose on the hands in play.
"""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from audit.queries import finding_counts, floor
from audit.queries.finding_counts import CodeCount, OfficerCount
from audit.queries.markers import UnpaidSum, largest_unpaid, owed, unpaid_sums
from audit.queries.open_hands import OpenHand, open_hands
from audit.queries.write_offs import sums
from audit.review.projections import GRADES
from casino.accounts.names import names_of
from casino.accounts.permissions import can
from casino.boards.request import BoardRequest
from casino.cage.services.markers import DAYS, first_day
from casino.floor.tables import rows_of
from casino.floor.tiles import SILENT
from casino.presentation.charts.rows import Bar, RowChart, bar_chart
from casino.presentation.formatting import code_label, cut_property, digits, money
from casino.reports.error_chance import exact_bounds
from casino.reports.grouping import rounded
from casino.web import request_params

MARKERS = 50
"""Maximum number of markers in the table. The page of markers lists all markers, and the sums include all
markers.
"""
BARS = 12
"""Maximum number of bars in a chart. The table below the chart has all rows."""


class CodeRow(NamedTuple):
    """One row of the table: a code with its findings and verdicts."""

    of: CodeCount
    label: str
    hands: str
    open_hands: str


def code_board(request: HttpRequest, wanted: BoardRequest, context: dict[str, Any]) -> HttpResponse:
    """Show the findings of the days by code, with their verdicts and their money."""
    assert wanted.span.begins is not None
    assert wanted.span.ends is not None
    counts = finding_counts.by_code(wanted.house, wanted.span.begins, wanted.span.ends)
    counts.sort(key=lambda count: (GRADES.index(count.grade), -count.findings, count.code))
    rows = [
        CodeRow(
            count,
            code_label(count.code),
            wanted.hands(code=count.code),
            wanted.hands(code=count.code, state="open"),
        )
        for count in counts
    ]
    context |= {
        "rows": rows,
        "chart": _codes(wanted, counts),
        "findings": sum(count.findings for count in counts if not count.is_notice),
        "open": sum(count.open for count in counts if not count.is_notice),
        "notices": sum(count.findings for count in counts if count.is_notice),
        "currencies": sorted({count.currency for count in counts if count.currency}),
    }
    return render(request, "boards/codes.html", context)


def _codes(wanted: BoardRequest, counts: list[CodeCount]) -> RowChart | None:
    findings_by_code: dict[str, int] = {}
    for count in counts:
        if not count.is_notice:
            findings_by_code[count.code] = findings_by_code.get(count.code, 0) + count.findings
    ordered = sorted(findings_by_code.items(), key=lambda count: (-count[1], count[0]))
    bars = [
        Bar(code_label(code), number, f"{number:,}", wanted.hands(code=code), counted=True)
        for code, number in ordered[:BARS]
    ]
    note = "without notices, the most frequent first; the table has all"
    return (
        bar_chart(bars, "Findings by code", unit="findings", note=note, total=len(findings_by_code))
        if bars
        else None
    )


class OfficerRow(NamedTuple):
    """One officer in the table. `rate`: the percentage of verdicts that were overturned. `low` and `high`:
    the exact bounds of `rate`.
    """

    of: OfficerCount
    name: str
    second_reviews: int
    hands: str
    decided: int
    rate: str
    low: str
    high: str


def officer_board(request: HttpRequest, wanted: BoardRequest, context: dict[str, Any]) -> HttpResponse:
    """Show how many verdicts each officer gave, how many were overturned, and how long they took."""
    assert wanted.span.begins is not None
    assert wanted.span.ends is not None
    days = (wanted.house, wanted.span.begins, wanted.span.ends)
    counts, reviews = finding_counts.by_officer(*days), finding_counts.second_reviews(*days)
    known = {count.officer for count in counts}
    counts += [OfficerCount(name, *(0,) * 8, None, None) for name in sorted(reviews.keys() - known)]
    names = names_of(count.officer for count in counts)
    rows = [_officer(wanted, count, names.get(count.officer, ""), reviews) for count in counts]
    context |= {"rows": sorted(rows, key=lambda row: (-row.of.verdicts, row.of.officer))}
    return render(request, "boards/officers.html", context)


def _officer(wanted: BoardRequest, count: OfficerCount, name: str, reviews: dict[str, int]) -> OfficerRow:
    decided = count.confirmed + count.dismissed
    rate, low, high = "", "", ""
    if decided:
        bounds = exact_bounds(count.overturned, decided).rates
        rate = rounded(Fraction(100 * count.overturned, decided), 1)
        low, high = (rounded(bound / 10, 1) for bound in bounds)
    return OfficerRow(
        count,
        name,
        reviews.get(count.officer, 0),
        wanted.hands(officer=count.officer),
        decided,
        rate,
        low,
        high,
    )


class HandRow(NamedTuple):
    """One hand in play. `address` is empty for a user who may not see hands."""

    hand: OpenHand
    table: str
    currency: str
    address: str
    age: timedelta


class Owed(NamedTuple):
    """What the casino can lose and what it is owed, in one currency. Amounts are in minor units.

    Attributes:
        staked: the stakes in play.
        most: the largest amount that the casino can lose on the hands in play.
        unpaid: the amount still owed for markers.
        written_off: the amount of markers written off in the last DAYS gaming days.
    """

    currency: str
    staked: int
    most: Fraction
    hands: int
    markers: int
    unpaid: int
    written_off: int


def exposure_board(request: HttpRequest, wanted: BoardRequest, context: dict[str, Any]) -> HttpResponse:
    """Show how much the casino can lose at most on each hand in play, and the unpaid markers."""
    hands = open_hands(wanted.house, floor.board(wanted.house, wanted.today))
    tables = rows_of(wanted.house, wanted.today, with_slips=False)
    since = first_day(wanted.today)
    unpaid = {currency_sum.currency: currency_sum for currency_sum in unpaid_sums(wanted.house, since)}
    may_see_hands = can(request.user, "see-hand", wanted.house)
    may_see_markers = can(request.user, "see-cage", wanted.house)
    rows = [_hand(wanted, hand, may_see_hands) for hand in hands]
    largest = largest_unpaid(wanted.house, since, MARKERS) if may_see_markers else []
    written_off = {amounts.currency: amounts.written_off for amounts in sums(wanted.house, since)}
    currencies = sorted({row.currency for row in rows} | unpaid.keys() | written_off.keys())
    context |= {
        "rows": rows,
        "sums": [
            _owed(currency, rows, unpaid.get(currency), written_off.get(currency, 0))
            for currency in currencies
        ],
        "charts": [chart for currency in currencies if (chart := _exposed(currency, rows)) is not None],
        "unknown": sum(row.hand.unknown for row in rows),
        "silent": [table.code for table in tables if table.lateness == SILENT],
        "open_tables": sum(table.is_open for table in tables),
        "markers": [(marker, owed(marker)) for marker in largest],
        "markers_total": sum(currency_sum.markers for currency_sum in unpaid.values()),
        "may_see_markers": may_see_markers,
        "days": DAYS,
        "markers_address": f"{reverse('cage_markers')}?property={wanted.house}",
    }
    return render(request, "boards/exposure.html", context)


def _hand(wanted: BoardRequest, hand: OpenHand, may_see_hands: bool) -> HandRow:
    state = hand.now
    address = request_params.hand_url(state.stream, state.round) if may_see_hands else ""
    age = max(timezone.now() - state.last.at, timedelta())
    return HandRow(hand, cut_property(state.table), state.opened.currency, address, age)


def _owed(currency: str, rows: list[HandRow], unpaid: UnpaidSum | None, written_off: int) -> Owed:
    own = [row.hand for row in rows if row.currency == currency]
    return Owed(
        currency,
        sum(hand.staked for hand in own),
        sum((hand.most for hand in own), Fraction(0)),
        len(own),
        unpaid.markers if unpaid is not None else 0,
        unpaid.owed if unpaid is not None else 0,
        written_off,
    )


def _exposed(currency: str, rows: list[HandRow]) -> RowChart | None:
    bars = [
        Bar(
            row.table,
            -row.hand.most / 10 ** digits(currency),
            money(-row.hand.most, currency),
            row.address,
            tip=(f"staked {money(row.hand.staked, currency)}",),
        )
        for row in rows
        if row.currency == currency and row.hand.most
    ]
    says = "Largest loss of the casino by hand in play"
    return bar_chart(bars, says, unit=currency, note="the largest first") if bars else None
