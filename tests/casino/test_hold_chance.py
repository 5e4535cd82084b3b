"""The charts of the report *Hold* show the expected hold and the range of chance, computed as on the page
*Hold*. The expected figures are computed here from the ranks of the cards.
"""

from __future__ import annotations

import re
from datetime import date
from fractions import Fraction
from math import isclose, sqrt
from statistics import NormalDist
from typing import Any

from audit.queries.span import Span
from casino.exports.report_charts import Drawn, charts_of
from casino.exports.report_small_charts import small_charts_of
from casino.exports.report_time_charts import time_charts_of
from casino.reports import catalog, limits
from casino.reports.columns import RowChance, Sheet
from casino.reports.definitions import hold, live_dealer
from casino.reports.row_links import Scope
from games import GAMES
from tests.casino.conftest import Cast
from tests.casino.pages import markup, text
from tests.casino.test_reports import SETTINGS, at, felt, record
from tests.counted_queries import counted_queries

STAKE = 20_00
RANKS = range(1, 14)
DAYS = (date(2026, 11, 26), date(2026, 11, 27))
SPAN = Span(DAYS[0], date(2026, 11, 28), "aurora")
SCOPE = Scope("aurora", *DAYS)
QUERY = "property=aurora&from=2026-11-26&to=2026-11-27"


def seven_up(win: int, table: str = "aurora/L1", day: str = "2026-11-27") -> list[dict[str, Any]]:
    """Return the facts of a live-dealer table of Lucky 7 with one bet of STAKE on "7 up", and this win."""
    make = at(table=table, day=day)
    pay_tables = dict.fromkeys(GAMES["lucky_7"].pay_tables, "ezugi")
    settings = SETTINGS | {"game": "lucky_7", "decks": 8, "pay_tables": pay_tables}
    moved = {
        "paid": [["p-1", "7-up", -win]] if win < 0 else [],
        "taken": [["p-1", "7-up", win]] if win > 0 else [],
    }
    sees = ["round-opened", "bets", "settled", "round-closed"]
    return [
        make("table-opened", **settings, currency="USD", sees=sees),
        make("round-opened", round="1"),
        make("bets", round="1", bets=[["p-1", "7-up", STAKE]]),
        make("settled", round="1", **moved),
        make("round-closed", round="1"),
    ]


def wins_of_seven_up() -> list[Fraction]:
    """Return what the casino wins of a stake of 1 for each of the equally likely ranks: 8 and above pay even
    money, 7 loses half.
    """
    return [Fraction(-1) if rank > 7 else Fraction(1, 2) if rank == 7 else Fraction(1) for rank in RANKS]


EDGE = sum(wins_of_seven_up(), Fraction(0)) / len(RANKS)
VARIANCE = sum(((win - EDGE) ** 2 for win in wins_of_seven_up()), Fraction(0)) / len(RANKS)


def reach(judged: int) -> float:
    """Return how far the hold of one bet is from the expected hold by chance, in percent, if this many rows
    are looked at.
    """
    far = max(NormalDist().inv_cdf(1 - 0.05 / 2 / judged), 1.96)
    return 100 * far * sqrt(VARIANCE)


def sheet_by(*by: str) -> Sheet:
    return catalog.report("hold").sheet(SPAN, by)


def drawn(*by: str) -> Drawn:
    return Drawn(SCOPE, by, "?bars=all#charts", False, False)


def judged(*by: str) -> dict[tuple[Any, ...], RowChance]:
    sheet = sheet_by(*by)
    assert sheet.chances is not None
    chances = sheet.chances()
    return {tuple(row[: len(by) + 1]): chances.judge(row) for row in sheet.rows}


def two_days() -> None:
    """Record a win far from the expected one, one inside the range of chance, one of a felt table without
    recorded play, and one of a felt table whose box is not counted.
    """
    record(
        seven_up(60_00, day="2026-11-26"),
        seven_up(20_00),
        felt(500_00, 100_00, "aurora/T1"),
        felt(500_00, 100_00, "aurora/T2")[:-1],
    )


def test_a_bar_has_the_expected_hold_and_the_range_of_chance_and_says_if_it_is_outside(house: None) -> None:
    record(seven_up(60_00), seven_up(20_00, "aurora/L2"), felt(500_00, 100_00), felt(1, 1, "aurora/T2")[:-1])
    sheet = sheet_by("table")
    live, of_felt = charts_of(hold, sheet, sheet.rows, drawn("table"))  # type: ignore[arg-type]
    outside, inside = (row.bar for row in live.rows)
    assert (outside.written, outside.outside, inside.written, inside.outside) == (
        "300.0",
        True,
        "100.0",
        False,
    )
    for bar in (outside, inside):
        assert bar.expected == 100 * EDGE == Fraction(50, 13)
        assert bar.bounds is not None
        low, high = map(float, bar.bounds)
        assert isclose(high - low, 2 * reach(2), rel_tol=1e-3), "to a minor unit"
        assert isclose((high + low) / 2, 100 * EDGE, rel_tol=1e-9)
    assert outside.label.startswith("L1: 300.0, outside, expected 3.8 %, by chance −213.6 to 221.3 %, ")
    assert "outside" not in inside.label
    assert "expected win 0.77 USD" in inside.label
    assert live.note.endswith("band: what chance allows among all 2 judged (95 %). 1 of 2 judged is outside.")
    (bar,) = (row.bar for row in of_felt.rows)
    assert (bar.name, bar.not_judged, bar.bounds, bar.kind) == ("T1", "no play", None, "unjudged")
    assert of_felt.note.endswith("No row is judged. 2 of 2 are not judged: no play (1), pending days (1).")


