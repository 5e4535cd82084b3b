"""Pages of the attribution of hold. A manager goes from the property to a table, to its day, and to the hand
or slip that explains a difference.
"""

from __future__ import annotations

import re
from datetime import UTC
from urllib.parse import unquote

from audit.queries import cage_facts
from casino.cage.slips.document import paper_of
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.reports.hold_attribution_day_views import SHOWN
from tests.casino import pages
from tests.casino.conftest import Cast
from tests.casino.test_cage_reports import SEES, hands
from tests.casino.test_currencies import of_two_currencies
from tests.casino.test_reports import SHIFTS, at, felt, live, record
from tests.casino.test_reports_agree import SWING, of_two_shifts
from tests.casino.test_where_the_hold_went import COU, SHOULD_BE, three_hands

DAYS = "from=2026-11-27&to=2026-11-27"


def text(cast: Cast, path: str, name: str = "Boris") -> str:
    answer = cast.browser(name).get(path)
    assert answer.status_code == 200, path
    return pages.markup(answer)


def test_a_manager_goes_from_property_to_table_to_day_to_hand(cast):
    record(three_hands(closer=SHOULD_BE - 7_500), live(100_000, 5_000))
    page = text(cast, f"/hold/where/?{DAYS}")
    for name in (
        "Theoretical win",
        "Players&#x27; choices",
        "Luck",
        "Dealer errors",
        "Unexplained",
        "Counted",
    ):
        assert name in page, name
    assert "−75.00" in page
    table = (
        "/hold/where/?property=aurora&amp;from=2026-11-27&amp;to=2026-11-27&amp;table=aurora%2FC1&amp;by=day"
    )
    assert table in page
    of_table = text(cast, table.replace("&amp;", "&"))
    assert "Live dealer" not in of_table, "the rows of one table alone"
    day = "/hold/where/aurora/C1/2026-11-27/"
    assert day in of_table
    of_day = text(cast, f"{day}?part=errors")
    assert "/hand/aurora/C1/2026-11-27/r3/" in of_day, "the error's hand"
    assert "overpaid" in of_day
    choices = text(cast, f"{day}?part=choices")
    assert "/hand/aurora/C1/2026-11-27/r2/?spot=1" in choices
    assert "/hand/aurora/C1/2026-11-27/r3/" not in choices, "only the wrong choice cost something"
    unexplained = text(cast, f"{day}?part=unexplained")
    for phrase in (
        "The tray should hold",
        "Unexplained in the tray",
        "Opener counted: 1,000.00",
        "/fact/aurora/C1/2026-11-27/",
    ):
        assert phrase in unexplained, phrase


def test_findings_about_chips_show_amounts_with_separators(cast):
    record(three_hands(closer=SHOULD_BE + 200_000))
    unexplained = text(cast, "/hold/where/aurora/C1/2026-11-27/?part=unexplained")
    assert re.search(r"The closer counts \d,\d{3}\.\d\d USD", unexplained)
    assert "The closer counts" in text(cast, "/hold/where/aurora/C1/2026-11-27/"), "the hole is shown first"


def test_users_who_may_not_see_hands_get_no_links_to_them(cast):
    record(three_hands(closer=SHOULD_BE))
    page = text(cast, "/hold/where/aurora/C1/2026-11-27/", "Alma")
    assert "overpaid" in page
    assert "/hand/" not in page
    assert "Surveillance and table games can open the hands of this list." in page
    assert "can open the hands" not in text(cast, "/hold/where/aurora/C1/2026-11-27/", "Boris")
    assert "/queue/" not in page
    assert "/queue/?table=aurora/C1&amp;day=2026-11-27" in text(
        cast, "/hold/where/aurora/C1/2026-11-27/", "Dana"
    )
    assert cast.browser("Eve").get("/hold/where/aurora/C1/2026-11-27/").status_code == 403


def test_a_long_list_of_hands_has_a_link_to_all_and_begins_with_the_listed_part(cast):
    bets = [("d-1", 1000 + place, "take", 1000 + place) for place in range(SHOWN + 2)]
    record([felt(0, 0, **SEES)[0], *hands("aurora/T1", *bets)])
    day = "/hold/where/aurora/T1/2026-11-27/"
    page = text(cast, f"{day}?part=luck")
    assert 'href="?part=luck&amp;all=1#list">Show all 62</a>' in page
    of_hands = page.partition('aria-label="Hands"')[2]
    titles = re.findall(r'<th scope="col"(?: class="n")?>(.*?)</th>', of_hands)
    assert titles == ["Hand", "Spot", "Luck", "Staked", "Theoretical", "Choices", "Not divided", "Errors"]
    assert len(re.findall(r'<th scope="row">\s*<a', of_hands)) == SHOWN
    every = text(cast, f"{day}?part=luck&all=1")
    assert "Show all" not in every
    assert len(re.findall(r'<th scope="row">\s*<a', every.partition('aria-label="Hands"')[2])) == SHOWN + 2


