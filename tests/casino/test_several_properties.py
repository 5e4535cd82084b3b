"""A user who works at several properties sees of which property each hand and each hold is."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from msgspec import json

from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from tests.casino.conftest import Cast
from tests.casino.nights import STREAM, officers, record, troubled_day
from tests.casino.pages import markup, text
from tests.furnished import furnishing

BOTH = {
    "v-101": "surveillance",
    "t-101": "table-games",
    "a-101": "accounting",
    "s-201": "supervisor",
    "c-101": "cage",
}
ROW = re.compile(r'<a class="hand-row.*?</a>', re.S)
DAYS = "from=2026-11-14&to=2026-11-27"
HEADING = re.compile(r"<h1[^>]*>(.*?)</h1>", re.S)
HEADING_BLOCK = re.compile(r"{% block heading %}(.*?){% block (?:head_links|desk) %}", re.S)
"""The heading of a template, up to the block after it."""
PROPERTIES = ("aurora", "borealis")


@furnishing
def two_nights() -> Cast:
    """Create an installation with the same night at two properties, and users who work at both."""
    cast, night = Cast(), troubled_day(times=1)
    officers()
    record(night)
    record(json.decode(json.encode(night).replace(b'"aurora/', b'"borealis/')))
    entries = [Entry("people", id, {"role": role}) for id, role in BOTH.items()]
    set_registers("borealis", entries, by="o-101", second="o-102")
    return cast


@pytest.mark.parametrize("path", ["/queue/", "/queue/news/?since=0"])
def test_a_row_of_the_queue_names_its_property_if_the_list_has_several(two_nights: Cast, path: str) -> None:
    rows = [text(row) for row in ROW.findall(markup(two_nights.browser("Dana").get(path)))]
    named = [property for row in rows for property in ("aurora", "borealis") if f", {property}" in row]
    assert len(named) == len(rows) > 0
    assert set(named) == {"aurora", "borealis"}


def test_the_queue_can_be_limited_to_one_property(two_nights: Cast) -> None:
    dana = two_nights.browser("Dana")
    assert re.findall(r"<option[^>]*>(aurora|borealis)<", markup(dana.get("/queue/"))) == [
        "aurora",
        "borealis",
    ]
    of_one = markup(dana.get("/queue/?property=borealis"))
    addresses = re.findall(r'<a class="hand-row.*?href="/(?:hand|fact)/(\w+)/', of_one, re.S)
    assert set(addresses) == {"borealis"}
    assert "hands at borealis, all gaming days" in text(of_one)


def test_an_open_hand_names_its_property_only_to_people_of_several(two_nights: Cast) -> None:
    path = f"/hand/{STREAM}/r-0002/"
    of_both, of_one = (
        HEADING.findall(markup(two_nights.browser(name).get(path))) for name in ("Dana", "Igor")
    )
    assert text(of_both[0]) == "EOU-07 Easy Over Under, aurora"
    assert text(of_one[0]) == "EOU-07 Easy Over Under"


def test_each_part_of_the_hold_page_names_its_property(two_nights: Cast) -> None:
    page = markup(two_nights.browser("Boris").get(f"/hold/?{DAYS}"))
    headings = [text(heading) for heading in re.findall(r'<h2 id="hold-.*?</h2>', page, re.S)]
    assert [heading.split(",")[0].split()[-1] for heading in headings] == ["aurora", "borealis"]


@pytest.mark.parametrize("path", ["/closing/", "/count/"])
def test_the_close_and_the_count_room_name_their_property_and_let_choose_it(
    two_nights: Cast, path: str
) -> None:
    alma = two_nights.browser("Alma")
    page = markup(alma.get(f"{path}?property=borealis&day=2026-11-14"))
    assert "borealis" in text(page[page.index("<h1") : page.index("</h1>")])
    assert re.findall(r"<option([^>]*)>(aurora|borealis)<", page) == [
        ("", "aurora"),
        (" selected", "borealis"),
    ]
    of_aurora = markup(two_nights.browser("Rhea").get(path))
    assert "aurora" in text(of_aurora[of_aurora.index("<h1") : of_aurora.index("</h1>")])
    assert "<option>borealis" not in of_aurora


@pytest.mark.parametrize(
    ("name", "colleague", "path"),
    [
        ("Chi", "Cleo", "/cage/number/{}/"),
        ("Chi", "Cleo", "/cage/payment/{}/"),
        ("Chi", "Cleo", "/cage/drop/{}/"),
        ("Chi", "Cleo", "/cage/deposit/{}/"),
        ("Chi", "Cleo", "/cage/ask/{}/EOU-07/fill/"),
        ("Finn", "Fay", "/cage/chips/{}/EOU-07/"),
        ("Finn", "Fay", "/cage/marker/{}/EOU-07/"),
        ("Finn", "Fay", "/floor/{}/EOU-07/"),
        ("Finn", "Fay", "/floor/{}/EOU-07/limits/"),
        ("Finn", "Fay", "/floor/{}/EOU-07/seat/"),
    ],
)
def test_a_form_names_its_property_only_to_people_of_several(
    two_nights: Cast, name: str, colleague: str, path: str
) -> None:
    for property in PROPERTIES:
        (heading,) = HEADING.findall(markup(two_nights.browser(name).get(path.format(property))))
        assert [other for other in PROPERTIES if other in heading] == [property]
    (of_one,) = HEADING.findall(markup(two_nights.browser(colleague).get(path.format("aurora"))))
    assert "aurora" not in of_one


def test_every_form_that_records_facts_can_name_its_property() -> None:
    folder = settings.BASE_DIR / "templates"
    forms = [
        path.relative_to(folder)
        for department in ("cage", "cases", "closing", "count", "floor")
        for path in (folder / department).glob("*.html")
        if 'extends "floor/desk.html"' in (source := path.read_text())
        and 'method="post"' in source
        and "property" not in HEADING_BLOCK.findall(source)[0]
    ]
    assert forms == []