def test_felt_tables_are_not_compared_with_the_play_of_live_dealer_tables(house: None) -> None:
    two_days()
    states = judged("day")
    assert {key: (chance.is_outside, chance.reason) for key, chance in states.items()} == {
        ("2026-11-26", "GGR / handle"): (True, ""),
        ("2026-11-27", "GGR / handle"): (False, ""),
        ("2026-11-27", "win / drop"): (False, "pending days"),
    }
    assert judged("property")["aurora", "GGR / handle"].expected == 100 * EDGE
    assert {chance.reason for chance in judged("dealer").values()} == {""}


def test_play_of_felt_tables_with_and_without_a_count_is_not_compared_in_one_row(house: None) -> None:
    make = at(table="aurora/T3")
    of_bet: dict[str, Any] = {"round": "1", "spot": "1", "wager": "over", "amount": 1000}
    without_count = [
        felt(0, 0, "aurora/T3")[0],
        make("round-opened", round="1"),
        make("bet", **of_bet),
        make("take", **of_bet),
        make("round-closed", round="1"),
    ]
    record(felt(500_00, 100_00), without_count)
    assert {key: chance.reason for key, chance in judged("day").items()} == {
        ("2026-11-27", "win / drop"): "tables without a count",
        ("2026-11-27", "win from wagers, no count"): "tables without a count",
    }
    assert {key: chance.reason for key, chance in judged("table").items()} == {
        ("aurora/T1", "win / drop"): "no play",
        ("aurora/T3", "win from wagers, no count"): "",
    }


def test_a_limited_report_considers_all_rows_that_were_looked_at(house: None) -> None:
    two_days()
    sheet = limits.sheet(catalog.report("hold"), SPAN, ("day",), {"table": "aurora/L1"})
    assert sheet.chances is not None
    assert sheet.chances().judged == 2
    assert [sheet.chances().judge(row).is_outside for row in sheet.rows] == [True, False]


def test_a_table_by_day_has_a_small_chart_with_bands_and_marks(house: None) -> None:
    two_days()
    sheet = sheet_by("table", "day")
    (live,) = small_charts_of(hold, sheet, sheet.rows, drawn("table", "day"))  # type: ignore[arg-type]
    (chart,) = live.multiples.charts
    assert [column.kind for column in chart.columns] == ["falarm", "mark"]
    assert [column.column.figure for column in chart.columns if column.column] == ["300.0, outside", "100.0"]
    assert len(chart.bands) == len(chart.expected) == 1
    assert "1 of 2 judged is outside." in live.multiples.note


def test_the_chart_over_time_has_the_band_of_the_judged_days_only(house: None) -> None:
    two_days()
    record(felt(500_00, 100_00, "aurora/T1", "2026-11-26"))
    sheet = sheet_by("day")
    live, of_felt = time_charts_of(hold, sheet, sheet.rows, drawn("day"), sheet._replace(rows=()))  # type: ignore[arg-type]
    first, second = live.plot.points
    assert (first.outside, second.outside, first.expected) == (True, False, 100 * EDGE)
    assert first.label.startswith("26 Nov: 300.0, outside, expected 3.8 %")
    assert len(live.plot.bands) == len(live.plot.expected) == 1
    assert live.words.endswith("1 of 2 judged is outside.")
    assert [point.not_judged for point in of_felt.plot.points] == ["no play", "pending days"]
    assert of_felt.plot.bands == of_felt.plot.expected == []


def test_the_pages_mark_the_same_rows(cast: Cast) -> None:
    two_days()
    boris = cast.browser("Boris")
    report = markup(boris.get(f"/reports/hold/?{QUERY}&by=table")).partition('<div id="charts">')[2]
    page = markup(boris.get("/hold/?from=2026-11-26&to=2026-11-27"))
    labels = [
        [
            re.sub(r", (rounds|win|drop) .*", "", label)
            for label in re.findall(r'aria-label="(L1: 200.*?)"', html)
        ]
        for html in (report, page)
    ]
    assert labels[0] == labels[1] != []
    for html in (report, page):
        assert re.search(r'aria-label="T1: 20\.0, not judged: no play', html)
        assert '<rect class="unjudged" fill="url(#unjudged)"' in " ".join(html.split())
    assert "1 of 1 judged is outside." in text(report)
    assert "The only judged win is" not in text(page)


def test_a_day_of_the_report_by_day_names_its_state(cast: Cast) -> None:
    two_days()
    page = markup(cast.browser("Boris").get(f"/reports/hold/?{QUERY}&by=day"))
    assert re.search(r'aria-label="26 Nov: 300\.0, outside, expected 3\.8 %, by chance', page)
    assert page.count('<polygon class="band"') == 1
    assert "Dashed: expected by the exact odds; band: what chance allows among all 2 judged (95 %)." in page


def test_reports_of_the_same_rate_are_compared_with_the_same_chance(house: None) -> None:
    record(seven_up(60_00), seven_up(20_00, "aurora/L2"))
    of_hold = list(judged("table").values())
    for name in ("live-dealer", "hold-to-date"):
        sheet = catalog.report(name).sheet(SPAN, ("table",))
        assert sheet.chances is not None
        assert [sheet.chances().judge(row) for row in sheet.rows] == of_hold, name
    by_wager = live_dealer.sheet(SPAN, ("wager",))
    assert by_wager.chances is not None
    (row,) = (by_wager.chances().judge(row) for row in by_wager.rows)
    assert (row.expected, row.expected_win, row.is_outside) == (100 * EDGE, 2 * STAKE * EDGE, True)


def test_a_file_of_the_report_reads_no_odds(house: None) -> None:
    two_days()
    judged("table")
    with counted_queries() as of_file:
        list(sheet_by("table").rows)
    with counted_queries() as of_page:
        judged("table")
    assert len(of_page) - len(of_file) == 2, "the cached sums of play, and the bounds of the property"