def test_an_invalid_day_or_grouping_is_explained(cast):
    record(three_hands(closer=SHOULD_BE))
    answer = cast.browser("Boris").get("/hold/where/?from=tomorrow&by=colour")
    assert answer.status_code == 400
    assert "“tomorrow” is not a valid date" in answer.content.decode()
    assert "cannot be grouped by “colour”" in answer.content.decode()
    for nowhere in (
        "/hold/where/aurora/C9/2026-11-27/",
        "/hold/where/aurora/C1/someday/",
        "/hold/where/aurora/C1/2026-11-28/",
    ):
        assert cast.browser("Boris").get(nowhere).status_code == 404, nowhere


def test_the_hold_of_a_table_names_the_days_that_it_leaves_out(cast):
    uncounted = [fact for fact in felt(20_000, 900) if fact["kind"] not in ("drop-counted", "count-verified")]
    record(felt(10_000, 700, day="2026-11-26"), uncounted, felt(10_000, 500, "aurora/T2"))
    page = " ".join(text(cast, "/hold/?from=2026-11-26&to=2026-11-27").split())
    assert "1 table with pending days" in page
    assert re.findall(r"T\d without 2[^<]*", page) == ["T1 without 27 Nov 2026: 1 box not counted"]
    assert "Total without pending days" in page
    last_day = " ".join(text(cast, f"/hold/?{DAYS}").split())
    assert "1 table with pending days" in last_day
    assert "T1 without" not in last_day, "the row itself is pending"


def test_a_day_without_play_has_a_page(cast):
    record([at(table="aurora/T1")(**COU, shifts=SHIFTS)])
    for path in ("/hold/where/aurora/T1/2026-11-27/", "/hold/where/aurora/T1/2026-11-27/?part=errors"):
        page = text(cast, path, "Alma")
        assert "No hand was played" in page
        assert "live-dealer" not in page
    assert cast.browser("Alma").get("/hold/where/aurora/T9/2026-11-27/").status_code == 404


def test_the_tray_of_each_shift_has_its_own_column(cast):
    """Test that counts of the tray are not added up: two shifts have the same chips."""
    record(of_two_shifts(counted=True), three_hands(closer=SHOULD_BE - 7_500))
    day = text(cast, "/hold/where/aurora/T1/2026-11-27/?part=unexplained")
    tray = pages.text(day.partition("<caption>Tray")[2].partition("</table>")[0])
    assert "Line Day Swing Whole day" in tray
    assert "counts" not in tray
    (opener,) = re.findall(r"Opener ([^A-Z]*)", tray)
    assert opener.split()[-1] == "–", "no opener of the whole day"
    single = text(cast, "/hold/where/aurora/C1/2026-11-27/?part=unexplained")
    assert re.findall(r'<th scope="row">((?:Open|Clos)[^<]*)', single) == ["Opener", "Closer"]


def test_every_grouping_links_to_details(cast):
    record(three_hands(closer=None, drop=None))
    browser = cast.browser("Dana")
    for by in ("table", "game", "pit", "day", "month", "shift", "dealer", "hour"):
        page = unquote(text(cast, f"/hold/where/?{DAYS}&by={by}", "Dana"))
        assert "Dealt" in page, by
    narrowed = pages.text(browser.get(f"/hold/where/?{DAYS}&dealer=d-1&by=table"))
    assert "Limited to dealer d-1" in narrowed
    set_registers("aurora", [Entry("tables", "C9", {})], by="m-101", second="m-102")
    assert (
        browser.get(f"/hold/where/?{DAYS}&table=aurora/C9&by=day").content.decode().count("Choose other days")
        == 1
    )


def test_the_page_has_the_total_of_the_report_in_any_grouping(cast):
    record(of_two_shifts(counted=False), felt(10_000, 700, "aurora/T2"))
    for by in ("table", "shift", "game", "day"):
        foot = text(cast, f"/hold/where/?by={by}&{DAYS}").split("<tfoot>")[1].split("</tfoot>")[0]
        assert "<b>7.00</b>" in foot, by


def test_a_day_in_two_currencies_shows_each_hand_in_its_own(cast):
    record(of_two_currencies())
    day = text(cast, "/hold/where/aurora/T2/2026-11-27/?part=luck")
    hands = day.split("Positive amounts")[1]
    assert [hands.index(currency) > 0 for currency in ("<td>USD</td>", "<td>EUR</td>")] == [True, True]
    corrected = text(cast, "/hold/where/aurora/T2/2026-11-27/?part=errors").split("Corrected later")[-1]
    assert "<td>USD</td>" in corrected


