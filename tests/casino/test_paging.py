"""Every list of the REST API is paged in one style. Four lists still have their older style, which is
deprecated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from casino.alerts import publish, services
from casino.checkpoints import make
from tests.casino.books import close, counted, map_accounts
from tests.casino.conftest import Api, Cast
from tests.casino.lists import recorded_lists
from tests.casino.test_case_api import a_case, send
from tests.casino.test_kept import DAY, keep
from tests.casino.test_push_api import door
from tests.casino.test_reports import record
from tests.casino.test_schema import schema
from tests.furnished import furnishing
from tests.manage import PROJECT

OLDER = {"exports": "before", "reports/kept": "before", "checkpoints": "after", "events": "after"}
"""For each list that had another style: the parameter of that style."""
READERS = {"exports": "Alma", "reports/kept": "Alma"}
"""Who reads a list, if that is not the internal auditor."""
WHOLE = {"", "certificates", "reports", "ledger"}
"""Addresses without parameters in their path whose answer is never divided into pages."""
HEAD = re.compile(r'<(.+)>; rel="next"')


@furnishing
def lists() -> Cast:
    """Record at least three rows of every list that is tested here."""
    cast = recorded_lists()
    record(counted(700, -50, table="aurora/T8"), close(table="aurora/T8"))
    map_accounts()
    for format in ("csv", "json", "xlsx"):
        keep(DAY._replace(format=format))
    for day in ("2026-11-20", "2026-11-21", "2026-11-22"):
        make.make("aurora")
        record(counted(700, -50, table="aurora/T9", day=day))
    dana = door(cast, "Dana")
    for due in ("2026-12-05", None, "2026-12-05", None):
        assert send(dana, "/api/v1/cases", a_case(due=due, parts=[])).status_code == 201
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.conf.settings.WEBHOOK_HTTP", True)
        for name in ("soc", "logs", "mail"):
            services.set_webhook(
                cast.person("Mia"), "aurora", str(uuid4()), name, "http://127.0.0.1:9/", ["finding.gained"]
            )
    publish.publish("aurora")
    return cast


def reader(cast: Cast, path: str) -> Api:
    return door(cast, READERS.get(path, "Igor"))


def pages(reader: Api, path: str, query: str = "") -> Iterator[dict[str, Any]]:
    """Yield all pages of a list. The next page is found by the header `Link`."""
    address: str | None = f"/api/v1/{path}?property=aurora&cursor={query}"
    while address is not None:
        answer = reader.get(address)
        assert answer.status_code == 200, answer.content
        assert "Deprecation" not in answer
        page = answer.json()
        link = HEAD.fullmatch(answer.get("Link", ""))
        assert (link is None) == (page["next"] is None)
        yield page
        address = link.group(1) if link else None


def listed() -> list[str]:
    """Return the addresses of all lists of the schema: those that can be read in pages."""
    return [
        path.removeprefix("/api/v1/")
        for path, methods in schema()["paths"].items()
        if any(part["name"] == "page_size" for part in methods.get("get", {}).get("parameters", []))
    ]


def test_every_list_of_the_schema_has_the_two_parameters_and_the_two_members_of_a_page() -> None:
    for path, methods in schema()["paths"].items():
        name = path.removeprefix("/api/v1/")
        if "get" not in methods or "{" in path or name in WHOLE:
            continue
        content = methods["get"]["responses"]["200"].get("content", {}).get("application/json", {})
        shape = content.get("schema", {})
        parameters = {part["name"]: part for part in methods["get"].get("parameters", [])}
        page, *older = shape.get("oneOf", [shape])
        older = older or ["array"] * (page.get("type") == ["object", "array"])
        if name in listed():
            assert {"cursor", "page_size"} <= parameters.keys(), path
            assert {"items", "next"} <= page["properties"].keys(), path
        else:
            assert shape.get("type") != "array", path
            assert not {"items", "checkpoints"} & shape.get("properties", {}).keys(), path
        assert bool(older) == (name in OLDER), path
        old = {part for part, described in parameters.items() if described.get("deprecated")}
        assert old == ({OLDER[name]} if name in OLDER else set()), path


@pytest.mark.parametrize("path", [*OLDER, "alerts", "deliveries", "cases", "webhooks", "findings/changes"])
def test_pages_of_one_row_are_together_the_whole_list(lists: Cast, path: str) -> None:
    bearer = reader(lists, path)
    (full_page,) = pages(bearer, path, "&page_size=1000")
    parts = [page["items"] for page in pages(bearer, path, "&page_size=1")]
    assert len(full_page["items"]) > 2 or path in ("alerts", "deliveries")
    assert [row for part in parts for row in part] == full_page["items"]
    assert all(len(part) <= 1 for part in parts)
    assert {"items", "next"} <= full_page.keys()


@pytest.mark.parametrize("path", ["checkpoints", "events"])
def test_since_returns_later_what_is_new(lists: Cast, path: str) -> None:
    bearer = reader(lists, path)
    *_, last = pages(bearer, path, "&page_size=2")
    (empty_page,) = pages(bearer, path, last["since"])
    assert (empty_page["items"], empty_page["since"]) == ([], last["since"])
    record(counted(700, -50, table="aurora/T10"), close(table="aurora/T10"))
    publish.publish("aurora")
    make.make("aurora")
    (later,) = pages(bearer, path, last["since"])
    assert later["items"]
    (full_page,) = pages(bearer, path, "&page_size=1000")
    assert full_page["items"][-len(later["items"]) :] == later["items"]


@pytest.mark.parametrize(("path", "parameter"), OLDER.items())
def test_a_request_of_the_older_style_gets_the_older_answer_with_a_warning(
    lists: Cast, path: str, parameter: str
) -> None:
    bearer, address = reader(lists, path), f"/api/v1/{path}"
    answer = bearer.get(address)
    assert (answer.status_code, answer["Deprecation"]) == (200, "@1796083200")
    assert re.fullmatch(
        r'<http://testserver(/help/api/#older-styles-of-paging)>; rel="deprecation"; type="text/html"',
        answer["Link"],
    )
    assert "Sunset" not in answer
    page = next(pages(bearer, path))
    content = answer.json()
    rows = content if isinstance(content, list) else content[{"checkpoints": path}.get(path, "items")]
    assert rows == page["items"]
    number = rows[0]["id" if parameter == "before" else {"events": "number"}.get(path, "size")]
    continued = bearer.get(f"{address}?{parameter}={number}")
    content = continued.json()
    further = content if isinstance(content, list) else content[{"checkpoints": path}.get(path, "items")]
    assert further[:99] == rows[1:]
    assert "Deprecation" in continued


@pytest.mark.parametrize(("path", "parameter"), OLDER.items())
def test_parameters_of_both_styles_are_refused(lists: Cast, path: str, parameter: str) -> None:
    bearer = reader(lists, path)
    (page,) = pages(bearer, path, "&page_size=1000")
    assert page["next"] is None
    for cursor in ("", "x", page.get("since", "")):
        answer = bearer.get(f"/api/v1/{path}?{parameter}=1&cursor={cursor}")
        assert (answer.status_code, answer.json()["field"]) == (400, parameter)
        assert (
            answer.json()["detail"] == f"cursor and {parameter} cannot be combined. Use cursor and page_size."
        )


@pytest.mark.parametrize("path", ["exports", "reports/kept", "checkpoints"])
def test_page_size_alone_asks_for_a_standard_page(lists: Cast, path: str) -> None:
    answer = reader(lists, path).get(f"/api/v1/{path}?page_size=1")
    assert (len(answer.json()["items"]), "Deprecation" in answer) == (1, False)


def test_page_size_of_events_keeps_its_older_meaning(lists: Cast) -> None:
    answer = reader(lists, "events").get("/api/v1/events?page_size=2")
    assert (answer.json()["next"], "Deprecation" in answer) == (2, True)


def test_a_cursor_of_another_list_is_refused(lists: Cast) -> None:
    page = next(pages(door(lists, "Igor"), "events", "&page_size=1"))
    for path in ("events?type=day.closed&", "checkpoints?", "findings/changes?"):
        answer = door(lists, "Igor").get(f"/api/v1/{path}cursor={page['next']}")
        assert (answer.status_code, answer.json()["field"]) == (400, "cursor"), path


def test_a_case_that_is_closed_between_two_pages_hides_no_other(lists: Cast) -> None:
    dana = door(lists, "Dana")
    (full_page,) = pages(dana, "cases")
    first, *others = [row["case"] for row in full_page["items"]]
    following = pages(dana, "cases", "&page_size=1")
    assert [row["case"] for row in next(following)["items"]] == [first]
    closed = {"uid": str(uuid4()), "outcome": "confirmed"}
    assert send(dana, f"/api/v1/cases/aurora/{first}/close", closed).status_code == 200
    assert [row["case"] for page in following for row in page["items"]] == others


def test_the_guide_names_all_lists_of_the_older_style() -> None:
    guide = (PROJECT / "docs" / "api.md").read_text(encoding="utf-8")
    section = guide.partition("### Older styles of paging\n")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `GET /api/v1/([a-z/]+)`", section, flags=re.M)) == set(OLDER)
