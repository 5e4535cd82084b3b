"""Charts on the admin's first page: the last two weeks of a property. Each is shown only to people who may
see its figures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Any, NamedTuple

from django.db.models import Count

from audit.queries import recent
from audit.queries.span import Span
from casino.accounts.permissions import can
from casino.models import Standing
from casino.presentation.formatting import grouped
from casino.reports.columns import Absent
from casino.reports.definitions import hold

DAYS = 14


class Chart(NamedTuple):
    """A bar chart. Each column has a label, a height, and its figure as text."""

    title: str
    says: str
    columns: list[tuple[str, float, str]]


def charts(person: Any, property: str, last: date) -> list[Chart]:
    """Return the charts of a property that this person may see. Their last column is the day `last`."""
    span = Span(last - timedelta(days=DAYS - 1), last + timedelta(days=1), property)
    return [
        chart for act, draw in DRAWN if can(person, act, property) for chart in draw(span) if chart.columns
    ]


def _each(span: Span) -> list[date]:
    assert span.begins is not None
    return [span.begins + timedelta(days=place) for place in range(DAYS)]


def _days(span: Span, counts: dict[date, int]) -> list[tuple[str, float, str]]:
    """Return one column for each day, including days without a value. If no day has a value, return no
    columns.
    """
    return (
        [(f"{day:%-d %b}", float(counts.get(day, 0)), f"{counts.get(day, 0):,}") for day in _each(span)]
        if any(counts.values())
        else []
    )


def _facts(span: Span) -> Iterator[Chart]:
    yield Chart("Facts", "Facts of the tables by gaming day", _days(span, recent.facts_by_day(span)))


def _flagged(span: Span) -> Iterator[Chart]:
    days = recent.flagged_by_day(span)
    waiting = sum(day.waiting for day in days)
    says = f"Hands with findings, by gaming day; {waiting:,} waiting for a verdict"
    yield Chart("Hands flagged", says, _days(span, {day.day: day.hands for day in days}))


def _won(span: Span) -> Iterator[Chart]:
    """Yield a chart for each basis and currency, because these are never added together. A day with a pending
    win is marked as pending and has no height.
    """
    sheet = hold.sheet(span, ("day",))
    place = {column.key: number for number, column in enumerate(sheet.columns)}
    groups: dict[tuple[str, str], dict[date, Any]] = {}
    for row in sheet.rows:
        group = (str(row[place["basis"]]), str(row[place["currency"]]))
        groups.setdefault(group, {})[date.fromisoformat(str(row[place["day"]]))] = row[place["win"]]
    for (basis, currency), won in sorted(groups.items()):
        columns = [(f"{day:%-d %b}", *_figure(won.get(day))) for day in _each(span)]
        yield Chart(
            f"Win, {currency} ({basis})",
            f"Win by gaming day in {currency}, for the tables with basis {basis}",
            columns,
        )


def _figure(win: Any) -> tuple[float, str]:
    """Return a win as the height of its column and as text. A pending win has no height."""
    if win is None or win == "" or isinstance(win, Absent):
        return 0.0, str(win or "none")
    return float(win), grouped(win)


def _held(span: Span) -> Iterator[Chart]:
    assert span.property is not None
    assert span.ends is not None
    day = span.ends - timedelta(days=1)
    rows = Standing.objects.filter(property=span.property, begins__lte=day, ends__gt=day).values_list(
        "register"
    )
    counts_by_register = rows.annotate(keys=Count("id")).order_by("register")
    columns = [(register, float(keys), f"{keys:,}") for register, keys in counts_by_register]
    yield Chart("Reference data", "Keys in force in each register on the last day", columns)


def _waiting(span: Span) -> Iterator[Chart]:
    assert span.property is not None
    waiting = recent.work_waiting(span.property)
    yield Chart(
        "Work",
        "Jobs waiting or in progress, by kind",
        [(kind, float(many), f"{many:,}") for kind, many in waiting.items()],
    )


DRAWN: tuple[tuple[str, Callable[[Span], Iterator[Chart]]], ...] = (
    ("see-facts", _facts),
    ("see-findings", _flagged),
    ("see-hold", _won),
    ("see-registers", _held),
    ("see-jobs", _waiting),
)
"""For each chart: the permission that it needs, and the function that draws it."""
