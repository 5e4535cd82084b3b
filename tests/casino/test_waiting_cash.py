"""The page of deposits has all cash that the cage has not received: recent gaming days one by one, older days
as one line. Its total is what the journal leaves in the count room.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from audit.queries.cache.aggregates import cached_names
from audit.queries.cache.compare import compare
from audit.queries.span import Span
from casino.cage.services import waiting_cash as services
from casino.cage.services.waiting_cash import NAME, older_cash, older_cash_at_once, waiting_cash
from casino.journals.books import journal
from casino.journals.control import control_totals
from casino.presentation.formatting import day_label
from casino.reference.calendar import gaming_day
from casino.reports.cache_warming import clean
from tests.casino.books import counted, map_accounts
from tests.casino.conftest import Cast
from tests.casino.pages import text
from tests.casino.test_reports import BY, at, record
from tests.casino.test_restated import adjust, close

PAGE = "/cage/deposits/?property=aurora"


def days_ago(*numbers: int) -> list[date]:
    """Return gaming days before today."""
    return [gaming_day("aurora") - timedelta(days=number) for number in numbers]


def closed_day(day: date, drop: int, **papers: int) -> list[Any]:
    """Return the facts of a closed day with a box that was counted twice. Its amount includes papers."""
    facts = counted(drop, 100, day=str(day))
    for fact in facts:
        if papers and fact["kind"] == "drop-counted":
            fact["papers"] = papers
    return [*facts, *close(str(day))]


def receive(day: date, amount: int) -> dict[str, Any]:
    make = at(table="aurora/house", day=str(gaming_day("aurora")))
    return make("drop-received", of_day=str(day), currency="USD", amount=amount, by="c-1", second="n-1")


def left_in_the_journal() -> int:
    (total,) = control_totals(journal(Span(property="aurora")).documents)
    return total.cash.counted - total.cash.received


def test_older_days_are_one_line_and_the_total_equals_the_journal(house, cast: Cast) -> None:
    months, weeks, late, recent = days_ago(70, 20, 15, 2)
    record(
        closed_day(months, 10_000),
        closed_day(weeks, 20_000, voucher=5_000),
        closed_day(late, 7_000),
        closed_day(recent, 40_000, voucher=1_000),
    )
    map_accounts()
    record([receive(late, 7_000), receive(recent, 30_000)])
    today = gaming_day("aurora")
    assert [(row.day, row.left) for row in older_cash("aurora", today)] == [(months, 10_000), (weeks, 15_000)]
    assert [(row.day, row.left) for row in waiting_cash("aurora", today)] == [(recent, 9_000)]
    assert left_in_the_journal() == 34_000
    browser = cast.browser("Chi")
    page = " ".join(browser.get(PAGE).content.decode().split())
    assert all(text in page for text in ("2 older days", ">250.00<", ">340.00<", "older=1#waiting"))
    assert ">100.00<" not in page
    assert (
        f"250.00 USD of 2 gaming days has waited for more than 7 days, the oldest since {day_label(months)}."
        in page
    )
    home = " ".join(browser.get("/home/").content.decode().split())
    assert all(text in home for text in ("Cash in the count room, USD", ">340.00</a>", ">250.00</a>"))
    all_rows = " ".join(browser.get(f"{PAGE}&older=1").content.decode().split())
    assert all(text in all_rows for text in (">100.00<", ">150.00<", ">90.00<", ">340.00<"))
    assert "older days" not in all_rows
    form = " ".join(browser.get("/cage/drop/aurora/").content.decode().split())
    assert 'name="of_day" value=""' in form, "several days wait, so the cashier chooses one"
    for day, is_listed in ((months, True), (weeks, True), (recent, True), (late, False)):
        assert (f'href="?day={day}"' in form) == is_listed
    assert "340.00" not in form, "the cashier counts without knowing the amount"
    record([receive(months, 10_000), receive(weeks, 15_000)])
    assert "older day" not in browser.get(PAGE).content.decode(), "a cached count does not hide a receipt"
    assert any(name.startswith(f"{NAME} ") for name in cached_names("aurora"))
    assert compare("aurora").listed == [], "the cached rows are built again as they are"
    clean()
    assert any(name.startswith(f"{NAME} ") for name in cached_names("aurora")), "they can still be used"


def test_cash_of_open_older_days_and_of_adjustments_waits_too(
    house, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    still_open, closed = days_ago(12, 11)
    make = at(table="aurora/T1", day=str(closed))
    pulled = make("box-pulled", box="b-2", shift="day", **BY)
    facts = closed_day(closed, 8_000)
    record(
        counted(3_000, 100, table="aurora/T2", day=str(still_open)),
        [*facts[:-1], pulled, facts[-1]],
        adjust("drop", 600, of=pulled["uid"], of_day=str(closed)),
    )
    rows = older_cash("aurora", gaming_day("aurora"))
    assert [(row.day, row.left) for row in rows] == [(still_open, 3_000), (closed, 8_600)]
    assert older_cash_at_once("aurora", gaming_day("aurora")) == rows
    monkeypatch.setattr(services, "MAX_OPEN", 0)
    home = text(cast.browser("Chi").get("/home/"))
    assert "Cash in the count room none of the last 7 days" in home, "too many open days are not read"


def test_a_recent_box_that_was_counted_late_is_not_missing_any_more(house) -> None:
    (day,) = days_ago(1)
    make = at(table="aurora/T1", day=str(day))
    pulled = make("box-pulled", box="b-2", shift="day", **BY)
    facts = closed_day(day, 8_000)
    record([*facts[:-1], pulled, facts[-1]])
    today = gaming_day("aurora")
    assert [(row.left, row.boxes) for row in waiting_cash("aurora", today)] == [(8_000, 1)]
    record(adjust("drop", 600, of=pulled["uid"], of_day=str(day)))
    assert [(row.left, row.boxes) for row in waiting_cash("aurora", today)] == [(8_600, 0)]


def test_a_day_of_which_nothing_is_counted_has_no_amounts(house, cast: Cast) -> None:
    day, *_ = days_ago(1)
    make = at(table="aurora/T1", day=str(day))
    record([*counted(8_000, 100, day=str(day))[:1], make("box-pulled", box="b-2", shift="day", **BY)])
    page = text(cast.browser("Chi").get(PAGE))
    assert f"{day_label(day)} 1 box not counted twice 1 not counted" in page
    assert "0.00" not in page.partition("On the way")[0]
