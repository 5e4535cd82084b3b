"""Tests of the admin: only managers read it, nobody changes data in it directly, its pages are fast with many
rows, and registers change only with two signatures.
"""

import html
import json
import re
from typing import Any
from uuid import UUID

import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext

from audit.findings import examine as findings
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.models import Fact
from casino.admin.site import DEPARTMENTS
from casino.exports.archive import orders
from casino.reference import projection
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.sample.month.sample_property import sample_house
from tests.audit.floor import fact, line, opened, uid
from tests.casino.conftest import Cast
from tests.casino.pages import text
from tests.casino.test_kept import DAY, keep
from tests.casino.test_reports import felt, record
from tests.conftest import House
from tests.counts import LONG
from tests.furnished import furnishing

FACTS = "/admin/audit/fact/"
SET = "/admin/casino/entry/set/"
LISTS = (
    "audit/fact",
    "casino/finding",
    "casino/tally",
    "casino/entry",
    "casino/pit",
    "casino/table",
    "casino/camera",
    "casino/approval",
    "casino/daybegins",
    "casino/shift",
    "casino/chipset",
    "casino/threshold",
    "casino/device",
    "casino/member",
    "casino/property",
    "casino/person",
    "audit/job",
    "casino/keptreport",
)
BIG = """
INSERT INTO fact (property, position, stream, number, kind, uid, round, body, leaf, chain, recorded_at)
SELECT 'aurora', h.position + i, 'aurora/EOU-' || i / 20000 || '/2026-11-27', i,
       (ARRAY['bet','take','deal','fill-sent'])[1 + i %% 4],
       md5(i::text)::uuid, 'r' || i / 40, '{}', sha256(int8send(i)), sha256(int8send(-i)), now()
FROM head h, generate_series(1, %s) i WHERE h.property = 'aurora'
"""


@furnishing
def demo() -> Cast:
    """Record and examine the sample data of the demo."""
    cast = Cast()
    facts = [json.dumps(fact).encode() for fact in sample_house()]
    for at in range(0, len(facts), 2000):
        intake.post(facts[at : at + 2000], Sender("night"))
    findings.examine()
    return cast


def test_every_list_and_every_row_is_shown(demo: Cast) -> None:
    for name in ("Rhea", "Igor"):
        browser = demo.browser(name)
        assert browser.get("/admin/").status_code == 200
        for path in LISTS:
            answer = browser.get(f"/admin/{path}/")
            assert answer.status_code == 200, path
            if (
                row := re.search(rf'href="(/admin/{path}/[^"?]+/change/)[^"]*"', answer.content.decode())
            ) and path != "casino/tally":
                assert browser.get(row[1]).status_code == 200, row[1]
    assert text(demo.browser("Mia").get("/admin/casino/token/")).count("gateway-1") == 1


def test_an_approval_is_shown_with_its_letter_and_conditions(demo: Cast) -> None:
    """Test that the regulator and accounting see an approval with its conditions, and that Eve does not."""
    projection.sync_registers("aurora")
    listed = demo.browser("Rhea").get("/admin/casino/approval/")
    assert "bonus: 1 or 2 or 3 or 4" in text(listed)
    row = re.search(
        r'href="(/admin/casino/approval/[^"]+/change/)[^"]*">WSGC 2013-04-18 High Side',
        listed.content.decode(),
    )
    assert row
    page = text(demo.browser("Alma").get(row[1]))
    for words in (
        "Washington State Gambling Commission",
        "Tina Griffin",
        "will seek concurrence from the Commission",
        "2013-03",
    ):
        assert words in page
    assert demo.browser("Eve").get(row[1]).status_code in (302, 403)


def test_a_fact_is_shown_as_it_was_recorded_with_its_hashes(cast: Cast) -> None:
    receipts = intake.post([line(opened(1)), line(fact(2))], Sender("test"))
    page = text(cast.browser("Dana").get(f"{FACTS}{uid(2)}/change/"))
    assert receipts[1].chain.hex() in page
    assert '"amount": 500' in page


def test_the_admin_names_the_user_and_the_time_zone(demo: Cast) -> None:
    page = text(demo.browser("Mia").get("/admin/casino/person/m-101/change/"))
    assert "Mia (m-101)" in page
    assert "1 property" in text(demo.browser("Mia").get("/admin/casino/property/"))
    demo.browser(None).post("/login/", {"username": "m-101", "password": demo.logins["Mia"].password})
    assert re.search(
        r"\w{3} \d+ \w{3} \d{4}, \d\d:\d\d:\d\d UTC", text(demo.browser("Mia").get("/admin/casino/person/"))
    )


