"""Saved views of the search: each user's own and shared views, at two properties. Each change to a view is
recorded as a fact.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from msgspec import json

from audit import database
from audit.queries.view_facts import saved_views
from casino.accounts.permissions import can
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.surveillance import saved_views as views
from tests.casino.conftest import Api, Cast
from tests.casino.nights import record, troubled_day
from tests.casino.pages import text
from tests.casino.test_pages import browser
from tests.furnished import furnishing

WATCH = "dealer=d-101&difference_from=25.00"


@furnishing
def desk() -> Cast:
    """Record a day with one fault, and register Dana at a second property."""
    cast = Cast()
    set_registers(
        "borealis", [Entry("people", "v-101", {"role": "surveillance"})], by="m-101", second="m-102"
    )
    record(troubled_day(times=1, faults=("late-bet:new",)))
    return cast


def person(id: str) -> Person:
    return Person.objects.get(pk=id)


def recorded() -> list[dict[str, Any]]:
    rows = database.rows("SELECT body FROM fact WHERE kind = 'view-saved' ORDER BY property, position")
    return [json.decode(bytes(body)) for (body,) in rows]


def view_names(id: str, property: str = "aurora") -> tuple[list[str], list[str]]:
    shown = views.views_of(person(id), property)
    return [view.name for view in shown.own], [view.name for view in shown.shared]


def test_own_views_are_private_and_shared_ones_are_for_all(desk: Cast) -> None:
    views.record_view(person("v-101"), "aurora", "Watch", WATCH, shared=False)
    views.record_view(person("v-101"), "aurora", "Late bets", "code=late-bet", shared=True)
    assert view_names("v-101") == (["Late bets", "Watch"], [])
    assert view_names("v-102") == view_names("i-101") == ([], ["Late bets"])
    assert view_names("v-101", "borealis") == ([], [])
    views.record_view(person("v-101"), "borealis", "Watch", "dealer=d-9", shared=False)
    assert [view.query for view in saved_views("borealis")] == ["dealer=d-9"]


def test_every_change_of_a_view_is_a_fact_and_the_last_one_counts(desk: Cast) -> None:
    dana = person("v-101")
    views.record_view(dana, "aurora", "Watch", WATCH, shared=False)
    views.record_view(dana, "aurora", "  Watch ", "grade=money", shared=True)
    views.remove_view(dana, "aurora", "Watch")
    assert saved_views("aurora") == []
    recorded_views = [(fact["name"], fact["query"], fact["shared"], fact["by"]) for fact in recorded()]
    assert recorded_views == [
        ("Watch", WATCH, False, "v-101"),
        ("Watch", "grade=money", True, "v-101"),
        ("Watch", None, False, "v-101"),
    ]
    views.record_view(dana, "aurora", "Watch", WATCH, shared=False)
    assert view_names("v-101") == (["Watch"], [])


def test_an_invalid_view_is_refused_with_the_reason(desk: Cast) -> None:
    dana = person("v-101")
    for name, query, says in (
        ("", WATCH, "at most 50 characters"),
        ("n" * 51, WATCH, "at most 50 characters"),
        ("a\0b", WATCH, "at most 50 characters"),
        ("Watch", "", "Set a filter"),
        ("Watch", "card=1z", "card: "),
    ):
        with pytest.raises(ActionRejected, match=says):
            views.record_view(dana, "aurora", name, query, shared=False)
    with pytest.raises(ActionRejected, match="no view with this name"):
        views.remove_view(dana, "aurora", "Watch")
    views.record_view(dana, "aurora", "Watch", WATCH, shared=True)
    with pytest.raises(ActionRejected, match="no view with this name"):
        views.remove_view(person("v-102"), "aurora", "Watch")
    assert len(recorded()) == 1


def test_saving_views_needs_the_right_at_the_property(desk: Cast) -> None:
    for login in desk.logins.values():
        if not login.name or can(person(login.id), "save-view", "aurora"):
            continue
        with pytest.raises(PermissionDenied):
            views.record_view(person(login.id), "aurora", "Watch", WATCH, shared=False)
        answer = browser(login.id).post("/hands/views/save/", {"name": "Watch", "query": WATCH})
        assert answer.status_code == 403, login.id
    with pytest.raises(PermissionDenied):
        views.record_view(person("v-102"), "borealis", "Watch", WATCH, shared=False)
    sent = {"name": "Watch", "query": WATCH, "property": "borealis"}
    assert browser("v-102").post("/hands/views/save/", sent).status_code == 403
    assert browser("v-102").post("/hands/views/remove/", sent).status_code == 403
    assert recorded() == []


def test_a_view_is_saved_opened_and_removed_on_the_page(desk: Cast) -> None:
    dana = browser("v-101")
    sent = {"name": "Watch", "query": WATCH, "property": "aurora", "shared": "on"}
    answer = dana.post("/hands/views/save/", sent)
    assert (answer.status_code, answer["Location"]) == (302, f"/hands/?property=aurora&{WATCH}")
    page = dana.get(answer["Location"])
    assert "The view “Watch” is saved." in text(page)
    assert 'aria-current="page"' in page.content.decode()
    refused = dana.post("/hands/views/save/", sent | {"name": ""})
    assert refused.status_code == 400
    assert "Give the view a name" in text(refused)
    removed = dana.post("/hands/views/remove/", sent)
    assert (removed.status_code, removed["Location"]) == (302, f"/hands/?property=aurora&{WATCH}")
    assert "No view has been saved yet." in text(dana.get("/hands/"))


def test_views_cannot_be_posted_by_the_api(desk: Cast) -> None:
    fact = {
        "uid": "0198b2f0-8c00-7000-8000-00000000aaaa",
        "table": "aurora/house",
        "day": "2026-11-27",
        "kind": "view-saved",
        "at": "2026-11-27T20:00:00.000-08:00",
        "source": "gateway",
        "name": "Watch",
        "query": WATCH,
        "shared": True,
        "by": "v-101",
    }
    assert Api(desk.logins["gateway"].token).post(fact).status_code == 403
    assert recorded() == []


def test_a_link_above_the_table_leads_to_the_saved_views(desk: Cast) -> None:
    page = desk.browser("Dana").get("/hands/").content.decode()
    assert 'id="views"' in page
    assert page.index('href="#views"') < page.index('id="rows"')
