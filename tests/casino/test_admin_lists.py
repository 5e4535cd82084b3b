"""The lists of the admin show amounts as money with their currency, compute nothing for rows that are not
shown, and have a link back to the other pages.
"""

from __future__ import annotations

import re
from datetime import datetime

import pytest
from django.contrib.admin.utils import unquote
from django.db import connection
from django.test.utils import CaptureQueriesContext

from audit.models import Fact, Job
from audit.review import hands, verdicts
from casino.admin.ledger import FindingAdmin
from casino.admin.site import EXACTLY
from casino.models import Finding, Person, Tally
from casino.presentation.formatting import money
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.surveillance.services import Words, give_verdict
from tests.casino.conftest import Cast
from tests.casino.nights import officers, record, troubled_day
from tests.casino.pages import markup, source, text
from tests.conftest import House
from tests.furnished import furnishing

FINDINGS = "/admin/casino/finding/"


@furnishing
def faulty_day() -> Cast:
    """Record a table's day with faults."""
    cast = Cast()
    officers()
    record(troubled_day("EOU-07"))
    return cast


def test_amounts_of_findings_are_money_with_the_currency_of_their_table(faulty_day: Cast) -> None:
    finding = Finding.objects.exclude(owed=None).exclude(owed="0").order_by("stream", "number").first()
    assert finding is not None
    owed, moved = (f"{money(amount, 'USD')} USD" for amount in (finding.owed, finding.moved))
    rhea = faulty_day.browser("Rhea")
    for answer in (rhea.get(f"{FINDINGS}?q={finding.stream}"), rhea.get(f"{FINDINGS}{finding.id}/change/")):
        assert owed in text(answer)
        assert moved in text(answer)
        assert f">{finding.owed}<" not in markup(answer)


def test_a_finding_at_a_fact_without_a_table_is_shown(house: House, cast: Cast) -> None:
    house.owner.execute(
        "INSERT INTO finding (property, id, stream, number, uid, reader, code, grade, owed, says, cite)"
        " VALUES ('aurora', 'x', 'aurora/house/2026-11-27', 1, gen_random_uuid(), 'house', 'late-bet',"
        " 'integrity', '125', 'a line', 'a page')"
    )
    assert "125 minor units" in text(cast.browser("Rhea").get(FINDINGS))


def test_amounts_of_the_tally_are_money(faulty_day: Cast) -> None:
    row = Tally.objects.filter(staked__gt=0).order_by("stream", "currency", "shift", "hour").first()
    assert row is not None
    answer = faulty_day.browser("Alma").get(f"/admin/casino/tally/?q={row.stream}")
    assert f">{money(int(row.staked), row.currency)}<small" in markup(answer)
    assert f">{row.staked}<" not in markup(answer)


def test_amounts_of_registers_are_money_in_the_lists_of_entries(cast: Cast) -> None:
    set_registers(
        "aurora",
        [
            Entry("property", "*", {"name": "Aurora", "currency": "JPY"}),
            Entry("thresholds", "adjustment", {"amount": 250_000}),
            Entry("chip-sets", "USD", {"chips": [50, 100, 250_000]}),
        ],
        by="m-101",
        second="m-102",
    )
    rhea = cast.browser("Rhea")
    for path in ("threshold", "entry"):
        assert "Amount: 250,000 JPY" in text(rhea.get(f"/admin/casino/{path}/")), "a yen has no decimals"
    for path in ("chipset", "entry"):
        assert "Chips: 0.50 USD, 1.00 USD, 2,500.00 USD" in text(rhea.get(f"/admin/casino/{path}/"))


def test_a_fact_is_described_with_its_amounts_as_money(faulty_day: Cast) -> None:
    fact = Fact.objects.filter(kind="fill-sent").first() or Fact.objects.filter(kind="bet").first()
    assert fact is not None
    amount = re.search(rb'"amount":\s*(\d+)', bytes(fact.body))
    assert amount is not None
    page = text(faulty_day.browser("Rhea").get(f"/admin/audit/fact/{fact.uid}/change/"))
    assert money(int(amount[1]), "USD") in page
    assert "amounts in minor units" in page


@pytest.mark.parametrize(("name", "path"), [("Rhea", FINDINGS), ("Mia", "/admin/casino/entry/")])
def test_the_count_of_a_list_computes_nothing_of_its_rows(faulty_day: Cast, name: str, path: str) -> None:
    """Test that counting a list does not look up currency and time, which only the rows of the shown page
    need.
    """
    with CaptureQueriesContext(connection) as captured:
        assert faulty_day.browser(name).get(path).status_code == 200
    counts = [query["sql"] for query in captured.captured_queries if "COUNT(" in query["sql"]]
    assert any(f"LIMIT {EXACTLY + 1}" in count for count in counts)
    assert not [count for count in counts if '"fact"' in count]


