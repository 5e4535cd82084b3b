"""The table on the page of a report: the order of its rows and columns, the style of zeros and negative
amounts, its links, and what each user has chosen to see.
"""

from __future__ import annotations

import re
from datetime import date

import pytest

from audit.queries.span import Span
from casino.accounts import preferences
from casino.accounts.services import erase_personal_data
from casino.exports import report_preferences
from casino.exports.report_preferences import ReportPreference
from casino.exports.report_table import cell_of, sorted_rows, table_of
from casino.reports import catalog
from casino.reports.columns import Absent, Column, Sheet
from casino.reports.row_links import Scope, details_address, hands_address
from tests.casino.conftest import Cast
from tests.casino.pages import markup, text
from tests.casino.test_report_pages import DAYS, floor
from tests.casino.test_reports import felt, record

__all__ = ["floor"]

SHEET = Sheet(
    "Review",
    (
        Column("table", "table"),
        Column("currency", "currency"),
        Column("win", "win", "money"),
        Column("z", "z", "percent"),
        Column("verdict", "verdict"),
        Column("win_exact", "win, exact"),
    ),
    [
        ("aurora/A", "USD", "-5.00", "-2.1", "outside 95 %", "-500"),
        ("aurora/B", "USD", "0.00", Absent("n/a"), "", "0"),
        ("aurora/C", "USD", "1200.00", "0.3", "", "120000"),
    ],
)
SCOPE = Scope("aurora", date(2026, 11, 1), date(2026, 11, 26))


def test_names_come_first_then_the_verdict_and_the_only_currency_is_named_once() -> None:
    table = table_of(SHEET, list(SHEET.rows), ("table",), ReportPreference(), "-z")
    assert [head.key for head in table.head] == ["table", "verdict", "win", "z"]
    assert table.currency == "USD"
    assert [head.order for head in table.head] == ["", "", "", "descending"]
    assert [head.sort for head in table.head] == ["table", "verdict", "-win", "z"]
    assert [table.cells(SHEET, row)[1] for row in SHEET.rows] == [
        ("verdict outside", "outside 95 %"),
        ("verdict grey", "not judged"),
        ("verdict inside", "inside"),
    ]
    several = SHEET._replace(rows=[*SHEET.rows, ("aurora/D", "EUR", "1.00", "0.1", "", "100")])
    table = table_of(several, list(several.rows), ("table",), ReportPreference(hidden=frozenset({"z"})), "")
    assert (table.currency, [head.key for head in table.head]) == (
        "",
        ["table", "verdict", "currency", "win", "win_exact"],
    )


def test_rows_are_sorted_by_their_values_and_rows_without_one_come_last() -> None:
    def order(sort: str) -> str:
        return "".join(str(row[0])[-1] for row in sorted_rows(SHEET, sort))

    assert [order(sort) for sort in ("-z", "z", "-win", "win", "-table", "luck", "")] == [
        "CAB",
        "ACB",
        "CBA",
        "ABC",
        "CBA",
        "ABC",
        "ABC",
    ]


def test_zeros_are_pale_and_negative_amounts_are_marked() -> None:
    win = SHEET.columns[2]
    assert [cell_of(win, cell) for cell in ("-5.00", "0.00", "1200.00", Absent("pending"))] == [
        ("n below", "−5.00"),
        ("n zero", "0.00"),
        ("n", "1,200.00"),
        ("n muted", "pending"),
    ]
    to_players = Column("net_to_players", "net to players", "money")
    assert cell_of(to_players, "-5.00") == ("n", "−5.00"), "the casino gained this amount"


def test_codes_are_shown_as_words() -> None:
    assert cell_of(Column("code", "not judged"), "cut-differs") == ("w", "Cut differs")
    assert cell_of(Column("missing", "not reported"), "cut-card-shown") == ("w", "Cut card shown")


def test_long_texts_are_wrapped_and_short_ones_are_not() -> None:
    written = "Recording of 12 Nov checked."
    for key in ("note", "words"):
        assert cell_of(Column(key, key), written) == ("sentence", written)
        assert cell_of(Column(key, key), "") == ("", ""), "an empty column is as narrow as its heading"
    assert cell_of(Column("carrier", "carrier"), written) == ("w", written)


def test_an_investigation_is_shown_with_its_result_and_words_before_its_days_and_figures(
    floor: Cast,
) -> None:
    sheet = catalog.report("investigations").sheet(Span(property="aurora"), ())
    heads = [head.key for head in table_of(sheet, [], (), ReportPreference(), "").head]
    assert heads[:6] == ["day", "subject", "asked", "state", "words", "by"]
    assert len(heads) == len(sheet.columns)


