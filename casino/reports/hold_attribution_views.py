"""The page "Where the hold went": the parts of the win as a waterfall chart and as a table. Each row links to
more detailed rows, down to one table's day.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from audit.queries.cache.aggregates import merge
from casino.presentation.charts.rows import Waterfall
from casino.presentation.formatting import display
from casino.reference.calendar import gaming_day
from casino.reports import catalog, limit_parameters
from casino.reports.columns import Absent
from casino.reports.definitions import where_the_hold_went as report
from casino.reports.grouping import PLAY_ALONE
from casino.reports.hold_attribution_parts import DIFFERENCES, NOUGHT, PARTS, Part, has_amount, waterfall
from casino.reports.hold_attribution_request import (
    BY,
    COLUMNS,
    AttributionRequest,
    narrowed,
    other_grouping,
)
from casino.reports.hold_trend import Trend, trends
from casino.reports.largest_unexplained import (
    MOST_DAYS,
    LargestUnexplained,
    is_too_long,
    largest_unexplained,
)
from casino.reports.progress import with_progress
from casino.reports.shift_order import sort_items
from casino.web import request_params
from casino.web.day_presets import preset_links
from casino.web.replica import reads_replica
from casino.web.sorting import sort_rows

ACT = "see-hold"
DAYS = 7
"""Number of gaming days shown by default."""
OF_COUNTS = ("unexplained", "counted", "not_counted")
"""The columns of the counts of tray and box."""
NOT_COUNTED_ALONE = "Tray and box are counted for a table and shift, not for one dealer or hour."
NOT_COUNTED_LIVE = "A live-dealer table has no tray and no box, so its win is not counted."


class Section(NamedTuple):
    """The rows of one kind of table and one currency, as a section of the page."""

    title: str
    currency: str
    chart: Waterfall
    parts: list[Part]
    rows: list[dict[str, Any]]
    total: dict[str, Any]
    columns: list[str]
    """The columns of the table that can have an amount. `undivided` is one of them if theoretical win,
    choices and luck are one figure in some rows.
    """
    why_not_counted: str
    """Why the counted win is not known for any row, or empty text."""
    trend: Trend | None
    """The charts by week, or None if fewer than two weeks have play."""
    largest: LargestUnexplained | None
    """The largest unexplained amount, or None if no amount is unexplained."""


@require_safe
@with_progress("Where the hold went")
@reads_replica
def where(request: HttpRequest) -> HttpResponse:
    """Show the page "Where the hold went". Parameters: `from` and `to`, the first and the last day; `by`, the
    grouping; and filters, such as `table=EOU-01`.
    """
    wanted = _read_parameters(request)
    shown = {
        "wanted": wanted,
        "places": request_params.permitted_properties(request, ACT),
        "can_go_by": BY,
        "filters": limit_parameters.fields(BY, tuple(wanted.within.items()), wanted.house),
        "presets": preset_links(
            gaming_day(wanted.house),
            wanted.begins,
            wanted.last,
            wanted.of_days,
        ),
        "hold_address": f"{reverse('hold')}?{urlencode(wanted.days)}",
        "report_address": wanted.report("where-the-hold-went", (wanted.by,)),
    }
    if wrong := list(_parameter_errors(request, wanted.house)):
        return render(request, "reports/where.html", {**shown, "wrong": wrong}, status=400)
    most_days = MOST_DAYS if is_too_long(wanted) else 0
    figures = {"sections": list(_sections(wanted)), "most_days": most_days}
    return render(request, "reports/where.html", shown | figures)


def _read_parameters(request: HttpRequest) -> AttributionRequest:
    """Return the parameters of the page. Raise PermissionDenied for a property that the user may not see."""
    property = request_params.chosen_property(request, ACT)
    begins, last = request_params.day_range(request.GET, gaming_day(property), DAYS)
    within = {name: value for name, value in limit_parameters.read(request.GET, property) if name in BY}
    by = request.GET.get("by", "")
    sort = request.GET.get("sort", "")
    return AttributionRequest(
        property,
        begins,
        last,
        by if by in BY and by not in within else other_grouping(within),
        within,
        sort if sort.removeprefix("-") in COLUMNS else "",
    )


def _parameter_errors(request: HttpRequest, property: str) -> Iterator[str]:
    """Yield a sentence for each invalid parameter."""
    yield from request_params.day_errors(request.GET)
    pairs = limit_parameters.read(request.GET, property)
    unknown = [name for name, _ in pairs if name not in BY]
    if unknown:
        yield f"This page cannot be limited by {', '.join(unknown)}. Choose {', '.join(BY)}."
    elif unknown_value := limit_parameters.unknown_value(pairs, property):
        yield unknown_value.says
    if (by := request_params.clean_text(request.GET.get("by"))) and by not in BY:
        yield f"This page cannot be grouped by “{by[:40]}”. Choose {', '.join(BY)}."


def _sections(wanted: AttributionRequest) -> Iterator[Section]:
    names = (*wanted.within, wanted.by)
    by_group, is_play_alone = narrowed(wanted, names), bool(PLAY_ALONE & set(names))
    # As in the report, the totals are those of whole days and do not depend on the grouping of the rows.
    sums = by_group if is_play_alone else narrowed(wanted, tuple(wanted.within))
    headings = [column.key for column in report.headings((wanted.by,))]
    trend_of, largest_of = trends(wanted), largest_unexplained(wanted)
    groups: dict[tuple[str, ...], list[report.AttributionRow]] = {}
    for row in sort_items(by_group, wanted.span, (wanted.by,)):
        groups.setdefault(row.key[-2:], []).append(row)
    for (basis, currency), rows in sorted(groups.items()):
        (total_row,) = merge(
            row._replace(key=("total", basis, currency)) for row in sums if row.key[-2:] == (basis, currency)
        )
        total, *shown_rows = (
            dict(zip(headings, report.format_row(row, play_alone=is_play_alone), strict=True))
            for row in (total_row, *rows)
        )
        largest = largest_of.get(currency) if basis == report.FELT else None
        for shown in shown_rows:
            is_largest = largest is not None and str(shown[wanted.by]) == largest.of_row
            shown["largest"] = largest if is_largest else None
            shown["name"], shown["address"] = (
                display(wanted.by, shown[wanted.by]) or "–",
                wanted.narrowed(str(shown[wanted.by])),
            )
        if wanted.sort:
            shown_rows = _sorted(shown_rows, wanted.sort)
        why_not_counted = _why_not_counted(total, is_play_alone)
        left_out = {*OF_COUNTS} if why_not_counted else set[str]()
        if is_play_alone:
            left_out.add("corrections")
        if all(shown["undivided"] in NOUGHT for shown in shown_rows):
            left_out.add("undivided")
        of_total = parts(total, wanted)
        yield Section(
            basis[:1].upper() + basis[1:],
            currency,
            waterfall(total, of_total, currency),
            of_total,
            shown_rows,
            total,
            [key for key in COLUMNS if key not in left_out],
            why_not_counted,
            trend_of.get((basis, currency)),
            largest,
        )


def _why_not_counted(row: dict[str, Any], is_play_alone: bool) -> str:
    """Return why a row cannot have a counted win, or empty text if it can."""
    if is_play_alone:
        return NOT_COUNTED_ALONE
    return NOT_COUNTED_LIVE if row["basis"] == report.STUDIO else ""


def _sorted(rows: list[dict[str, Any]], sort: str) -> list[dict[str, Any]]:
    """Return the rows sorted by one of their amounts. Rows without this amount come last."""
    key = sort.removeprefix("-")
    return sort_rows(
        rows, sort, lambda row: None if isinstance(row[key], Absent) else Fraction(str(row[key]))
    )


def parts(row: dict[str, Any], wanted: AttributionRequest) -> list[Part]:
    """Return each part of the win in this row, with the addresses of reports about it."""
    result = []
    for part, (name, says, other, by) in PARTS.items():
        if part in ("undivided", "corrections", "not_counted") and not has_amount(row[part]):
            continue
        if part == "unexplained" and (row["basis"] == report.STUDIO or row[part] == report.NOT_APPLICABLE):
            continue
        related = wanted.report(other, by) if other else ""
        title = catalog.report(other).TITLE.partition(":")[0] if related else ""
        address = wanted.report_of_part(part, row[part])
        differs = DIFFERENCES.get(part, "") if related else ""
        result.append(Part(name, row[part], says, address, (title, related, differs)))
    return result
