"""The hold page, by table, or by table and shift. Felt tables and live-dealer tables are separate, pending
days are named, and a chart is next to the figures.

Each win is compared with the win that the exact odds of its wagers predict, and with the range that chance
allows among all wins of the property on the page (`casino.reports.hold_chance`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from fractions import Fraction
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from audit.queries.span import Span
from casino.presentation.charts.multiples import Multiples
from casino.presentation.charts.rows import Bar, RowChart, bar_chart
from casino.presentation.formatting import cents, dates_in_words, grouped
from casino.reference.calendar import gaming_day
from casino.reports import catalog, win_by_day
from casino.reports.columns import Absent, Row, RowChances, Sheet
from casino.reports.progress import with_progress
from casino.reports.row_links import Scope, details_address, report_address
from casino.reports.shift_order import in_order
from casino.reports.verdict_words import not_judged_in_words
from casino.web import request_params
from casino.web.day_presets import preset_links
from casino.web.replica import reads_replica
from casino.web.sorting import order_of, sort_rows

BY = {"table": ("table",), "shift": ("table", "shift")}
DAYS = 7
"""Number of gaming days shown by default."""
FELT = (
    "Win over drop. Win = closer + credits + drop − opener − fills; a day without its count or closer is"
    " pending and not included in the totals."
)
LIVE = "Gross gaming revenue (what was taken less what was paid) divided by handle (what was staked)."
WAGERS = "Win from the wagers alone: the cage and the count room have recorded nothing for these tables."
BASES = {
    "win / drop": ("Felt tables", "Drop", FELT),
    "GGR / handle": ("Live dealer", "Handle", LIVE),
    "win from wagers, no count": ("Tables without a count", "Drop", WAGERS),
}


AMOUNTS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "hold_percent": lambda row: row["hold_percent"],
    "win": lambda row: row["win"],
    "expected": lambda row: row["chance"].expected_win if row["chance"] else None,
    "denominator": lambda row: row["denominator"],
    "rounds": lambda row: row["rounds"],
}
"""The columns by which the rows can be sorted, with the amount of a row."""


class Head(NamedTuple):
    """The head of a column: its title, the address that sorts the rows by it, and their current order.

    Attributes:
        wide_only: True if a phone does not show the column.
    """

    title: str
    address: str
    order: str
    wide_only: bool


class PropertyLinks(NamedTuple):
    """The addresses of other pages with the figures of one property on the days of this page."""

    property: str
    where: str
    review: str
    report: str


class Section(NamedTuple):
    """The tables of one property, one basis (such as `win / drop`) and one currency. Sections are never
    added together.

    Attributes:
        pending: the number of rows with pending days.
        outside: the number of rows whose win is outside the range that chance allows.
        judged: the number of rows whose win is compared with that range.
        expected: the expected win of all rows, or empty text if not all of them are judged.
        chances: how all wins of the property on the page compare with chance.
        not_judged: how many rows are not judged and why, or empty text.
        by_day: small charts of the win of each table by gaming day.
        by_day_report: the address of the report with the same figures.
        heads: the heads of the columns with amounts.
    """

    property: str
    title: str
    over: str
    says: str
    currency: str
    rows: list[dict[str, Any]]
    total: dict[str, Any] | None
    chart: RowChart | None
    pending: int
    outside: int
    judged: int
    expected: str
    chances: RowChances
    not_judged: str
    by_day: Multiples | None
    by_day_report: str
    heads: list[Head]


@require_safe
@with_progress("Hold")
@reads_replica
def hold(request: HttpRequest) -> HttpResponse:
    """Show the hold page. Parameters: `from` and `to`, the first and the last day; `by`, either table, or
    table and shift; `property`, if only one is shown; `sort`, a key of AMOUNTS by which the rows are sorted,
    after `-` if the largest is first.
    """
    permitted = request_params.permitted_properties(request, "see-hold")
    property = request_params.chosen_property(request, "see-hold") if request.GET.get("property") else ""
    places = [property] if property else permitted
    by = request.GET.get("by") or "table"
    today = max(gaming_day(name) for name in places)
    begins, last = request_params.day_range(request.GET, today, DAYS)
    if wrong := list(_parameter_errors(request, by)):
        shown = {"wrong": wrong, "begins": begins, "last": last, "by_shift": by == "shift"}
        return render(request, "reports/hold.html", shown, status=400)
    parameters = {"by": by, **({"property": property} if property else {})}
    address = f"?{urlencode({'from': begins, 'to': last, **parameters})}"
    sort = request.GET.get("sort", "")
    sections = [
        section._replace(heads=_heads(section.over, address, sort))
        for name in places
        for section in _sections(Span(begins, last + timedelta(days=1), name), BY[by], sort)
    ]
    links = preset_links(
        today, begins, last, lambda begins, last: f"?{urlencode({'from': begins, 'to': last, **parameters})}"
    )
    shown = {
        "places": places,
        "property": property,
        "names_property": len(permitted) > 1,
        "sections": sections,
        "presets": links,
        "begins": begins,
        "last": last,
        "by_shift": by == "shift",
        "links": [_links(Scope(name, begins, last), BY[by]) for name in places],
    }
    return render(request, "reports/hold.html", shown)


def _links(scope: Scope, by: tuple[str, ...]) -> PropertyLinks:
    days = urlencode(scope.day_parameters())
    return PropertyLinks(
        scope.property,
        f"{reverse('where')}?{days}",
        f"{reverse('review')}?{days}",
        report_address(scope, "hold", by),
    )


def _parameter_errors(request: HttpRequest, by: str) -> Iterator[str]:
    """Yield a sentence for each invalid parameter."""
    yield from request_params.day_errors(request.GET)
    if by not in BY:
        yield f"This page cannot be grouped by “{request_params.clean_text(by)[:40]}”. Choose table or shift."


def _heads(over: str, address: str, sort: str) -> list[Head]:
    """Return the heads of the columns with amounts. The first press on a head puts the largest amount first.

    Args:
        over: the title of the amount over which the hold is computed.
        address: the address of the page without an order.
    """
    titles = ("Hold %", "Win", "Expected win", over, "Hands")
    return [
        Head(
            title,
            f"{address}&sort={key if sort == f'-{key}' else f'-{key}'}",
            order_of(sort, key),
            key == "expected",
        )
        for key, title in zip(AMOUNTS, titles, strict=True)
    ]


def _in_order(rows: list[dict[str, Any]], sort: str) -> list[dict[str, Any]]:
    """Return the rows sorted by one of their amounts. Rows without this amount come last."""
    amount = AMOUNTS.get(sort.removeprefix("-"))
    if amount is None:
        return rows

    def value(row: dict[str, Any]) -> Fraction | None:
        cell = amount(row)
        return None if cell is None or isinstance(cell, Absent) else Fraction(str(cell))

    return sort_rows(rows, sort, value)


def _sections(span: Span, by: tuple[str, ...], sort: str) -> list[Section]:
    sheet = in_order(catalog.report("hold").sheet(span, by), span, by)
    keys = [column.key for column in sheet.columns]
    every = list(sheet.rows)
    rows, totals = ([dict(zip(keys, row, strict=True)) for row in part] for part in (every, sheet.totals))
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault((row["basis"], row["currency"]), []).append(row)
    sums = {(row["basis"], row["currency"]): row for row in totals}
    chances = _chances(sheet)
    for cells, row in zip(every, rows, strict=True):
        chance = chances.judge(cells)
        row["compared"] = chance
        row["not_judged"], row["chance"] = chance.reason, None if chance.reason else chance
        row["expected"] = "" if chance.expected_win is None else cents(chance.expected_win, row["currency"])
    order = sorted(
        groups, key=lambda key: (list(BASES).index(key[0]) if key[0] in BASES else len(BASES), key[1])
    )
    sections = [_section(span, key, _in_order(groups[key], sort), sums.get(key), chances) for key in order]
    return _with_days(span, sections, order) if by == BY["table"] else sections


def _chances(sheet: Sheet) -> RowChances:
    assert sheet.chances is not None
    return sheet.chances()


def _with_days(span: Span, sections: list[Section], groups: list[tuple[str, str]]) -> list[Section]:
    """Return the sections with the address of the report by table and day, and with the small charts of each
    table if the page would not have too few or too many wins for them.
    """
    scope = _scope(span)
    if scope.begins == scope.last:
        return sections
    address = report_address(scope, "hold", win_by_day.BY)
    sections = [section._replace(by_day_report=address) for section in sections]
    days = win_by_day.rows_by_day(span, sum(len(section.rows) for section in sections))
    if not days:
        return sections
    return [
        section._replace(by_day=win_by_day.charts(span, section.rows, days.of(group), address, days.chances))
        for section, group in zip(sections, groups, strict=True)
    ]


def _scope(span: Span) -> Scope:
    assert span.property is not None
    assert span.begins is not None
    assert span.ends is not None
    return Scope(span.property, span.begins, span.ends - timedelta(days=1))


def _section(
    span: Span,
    group: tuple[str, str],
    rows: list[dict[str, Any]],
    total: dict[str, Any] | None,
    chances: RowChances,
) -> Section:
    basis, currency = group
    title, over, says = BASES.get(basis, (basis, "Over", ""))
    for row in rows:
        row["address"] = _where(span, row)
        note = str(row["note"])
        row["has_pending"] = note.startswith("pending ")
        row["why"] = dates_in_words(note.removeprefix("pending ").replace(f"{row['table']}/", ""))
    known = [row for row in rows if not isinstance(row["hold_percent"], Absent)]
    bars = [_bar(span, row) for row in known]
    chart = bar_chart(bars, f"{title}, hold by table", unit="%", note=_note(rows, chances))
    pending = sum(row["has_pending"] for row in rows)
    judged = [row["chance"] for row in rows if row["chance"] is not None]
    is_whole = len(judged) == len(rows)
    return Section(
        _scope(span).property,
        title,
        over,
        says,
        currency,
        rows,
        total,
        chart if bars else None,
        pending,
        sum(win.is_outside for win in judged),
        len(judged),
        cents(sum((win.expected_win for win in judged), Fraction(0)), currency) if is_whole else "",
        chances,
        not_judged_in_words([row["compared"] for row in rows]),
        by_day=None,
        by_day_report="",
        heads=[],
    )


def _note(rows: list[dict[str, Any]], chances: RowChances) -> str:
    """Return what the drawing of a chart means, and how many rows have no bar."""
    without = sum(isinstance(row["hold_percent"], Absent) for row in rows)
    order = f"in the order of the table{f'; {without} without a hold' if without else ''}"
    if not any(row["chance"] for row in rows):
        return order
    return f"{chances.words}; {order}"


def _bar(span: Span, row: dict[str, Any]) -> Bar:
    """Return the bar of a row's hold. If its win is judged, the bar shows the expected hold and the range of
    chance.
    """
    name, percent, written = _name(row), Fraction(str(row["hold_percent"])), grouped(row["hold_percent"])
    address, chance = _where(span, row), row["chance"]
    if chance is None:
        return Bar(name, percent, written, address, not_judged=row["not_judged"])
    return Bar(
        name,
        percent,
        written,
        address,
        chance.expected,
        chance.bounds,
        outside=chance.is_outside,
        tip=chance.tip,
    )


def _where(span: Span, row: dict[str, Any]) -> str:
    """Return the address of the page that shows where the hold of a row went: of a table, or of one of its
    shifts.
    """
    return details_address(_scope(span), {name: row[name] for name in BY["shift"] if name in row})


def _name(row: Row | dict[str, Any]) -> str:
    assert isinstance(row, dict)
    return " ".join((str(row["table"]).partition("/")[2], str(row.get("shift", "")))).strip()