@pytest.mark.usefixtures("contexts")
def test_the_first_page_has_charts_and_figures_that_the_user_may_see(demo: Cast) -> None:
    pages = {
        name: demo.browser(name).get("/admin/?last=2026-11-28") for name in ("Igor", "Dana", "Alma", "Mia")
    }
    won = ["Win, USD (GGR / handle)", "Win, USD (win / drop)"]
    titles = {name: [chart.title for chart in page.context["charts"]] for name, page in pages.items()}
    assert titles == {
        "Igor": ["Facts", "Hands flagged", *won, "Reference data"],
        "Dana": ["Facts", "Hands flagged", *won, "Reference data"],
        "Alma": ["Facts", *won, "Reference data"],
        "Mia": ["Reference data"],
    }
    departments = {name: [app["name"] for app in page.context["app_list"]] for name, page in pages.items()}
    assert departments["Igor"] == list(DEPARTMENTS)
    assert "Surveillance" not in departments["Mia"]
    facts, flagged, *_ = pages["Igor"].context["charts"]
    count = Fact.objects.filter(stream__endswith="/2026-11-27").exclude(stream__contains="/house/").count()
    assert [point[:3] for point in facts.plot.points if point.value] == [("27 Nov", count, f"{count:,}")]
    assert len(facts.plot.points) == len(flagged.plot.points) == 14
    assert f"27 Nov {count:,}" in text(pages["Igor"]), "the figures are next to the picture"
    page = pages["Igor"].content.decode()
    assert (page.count('<div class="plot">'), page.count('<div class="wf bars"')) == (4, 1)
    assert page.count('aria-label="27 Nov: ') == 4, "each day is a link"


@pytest.mark.parametrize("path", LISTS)
def test_nobody_changes_deletes_or_adds_anything(demo: Cast, path: str) -> None:
    """Test that none of four users, not even the administrator, can change, delete or add a row. All lists
    share one class. So all four users try the first list, and only two of them try each of the other lists.
    """
    names = ("Rhea", "Mia", "Igor", "Dana")
    for name in names if LONG or path == LISTS[0] else names[LISTS.index(path) % 2 :: 2]:
        browser = demo.browser(name)
        answer = browser.get(f"/admin/{path}/")
        if answer.status_code == 403:
            continue
        match = re.search(rf'href="/admin/{path}/([^"?]+)/change/', answer.content.decode())
        row = match[1] if match else "1"
        assert browser.post(f"/admin/{path}/add/", {"x": "y"}).status_code == 403
        assert browser.get(f"/admin/{path}/add/").status_code == 403
        if match:
            assert browser.post(f"/admin/{path}/{row}/change/", {"x": "y"}).status_code == 403
            assert browser.post(f"/admin/{path}/{row}/delete/", {"post": "yes"}).status_code == 403
        browser.post(f"/admin/{path}/", {"action": "delete_selected", "_selected_action": row, "post": "yes"})
        assert "delete_selected" not in answer.content.decode()


