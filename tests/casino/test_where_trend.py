"""The page "Where the hold went" names the largest unexplained amount with its shift, and shows the trend by
week, compared with the weeks before.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from casino.reports import hold_attribution_request, largest_unexplained
from casino.reports.hold_attribution_request import AttributionRequest
from casino.reports.hold_trend import trends
from casino.reports.largest_unexplained import LargestUnexplained
from tests.casino import pages
from tests.casino.conftest import Cast
from tests.casino.test_reports import felt, live, record
from tests.casino.test_reports_agree import of_two_shifts

DAY = date(2026, 11, 27)
"""A Friday."""


def wanted(begins: date = DAY, last: date = DAY, by: str = "table", **within: str) -> AttributionRequest:
    return AttributionRequest("aurora", begins, last, by, within)


def largest(of: AttributionRequest) -> LargestUnexplained:
    return largest_unexplained.largest_unexplained(of)["USD"]


def words(cast: Cast, path: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", pages.markup(cast.browser("Boris").get(path))).split())


def test_the_largest_unexplained_amount_is_named_with_its_shift(cast: Cast) -> None:
    record(of_two_shifts(counted=True), felt(10_000, -500, "aurora/T2"), live(100_000, 5_000))
    named = largest(wanted())
    assert (named.table, named.day, named.shift, named.amount) == (
        "aurora/T1",
        "2026-11-27",
        "day",
        "4.00 USD",
    )
    assert named.others == 1
    for by, row in (("table", "aurora/T1"), ("day", "2026-11-27"), ("month", "2026-11"), ("shift", "day")):
        assert largest(wanted(by=by)).of_row == row
    page = words(cast, "/hold/where/?from=2026-11-21&to=2026-11-27")
    assert "Largest unexplained amount: 4.00 USD at T1 on 27 Nov 2026, day shift." in page
    assert "1 other table day has an unexplained amount." in page
    assert page.count("largest: T1, 27 Nov 2026, day") == 1
    of_shift = largest(wanted(shift="swing"))
    assert (of_shift.shift, of_shift.amount) == ("swing", "2.00 USD")
    assert "shift=swing" in of_shift.address, "a link keeps the filters"
    of_table = words(cast, "/hold/where/?from=2026-11-21&to=2026-11-27&table=aurora/T2&by=day")
    assert "Largest unexplained amount: −5.00 USD at T2 on 27 Nov 2026" in of_table
    of_day = words(cast, "/hold/where/aurora/T1/2026-11-27/")
    assert "Largest unexplained amount: 4.00 USD at T1 on 27 Nov 2026, day shift." in of_day


def test_a_page_without_unexplained_money_names_no_amount(cast: Cast) -> None:
    record(felt(10_000, 0), live(100_000, 5_000))
    assert largest_unexplained.largest_unexplained(wanted()) == {}
    assert "Largest unexplained" not in words(cast, "/hold/where/?from=2026-11-21&to=2026-11-27")


def test_a_long_page_and_rows_by_dealer_name_no_amount(cast: Cast) -> None:
    record(felt(10_000, 700))
    assert largest_unexplained.largest_unexplained(wanted(by="dealer")) == {}
    assert largest_unexplained.largest_unexplained(wanted(begins=date(2026, 10, 1))) == {}
    page = words(cast, "/hold/where/?from=2026-10-01&to=2026-11-27")
    assert "Choose at most 35 days to see the shift with the largest unexplained amount." in page
    assert "Choose at most" not in words(cast, "/hold/where/?from=2026-10-28&to=2026-11-27")


def weekly(first: date, *wins: int) -> list[list[dict[str, Any]]]:
    """Return table days whose wins are not explained by play, one a week."""
    return [
        felt(10_000, win, day=str(date.fromordinal(first.toordinal() + 7 * place)))
        for place, win in enumerate(wins)
    ]


def test_the_trend_compares_each_week_with_the_week_before_the_period(cast: Cast) -> None:
    record(*weekly(date(2026, 8, 14), 900), *weekly(date(2026, 10, 9), 100, 200, 300, 0, -400, 500, 600, 700))
    (trend,) = trends(wanted()).values()
    plot = next(plot for plot in trend.plots if plot.says == "Unexplained by week")
    assert [point.name for point in plot.points][:2] == ["5 Oct", "12 Oct"]
    assert [point.written for point in plot.points] == [
        "1.00",
        "2.00",
        "3.00",
        "0.00",
        "−4.00",
        "5.00",
        "6.00",
        "7.00",
    ]
    assert plot.points[0].before == 9, "the week eight weeks before"
    assert plot.points[0].tip == ("8 weeks before: 9.00",)
    assert plot.points[-1].tip == ("only 5 of 7 days",)
    assert "from=2026-10-05&to=2026-10-11" in plot.points[0].href
    assert "from=2026-11-23&to=2026-11-27" in plot.points[-1].href
    page = pages.markup(cast.browser("Boris").get("/hold/where/?from=2026-11-21&to=2026-11-27"))
    assert "Trend by week" in page
    assert 'aria-label="16 Nov: 6.00"' in page, "each mark is a link with a name"


def test_the_trend_keeps_the_filters_of_the_page(cast: Cast) -> None:
    record(
        *weekly(date(2026, 11, 13), 100, 200, 300),
        felt(10_000, 5_000, "aurora/T2", day="2026-11-20"),
        felt(10_000, 5_000, "aurora/T2"),
    )
    (trend,) = trends(wanted(table="aurora/T1", by="day")).values()
    plot = next(plot for plot in trend.plots if plot.says == "Unexplained by week")
    assert [point.written for point in plot.points][-3:] == ["1.00", "2.00", "3.00"]
    assert "table=aurora%2FT1" in plot.points[-1].href
    assert trends(wanted(day="2026-11-27")) == {}, "a single day has no trend"


def test_the_sum_of_the_weeks_is_the_amount_of_the_page(cast: Cast) -> None:
    record(*weekly(date(2026, 10, 9), 100, 200, 300, 0, -400, 500, 600, 700))
    request = wanted(begins=date(2026, 10, 5))
    (total,) = hold_attribution_request.narrowed(request, ())
    (trend,) = trends(request).values()
    plot = next(plot for plot in trend.plots if plot.says == "Unexplained by week")
    assert sum(point.value or 0 for point in plot.points) * 100 == int(total.figures.unexplained)
