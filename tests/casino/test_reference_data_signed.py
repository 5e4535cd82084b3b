"""A register entry needs two valid signatures for exactly the change that was shown."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest

from audit.replay import second_review
from audit.review import projections
from casino.admin.register_pages import KEYS
from casino.models import Entry, Standing
from casino.reference import calendar, profiles
from casino.reference.entries import Entry as Said
from casino.reference.recording import set_registers
from casino.reference.registers import values_on
from tests.casino.conftest import Cast
from tests.casino.test_admin import SET, text
from tests.casino.test_reference_data import TABLE, look, sign, value_of


@pytest.mark.parametrize(
    ("name", "typed", "says"),
    [
        (
            "people",
            {"key": "m-101", "roles": ["dealer"]},
            "Nobody can enter or sign a change of their own rights",
        ),
        (
            "people",
            {"key": "m-102", "roles": ["dealer"]},
            "Nobody can enter or sign a change of their own rights",
        ),
        ("pits", {"second": "m-101", "second_password": "x"}, "The second person must be someone else"),
        ("pits", {"second_password": "guessed"}, "wrong id or password"),
        ("pits", {"second": "nobody"}, "wrong id or password"),
        ("pits", {"second": ""}, "a signature is missing"),
        ("pits", {"seal": "0" * 64}, "The entry changed after this page was loaded"),
        ("pits", {"title_of": "Another"}, "The entry changed after this page was loaded"),
    ],
)
def test_an_entry_needs_two_valid_signatures_for_what_was_shown(
    cast: Cast, name: str, typed: Any, says: str
) -> None:
    before = Entry.objects.count()
    fields = {"key": "pit-1", "title_of": "One"} if name == "pits" else {}
    seal = re.search(
        r'name="seal" value="(\w+)"',
        look(cast, name, **{**fields, **(typed if name == "people" else {})}).content.decode(),
    )
    assert seal
    signed = {"second": "m-102", "second_password": cast.logins["Max"].password, "seal": seal[1]}
    answer = cast.browser("Mia").post(
        f"{SET}{name}/", {"property": "aurora", "act": "sign", **fields, **signed, **typed}
    )
    assert answer.status_code == 400
    assert says in text(answer)
    assert Entry.objects.count() == before


def test_a_signature_is_invalid_if_the_entry_has_changed_since_the_preview(cast: Cast) -> None:
    seal = re.search(
        r'name="seal" value="(\w+)"', look(cast, "pits", key="pit-1", title_of="One").content.decode()
    )
    assert seal
    sign(cast, "pits", key="pit-1", title_of="Two")
    signed = {
        "second": "m-102",
        "second_password": cast.logins["Max"].password,
        "seal": seal[1],
        "act": "sign",
    }
    late = cast.browser("Mia").post(
        f"{SET}pits/", {"property": "aurora", "key": "pit-1", "title_of": "One", **signed}
    )
    assert late.status_code == 400
    assert "Title Two One" in text(late)
    assert value_of("pits", "pit-1") == {"title": "Two"}


def test_a_replaced_later_entry_is_shown_in_the_preview_and_signed_too(cast: Cast) -> None:
    """Test an entry without a last day, which replaces an entry that was already signed for a later day. The
    preview shows both entries, and the second signature covers both.
    """
    sign(cast, "people", key="d-900", roles="dealer")
    sign(cast, "people", key="d-900", roles="cage", begins="2098-01-01", ends="2099-01-01")
    change = {"key": "d-900", "roles": "supervisor", "begins": "2097-01-01"}
    page = text(look(cast, "people", **change))
    assert (
        "The change also replaces another entry from 1 Jan 2098 to 31 Dec 2098, signed by m-101 and m-102."
        in page
    )
    assert "Role cage supervisor" in page
    assert "The change also replaces" not in text(look(cast, "people", **change, ends="2098-01-01"))
    seal = re.search(r'name="seal" value="(\w+)"', look(cast, "people", **change).content.decode())
    assert seal
    sign(cast, "people", key="d-900", roles="security", begins="2098-06-01", ends="2098-07-01", second="Alma")
    signed = {
        "second": "m-102",
        "second_password": cast.logins["Max"].password,
        "seal": seal[1],
        "act": "sign",
    }
    late = cast.browser("Mia").post(f"{SET}people/", {"property": "aurora", **change, **signed})
    assert "The entry changed after this page was loaded" in text(late)
    assert "Role security supervisor" in text(late)


def test_an_entry_for_a_later_day_is_listed_and_can_be_removed(cast: Cast) -> None:
    sign(cast, "pits", key="pit-9", title_of="The terrace", begins="2098-01-01")
    assert "pit-9 from 1 Jan 2098" in text(cast.browser("Mia").get(SET))
    assert "Title nothing The terrace" in text(cast.browser("Mia").get(f"{SET}pits/?key=pit-9"))
    assert sign(cast, "pits", key="pit-9", strike="on").status_code == 302
    assert not Standing.objects.filter(register="pits", key="pit-9").exists()


def test_the_second_person_has_the_right_to_sign(cast: Cast) -> None:
    for second in ("Dana", "Boris", "Eve"):
        answer = sign(cast, "pits", key="pit-1", title_of="One", second=second)
        assert answer.status_code == 400
        assert "may not sign here" in text(answer)


def test_only_administrators_of_registers_have_the_forms(cast: Cast) -> None:
    for name in ("Dana", "Boris", "Alma", "Igor", "Rhea", "Eve", None):
        browser = cast.browser(name)
        for path in ("", "pits/", "profile/nevada-like/"):
            assert browser.get(f"{SET}{path}").status_code == (302 if name is None else 403)
            assert browser.post(f"{SET}{path}", {"property": "aurora"}).status_code == (
                302 if name is None else 403
            )
    assert cast.browser("Mia").get(f"{SET}pits/?property=borealis").status_code == 403
    assert cast.browser("Mia").get(f"{SET}nothing/").status_code == 404


@pytest.mark.long
def test_obvious_mistakes_are_explained_and_the_form_keeps_its_values(cast: Cast) -> None:
    wrong: list[tuple[str, dict[str, Any], str]] = [
        (
            "people",
            {"key": "p-1", "roles": ["accounting", "cage"]},
            "One person cannot be accounting and cage",
        ),
        ("tables", TABLE | {"key": "EOU/01"}, "none of them “/”"),
        ("tables", TABLE | {"key": "house"}, "is not “house”"),
        (
            "chip-sets",
            {"key": "USD", "chips": "-1"},
            "“-1” is not an amount such as 125.00 or 1,250, not below 0.01. ",
        ),
        ("people", {"key": "p-1", "roles": ["king"]}, "king is not one of the available choices"),
        ("tables", TABLE | {"limits.spread_1": ""}, "or leave both empty"),
        ("tables", TABLE | {"limits.*_0": "5000"}, "The minimum is above the maximum"),
        ("tables", TABLE | {"chip": "0"}, "not below 0.01"),
        ("tables", TABLE | {"chip": "a lot"}, "an amount such as 125.00"),
        ("tables", {"key": "T-1"}, "Choose the game first"),
        ("chip-sets", {"key": "USD", "chips": "100 -5"}, "an amount such as"),
        ("chip-sets", {"key": "dollars", "chips": "100"}, "A currency has three capital letters"),
        ("pits", {"key": "", "title_of": "One"}, "This field is required"),
        (
            "pits",
            {"key": "pit-1", "title_of": "One", "begins": "2026-11-27", "ends": "2026-11-27"},
            "ends before it begins",
        ),
        (
            "day-begins",
            {"key": "*", "time": "06:00", "zone": "Mars/Olympus"},
            "is not one of the available choices",
        ),
        ("threshold", {"key": "adjustment", "amount": "5"}, "has its own form"),
        ("threshold", {"key": "box-days"}, "Type the amount or number"),
    ]
    before = Entry.objects.count()
    for name, typed, says in wrong:
        answer = sign(cast, name, **typed)
        assert answer.status_code == 400, says
        assert says in text(answer)
    assert Entry.objects.count() == before


def test_a_jurisdiction_profile_is_entered_with_one_signature(cast: Cast) -> None:
    day = calendar.gaming_day("aurora").isoformat()
    for profile in profiles.all_profiles():
        page = text(cast.browser("Mia").get(f"{SET}profile/{profile.name}/"))
        assert "no source: a default of Catwalk" in page, "what nobody read is no claim about a regulator"
        assert sign(cast, f"profile/{profile.name}", begins=day).status_code == 302
        if profile.register != profiles.THRESHOLDS:
            continue
        assert value_of("profile") == {"name": profile.name}
        assert f"Last profile used: {profile.name}." in text(cast.browser("Mia").get(SET))
    assert set(values_on("aurora", "thresholds")) == {
        "opening-difference",
        "adjustment",
        "second-reviewer",
        "statistics",
        "count-team",
    }
    assert {(entry.by, entry.second) for entry in Entry.objects.filter(register="thresholds")} == {
        ("m-101", "m-102")
    }
    assert {(entry.by, entry.second) for entry in Entry.objects.filter(register="accounts")} == {
        ("m-101", "m-102")
    }
    wrong = look(cast, "profile/nevada-like", begins="soon")
    assert (wrong.status_code, "is not a valid date" in text(wrong)) == (400, True)


def test_the_new_jersey_profile_requires_a_report_above_its_amount(cast: Cast) -> None:
    sign(cast, "profile/new-jersey-like", begins=calendar.gaming_day("aurora").isoformat())
    assert value_of("thresholds", "opening-difference")["amount"] == 2_501
    assert value_of("thresholds", "adjustment") == {"amount": 200_000}


def test_a_threshold_applies_to_verdicts_from_its_first_day(cast: Cast) -> None:
    sign(cast, "second-reviewer", key="second-reviewer", amount="10", begins="2099-01-01")
    assert (
        projections.second_reviewer_from("aurora", date(2098, 12, 31)) == second_review.SECOND_REVIEWER_FROM
    )
    assert projections.second_reviewer_from("aurora", date(2099, 1, 1)) == 1_000


def test_guessing_the_second_password_locks_that_user(cast: Cast) -> None:
    browser, typed = (
        cast.browser("Mia"),
        {"property": "aurora", "key": "pit-1", "title_of": "One", "second": "m-102", "act": "sign"},
    )
    seal = re.search(
        r'name="seal" value="(\w+)"', look(cast, "pits", key="pit-1", title_of="One").content.decode()
    )
    assert seal
    for _ in range(5):
        browser.post(f"{SET}pits/", {**typed, "seal": seal[1], "second_password": "guessed"})
    before = Entry.objects.count()
    browser.post(f"{SET}pits/", {**typed, "seal": seal[1], "second_password": cast.logins["Max"].password})
    assert Entry.objects.count() == before


def test_an_entry_is_found_by_a_part_of_its_key_a_name_or_a_role(cast: Cast) -> None:
    people = [Said("people", f"q-{number}", {"role": "dealer"}) for number in range(100, 100 + KEYS + 5)]
    set_registers("aurora", people, by="m-101", second="m-102")
    mia = cast.browser("Mia")
    assert "more, in the list of entries" in text(mia.get(SET))
    for term in ("q-16", "FINN", "supervisor"):
        page = mia.get(f"{SET}?q={term}")
        assert re.findall(r'<h2 id="kind-([a-z-]+)"', page.content.decode()) == ["people"], term
    assert "q-164 dealer" in text(mia.get(f"{SET}?q=q-16"))
    assert "s-201 Finn, supervisor" in text(mia.get(f"{SET}?q=finn"))
    assert "No key, name or role contains “nobody-here”." in text(mia.get(f"{SET}?q=nobody-here"))
    assert cast.browser("Igor").get(f"{SET}?q=finn").status_code == 403
