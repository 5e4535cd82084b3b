"""Pages for closing a gaming day: what blocks each table, restated figures, and adjustments."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from fractions import Fraction
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import urlencode

from audit.queries.span import Span
from casino.accounts.permissions import can, require
from casino.accounts.signatures import collect_signatures
from casino.day_close import adjustments, queries, services
from casino.day_close.adjustable_facts import adjustable_facts
from casino.day_close.adjusted_figures import AdjustedFigures, adjusted_figures, typed_change
from casino.day_close.adjustments import Change
from casino.day_close.forms import AdjustedForm, AdjustmentForm, CloseDayForm
from casino.day_close.preview import NOTHING, Figures, Preview, previews
from casino.day_close.queries import WHAT, TableDay
from casino.day_close.services import Closing
from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import day_label, money
from casino.reference.calendar import gaming_day
from casino.reports import catalog
from casino.reports.columns import Absent, Row
from casino.reports.definitions import restated
from casino.web import request_params
from casino.web.form_view import current_user, handle, submitted
from casino.web.request_params import require_GET_or_POST

FIGURES = (
    "basis",
    "closed_win",
    "closed_denominator",
    "closed_percent",
    "adjustments",
    "adjusted",
    "restated_win",
    "restated_denominator",
    "restated_percent",
    "currency",
    "note",
)


NOT_CONFIRMED = "Confirm that you have read the figures. A closed day cannot be reopened."


class TableRow(NamedTuple):
    """A table in the list: its gaming day, its win as closed and as restated, a preview of its figures, and
    the explanation that the user has typed.
    """

    day: TableDay
    books: list[dict[str, Any]]
    preview: Preview
    explanation: str

    @property
    def findings(self) -> int:
        """Return the number of hands with findings that have no verdict."""
        return self.preview.findings

    @property
    def needs_explanation(self) -> bool:
        """Return True if nothing blocks the close of the day, but a figure must be explained first."""
        return self.day.ready and bool(self.preview.outside)

    @property
    def is_waiting(self) -> bool:
        """Return True if figures of the row are still being computed."""
        return self.preview.behind or (self.day.closed and not self.books)


class ReadySum(NamedTuple):
    """The tables that can be closed, in one currency and with one basis of their hold: drop at tables with
    chips, handle at live-dealer tables. `win` is their win, and `over` their drop or handle.
    """

    basis: str
    currency: str
    tables: int
    win: Fraction
    over: int


@require_GET_or_POST
def close(request: HttpRequest) -> HttpResponse:
    """Show every table of a gaming day. If the form was sent, close the day of the chosen tables. If
    something blocks the close of one of them, none is closed.
    """
    property = request_params.chosen_property(request, "see-hold")
    day = request_params.day_of(request.GET.get("day", "")) or queries.day_to_close(property)
    form, page = CloseDayForm(submitted(request)), _page(property, day)
    explanations = form.of_tables("explanation")

    def act() -> str:
        require(request.user, "close-day", property)
        values = form.accepted()
        if not values["looked"]:
            raise ActionRejected(NOT_CONFIRMED, "looked")
        closing = Closing(values["tables"], values["reason"], explanations, form.of_tables("seal"))
        closed = services.close_day(current_user(request), property, day, closing)
        return (
            f"The gaming day {day_label(day)} of {', '.join(closed)} is closed."
            if closed
            else f"The gaming day {day_label(day)} of these tables was already closed."
        )

    shown = {
        "property": property,
        "places": request_params.permitted_properties(request, "see-hold"),
        "day": day,
        "page": page,
        "today": (today := gaming_day(property)),
        "open_days": queries.open_days(property, today),
        "look_back_days": queries.LOOK_BACK_DAYS,
        "before": day - timedelta(days=1),
        "after": day + timedelta(days=1),
        "may_queue": can(request.user, "see-queue", property),
        "may_close": can(request.user, "close-day", property),
        "may_adjust": can(request.user, "adjust", property),
        **_table_rows(property, day, explanations),
    }
    return handle(request, "closing/close.html", form, shown, act, page)


def _table_rows(property: str, day: date, explanations: dict[str, str]) -> dict[str, Any]:
    """Return the rows of the page, the number of rows in each state, and their sums."""
    (books, totals), shown = _books(property, day), previews(property, day)
    rows = [
        TableRow(
            table,
            books.get(table.table, []),
            shown.get(table.table, NOTHING),
            explanations.get(table.code, ""),
        )
        for table in queries.tables(property, day)
    ]
    open_rows = [row for row in rows if not row.day.closed]
    return {
        "tables": rows,
        "waits": any(row.is_waiting for row in rows),
        "open_items": queries.open_items([row.day for row in rows]),
        "early": [row.day for row in rows if row.day.ready and row.day.open_before],
        "closable": sum(row.day.ready for row in rows),
        "ready": sum(row.day.ready and not row.needs_explanation for row in rows),
        "closed": sum(row.day.closed for row in rows),
        "blocked": sum(bool(row.day.blockers) for row in rows),
        "to_explain": sum(row.needs_explanation for row in rows),
        "not_judged": sum(not row.preview.is_judged for row in open_rows),
        "closed_sums": totals,
        "first_blocked": next((row.day.code for row in rows if row.day.blockers), ""),
        "first_to_explain": next((row.day.code for row in rows if row.needs_explanation), ""),
        "sums": _sums(row for row in rows if row.day.ready),
        "without_win": sum(
            any(figures.win is None for figures in row.preview.figures) or not row.preview.figures
            for row in rows
            if row.day.ready
        ),
    }


def _sums(rows: Iterable[TableRow]) -> list[ReadySum]:
    """Return the win, and the drop or handle, of these tables added up for each basis and currency. Tables
    whose win is not known are not included.
    """
    groups: dict[tuple[str, str], list[Figures]] = {}
    for row in rows:
        for figures in row.preview.figures:
            if figures.win is not None:
                groups.setdefault((figures.basis, figures.currency), []).append(figures)
    return [
        ReadySum(
            *key,
            len(group),
            sum((figures.win or Fraction(0) for figures in group), Fraction(0)),
            sum(figures.over or 0 for figures in group),
        )
        for key, group in sorted(groups.items())
    ]


@require_GET_or_POST
def adjust(request: HttpRequest) -> HttpResponse:
    """Record an adjustment of a closed day, signed by two people."""
    property = request_params.chosen_property(request, "adjust")
    day = _day(request, property)
    tables = [table for table in queries.tables(property, day) if table.closed or table.variances]
    code, about = AdjustedForm(submitted(request) or request.GET).accepted().values()
    chosen = next((table for table in tables if table.code == code), None)
    if not code and request.method == "GET":
        chosen = next(iter(tables), None)  # the list of tables begins with it
    currency = adjustments.currency_of(chosen, about) if chosen is not None else ""
    form = AdjustmentForm(submitted(request), currency, request.GET.dict())

    def act() -> str:
        if chosen is None:
            raise ActionRejected(f"Table: choose one whose day {day_label(day)} is closed.", "table")
        values = form.accepted()
        amount = values["direction"] * values["amount"]
        change = Change(chosen.table, day, values["what"], amount, values["reason"], about)
        second = collect_signatures(request, property, {"second": "sign-adjustment"})["second"]
        adjustments.adjust(current_user(request), second, property, change, uid=values["uid"])
        adjusted = (
            f"{WHAT[change.what].lower()} of {chosen.code} on {day_label(day)}, {money(amount, currency)}"
            f" {currency}"
        )
        return f"Recorded: {adjusted}. The restated report includes it; the closed report does not change."

    shown = {
        "property": property,
        "day": day,
        "tables": tables,
        "table": chosen,
        "what": _adjusts([chosen] if chosen is not None else tables).items(),
        "facts": adjustable_facts(property, chosen, about, request_params.zone(property)) if chosen else {},
        "currency": currency,
        "change": (change := typed_change(form, currency)),
        "figures": _adjusted_figures(property, chosen, currency, change),
        "page": f"{reverse('closing_adjust')}?{_day_query(property, day)}",
    }
    return handle(request, "closing/adjust.html", form, shown, act, _page(property, day))


def _adjusted_figures(
    property: str, chosen: TableDay | None, currency: str, change: int | None
) -> list[AdjustedFigures]:
    """Return the figures of the table that an adjustment changes, for each basis and currency."""
    if chosen is None:
        return []
    books = _books(property, chosen.day)[0].get(chosen.table, [])
    return [adjusted_figures(figures, currency, change) for figures in books]


def _adjusts(tables: list[TableDay]) -> dict[str, str]:
    """Return what may be adjusted at any of these tables, as {key: label}."""
    return {key: label for key, label in WHAT.items() if any(key in table.adjusts for table in tables)}


def _day(request: HttpRequest, property: str) -> date:
    """Return the gaming day from the URL, by default the previous gaming day."""
    return request_params.day_of(request.GET.get("day", "")) or gaming_day(property) - timedelta(days=1)


def _books(property: str, day: date) -> tuple[dict[str, list[dict[str, Any]]], list[dict[str, Any]]]:
    """Return the win of each table in each currency, once as closed and once as restated by later
    adjustments. Also return the totals of the closed tables for each basis and currency.
    """
    sheet = catalog.report("restated").sheet(Span(day, day + timedelta(days=1), property), ("table",))
    keys = [column.key for column in sheet.columns]

    def figures_of(row: Row) -> tuple[str, dict[str, Any]]:
        cells = dict(zip(keys, row, strict=True))
        words = {name: isinstance(cells[name], Absent) for name in FIGURES}
        return str(cells["table"]), {**{name: cells[name] for name in FIGURES}, "absent": words}

    books: dict[str, list[dict[str, Any]]] = {}
    for table, figures in map(figures_of, sheet.rows):
        books.setdefault(table, []).append(figures)
    totals = [figures for _, figures in map(figures_of, sheet.totals)]
    return books, [figures for figures in totals if figures["closed_win"] != restated.NOTHING]


def _page(property: str, day: date) -> str:
    return f"{reverse('closing')}?{_day_query(property, day)}"


def _day_query(property: str, day: date) -> str:
    return urlencode({"property": property, "day": day.isoformat()})
