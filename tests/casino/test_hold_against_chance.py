"""The hold page compares each win with the win that the exact odds of its wagers predict."""

from __future__ import annotations

import re

from tests.casino.conftest import Cast
from tests.casino.pages import markup, text
from tests.casino.test_reports import felt, live, record, report

DAYS = "from=2026-11-27&to=2026-11-27"


def test_a_win_outside_the_range_of_chance_is_marked_and_one_without_play_is_not_judged(house: None) -> None:
    cast = Cast()
    # One stake of 20.00 has a standard deviation of about 20.00, so a win of 50.00 is more than 1.96 of them.
    record(felt(1000, 100), live(2000, 50), live(2000, 5000, "aurora/L2"))
    page = markup(cast.browser("Boris").get(f"/hold/?{DAYS}"))
    expected = {row["table"]: row["expected"] for row in report("statistics", "--by", "table")["rows"]}
    assert set(expected) == {"aurora/L1", "aurora/L2"}
    rows = {
        name: text(row)
        for row, name in re.findall(r"(<tr>\s*<th scope=\"row\"><a [^>]*>([^<]+)</a>.*?</tr>)", page, re.S)
    }
    assert rows.keys() == {"T1", "L1", "L2"}
    assert "not judged: no play" in rows["T1"]
    assert "1 of 1 is not judged: no play (1)." in text(page)
    assert f"outside 250.0 50.00 {expected['aurora/L2']} 20.00" in rows["L2"]
    assert f"L1 2.5 0.50 {expected['aurora/L1']} 20.00" in rows["L1"]
    assert "outside" not in rows["L1"]
    assert "1 of 2 judged wins is outside the range of chance." in text(page)
    assert "Chance alone puts any of all 2 judged wins outside in at most 5 % of cases." in text(page)


def test_a_table_with_a_pending_day_is_not_judged(house: None) -> None:
    cast = Cast()
    record(live(2000, 50), felt(1000, 100)[:-1])
    page = text(cast.browser("Boris").get(f"/hold/?{DAYS}"))
    assert "The only judged win is inside the range of chance." in page
    assert "Chance alone puts it outside in at most 5 % of cases." in page
    assert "1 of 1 is not judged: pending days (1)." in page


def test_the_rows_are_sorted_by_each_amount_and_a_row_without_it_is_last(house: None) -> None:
    cast = Cast()
    record(felt(10_000, 700), felt(10_000, 900, "aurora/T2"), felt(20_000, -100, "aurora/T3"))
    record(felt(1000, 100, "aurora/T4")[:-1])

    def page(sort: str) -> str:
        return markup(cast.browser("Boris").get(f"/hold/?{DAYS}&sort={sort}"))

    def tables(sort: str) -> list[str]:
        return re.findall(r'<th scope="row"><a href="[^"]*">(T\d)</a>', page(sort))

    assert tables("-win") == ["T2", "T1", "T3", "T4"]
    assert tables("win") == ["T3", "T1", "T2", "T4"]
    assert tables("-denominator")[0] == "T3"
    assert tables("nothing") == tables("") == ["T1", "T2", "T3", "T4"]
    by_win = f"?{DAYS}&by=table&sort=win".replace("&", "&amp;")
    assert f'aria-sort="descending"><a href="{by_win}">Win</a>' in " ".join(page("-win").split())