def test_counts_of_a_day_in_two_currencies_are_shown_in_their_own(cast):
    facts = of_two_currencies("JPY")
    record(facts)
    day = text(cast, "/hold/where/aurora/T2/2026-11-27/?part=unexplained")
    for phrase in (
        "Opener counted: 1,000.00",
        "Opener counted: 200,000",
        "Box b-1 counted: 500.00",
        "Box b-2 counted: 30,000",
    ):
        assert phrase in day, phrase
    counts = [fact["uid"] for fact in facts if fact["kind"] in ("drop-counted", "count-verified")]
    cage_rows = list(cage_facts.facts("aurora", ["aurora/T2/2026-11-27"]))
    papers = [paper_of(fact, cage_rows, UTC).total for fact in cage_rows if fact.event.uid in counts]
    assert papers == ["500.00 USD", "500.00 USD", "30,000 JPY", "30,000 JPY"]


def test_each_pit_and_table_links_to_details(cast):
    record(three_hands(closer=SHOULD_BE - 7_500))
    listed = text(cast, f"/hold/where/?{DAYS}").split("What it is")[1].split("</table>")[0]
    assert re.findall(r'<th scope="row"><a href="/reports/([^/]*)/', listed) == ["where-the-hold-went"] * 5
    related = ["statistics", "statistics", "dealer-errors", "opener-closer"]
    assert re.findall(r'\. <a href="/reports/([^/]*)/', listed) == related
    luck = listed.partition(">Luck<")[2].partition("</tr>")[0]
    assert ">Statistical review</a>: its win includes dealer errors.</td>" in luck
    assert listed.count("its win includes dealer errors") == 1


def test_a_shift_with_missing_chips_is_named(cast):
    facts = of_two_shifts(counted=True)
    swing = at(table="aurora/T1", at=SWING)
    bought = swing("chips-bought", spot="1", amount=300, tender="cash")
    record([*facts[:6], bought, *facts[6:]])
    page = text(cast, "/hold/where/aurora/T1/2026-11-27/?part=unexplained")
    assert "Shift day: 1.00 USD missing in the tray." in " ".join(page.split())
    assert "Shift swing: 2.00 USD too much in the tray." in " ".join(page.split())
    tray = pages.text(page.partition("<caption>Tray")[2].partition("</table>")[0])
    *_, unexplained = tray.partition("Unexplained in the tray")
    assert unexplained.split() == ["−1.00", "2.00", "1.00"], "the shifts add up to the whole day"


def test_an_open_tray_has_no_unexplained_amount(cast):
    """Test that the tray of a shift is compared with nothing until its closer is counted."""
    facts = [fact for fact in of_two_shifts(counted=False) if fact.get("amount") != 800]
    record(facts)
    page = text(cast, "/hold/where/aurora/T1/2026-11-27/?part=unexplained")
    tray = pages.text(page.partition("<caption>Tray")[2].partition("</table>")[0])
    *_, unexplained = tray.partition("Unexplained in the tray")
    assert unexplained.split() == ["−1.00", "–", "–"]


def test_the_sums_of_the_hands_are_the_parts_of_the_day(cast):
    record(three_hands(closer=SHOULD_BE))
    for part in ("choices", "luck", "errors"):
        page = text(cast, f"/hold/where/aurora/C1/2026-11-27/?part={part}")
        foot = re.findall(r"<td[^>]*>([^<]*)</td>", page.partition("<tfoot>")[2].partition("</tfoot>")[0])
        title = {"choices": "Players&#x27; choices", "luck": "Luck", "errors": "Dealer errors"}[part]
        of_part = re.search(rf">{title}</a>\s*</th>\s*<td class=\"n\">([^<]*)<", page)
        assert of_part is not None, part
        assert foot[0].strip() == of_part[1].strip(), part


def test_columns_that_cannot_have_an_amount_are_left_out_and_the_page_says_why(cast):
    record(three_hands(closer=SHOULD_BE - 7_500), live(100_000, 5_000))
    by_table = text(cast, f"/hold/where/?{DAYS}")
    felt_tables, live_dealer = by_table.split('<h2 id="where-')[1:]
    for title in ("Unexplained", "Counted", "Not counted"):
        assert f">{title}</a>" in felt_tables, title
        assert f">{title}</a>" not in live_dealer, title
    assert "so its win is not counted" in live_dealer
    by_dealer = text(cast, f"/hold/where/?{DAYS}&by=dealer")
    assert ">Counted</a>" not in by_dealer
    assert "not for one dealer or hour" in by_dealer
    assert "Opener against last closer" not in by_dealer
