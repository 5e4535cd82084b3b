"""The win compared with the win that exact odds predict, on home pages: by gaming day, added up over a month,
and by table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import NamedTuple

from audit.queries.span import Span
from casino.home.cards import Cell, Chart, Figure, FigureLine, Line, Table, Viewer, head
from casino.presentation.charts.series import Point, column_chart, line_chart
from casino.presentation.formatting import cents, cut_property, day_label, digits
from casino.reports.definitions import statistics
from casino.reports.definitions.statistics import ReviewRow, win_of
from casino.reports.expected_win import Win, bounds_of

TABLES = 12
"""Maximum number of tables in the list of a gaming day, so that the page fits on one screen."""


def currency_of(rows: Sequence[ReviewRow]) -> str:
    """Return the currency with the most wagers, or empty text if there are no rows. Amounts in different
    currencies are never added up.
    """
    wagers: dict[str, int] = {}
    for row in rows:
        wagers[row.key[-1]] = wagers.get(row.key[-1], 0) + row.figures.wagers
    return min(wagers, key=lambda currency: (-wagers[currency], currency), default="")


class Month(NamedTuple):
    """The win of each gaming day of a span in one currency. Days without play have no entry."""

    span: Span
    currency: str
    days: dict[date, Win]
    sure: Fraction

    def places(self) -> Iterator[date]:
        """Yield all gaming days of the span."""
        assert self.span.begins is not None
        assert self.span.ends is not None
        for place in range((self.span.ends - self.span.begins).days):
            yield self.span.begins + timedelta(days=place)


def month_of(span: Span, currency: str = "") -> Month:
    """Return the win of each gaming day of a span in a currency, by default the one with the most wagers."""
    rows, sure = statistics.sums(span, ("day",)), bounds_of(span).sure
    currency = currency or currency_of(rows)
    days = {
        date.fromisoformat(str(row.key[0])): win_of(row.figures, sure)
        for row in rows
        if row.key[-1] == currency
    }
    return Month(span, currency, days, sure)


def with_days_before(span: Span) -> Span:
    """Return a span that also has the days of `days_before`."""
    assert span.begins is not None
    assert span.ends is not None
    return span._replace(begins=span.begins - (span.ends - span.begins))


def days_before(month: Month) -> Month:
    """Return the win of as many gaming days as `month` has, up to the day before its first day."""
    begins, number = next(month.places()), len(list(month.places()))
    span = month.span._replace(begins=begins - timedelta(days=number), ends=begins)
    return month_of(span, month.currency)


def day_figure(viewer: Viewer, month: Month, day: date) -> Figure:
    """Return the card with the win of one gaming day. Lines below it give the expected win and the range that
    chance allows.
    """
    address = _rows_address(viewer, day, day, "table")
    title = f"Win of wagers on {day_label(day)}, {month.currency}" if month.currency else "Win of wagers"
    win = month.days.get(day)
    if win is None:
        return Figure(title, "none", f"no play on {day_label(day)}", address)
    low, high = (cents(win.expected + side * win.reach, month.currency) for side in (-1, 1))
    state = "outside the range of chance" if win.is_outside else "inside the range of chance"
    state += ", before corrections"
    facts = [
        FigureLine("expected", cents(win.expected, month.currency)),
        FigureLine("range of chance", f"{low} to {high}"),
        FigureLine("deviations", win.deviations or "none", kind="alarm" if win.is_outside else ""),
    ]
    return Figure(title, cents(win.amount, month.currency), state, address, facts)


def by_day(viewer: Viewer, month: Month, earlier: Month | None = None) -> Chart:
    """Return the card with a chart of the win by gaming day, with the expected win, the range that chance
    allows, and the win of the days in `earlier`, which are compared by their position.
    """
    unit = Fraction(1, 10 ** digits(month.currency))
    points = [
        _point(month, day, month.days.get(day), unit, _rows_address(viewer, day, day, "table"))
        for day in month.places()
    ]
    if earlier is not None:
        wins = ((before, earlier.days.get(before)) for before in earlier.places())
        amounts = [(before, None if win is None else win.amount) for before, win in wins]
        points = _compared(points, amounts, unit, month.currency)
    plot = column_chart(
        points,
        "Win of wagers by gaming day",
        unit=month.currency,
        note="gaming day",
        money=True,
        is_count=False,
    )
    says = f"{len(points)} days; dashed: expected win; band: range of chance{_dots(earlier)}"
    return Chart("Win of wagers by gaming day", says, plot, rows_address(viewer, month), "Statistical review")


def rows_address(viewer: Viewer, month: Month) -> str:
    """Return the URL of the report whose rows add up to the win of the wagers of all days of the span."""
    return viewer.link("see-hold", "report", "statistics", **days_of(month.span), by="day")


def _rows_address(viewer: Viewer, begins: date, last: date, by: str) -> str:
    """Return the URL of the report whose rows add up to the win of the wagers of these days."""
    days = {"from": begins.isoformat(), "to": last.isoformat()}
    return viewer.link("see-hold", "report", "statistics", **days, by=by)


def _point(month: Month, day: date, win: Win | None, unit: Fraction, address: str) -> Point:
    name = f"{day.day} {day:%b}"
    if win is None:
        return Point(name, None, "no play")
    return Point(
        name,
        win.amount * unit,
        cents(win.amount, month.currency),
        address,
        win.expected * unit,
        ((win.expected - win.reach) * unit, (win.expected + win.reach) * unit),
        outside=win.is_outside,
        tip=(f"expected {cents(win.expected, month.currency)}",),
    )


def _compared(
    points: Sequence[Point], amounts: Sequence[tuple[date, Fraction | None]], unit: Fraction, currency: str
) -> list[Point]:
    """Return the points with the amounts of an earlier period. The first point is compared with the first
    amount, and so on. A point without an earlier amount is not compared.
    """
    compared = []
    for place, point in enumerate(points):
        before, amount = amounts[place] if place < len(amounts) else (None, None)
        if before is None or amount is None:
            compared.append(point)
            continue
        text = f"{before.day} {before:%b}: {cents(amount, currency)}"
        compared.append(point._replace(before=amount * unit, tip=(*point.tip, text)))
    return compared


def _dots(earlier: Month | None) -> str:
    """Return what the dots of a chart show, to be added to its description. If the play began after the first
    of the earlier days, name the day. Return empty text if no earlier day has play.
    """
    if earlier is None or not earlier.days:
        return ""
    begins, *_ = days = list(earlier.places())
    is_month = begins.day == 1 and (days[-1] + timedelta(days=1)).day == 1
    first = min(earlier.days)
    since = f", from {first.day} {first:%b}" if first > begins else ""
    return f"; dots: {begins:%B}{since}" if is_month else f"; dots: {len(days)} days before{since}"


def to_date(viewer: Viewer, month: Month, earlier: Month | None = None) -> Chart:
    """Return the card with a chart of the win added up since the first day of the span, with the expected win
    and the range that chance allows. It is compared with the win added up in `earlier`.
    """
    unit, begins = Fraction(1, 10 ** digits(month.currency)), next(month.places())
    total, points = Win(Fraction(0), Fraction(0), Fraction(0), month.sure), []
    for day in month.places():
        added = month.days.get(day, Win(Fraction(0), Fraction(0), Fraction(0), month.sure))
        total = Win(
            total.amount + added.amount,
            total.expected + added.expected,
            total.variance + added.variance,
            month.sure,
        )
        points.append(_point(month, day, total, unit, _rows_address(viewer, begins, day, "day")))
    if earlier is not None and earlier.days:
        points = _compared(points, _added_up(earlier), unit, month.currency)
    plot = line_chart(points, "Win of wagers to date", unit=month.currency, note="gaming day")
    says = f"added up; dashed: expected win; band: range of chance{_dots(earlier)}"
    return Chart("Win of wagers to date", says, plot, rows_address(viewer, month), "Statistical review")


def _added_up(month: Month) -> list[tuple[date, Fraction | None]]:
    """Return each gaming day with the win since the first day. Days before the first play have no amount,
    because nothing was recorded on them.
    """
    total, amounts = Fraction(0), []
    for day in month.places():
        win = month.days.get(day)
        total += win.amount if win is not None else 0
        amounts.append((day, total if day >= min(month.days, default=day) else None))
    return list(amounts)


def by_table(viewer: Viewer, day: date) -> Table:
    """Return the card with a list of the win at each table on a gaming day. The tables that are farthest from
    their expected win come first.
    """
    span = Span(day, day + timedelta(days=1), viewer.property)
    rows, sure = statistics.sums(span, ("table",)), bounds_of(span).sure
    wins = [(row.key[0], row.key[-1], win_of(row.figures, sure)) for row in rows]
    wins.sort(key=lambda entry: (-entry[2].hundredths, entry[0]))
    total, wins = len(wins), wins[:TABLES]
    lines = [
        Line(
            [
                Cell(cut_property(table), "", _table_address(viewer, day, table)),
                Cell(
                    "outside" if win.is_outside else "inside" if win.deviations else "not judged",
                    kind="alarm" if win.is_outside else "muted",
                ),
                Cell(
                    f"{cents(win.amount, currency)} {currency}",
                    "",
                    _review_address(viewer, day, table),
                    is_number=True,
                ),
                Cell(
                    win.deviations.replace("-", "−") or "no play",
                    "",
                    _review_address(viewer, day, table),
                    is_number=True,
                ),
            ]
        )
        for table, currency, win in wins
    ]
    address = viewer.link(
        "see-hold", "report", "statistics", **{"from": day.isoformat(), "to": day.isoformat()}, by="table"
    )
    return Table(
        f"Tables on {day_label(day)}",
        "without corrections and missing chips, the farthest from the exact odds first",
        head("Table", "Judged", ">Win of wagers", ">Deviations"),
        lines,
        f"No table had play on {day_label(day)}.",
        address,
        "Statistical review",
        total,
    )


def _review_address(viewer: Viewer, day: date, table: str) -> str:
    """Return the URL of the statistical review of one table's gaming day."""
    days = {"from": day.isoformat(), "to": day.isoformat()}
    return viewer.link("see-hold", "report", "statistics", **days, by="table", table=table)


def _table_address(viewer: Viewer, day: date, table: str) -> str:
    code = cut_property(table)
    return viewer.link("see-hold", "where_day", viewer.property, code, day.isoformat())


def days_of(span: Span) -> dict[str, str]:
    """Return the parameters `from` and `to` of a page that shows these gaming days."""
    assert span.begins is not None
    assert span.ends is not None
    return {"from": span.begins.isoformat(), "to": (span.ends - timedelta(days=1)).isoformat()}