def test_the_admin_has_the_navigation_of_all_pages_and_leads_back_to_them(faulty_day: Cast) -> None:
    for name in ("Dana", "Alma", "Igor", "Rhea", "Mia"):
        browser = faulty_day.browser(name)
        page = source(browser.get("/admin/"))
        assert 'class="rail"' in page
        back = re.search(r'href="([^"]+)">Back to the pages<', page)
        assert back is not None
        answer = browser.get(back[1])
        assert answer.status_code == 302
        assert not answer["Location"].startswith("/admin/"), name
        assert browser.get(answer["Location"]).status_code == 200


def test_a_list_is_titled_with_the_name_of_its_rows(faulty_day: Cast) -> None:
    rhea = faulty_day.browser("Rhea")
    assert "<h1>Findings</h1>" in markup(rhea.get(FINDINGS))
    assert "<h1>Facts</h1>" in markup(rhea.get("/admin/audit/fact/"))


def test_lists_of_schedules_are_titled_like_all_lists(faulty_day: Cast) -> None:
    alma = faulty_day.browser("Alma")
    assert "<h1>Report schedules</h1>" in markup(alma.get("/admin/casino/schedule/"))
    assert "<h1>Check times</h1>" in markup(alma.get("/admin/casino/asking/"))


def test_the_way_back_names_the_admin_and_the_list_but_no_app(faulty_day: Cast) -> None:
    rhea = faulty_day.browser("Rhea")
    row = Job.objects.order_by("id").first()
    assert row is not None
    for path, way in (("", "Jobs"), (f"{row.id}/change/", f"Jobs › {row.id}, {row.key}")):
        page = text(rhea.get(f"/admin/audit/job/{path}")).partition("Admin › ")[2]
        assert page.startswith(way)
        assert "Home ›" not in page


def test_an_hour_of_the_tally_is_a_time_with_its_offset(faulty_day: Cast) -> None:
    row = Tally.objects.exclude(hour="").order_by("stream", "hour").first()
    assert row is not None
    at = datetime.fromisoformat(f"{row.hour[:13]}:00{row.hour[13:]}")
    page = text(faulty_day.browser("Alma").get(f"/admin/casino/tally/?q={row.stream}"))
    assert f"{at.day} {at:%b %Y}, {at:%H}:00 UTC{row.hour[13:]}" in page
    assert row.hour not in page


def test_a_list_shows_the_state_of_a_job_first(faulty_day: Cast) -> None:
    page = markup(faulty_day.browser("Rhea").get("/admin/audit/job/"))
    assert re.findall(r'class="column-([a-z_]+)', page)[:3] == ["id", "state", "about"]


def test_a_list_of_jobs_has_the_last_error_under_the_key_and_no_empty_columns(faulty_day: Cast) -> None:
    row = Job.objects.order_by("-id").first()
    assert row is not None
    error = "the archive cannot be reached: " + "no route to host, " * 20
    failed = {"attempts": 3, "interruptions": 2, "done": 1_200, "total": 5_000, "error": error}
    Job.objects.filter(id=row.id).update(**failed)
    page = markup(faulty_day.browser("Rhea").get(f"/admin/audit/job/?q={row.key}"))
    about = re.findall(r'<td class="field-about">(.*?)</td>', page, re.S)
    assert len(about) == 1
    assert text(about[0]).startswith(f"{row.key} {error.strip()} due ")
    assert text(about[0]).endswith("; 3 failed, 2 ended by an outage; 1,200 of 5,000")
    heads = [text(head) for head in re.findall(r"<th scope=\"col\".*?</th>", page, re.S)]
    assert heads == ["Id", "State", "Key and last error", "Due at (UTC)", "Failed in a row", "Steps done"]


def test_a_search_that_finds_nothing_says_what_can_be_typed(faulty_day: Cast) -> None:
    rhea = faulty_day.browser("Rhea")
    for path, says in (
        ("audit/fact/?q=EOU-07", "A position, a whole uid, a stream"),
        ("audit/job/?q=examine", "The whole key of a job, such as examine-stream"),
        ("casino/finding/?q=late-bet", "A whole stream"),
    ):
        page = text(rhea.get(f"/admin/{path}"))
        assert page.count(says) == 2, "at the field, and below it where nothing is found"
        assert "Show all rows, or find tables, hands, people and slips with Search (Ctrl+K)." in page


def test_a_job_has_labels_in_words_and_the_page_of_an_app_is_the_first_page(faulty_day: Cast) -> None:
    rhea, row = faulty_day.browser("Rhea"), Job.objects.order_by("id").first()
    assert row is not None
    page = text(rhea.get(f"/admin/audit/job/{row.id}/change/"))
    for label in ("State:", "Failed in a row (times):", "Workers last notified at:", "Requested (times):"):
        assert label in page
    for app in ("audit", "casino"):
        assert rhea.get(f"/admin/{app}/").headers["Location"] == "/admin/"
    assert faulty_day.browser("Eve").get("/admin/casino/").status_code == 403


def test_a_filter_with_one_choice_is_not_shown(faulty_day: Cast) -> None:
    rhea = faulty_day.browser("Rhea")
    assert "changelist-filter-header" not in source(rhea.get("/admin/casino/tally/"))
    assert "changelist-filter-header" in source(rhea.get(FINDINGS))


