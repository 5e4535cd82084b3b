"""Pages for closing a gaming day: what blocks each table, restated figures, and adjustments."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import urlencode

from audit.queries.span import Span
from audit.review import queue
from casino.accounts.permissions import can, require
from casino.accounts.signatures import collect_signatures
from casino.day_close import adjustments
from casino.day_close import services as day_close
from casino.day_close.adjustments import Change
from casino.day_close.forms import AdjustedForm, AdjustmentForm, CloseDayForm
from casino.day_close.services import WHAT, TableDay
from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import money
from casino.reference.calendar import gaming_day
from casino.reports import catalog
from casino.reports.columns import Absent
from casino.web import request_params
from casino.web.form_view import current_user, handle
from casino.web.request_params import require_GET_or_POST

FIGURES = (
    "closed_win",
    "closed_percent",
    "adjustments",
    "adjusted",
    "restated_win",
    "restated_percent",
    "currency",
    "note",
)


class TableRow(NamedTuple):
    """A table in the list: the state of its day, its figures as closed and as restated, its figures so far if
    it is not closed yet, and the number of its hands with findings that have no verdict.
    """

    day: TableDay
    figures: list[dict[str, Any]]
    previews: list[dict[str, Any]]
    findings: int


@require_GET_or_POST
def close(request: HttpRequest) -> HttpResponse:
    """Show every table of a gaming day. Close the chosen tables, unless something blocks them."""
    property = request_params.chosen_property(request, "see-hold")
    day, form = _day(request, property), CloseDayForm(request.POST).accepted()

    def act() -> str:
        require(request.user, "close-day", property)
        closed = day_close.close_day(
            current_user(request),
            property,
            day,
            form["tables"],
            form["reason"],
        )
        return (
            f"The gaming day {day} of {', '.join(closed)} is closed."
            if closed
            else f"These tables were closed on {day} before."
        )

    tables = day_close.tables(property, day)
    figures, previews = _figures(property, day), _previews(property, day)
    findings = queue.waiting(property, day)
    shown = {
        "property": property,
        "places": request_params.permitted_properties(request, "see-hold"),
        "day": day,
        "today": gaming_day(property),
        "before": day - timedelta(days=1),
        "after": day + timedelta(days=1),
        "tables": [
            TableRow(
                table,
                figures.get(table.table, []),
                previews.get(table.table, []),
                findings[table.table].hands if table.table in findings else 0,
            )
            for table in tables
        ],
        "waits": any(table.closed and table.table not in figures for table in tables),
        "may_queue": can(request.user, "see-queue", property),
        "early": [table for table in tables if table.ready and table.open_before],
        "ready": sum(table.ready for table in tables),
        "closed": sum(table.closed for table in tables),
        "blocked": sum(bool(table.blockers) for table in tables),
        "may_close": can(request.user, "close-day", property),
        "may_adjust": can(request.user, "adjust", property),
        "chosen": form["tables"],
    }
    return handle(request, "closing/close.html", shown, act, _page(property, day))


@require_GET_or_POST
def adjust(request: HttpRequest) -> HttpResponse:
    """Record an adjustment of a closed day, signed by two people."""
    property = request_params.chosen_property(request, "adjust")
    day = _day(request, property)
    tables = [table for table in day_close.tables(property, day) if table.closed or table.variances]
    sent = request.POST or request.GET
    code, about = AdjustedForm(sent).accepted().values()
    chosen = next((table for table in tables if table.code == code), None)
    currency = adjustments.currency_of(chosen, about) if chosen is not None else ""

    def act() -> str:
        if chosen is None:
            raise ActionRejected(f"Table: choose one whose day {day} is closed.", "table")
        values = AdjustmentForm(request.POST, currency).accepted()
        amount = values["direction"] * values["amount"]
        change = Change(chosen.table, day, values["what"], amount, values["reason"], about)
        second = collect_signatures(request, property, {"second": "sign-adjustment"})["second"]
        adjustments.adjust(current_user(request), second, property, change, uid=values["uid"])
        adjusted = (
            f"{WHAT[change.what].lower()} of {chosen.code} on {day}, {money(amount, currency)} {currency}"
        )
        return f"Recorded: {adjusted}. The restated report includes it; the closed report does not change."

    shown = {
        "property": property,
        "day": day,
        "tables": tables,
        "table": chosen,
        "asked": sent,
        "what": _adjusts([chosen] if chosen is not None else tables).items(),
        "currency": currency,
    }
    return handle(request, "closing/adjust.html", shown, act, _page(property, day))


def _adjusts(tables: list[TableDay]) -> dict[str, str]:
    """Return what may be adjusted at any of these tables, as {key: label}."""
    return {key: label for key, label in WHAT.items() if any(key in table.adjusts for table in tables)}


def _day(request: HttpRequest, property: str) -> date:
    """Return the gaming day from the URL, by default the previous one."""
    return request_params.day_of(request.GET.get("day", "")) or gaming_day(property) - timedelta(days=1)


def _figures(property: str, day: date) -> dict[str, list[dict[str, Any]]]:
    """Return the win of each table in each currency, as closed and as restated."""
    figures: dict[str, list[dict[str, Any]]] = {}
    for cells in _rows("restated", property, day):
        words = {name: isinstance(cells[name], Absent) for name in FIGURES}
        figures.setdefault(cells["table"], []).append(
            {**{name: cells[name] for name in FIGURES}, "absent": words}
        )
    return figures


def _previews(property: str, day: date) -> dict[str, list[dict[str, Any]]]:
    """Return what each table won by its counts and its play as far as they are recorded, in each currency."""
    previews: dict[str, list[dict[str, Any]]] = {}
    for cells in _rows("where-the-hold-went", property, day):
        previews.setdefault(cells["table"], []).append(cells)
    return previews


def _rows(report: str, property: str, day: date) -> Iterator[dict[str, Any]]:
    """Return the rows of a report about one gaming day by table, as {column: value}."""
    sheet = catalog.report(report).sheet(Span(day, day + timedelta(days=1), property), ("table",))
    keys = [column.key for column in sheet.columns]
    return (dict(zip(keys, row, strict=True)) for row in sheet.rows)


def _page(property: str, day: date) -> str:
    return f"{reverse('closing')}?{urlencode({'property': property, 'day': day.isoformat()})}"
