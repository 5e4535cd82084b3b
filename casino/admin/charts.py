"""Charts on the admin's first page: the last two weeks of a property. Each is shown only to people who may
see its figures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from fractions import Fraction
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.db.models import Count
from django.urls import reverse

from audit.queries import recent
from audit.queries.span import Span
from audit.review import queue
from casino.accounts.permissions import can
from casino.models import Standing
from casino.presentation.charts.rows import Bar, RowChart, bar_chart
from casino.presentation.charts.series import Plot, Point, column_chart
from casino.presentation.formatting import grouped
from casino.reports.columns import Absent
from casino.reports.definitions import hold
from casino.reports.row_links import Scope, report_address

DAYS = 14


class Chart(NamedTuple):
    """A chart of the first page, as columns by day or as bars by name."""

    title: str
    says: str
    plot: Plot | None = None
    bars: RowChart | None = None


def charts(person: Any, property: str, last: date) -> list[Chart]:
    """Return the charts of a property that this person may see. Their last column is the day `last`."""
    span = Span(last - timedelta(days=DAYS - 1), last + timedelta(days=1), property)
    return [chart for act, draw in DRAWN if can(person, act, property) for chart in draw(span)]


def _each(span: Span) -> list[date]:
    assert span.begins is not None
    return [span.begins + timedelta(days=place) for place in range(DAYS)]


def _days(
    title: str, says: str, span: Span, counts: dict[date, int], address: Callable[[date], str]
) -> Iterator[Chart]:
    """Yield a chart with one column for each day, including days without a value. If no day has a value,
    yield no chart.
    """
    if any(counts.values()):
        points = [
            Point(_name(day), counts.get(day, 0), f"{counts.get(day, 0):,}", address(day))
            for day in _each(span)
        ]
        yield Chart(title, says, column_chart(points, says, note="gaming day"))


def _name(day: date) -> str:
    return f"{day.day} {day:%b}"


def _address(page: str, **values: object) -> str:
    return f"{reverse(page)}?{urlencode(values)}"


def _facts(span: Span) -> Iterator[Chart]:
    def address(day: date) -> str:
        return report_address(Scope(str(span.property), day, day), "coverage", ())

    says = "Facts of the tables by gaming day"
    yield from _days("Facts", says, span, recent.facts_by_day(span), address)


def _flagged(span: Span) -> Iterator[Chart]:
    assert span.property is not None
    days = recent.flagged_by_day(span)
    waiting = sum(hands_waiting.hands for hands_waiting in queue.waiting(span.property).values())
    says = f"Hands with findings, by gaming day; {waiting:,} of all gaming days need a verdict"
    hands = {day.day: day.hands for day in days}
    yield from _days("Hands flagged", says, span, hands, lambda day: _address("queue", day=day, state="all"))


def _won(span: Span) -> Iterator[Chart]:
    """Yield a chart of the win by gaming day for each currency and each basis of the hold (drop or handle).
    Amounts of different bases or currencies are never added together. A day whose win is still pending has no
    column.
    """
    sheet = hold.sheet(span, ("day",))
    place = {column.key: number for number, column in enumerate(sheet.columns)}
    groups: dict[tuple[str, str], dict[date, Any]] = {}
    for row in sheet.rows:
        group = (str(row[place["basis"]]), str(row[place["currency"]]))
        groups.setdefault(group, {})[date.fromisoformat(str(row[place["day"]]))] = row[place["win"]]
    for (basis, currency), won in sorted(groups.items()):
        points = [_won_on(span, day, won.get(day)) for day in _each(span)]
        says = f"Win by gaming day in {currency}, for the tables with basis {basis}"
        plot = column_chart(points, says, unit=currency, note="gaming day", money=True, is_count=False)
        yield Chart(f"Win, {currency} ({basis})", says, plot)


def _won_on(span: Span, day: date, win: Any) -> Point:
    """Return the point of one day in a chart of the win, with a link to the page “Where the hold went”. The
    point has no value if the win is still pending.
    """
    href = _address("where", property=span.property, **{"from": day, "to": day})
    if win is None or win == "" or isinstance(win, Absent):
        return Point(_name(day), None, str(win or "none"), href)
    return Point(_name(day), Fraction(str(win)), grouped(win), href)


def _held(span: Span) -> Iterator[Chart]:
    assert span.property is not None
    assert span.ends is not None
    day = span.ends - timedelta(days=1)
    rows = Standing.objects.filter(property=span.property, begins__lte=day, ends__gt=day).values_list(
        "register"
    )
    counts_by_register = rows.annotate(keys=Count("id")).order_by("register")
    says = "Entries in force in each register on the last day"
    bars = [
        _counted(register, keys, _address("admin:casino_entry_changelist", register=register))
        for register, keys in counts_by_register
    ]
    if bars:
        yield Chart("Reference data", says, bars=bar_chart(bars, says, unit="entries"))


def _waiting(span: Span) -> Iterator[Chart]:
    assert span.property is not None
    says = "Jobs waiting or in progress, by kind"
    bars = [
        _counted(kind, count, _address("admin:audit_job_changelist", property=span.property))
        for kind, count in recent.work_waiting(span.property).items()
    ]
    if bars:
        yield Chart("Work", says, bars=bar_chart(bars, says, unit="jobs"))


def _counted(name: str, number: int, address: str) -> Bar:
    return Bar(name, number, f"{number:,}", address, counted=True)


DRAWN: tuple[tuple[str, Callable[[Span], Iterator[Chart]]], ...] = (
    ("see-facts", _facts),
    ("see-findings", _flagged),
    ("see-hold", _won),
    ("see-registers", _held),
    ("see-jobs", _waiting),
)
"""For each chart: the permission that it needs, and the function that draws it."""