def test_a_list_without_rows_says_what_to_try(faulty_day: Cast) -> None:
    rhea = faulty_day.browser("Rhea")
    assert "Nothing has exactly the value “nobody”" in text(rhea.get("/admin/casino/entry/?q=nobody"))
    assert "There are no rows yet." in text(rhea.get("/admin/casino/keptreport/"))
    assert "Show all" not in text(rhea.get("/admin/casino/entry/"))


def test_days_of_an_entry_are_its_first_and_last_day(faulty_day: Cast) -> None:
    until = Entry("approvals", "letter", {"game": "high_side"}, "2026-01-01", "2026-12-01")
    set_registers("aurora", [until], by="m-101", second="m-102")
    page = text(faulty_day.browser("Rhea").get("/admin/casino/approval/?q=letter"))
    assert "High Side" in page
    assert "from 1 Jan 2026 to 30 Nov 2026" in page
    assert "9999" not in text(faulty_day.browser("Rhea").get("/admin/casino/approval/"))


def test_a_later_page_of_findings_shows_the_rows_that_follow_those_of_the_first(
    faulty_day: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FindingAdmin, "list_per_page", 2)
    ids = [
        finding.id
        for number in (1, 2)
        for finding in Finding.objects.order_by("stream", "number")[2 * number - 2 : 2 * number]
    ]
    shown = [
        re.findall(r'/admin/casino/finding/([^/"]+)/change/', markup(faulty_day.browser("Rhea").get(address)))
        for address in (FINDINGS, f"{FINDINGS}?p=2")
    ]
    assert [unquote(id) for page in shown for id in page] == ids


def test_a_finding_leads_to_its_hand_and_its_table_and_says_if_it_was_decided(faulty_day: Cast) -> None:
    finding = Finding.objects.filter(code="late-bet").order_by("stream", "number").first()
    assert finding is not None
    rhea = faulty_day.browser("Rhea")
    page = source(rhea.get(f"{FINDINGS}{finding.id}/change/"))
    links = re.findall(r'<div><a href="([^"]+)">', page)
    assert [link.split("/")[1] for link in links] == ["hand", "floor"]
    for link in links:
        assert rhea.get(link).status_code == 200, link
    listed = f"{FINDINGS}?q={finding.stream}"
    assert "; open" in text(rhea.get(listed))
    hand = hands.played("aurora", finding.stream, str(finding.round))
    assert hand is not None
    of_hand = verdicts.findings_of("aurora", finding.stream, str(finding.round))
    give_verdict(Person.objects.get(pk="v-101"), hand, of_hand, Words("dismissed", "no_error"))
    for answer in (rhea.get(listed), rhea.get(f"{FINDINGS}{finding.id}/change/")):
        assert "dismissed" in text(answer)


def test_a_fact_leads_only_to_pages_that_the_user_may_open(faulty_day: Cast) -> None:
    fact = Fact.objects.filter(kind="bet").first()
    assert fact is not None
    address = f"/admin/audit/fact/{fact.uid}/change/"
    for name, pages in (("Rhea", ["hand", "floor"]), ("Alma", ["floor"])):
        links = re.findall(r'<div><a href="([^"]+)">', source(faulty_day.browser(name).get(address)))
        assert [link.split("/")[1] for link in links] == pages
        assert {faulty_day.browser(name).get(link).status_code for link in links} == {200}
    entry = Fact.objects.filter(kind="register-set").first()
    assert entry is not None
    page = text(faulty_day.browser("Rhea").get(f"/admin/audit/fact/{entry.uid}/change/"))
    assert re.search(r"Register \S+, .+: set .+, by \S+ and \S+", page)


def test_an_entry_that_has_ended_is_marked_and_a_long_list_is_cut_only_in_the_list(cast: Cast) -> None:
    kinds = ["bet", "take", "pay", "deal", "roll", "shake", "burn", "clear", "mark", "choose", "pull"]
    sees = [*kinds, "unbet", "return"]
    value = {"game": "high_side", "limits": {"*": [500, 10_000]}, "sees": sees, "par": {"500": 1500}}
    set_registers(
        "aurora",
        [Entry("tables", "HS-01", value, "2026-01-01", "2026-02-01"), Entry("tables", "HS-02", value)],
        by="m-101",
        second="m-102",
    )
    rhea = cast.browser("Rhea")
    answer = rhea.get("/admin/casino/table/")
    page = text(answer)
    assert "from 1 Jan 2026 to 31 Jan 2026 (ended)" in page
    assert page.count("(ended)") == 1
    for words in (
        "Par of the tray, 5.00 USD: 1,500 pieces",
        "Game: High Side",
        "Limits, every wager: 5.00",
        "equipment: bet, take, pay and 10 more",
    ):
        assert words in page
    row = re.search(r'href="(/admin/casino/table/[^"?]+/change/)[^"]*">HS-02', source(answer))
    assert row is not None
    assert "clear, mark, choose, pull, unbet, return" in text(rhea.get(row[1]))