def test_no_page_of_the_admin_breaks_the_content_security_policy(demo: Cast) -> None:
    """Test that no page has inline scripts, styles or external files, and that each has the policy header."""
    browser = demo.browser("Mia")
    facts = demo.browser("Rhea")
    row = re.search(r'href="(/admin/audit/fact/[^"?]+/change/)', facts.get(FACTS).content.decode())
    assert row
    pages = [facts.get(path) for path in ("/admin/", FACTS, row[1])]
    pages += [
        browser.get(path)
        for path in (
            "/admin/",
            "/admin/casino/entry/",
            "/password/",
            SET,
            f"{SET}tables/?game=lucky_7",
            f"{SET}profile/nevada-like/",
        )
    ]
    for page in pages:
        assert page.status_code == 200
        shown = page.content.decode()
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:|https?://(?!www\.w3\.org)", shown), (
            page.request["PATH_INFO"]
        )
        assert all("src=" in tag or "application/json" in tag for tag in re.findall(r"<script[^>]*>", shown))
        policy = page["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert page["Cache-Control"] == "no-store" or "no-store" in page["Cache-Control"]


@furnishing
def big() -> Cast:
    """Insert 100,000 facts, so that the query planner chooses between indexes and scans as in a large
    database. The owner of the schema inserts them directly, because this test is only about reading.
    """
    cast = Cast()
    intake.post([line(opened(1, table="aurora/EOU-1"))], Sender("test"))
    with connections["owner"].cursor() as owner:
        owner.execute(BIG, [100_000])
        owner.execute("ANALYZE fact")
    return cast


@pytest.mark.parametrize(
    "filter_query",
    [
        "",
        "?p=5",
        "?p=200",
        "?q=500",
        "?q=aurora/EOU-2/2026-11-27",
        "?q=aurora/EOU-2/2026-11-27%2345000",
        "?q=nothing",
        f"?q={UUID(int=7)}",
        "?q=aurora/EOU-2/2026-11-27&kind=fill-sent",
        "?kind=fill-sent",
        "?property=aurora",
    ],
)
def test_no_list_of_facts_reads_the_whole_table(big: Cast, filter_query: str) -> None:
    rhea = big.browser("Rhea")
    with CaptureQueriesContext(connection) as asked_for:
        answer = rhea.get(FACTS + filter_query)
    assert answer.status_code == 200
    queries = [
        query["sql"]
        for query in asked_for.captured_queries
        if '"fact"' in query["sql"] and not query["sql"].startswith("EXPLAIN")
    ]
    assert len(asked_for) <= 14
    for query in queries:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {query}")
            plan = cursor.fetchone()[0][0]["Plan"]
        assert not scans_whole_table(plan), query
        assert most_rows_read(plan) <= 30_000, query


def test_no_address_filters_by_a_column_without_a_filter(cast: Cast) -> None:
    rhea = cast.browser("Rhea")
    for admin_query in (
        "kind__contains=zz",
        "round=r1",
        "body__contains=1",
        "recorded_at__gt=2026-01-01",
        "stream__startswith=a",
    ):
        assert rhea.get(f"{FACTS}?{admin_query}").status_code == 400, admin_query


def test_no_filter_reveals_hidden_fields(cast: Cast) -> None:
    """Test that a list cannot be filtered by fields such as the password hash. A filter by the first letters
    would reveal the hash letter by letter.
    """
    for path in (
        "person/?password__startswith=argon2",
        "person/?password__startswith=x",
        "token/?sha256__isnull=False",
    ):
        assert cast.browser("Mia").get(f"/admin/casino/{path}").status_code == 400, path


def test_an_entry_in_force_links_to_the_one_before(cast: Cast) -> None:
    for role in ("table-games", "supervisor"):
        set_registers("aurora", [Entry("people", "t-101", {"role": role})], by="m-101", second="m-102")
    igor = cast.browser("Igor")
    (row,) = re.findall(
        r'href="(/admin/casino/member/[^"?]+/change/)[^"]*">t-101',
        igor.get("/admin/casino/member/?q=t-101").content.decode(),
    )
    (before,) = re.findall(r'href="([^"]+)">all entries of this key', igor.get(row).content.decode())
    page = text(igor.get(html.unescape(before)))
    assert "Role: table-games" in page
    assert "Role: supervisor" in page
    assert igor.get(row.replace("change", "history")).status_code == 404, (
        "it says nothing that would not be so"
    )


def test_archived_reports_are_in_the_admin_for_those_who_may_read_them(cast: Cast) -> None:
    record(felt(1000, 100))
    order, facts = (
        keep(schedule="hold of the day", period="2026-11-27"),
        keep(DAY._replace(name="findings", by=(), format="ndjson")),
    )
    waits = orders.order(DAY._replace(format="xlsx"), "a-101")
    listed = "/admin/casino/keptreport/"
    igor = text(cast.browser("Igor").get(listed))
    assert "hold of the day 27 Nov 2026" in igor
    assert "not built yet" in igor
    row = text(cast.browser("Alma").get(f"{listed}{order.id}/change/"))
    assert order.chain in row
    assert order.sha256 in row
    assert text(cast.browser("Alma").get(f"{listed}?q={order.id}")).count("Hold") >= 1
    assert cast.browser("Alma").get(f"{listed}{waits}/change/").status_code == 200
    assert cast.browser("Alma").get(f"{listed}{facts.id}/change/").status_code == 302, (
        "accounting reads no findings"
    )
    assert cast.browser("Dana").get(f"{listed}{facts.id}/change/").status_code == 200
    for name in ("Alma", "Igor", "Dana"):
        for act in ("change", "delete"):
            answer = cast.browser(name).post(f"{listed}{order.id}/{act}/", {"post": "yes", "_save": "1"})
            assert answer.status_code == 403
    for name in ("Mia", "Boris", "Chi", "Eve"):
        assert cast.browser(name).get(listed).status_code == 403, name


FOUND = """
INSERT INTO finding (property, id, stream, number, uid, reader, code, grade, says, cite)
SELECT 'aurora', i::text, 'aurora/EOU-' || i / 2000 || '/2026-11-27', i, md5(i::text)::uuid, 'table',
       (ARRAY['not-marked','not-cleared'])[1 + i %% 2], 'procedure', 'a line', 'a page'
FROM generate_series(1, %s) i
UNION ALL SELECT 'aurora', 'late', 'aurora/EOU-9/2026-11-27', 1, md5('late')::uuid, 'table',
       'late-bet', 'integrity', 'a line', 'a page'
"""
JOBS = """
INSERT INTO job (kind, key, property, stream, state) SELECT 'examine-stream', 'x ' || i, 'aurora', 's' || i,
    CASE WHEN i %% 30000 = 7 THEN 'set-aside' WHEN i %% 30000 = 9 THEN 'due' ELSE 'done' END
FROM generate_series(1, %s) i
"""


@pytest.mark.usefixtures("contexts")
def test_no_filter_of_the_admin_reads_rows_that_it_does_not_show(cast: Cast, house: House) -> None:
    """Test that a filter for a rare value uses an index, so that it reads only the rows with that value."""
    house.owner.execute(FOUND % 60_000)
    house.owner.execute(JOBS % 60_000)
    house.owner.execute("ANALYZE finding")
    house.owner.execute("ANALYZE job")
    rhea = cast.browser("Rhea")
    for table, address, rows in (
        ("finding", "casino/finding/?code=late-bet", 1),
        ("finding", "casino/finding/?grade=integrity", 1),
        ("finding", "casino/finding/?grade=integrity&code=late-bet", 1),
        ("finding", "casino/finding/?code=card-not-read", 0),
        ("finding", "casino/finding/?code=not-marked", 100),
        ("finding", "casino/finding/", 100),
        ("job", "audit/job/?state=set-aside", 2),
        ("job", "audit/job/?state=taken", 0),
        ("job", "audit/job/?state=done", 100),
    ):
        with CaptureQueriesContext(connection) as asked_for:
            answer = rhea.get(f"/admin/{address}")
        assert len(answer.context["cl"].result_list) == rows, address
        for query in (item["sql"] for item in asked_for.captured_queries if f'FROM "{table}"' in item["sql"]):
            if not query.startswith("EXPLAIN"):
                with connection.cursor() as cursor:
                    cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {query}")
                    assert most_rows_read(cursor.fetchone()[0][0]["Plan"]) <= 10_100, (address, query)


def scans_whole_table(plan: dict[str, Any]) -> bool:
    """Return True if the query plan reads a whole database table sequentially."""
    return plan["Node Type"] == "Seq Scan" or any(map(scans_whole_table, plan.get("Plans", ())))


def most_rows_read(plan: dict[str, Any]) -> int:
    """Return the largest number of rows that one step of the query plan read. Rows that the step filtered out
    are counted too.
    """
    rows = plan.get("Actual Rows", 0) + plan.get("Rows Removed by Filter", 0)
    return max([int(rows), *map(most_rows_read, plan.get("Plans", ()))])


def test_a_row_is_found_by_its_key(big: Cast) -> None:
    rhea = big.browser("Rhea")
    assert (
        text(rhea.get(f"{FACTS}?q=aurora/EOU-2/2026-11-27%2345000")).count("aurora/EOU-2/2026-11-27 45000")
        == 1
    )
    with CaptureQueriesContext(connection) as ran:
        key = re.search(r"/admin/audit/fact/([^/]+)/change/", rhea.get(FACTS).content.decode())
        assert key
        rhea.get(key[0])
    for query in (
        item["sql"] for item in ran.captured_queries if '"fact"' in item["sql"] and "uid" in item["sql"]
    ):
        if not query.startswith("EXPLAIN"):
            with connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN (FORMAT JSON) {query}")
                assert not scans_whole_table(cursor.fetchone()[0][0]["Plan"])
