"""A report through the REST API has the same bytes as the report that the command prints. It needs a user who
may see money, and a token with the scope for reports.
"""

from __future__ import annotations

import json

import pytest

from casino.accounts import services as accounts
from casino.accounts import view_log
from casino.exports.archive import orders
from casino.reports import catalog, limits
from tests.casino.conftest import ROLES, Api, Cast
from tests.casino.feeding import run
from tests.casino.test_api import problem
from tests.casino.test_kept import DAY, content, keep
from tests.casino.test_reports import felt, record
from tests.counts import LONG


def door(name: str = "Alma", **options: list[str]) -> Api:
    return Api(accounts.issue_token(made_by="m-101", person=ROLES[name], **options))


def test_a_report_by_rest_has_the_bytes_of_the_command_in_every_format(cast: Cast) -> None:
    record(felt(1000, 100), felt(500, -25, "aurora/T2"))
    alma = door()
    for format in ("csv", "json", "ndjson"):
        answer = alma.get(f"/api/v1/reports/hold?from=2026-11-27&to=2026-11-28&by=table,day&format={format}")
        output = run(
            "report",
            "hold",
            "--from",
            "2026-11-27",
            "--to",
            "2026-11-28",
            "--property",
            "aurora",
            "--by",
            "table,day",
            "--format",
            format,
        )
        assert b"".join(answer.streaming_content).decode() == output.out
    for format in ("xlsx", "parquet"):
        answer = alma.get(f"/api/v1/reports/hold?format={format}")
        assert b"".join(answer.streaming_content)[:4] in (b"PK\x03\x04", b"PAR1")
    assert {viewing.person for viewing in view_log.viewings(["aurora"])} == {"a-101"}
    assert len(view_log.viewings(["aurora"])) == 5


def test_a_report_by_rest_is_limited_like_its_page(cast: Cast) -> None:
    record(felt(1000, 100), felt(500, -25, "aurora/T2"))
    alma, address = door(), "/api/v1/reports/hold?from=2026-11-27&to=2026-11-28"
    answer = alma.get(f"{address}&table=T2")
    file = json.loads(b"".join(answer.streaming_content))
    assert [(row["table"], row["win"]) for row in file["rows"]] == [("aurora/T2", "-0.25")]
    assert [row["win"] for row in file["totals"]] == ["-0.25"]
    page = "/reports/hold/?property=aurora&table=aurora%2FT2"
    assert view_log.viewings(["aurora"])[0].address == page
    assert cast.browser("Alma").get(page).status_code == 200
    problem(alma.get(f"{address}&wager=main"), 400, "wager")
    for report in alma.get("/api/v1/reports").json()["reports"]:
        assert report["limited_by"] == list(limits.names_of(catalog.report(report["name"])))
    problem(door("Eve").get(f"{address}&table=T2"), 403, "no-right")


def test_the_index_names_every_report_and_its_groupings(cast: Cast) -> None:
    listing = door().get("/api/v1/reports").json()
    hold = next(report for report in listing["reports"] if report["name"] == "hold")
    assert (hold["title"], hold["default_by"], hold["books"]) == ("Hold", ["table"], ["closed", "restated"])
    assert hold["address"].endswith("/api/v1/reports/hold")
    assert (listing["properties"], "parquet" in listing["formats"]) == (["aurora"], True)


def test_an_archived_report_is_downloaded_with_its_position(cast: Cast) -> None:
    record(felt(1000, 100))
    order = keep(DAY)
    alma = door()
    answer = alma.get(f"/api/v1/reports/kept/{order.id}")
    assert answer.getvalue() == content(order.id)
    assert (answer["ETag"], answer["Catwalk-Position"], answer["Catwalk-Chain"]) == (
        f'"{order.sha256}"',
        str(order.position),
        order.chain,
    )
    (listed,) = alma.get("/api/v1/reports/kept").json()
    assert {
        name: listed[name] for name in ("id", "name", "from", "to", "position", "sha256", "superseded")
    } == {
        "id": order.id,
        "name": "hold",
        "from": "2026-11-27",
        "to": "2026-11-28",
        "position": order.position,
        "sha256": order.sha256,
        "superseded": False,
    }
    beyond_end = alma.client.get(
        f"/api/v1/reports/kept/{order.id}", headers=alma.headers | {"Range": f"bytes={order.length}-"}
    )
    assert (problem(beyond_end, 416, "no-such-bytes")["field"], beyond_end["Content-Range"]) == (
        "Range",
        f"bytes */{order.length}",
    )
    waiting = orders.order(DAY, "a-102")
    assert alma.get(f"/api/v1/reports/kept/{waiting}").json()["code"] == "not-finished"
    assert alma.get("/api/v1/reports/kept/999").status_code == 404


