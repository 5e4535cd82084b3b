"""Reference data in the admin. A user enters a change and sees a preview, and two people sign. The change is
valid from a given day. Nobody approves their own change.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

import pytest

from audit.facts import validation
from casino.models import ALWAYS, Entry, Standing
from casino.reference import calendar
from casino.reference.entries import Entry as Said
from casino.reference.recording import set_registers
from casino.reference.registers import values_on
from games import GAMES
from tests.casino.conftest import Cast
from tests.casino.test_admin import SET, text

TABLE = {
    "key": "EOU-01",
    "game": "easy_over_under",
    "pit": "pit-1",
    "edition": "2010-02-05",
    "pay_tables.spread": "B",
    "readings.rounding": "exact",
    "decks": "2",
    "spots": "6",
    "chip": "1",
    "limits.*_0": "5",
    "limits.*_1": "1,000",
    "limits.spread_0": "5",
    "limits.spread_1": "100.50",
    "sees": ["bet", "deal", "take", "pay"],
}
STANDS = {
    "game": "easy_over_under",
    "pit": "pit-1",
    "edition": "2010-02-05",
    "pay_tables": {"spread": "B"},
    "readings": {"rounding": "exact"},
    "decks": 2,
    "spots": 6,
    "chip": 100,
    "limits": {"*": [500, 100_000], "spread": [500, 10_050]},
    "sees": ["bet", "deal", "take", "pay"],
}


def look(cast: Cast, name: str, /, user: str | None = "Mia", **fields: Any) -> Any:
    """Send the form of a register entry and return its preview."""
    return cast.browser(user).post(f"{SET}{name}/", {"property": "aurora", "act": "look", **fields})


def sign(cast: Cast, name: str, /, user: str = "Mia", second: str = "Max", **fields: Any) -> Any:
    """Send the form of a register entry twice: for its preview, and then with the signatures of two people.
    Return the last answer.
    """
    seal = re.search(r'name="seal" value="(\w+)"', look(cast, name, user, **fields).content.decode())
    signed = {
        "second": cast.logins[second].id,
        "second_password": cast.logins[second].password,
        "seal": seal[1] if seal else "",
    }
    return cast.browser(user).post(f"{SET}{name}/", {"property": "aurora", "act": "sign", **signed, **fields})


def value_of(register: str, key: str = "*") -> Any:
    return values_on("aurora", register).get(key)


def test_an_entry_is_previewed_and_signed_by_a_second_person(cast: Cast) -> None:
    before = Entry.objects.count()
    page = look(cast, "tables", **TABLE)
    assert page.status_code == 200
    for words in ("Limits, spread nothing 5.00 USD to 100.50 USD", "New entry.", "EOU-01: always"):
        assert words in text(page)
    assert Entry.objects.count() == before, "what is looked at is not recorded"
    assert sign(cast, "tables", **TABLE).status_code == 302
    entry = Entry.objects.latest("position")
    assert (entry.register, entry.key, entry.value, entry.by, entry.second) == (
        "tables",
        "EOU-01",
        STANDS,
        "m-101",
        "m-102",
    )
    assert "Game: Easy Over Under" in text(cast.browser("Dana").get("/admin/casino/table/"))


def test_the_form_shows_what_is_in_force_and_a_change_replaces_it_from_its_day_on(cast: Cast) -> None:
    sign(cast, "tables", **TABLE)
    form = cast.browser("Mia").get(f"{SET}tables/?key=EOU-01").content.decode()
    assert 'name="limits.spread_1" value="100.50"' in form
    change = TABLE | {"spots": "7", "begins": "2099-01-01"}
    assert "Spots 6 7" in text(look(cast, "tables", **change))
    assert sign(cast, "tables", **change).status_code == 302
    rows = Standing.objects.filter(register="tables", key="EOU-01").order_by("begins")
    assert [(row.begins, row.get("spots")) for row in rows] == [(ALWAYS, 6), (date(2099, 1, 1), 7)]
    second = look(cast, "tables", **change)
    assert "No change." in text(second)
    assert 'name="seal"' not in second.content.decode()


def test_an_entry_shows_signers_time_change_and_previous_value(cast: Cast) -> None:
    sign(cast, "shifts", key="swing", begins_at="14:00")
    sign(cast, "shifts", key="swing", begins_at="15:00", second="Alma")
    entry = Entry.objects.latest("position")
    page = text(cast.browser("Igor").get(f"/admin/casino/entry/{entry.pk}/change/"))
    assert "Begins 14:00 15:00" in page
    assert re.search(r"m-101 .* a-101 .* \w{3} \d+ \w{3} \d{4}, \d\d:\d\d:\d\d", page)
    assert "by m-101 and a-101" in text(cast.browser("Mia").get(f"{SET}shifts/?key=swing"))


FORMS: dict[str, tuple[dict[str, Any], str, str, Any]] = {
    "property": (
        {"key": "*", "name": "Aurora", "currency": "EUR"},
        "property",
        "*",
        {"name": "Aurora", "currency": "EUR"},
    ),
    "people": (
        {"key": "d-900", "roles": ["dealer", "supervisor"]},
        "people",
        "d-900",
        {"roles": ["dealer", "supervisor"]},
    ),
    "pits": (
        {"key": "pit-1", "title_of": "Over and Under"},
        "pits",
        "pit-1",
        {"title": "Over and Under"},
    ),
    "devices": (
        {"key": "shoe-7", "tables": "EOU-01, EOU-02", "people": "on"},
        "devices",
        "shoe-7",
        {"tables": ["EOU-01", "EOU-02"], "people": True, "house": False},
    ),
    "cameras": (
        {
            "key": "cam-11",
            "tables": "EOU-01",
            "link": "https://vms.example/?camera={camera}&from={start}&to={end}",
            "clock_ahead": "-3",
            "overwrite_days": "14",
        },
        "cameras",
        "cam-11",
        {
            "tables": ["EOU-01"],
            "link": "https://vms.example/?camera={camera}&from={start}&to={end}",
            "clock_ahead": -3,
            "overwrite_days": 14,
        },
    ),
    "log-types": (
        {"key": "patrol", "title_of": "Patrol", "used": "on"},
        "log-types",
        "patrol",
        {"title": "Patrol", "used": True},
    ),
    "threshold": (
        {"key": "camera-down", "minutes": "30"},
        "thresholds",
        "camera-down",
        {"minutes": 30},
    ),
    "deposit-confirmed": (
        {"key": "deposit-confirmed", "days": "3"},
        "thresholds",
        "deposit-confirmed",
        {"days": 3},
    ),
    "chip-sets": (
        {"key": "JPY", "chips": "10000 1000 500", "notes": ""},
        "chip-sets",
        "JPY",
        {"chips": [10_000, 1_000, 500]},
    ),
    "adjustment": (
        {"key": "adjustment", "amount": "2,000"},
        "thresholds",
        "adjustment",
        {"amount": 200_000},
    ),
    "opening-difference": (
        {"key": "opening-difference", "amount": "25.01", "duty": "a report"},
        "thresholds",
        "opening-difference",
        {"amount": 2_501, "duty": "a report"},
    ),
}
"""For each form, the values typed into it, and the register, key and value that they record."""


def test_each_register_has_a_form_of_its_own(cast: Cast) -> None:
    for name, (typed, register, key, value) in FORMS.items():
        if name == "property":
            continue
        assert sign(cast, name, **typed).status_code == 302, name
        assert value_of(register, key) == value
    typed, register, key, value = FORMS["property"]
    assert sign(cast, "property", **typed).status_code == 302
    assert value_of(register, key) == value


@pytest.mark.long
@pytest.mark.usefixtures("contexts")
def test_a_table_of_any_game_can_be_set_up_with_what_its_form_offers(cast: Cast) -> None:
    for game in GAMES:
        form = cast.browser("Mia").get(f"{SET}tables/?game={game}").context["form"]
        typed: dict[str, Any] = {
            "key": game,
            "game": game,
            "pit": "pit-1",
            "chip": "1",
            "limits.*_0": "5",
            "limits.*_1": "100",
        }
        typed |= {
            name: field.choices[0][0]
            for name, field in form.fields.items()
            if hasattr(field, "choices") and name not in typed
        }
        typed |= {"decks": str(form.fields["decks"].initial), "spots": "0", "sees": ["bet"]}
        assert sign(cast, "tables", **typed).status_code == 302, game
        value = value_of("tables", game)
        assert set(value["pay_tables"]) == set(GAMES[game].pay_tables)
        assert set(value["readings"]) == set(GAMES[game].options)


def test_an_approval_is_entered_with_only_some_of_its_fields(cast: Cast) -> None:
    typed = {
        "key": "L-17",
        "game": "easy_over_under",
        "regulator": "WSGC",
        "signed": "",
        "edition": ["2010-02-05"],
        "pay_tables.spread": ["A", "B"],
        "conditions": "As enclosed.\n\nNo side\nbets.",
    }
    assert sign(cast, "approvals", **typed).status_code == 302
    assert value_of("approvals", "L-17") == {
        "game": "easy_over_under",
        "letter": "L-17",
        "regulator": "WSGC",
        "edition": ["2010-02-05"],
        "pay_tables": {"spread": ["A", "B"]},
        "conditions": ["As enclosed.", "No side bets."],
    }
    assert (
        sign(
            cast, "approvals", **{**typed, "game": "lucky_7", "edition": [], "pay_tables.spread": []}
        ).status_code
        == 302
    )
    assert value_of("approvals", "L-17/lucky_7/*")["letter"] == "L-17"


def test_a_repeated_hour_is_refused_until_one_is_chosen(cast: Cast) -> None:
    typed = {"key": "*", "time": "02:30", "zone": "Europe/Vienna", "clock_change": ""}
    refused = look(cast, "day-begins", **typed)
    assert refused.status_code == 400
    assert "say which hour is meant when the clock is changed" in text(refused)
    assert 'value="02:30"' in refused.content.decode(), "what was typed is kept"
    assert sign(cast, "day-begins", **{**typed, "clock_change": "second"}).status_code == 302
    assert calendar.bounds("aurora", date(2026, 10, 24)).ends.hour == 1
    assert look(cast, "shifts", key="late", begins_at="02:15").status_code == 400
    sign(cast, "shifts", key="day", begins_at="06:00")
    twice_a_day = look(cast, "shifts", key="morning", begins_at="06:00")
    assert "The shift day begins at 06:00 too" in text(twice_a_day)


def test_the_preview_warns_if_an_entry_applies_to_past_days(cast: Cast) -> None:
    past = text(look(cast, "pits", key="pit-1", title_of="One"))
    assert "The days since then will be examined again" in past
    assert "will be examined again" not in text(
        look(cast, "pits", key="pit-1", title_of="One", begins="2099-01-01")
    )


def test_an_entry_is_removed_from_a_given_day(cast: Cast) -> None:
    sign(cast, "pits", key="pit-1", title_of="One")
    day = calendar.gaming_day("aurora").isoformat()
    assert "Title One nothing" in text(look(cast, "pits", key="pit-1", strike="on", begins=day))
    assert sign(cast, "pits", key="pit-1", strike="on", begins=day).status_code == 302
    assert value_of("pits", "pit-1") is None
    assert Standing.objects.get(register="pits").ends.isoformat() == day


def test_fields_unknown_to_the_form_are_kept(cast: Cast) -> None:
    set_registers(
        "aurora", [Said("devices", "shoe-7", {"serial": "B1", "tables": ["EOU-01"]})], by="m-1", second="m-2"
    )
    sign(cast, "devices", key="shoe-7", tables="EOU-02", begins=calendar.gaming_day("aurora").isoformat())
    assert value_of("devices", "shoe-7") == {
        "serial": "B1",
        "tables": ["EOU-02"],
        "people": False,
        "house": False,
    }


def test_a_threshold_with_an_unknown_key_is_kept_and_listed(cast: Cast) -> None:
    assert sign(cast, "threshold", key="box-days ", people="2").status_code == 302
    assert value_of("thresholds", "box-days") == {"people": 2}
    listed = cast.browser("Mia").get(SET).content.decode()
    match = re.search(r'href="(/admin/casino/entry/set/threshold/[^"]*box-days)"', listed)
    assert match
    assert 'value="2"' in cast.browser("Mia").get(match[1].replace("&amp;", "&")).content.decode()


def test_a_key_in_an_old_spelling_can_be_removed_by_the_form(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr(validation, "refuse_spellings", lambda *_: None)
        set_registers("aurora", [Said("people", "Jose\u0301 ", {"role": "dealer"})], by="m-1", second="m-2")
    answer = sign(cast, "people", key="Jose\u0301 ", strike="on", begins="")
    assert answer.status_code == 302, text(answer)
    with pytest.raises(Standing.DoesNotExist):
        Standing.objects.get(register="people", key="Jose\u0301 ")
    assert sign(cast, "people", key="Jose\u0301 ", roles=["dealer"]).status_code == 302
    assert value_of("people", "José") == {"role": "dealer"}


def test_the_list_of_entries_in_force_links_administrators_to_the_form(cast: Cast) -> None:
    sign(cast, "pits", key="pit-1", title_of="One")
    row = f"/admin/casino/pit/{Standing.objects.get(register='pits').pk}/change/"
    form = "/admin/casino/entry/set/pits/?property=aurora&amp;key=pit-1"
    assert form in cast.browser("Mia").get(row).content.decode()
    assert form not in cast.browser("Igor").get(row).content.decode()


def test_the_form_of_another_threshold_says_which_fields_a_key_takes(cast: Cast) -> None:
    form = text(cast.browser("Mia").get(f"{SET}threshold/"))
    for words in ("for camera-down, dealer-break", "for tables-per-supervisor", "for large-win"):
        assert words in form
    refused = look(cast, "threshold", key="camera-down", minutes="30", tables="2")
    assert refused.status_code == 400
    assert "camera-down takes only Minutes. Leave this field empty." in text(refused)
    assert sign(cast, "threshold", key="camera-down", minutes="30").status_code == 302
    change = cast.browser("Mia").get(f"{SET}threshold/?key=camera-down").content.decode()
    assert 'name="minutes"' in change
    assert 'name="tables"' not in change


def test_amounts_and_days_of_a_form_have_different_labels(cast: Cast) -> None:
    mia = cast.browser("Mia")
    for name, label in (("adjustment", "More than (USD):"), ("second-reviewer", "At least (USD):")):
        page = mia.get(f"{SET}{name}/")
        assert label in text(page)
        assert "First gaming day:" in text(page)
        tomorrow = calendar.gaming_day("aurora") + timedelta(days=1)
        assert f'name="begins" value="{tomorrow}"' in page.content.decode()
    table = text(mia.get(f"{SET}tables/?game=andar_bahar"))
    assert "Limits (USD), every wager: Minimum Maximum" in table
    wagers = re.findall(r"Limits \(USD\), (\S+):", table)
    assert wagers == list(GAMES["andar_bahar"].wagers), "in the order of the manual"
