"""Limit a report to one table, shift, game, dealer or day, or to several such values.

The rows of a limited report are rows of the whole report, and its totals are those of these rows. Every
figure is the same as in the whole report: for example, a verdict of the statistical review considers the
number of all rows that were tested.

A report that is grouped by table can be limited by each of its groupings. If its totals are not always the
rows of the report grouped by the limits alone, it has a function `limited_by(span, by, limits)`, which also
reads each row only once. Any other report has the attribute `LIMITED_BY` with the names by which it can be
limited, and its rows keep their columns. If it is a list without a grouping, it has a function
`limited(span, limits)`, otherwise `limited_by(span, by, limits)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import TypeVar

from audit.facts.input_parsing import day_of
from audit.queries.cache.aggregates import Aggregate, F, days_after, merge
from audit.queries.span import Span
from casino.reports.catalog import Report
from casino.reports.columns import Row, Rows, Sheet
from casino.reports.grouping import blank
from casino.reports.shift_order import in_order

Limits = Mapping[str, str]
"""The values to which a report is limited, by the name of the grouping or column. A table has the name of its
property, for example `aurora/EOU-02`.
"""
NAMES = ("table", "game", "pit", "day", "month", "shift", "dealer", "hour", "wager", "round", "spot")
"""All names by which any report can be limited."""
OPTIONS = ("table", "game", "pit", "shift", "dealer", "hour", "wager")
"""The names that are options of the commands. The commands have other options for days."""
NO_LIMITS: Limits = {}
Item = TypeVar("Item")


def names_of(report: Report) -> tuple[str, ...]:
    """Return the names by which a report can be limited."""
    own: tuple[str, ...] | None = getattr(report, "LIMITED_BY", None)
    if own is not None:
        return own
    return tuple(name for name in report.BY if name in NAMES) if "table" in report.BY else ()


def error(report: Report, names: Iterable[str]) -> str:
    """Return a sentence about the names by which the report cannot be limited, or empty text if there are no
    such names.
    """
    known = names_of(report)
    unknown = [name for name in names if name not in known]
    if not unknown:
        return ""
    advice = f"Choose {', '.join(known)}." if known else "It always contains the whole property."
    return f"This report cannot be limited by {', '.join(unknown)}. {advice}"


def sheet(report: Report, span: Span, by: tuple[str, ...], limits: Limits) -> Sheet:
    """Return a report that is limited to some values. If there are no limits, return the whole report. Its
    shifts are in the order in which they begin.

    Args:
        report: the report's module.
        span: the days, the property and the books.
        by: the grouping. The names of the limits are added to it, so that each row shows its values. They are
            not added if the report has `LIMITED_BY`.
        limits: the values, by names for which `error` returns no sentence.
    """
    if not limits:
        return in_order(report.sheet(span, by), span, by)
    limited: Callable[[Span, Limits], Sheet] | None = getattr(report, "limited", None)
    if limited is not None:
        return limited(span, limits)
    if not hasattr(report, "LIMITED_BY"):
        by = with_names(by, limits)
    limited_by: Callable[[Span, tuple[str, ...], Limits], Sheet] | None = getattr(report, "limited_by", None)
    if limited_by is not None:
        return in_order(limited_by(span, by, limits), span, by)
    full_sheet = report.sheet(span, by)
    rows = _rows_of(full_sheet, by, limits)
    names = names_of_totals(by, limits)
    of_totals = rows if names == by else _rows_of(report.sheet(span, names), names, limits)
    totals = tuple((*blank(by), *row[len(names) :]) for row in of_totals)
    return in_order(full_sheet._replace(rows=rows, totals=totals), span, by)


def with_names(by: tuple[str, ...], limits: Limits) -> tuple[str, ...]:
    """Return the grouping with the names of the limits, so that each row shows its values."""
    return (*by, *(name for name in limits if name not in by))


def names_of_totals(by: tuple[str, ...], limits: Limits, *, as_rows: bool = False) -> tuple[str, ...]:
    """Return the grouping whose rows are added up in the totals: the names of the limits, or `by` if it has
    no other names. The same rows then need not be read twice.

    Args:
        by: the grouping of the report. It contains all names of the limits.
        limits: the values to which the report is limited.
        as_rows: True if the totals are always those of the rows that are shown.
    """
    return by if as_rows or set(by) == set(limits) else tuple(limits)


def _rows_of(full_sheet: Sheet, by: tuple[str, ...], limits: Limits) -> Sequence[Row]:
    """Return the rows that have the values of the limits. A row, and the key of an aggregate from which it is
    formatted, begin with the values of the grouping.
    """
    places = {by.index(name): value for name, value in limits.items()}
    if isinstance(full_sheet.rows, Rows):
        return full_sheet.rows.only(
            lambda aggregate: all(aggregate.key[place] == places[place] for place in places)
        )
    return [row for row in full_sheet.rows if all(row[place] == places[place] for place in places)]


def rows_and_totals(
    rows: list[Aggregate[F]],
    by: tuple[str, ...],
    limits: Limits,
    read: Callable[[tuple[str, ...]], list[Aggregate[F]]],
    *,
    as_rows: bool,
) -> tuple[list[Aggregate[F]], list[Aggregate[F]]]:
    """Return the rows that have the values of the limits, and the totals of the limited report.

    Args:
        rows: the rows of the whole report.
        by: the grouping of the report. It contains all names of the limits.
        limits: the values to which the report is limited.
        read: reads the rows of the whole report in another grouping. It is called only if the totals need
            other rows.
        as_rows: True if the totals are always those of the rows that are shown.
    """
    names = names_of_totals(by, limits, as_rows=as_rows)
    totals = totals_of_rows(rows if names == by else read(names), names, by, limits)
    return chosen(rows, limits, lambda row, name: row.key[by.index(name)]), totals


def totals_of_rows(
    rows: Iterable[Aggregate[F]], names: Sequence[str], by: Sequence[str], limits: Limits
) -> list[Aggregate[F]]:
    """Return the totals of a limited report.

    Args:
        rows: aggregates whose keys begin with the values of `names`.
        names: the grouping of the rows. It contains all names of the limits.
        by: the grouping of the report, for which the totals have empty cells.
        limits: the values of the rows that are added up.
    """
    places = {name: list(names).index(name) for name in limits}
    return merge(
        row._replace(key=(*blank(by), *row.key[len(names) :]))
        for row in rows
        if all(row.key[place] == limits[name] for name, place in places.items())
    )


def chosen(items: Iterable[Item], limits: Limits, value: Callable[[Item, str], str]) -> list[Item]:
    """Return the items of a list that have the values of the limits. `value` returns the value that an item
    has for a name. It is not called if there are no limits.
    """
    if not limits:
        return list(items)
    return [item for item in items if all(value(item, name) == limits[name] for name in limits)]


def day_or_month(day: date | None, name: str) -> str:
    """Return the value of a gaming day for the limit `day` or `month`. Return empty text if there is no
    day.
    """
    return "" if day is None else day.isoformat() if name == "day" else f"{day:%Y-%m}"


def days_of(span: Span, limits: Limits) -> Span | None:
    """Return the days of the span that are in the limits `day` and `month`. Return None if no day is in
    them.
    """
    for name in ("day", "month"):
        if name not in limits:
            continue
        first = day_of(limits[name] if name == "day" else f"{limits[name]}-01")
        if first is None:
            return None
        ends = days_after(first, 1) if name == "day" else days_after(first, 31, of_month=True)
        begins = first if span.begins is None else max(span.begins, first)
        ends = min((day for day in (span.ends, ends) if day is not None), default=None)
        if ends is not None and begins >= ends:
            return None
        span = span._replace(begins=begins, ends=ends)
    return span


def totals_of_list(
    rows: Iterable[Aggregate[F]], total_of: Callable[[Aggregate[F]], tuple[str, ...] | None]
) -> list[Aggregate[F]]:
    """Return the totals of the chosen rows of a list. `total_of` returns the key of the total to which a row
    is added, or None. It is the same function that the whole list uses.
    """
    keys = [(total_of(row), row) for row in rows]
    return merge(Aggregate(key, row.figures) for key, row in keys if key is not None)
