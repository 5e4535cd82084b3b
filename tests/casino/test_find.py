"""The search (Ctrl+K) finds pages, tables, reports, people and hands, but only what the user may open."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from audit.queries import cage_facts
from audit.review import hands
from casino.accounts.permissions import properties
from casino.boards.board_views import BOARDS
from casino.palette.inner_pages import INNER_PAGES
from casino.web.navigation import GROUPS
from tests.casino.books import counted, marked
from tests.casino.conftest import ROLES, Cast
from tests.casino.nights import DAY, record, troubled_day
from tests.casino.pages import unrendered
from tests.casino.test_reports import record as record_sums

PARTIAL = {"HTTP_HX_REQUEST": "true"}


def addresses_for(cast: Cast, name: str, typed: str) -> list[str]:
    """Return the addresses that the search lists if the named user types this text."""
    answer = cast.browser(name).get("/find/", {"q": typed}, **PARTIAL)
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "<html" not in page
    return [address.replace("&amp;", "&") for address in re.findall(r'href="([^"]+)"', page)]


def test_without_text_the_pages_of_the_role_are_listed(cast: Cast) -> None:
    assert "/queue/" in addresses_for(cast, "Dana", "")
    assert "/queue/" not in addresses_for(cast, "Mia", "")
    assert "/admin/" in addresses_for(cast, "Mia", "")


def test_every_result_can_be_opened_by_the_person_who_is_given_it(cast: Cast) -> None:
    for name in ("Dana", "Boris", "Mia", "Rhea", "Alma"):
        browser = cast.browser(name)
        addresses = {
            address for typed in ("", "hold", "e", "o") for address in addresses_for(cast, name, typed)
        }
        with unrendered():
            for address in sorted(addresses):
                assert browser.get(address, follow=True).status_code == 200, (name, address)


@pytest.mark.parametrize(
    ("name", "typed", "address"),
    [
        ("Chi", "markers", "/cage/markers/"),
        ("Alma", "accounts", "/journal/accounts/"),
        ("Dana", "dealers", "/boards/dealers/"),
        ("Boris", "where the hold", "/hold/where/"),
        ("Finn", "map", "/floor/?view=map"),
        ("Alma", "token", "/tokens/"),
    ],
)
def test_pages_below_those_of_the_navigation_are_found(
    cast: Cast, name: str, typed: str, address: str
) -> None:
    assert address in addresses_for(cast, name, typed)
    assert address not in addresses_for(cast, "Eve", typed)
    assert address not in addresses_for(cast, name, ""), "without text, only the navigation is listed"


def test_each_board_is_an_inner_page() -> None:
    assert [page.arguments for page in INNER_PAGES if page.route == "board"] == [(name,) for name in BOARDS]


def test_every_inner_page_is_opened_by_a_role_that_finds_it(cast: Cast) -> None:
    for page in INNER_PAGES:
        users = [name for name in ROLES if properties(cast.person(name), page.act)]
        assert users, page.label
        for name in users:
            with unrendered():
                address = reverse(page.route, args=page.arguments)
                assert cast.browser(name).get(address).status_code == 200, (name, page.label)


def test_a_user_without_rights_finds_only_help(cast: Cast) -> None:
    assert addresses_for(cast, "Eve", "") == ["/help/"]
    assert addresses_for(cast, "Eve", "hold") == []
    assert cast.browser(None).get("/find/").status_code == 302


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("EOU-07 22:05 spot 3", "/jump/?to=EOU-07+22%3A05+spot+3"),
        ("eou-07 r-0009", "/jump/?to=eou-07+r-0009"),
    ],
)
def test_a_text_that_names_a_hand_leads_to_it_first(cast: Cast, typed: str, address: str) -> None:
    assert addresses_for(cast, "Dana", typed)[0] == address
    assert cast.browser("Dana").get("/find/", {"q": typed})["Location"] == address
    assert address not in addresses_for(cast, "Mia", typed)


@pytest.mark.parametrize("typed", ["27 nov 2026", "27.11.2026", "Nov 27 2026", "2026-11-27"])
def test_a_date_leads_to_the_hands_of_that_gaming_day(cast: Cast, typed: str) -> None:
    address = "/hands/?property=aurora&day_from=2026-11-27&day_last=2026-11-27"
    assert addresses_for(cast, "Dana", typed) == [address]
    assert cast.browser("Dana").get("/find/", {"q": typed})["Location"] == address
    assert addresses_for(cast, "Mia", typed) == []


def test_a_date_before_a_table_and_a_time_leads_to_the_hand(cast: Cast) -> None:
    assert addresses_for(cast, "Dana", "27 nov EOU-07 06:08") == ["/jump/?to=27+nov+EOU-07+06%3A08"]


@pytest.mark.parametrize("typed", ["EOU-07 11/27 06:08", "11/27", "11/27/2026 EOU-07"])
def test_a_date_that_countries_read_differently_is_refused_with_the_reason(cast: Cast, typed: str) -> None:
    for headers in ({}, PARTIAL):
        page = cast.browser("Dana").get("/find/", {"q": typed}, **headers).content.decode()
        reason = f"“{typed.removeprefix('EOU-07 ').split()[0]}” can be read in two ways."
        assert reason in page
        assert "type its table and a time of day" not in page
    assert "two ways" not in cast.browser("Mia").get("/find/", {"q": typed}).content.decode()


def test_dealers_and_players_lead_to_their_hands_for_those_who_may_see_hands(cast: Cast) -> None:
    record(troubled_day("TP-01", 1, ("not-settled:ante",), "teen_patti"))
    hand = hands.played("aurora", f"aurora/TP-01/{DAY}", "r-0001")
    assert hand is not None
    staff, player = hand.seated[0], hand.wagers[0].spot
    for name, value in (("dealer", staff.dealer), ("supervisor", staff.supervisor), ("player", player)):
        address = f"/hands/?property=aurora&{name}={value}"
        for typed in (value, value.upper()):
            assert addresses_for(cast, "Dana", typed) == [address]
        assert cast.browser("Dana").get("/find/", {"q": value})["Location"] == address
        assert address in addresses_for(cast, "Igor", value)
        assert address not in addresses_for(cast, "Mia", value)
    assert addresses_for(cast, "Dana", "d-999") == []


def test_a_slip_is_found_by_its_serial_by_those_who_may_see_it(cast: Cast) -> None:
    serial = "M-T1-000330"
    record_sums([*counted(1000, 100), *marked(issued=500, slip=serial)])
    (marker,) = cage_facts.of_slip("aurora", serial)
    address = f"/fact/aurora/T1/2026-11-27/{marker.number}/"
    for typed in (serial, serial.lower()):
        assert addresses_for(cast, "Dana", typed) == [address]
        assert addresses_for(cast, "Chi", typed) == [f"/print/aurora/{marker.event.uid}.pdf"]
        assert addresses_for(cast, "Mia", typed) == []
    assert cast.browser("Dana").get(address).status_code == 200
    assert cast.browser("Dana").get("/jump/", {"to": serial})["Location"] == address


def test_a_report_is_found_by_a_word_of_its_title(cast: Cast) -> None:
    assert "/reports/markers/" in addresses_for(cast, "Alma", "MARK")
    assert [
        address for address in addresses_for(cast, "Mia", "mark") if address.startswith("/reports/")
    ] == []


def test_a_report_comes_before_a_hand_that_is_named_like_it(cast: Cast) -> None:
    addresses = addresses_for(cast, "Dana", "master game")
    assert addresses == ["/reports/master-game-report/", "/jump/?to=master+game"]


def test_people_are_found_by_name_and_id_by_those_who_maintain_them(cast: Cast) -> None:
    for typed in ("dan", "v-101"):
        assert "/admin/casino/person/v-101/change/" in addresses_for(cast, "Mia", typed)
        assert [address for address in addresses_for(cast, "Dana", typed) if "person" in address] == []


@pytest.mark.parametrize("name", sorted(ROLES))
def test_people_are_offered_and_found_only_by_roles_that_may_see_people(cast: Cast, name: str) -> None:
    may_see = name in ("Igor", "Mia", "Rhea")  # internal audit, administrator, regulator
    people = [address for address in addresses_for(cast, name, "a") if "/person/" in address]
    assert bool(people) == may_see
    assert [address for address in addresses_for(cast, name, "v-101") if "/person/" in address] == (
        ["/admin/casino/person/v-101/change/"] if may_see else []
    )
    page = cast.browser(name).get("/find/").content.decode()
    offers = re.search(r'placeholder="([^"]*)"', page)
    assert offers is not None
    assert ("person" in offers[1]) == may_see
    assert ("EOU-01 22:05" in offers[1]) == bool(properties(cast.person(name), "see-hand"))
    search = re.search(r"<dd>\s*search: ([^(<]*)", page)
    assert search is not None
    assert ("person" in search[1]) == may_see


def test_nothing_is_found_by_a_text_that_names_nothing(cast: Cast) -> None:
    answer = cast.browser("Dana").get("/find/", {"q": "<b>zzz</b>"})
    assert answer.status_code == 200
    assert "Nothing matches &lt;b&gt;zzz&lt;/b&gt;" in answer.content.decode()


def test_every_key_of_the_navigation_leads_to_one_page() -> None:
    keys = [page.key for _, pages in GROUPS for page in pages if page.key]
    assert len(keys) == len(set(keys))