def test_every_day_is_written_as_on_all_pages_and_the_columns_that_lead_come_first() -> None:
    closed = Column("closed_on", "closed on", "day")
    cells = ("2026-10-28", "", Absent("never"))
    assert [cell_of(closed, cell)[1] for cell in cells] == ["28 Oct 2026", "", "never"]
    leading = SHEET._replace(leads=("table", "z"))
    table = table_of(leading, list(leading.rows), (), ReportPreference(), "")
    assert [head.key for head in table.head] == ["table", "z", "verdict", "win"]


def test_a_row_links_to_its_details_and_hands() -> None:
    assert (
        details_address(SCOPE, {"table": "aurora/A", "day": "2026-11-14"})
        == "/hold/where/aurora/A/2026-11-14/"
    )
    assert "table=aurora%2FA" in details_address(SCOPE, {"table": "aurora/A"})
    assert hands_address(SCOPE, {"dealer": "d-107"}) == (
        "/hands/?property=aurora&dealer=d-107&day_from=2026-11-01&day_last=2026-11-26"
    )
    assert hands_address(SCOPE, {"table": "aurora/A", "day": "2026-11-14"}).endswith(
        "day_from=2026-11-14&day_last=2026-11-14"
    )
    assert hands_address(SCOPE, {"month": "2026-11"}) == (
        "/hands/?property=aurora&day_from=2026-11-01&day_last=2026-11-26"
    )
    assert hands_address(SCOPE, {}) == ""


def test_columns_row_height_and_favorites_are_stored_for_each_user(floor: Cast) -> None:
    dana, boris = floor.browser("Dana"), floor.browser("Boris")
    page = dana.get(f"/reports/hold/?{DAYS}&sort=-win")
    assert 'aria-sort="descending"' in page.content.decode()
    sent = {
        "column": ["table", "win"],
        "offered": ["table", "win", "rounds"],
        "density": "compact",
        "query": DAYS,
    }
    answer = dana.post("/reports/hold/preferences/", sent)
    assert (answer.status_code, answer["Location"]) == (302, f"/reports/hold/?{DAYS}")
    assert (
        dana.post("/reports/hold/preferences/", {"favourite": "yes", "from_list": "yes"}).status_code == 302
    )
    shown = dana.get(f"/reports/hold/?{DAYS}").content.decode()
    headings = re.findall(r'<th scope="col"[^>]*>\s*<a[^>]*>\s*([^<]+?)\s*(?:<span|</a>)', shown)
    assert "Win" in headings
    assert "Rounds" not in headings
    assert "sheet compact" in shown
    assert "Rounds" in boris.get(f"/reports/hold/?{DAYS}").content.decode()
    listed, other = (browser.get("/reports/").content.decode() for browser in (dana, boris))
    assert ('id="favourites"' in listed, 'id="last-used"' in listed, 'id="favourites"' in other) == (
        True,
        True,
        False,
    )
    person = floor.person("Dana")
    assert report_preferences.preference(person, "hold").favourite
    assert dana.post("/reports/hold/preferences/", {"favourite": "no"}).status_code == 302
    assert not report_preferences.preference(person, "hold").favourite
    assert floor.browser("Eve").post("/reports/hold/preferences/", sent).status_code == 403
    assert dana.post("/reports/luck/preferences/", sent).status_code == 404
    erase_personal_data(person.id)
    assert preferences.preferences_of(person.id, "report") == {}


@pytest.mark.parametrize(
    ("report", "heads"),
    [
        ("master-game-report", "Game Table Win Drop Hold % Table days Sum of openers"),
        ("live-dealer", "Table GGR Handle GGR / handle % Rounds"),
        ("stiff-sheet", "Table Day Shift Drop Recount Win"),
        ("hold", "Table Hold % Basis Win Drop or handle Rounds"),
        ("hold-to-date", "Table Hold %, day Hold %, month to date Hold %, year to date Basis As of"),
        ("where-the-hold-went", "Table Unexplained Basis Dealt win Counted win Dealt, not counted"),
        ("dealer-errors", "Dealer Verdict Errors per 1,000 wagers Errors Wagers Net to players Rounds"),
        ("opener-closer", "Table Difference Day Shift Opener Last closer"),
    ],
)
def test_a_page_begins_with_the_figures_that_one_decides_from(floor: Cast, report: str, heads: str) -> None:
    page = text(floor.browser("Dana").get(f"/reports/{report}/?{DAYS}"))
    assert heads in re.sub("Currency ", "", page)


def test_a_row_and_a_total_with_something_pending_are_marked_at_their_names(house: None) -> None:
    cast = Cast()
    record(felt(1000, 100, "aurora/T1"), felt(1000, 100, "aurora/T2")[:-1])
    page = markup(cast.browser("Boris").get(f"/reports/hold/?property=aurora&{DAYS}&by=table"))
    names = [text(name) for name in re.findall(r'<th scope="row">.*?</th>', page, re.S)]
    assert ["pending" in name for name in names] == [False, True, True]