def test_reports_need_the_right_to_see_money_and_the_scope(cast: Cast) -> None:
    record(felt(1000, 100))
    order = keep(DAY)
    pages = ("/api/v1/reports/hold", "/api/v1/reports/kept", f"/api/v1/reports/kept/{order.id}")
    for name in ("Eve", "Mia", "Chi"):
        assert [door(name).get(page).status_code for page in pages] == [403] * 3, name
    other = door("Alma", scopes=["read:tables"])
    assert [other.get(page).status_code for page in (*pages, "/api/v1/reports")] == [403] * 4
    assert door().get("/api/v1/reports/hold?property=borealis").status_code == 403
    assert Api(None).get("/api/v1/reports").status_code == 401
    assert len(view_log.viewings(["aurora"])) == 0


def test_an_archived_report_of_another_property_is_answered_like_a_missing_one(cast: Cast) -> None:
    record(felt(1000, 100), felt(1000, 100, "borealis/T1"))
    other = keep(DAY._replace(property="borealis"))
    pages = ("reports/kept/{}", "exports/{}", "exports/{}/content", "exports/{}/manifest")
    for name, status in (("Alma", 404), ("Rhea", 404), ("Mia", 403), ("Eve", 403)):
        for page in pages:
            existing, nowhere = (door(name).get(f"/api/v1/{page.format(id)}") for id in (other.id, 999))
            assert (existing.status_code, existing.content) == (nowhere.status_code, nowhere.content), (
                name,
                page,
            )
            assert existing.status_code == status, (name, page)


def test_a_token_for_reports_gets_no_archived_list(cast: Cast) -> None:
    record(felt(1000, 100))
    hold, facts = keep(DAY), keep(DAY._replace(name="facts", by=(), format="ndjson"))
    ids_by_scopes = {}
    for scopes in (["read:reports"], ["read:reports", "read:facts"]):
        alma = door("Alma", scopes=scopes)
        ids_by_scopes[len(scopes)] = [order["id"] for order in alma.get("/api/v1/reports/kept").json()]
        assert alma.get(f"/api/v1/reports/kept/{facts.id}").status_code == (
            200 if "read:facts" in scopes else 403
        )
    assert ids_by_scopes == {1: [hold.id], 2: [facts.id, hold.id]}


def test_an_invalid_report_parameter_is_a_problem_that_names_its_field(cast: Cast) -> None:
    alma = door()
    for query, field in (
        ("from=yesterday", "from"),
        ("by=colour", "by"),
        ("format=clay", "format"),
        ("books=open", "books"),
        ("from=2026-11-27&to=2026-11-27", "to"),
        ("from=0001-01-01", "from"),
        ("to=9999-12-31", "to"),
    ):
        answer = alma.get(f"/api/v1/reports/hold?{query}")
        assert (answer.status_code, json.loads(answer.content)["field"]) == (400, field), query
    assert alma.get("/api/v1/reports/luck").status_code == 404


@pytest.mark.parametrize("name", catalog.names())
def test_reports_accept_the_first_and_last_possible_day_and_none_beyond(cast: Cast, name: str) -> None:
    """Test the first and last possible days, and days beyond them. The report `hold` is tested with all of
    these days, each other report with two of them.
    """
    record(felt(1000, 100))
    alma, place = door(), catalog.names().index(name)
    refused = ("to=0001-01-01", "from=0001-01-01", "from=1899-12-31", "to=2200-01-01", "from=9999-12-31")
    taken = ("to=1900-01-01", "from=1900-01-01", "to=2199-12-31", "from=2199-12-31")
    is_whole = LONG or name == "hold"
    for query in refused if is_whole else (refused[place % 5],):
        answer = alma.get(f"/api/v1/reports/{name}?{query}")
        assert (answer.status_code, answer["Content-Type"], answer.json()["code"]) == (
            400,
            "application/problem+json",
            "day",
        ), query
    for query in taken if is_whole else (taken[place % 4],):
        assert alma.get(f"/api/v1/reports/{name}?{query}").status_code == 200, query


def test_a_number_in_an_address_has_ascii_digits_and_fits_the_database(cast: Cast) -> None:
    record(felt(1000, 100))
    alma = door()
    order = keep(DAY)
    for before in ("²", "٣", "9" * 30, "-1", "x"):
        answer = alma.get(f"/api/v1/reports/kept?before={before}")
        assert (answer.status_code, answer.json()["field"]) == (400, "before"), before
    assert [listed["id"] for listed in alma.get(f"/api/v1/reports/kept?before={order.id + 1}").json()] == [
        order.id
    ]
    assert alma.get(f"/api/v1/reports/kept/{'9' * 30}").status_code == 404


def test_closed_books_of_a_report_without_them_are_a_problem(cast: Cast) -> None:
    record(felt(1000, 100))
    answer = door().get("/api/v1/reports/statistics?books=closed")
    assert (answer.status_code, answer.json()["field"]) == (400, "books")
    assert (
        "Reports with books: hold, hold-to-date, master-game-report, new-jersey, table-drop."
        in answer.content.decode()
    )
