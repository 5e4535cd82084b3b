"""The page of chosen hands, which gives one verdict on all of them."""

from __future__ import annotations

import re
from typing import Any

from audit.review import queue
from casino.presentation.formatting import money
from casino.surveillance import services as surveillance
from casino.surveillance.services import Words
from tests.casino.conftest import Cast
from tests.casino.nights import record, troubled_day
from tests.casino.pages import text
from tests.casino.test_pages import browser, night, opened
from tests.casino.test_queue_acts import HTMX, facts_of, person, short_tray

__all__ = ["night", "short_tray"]


def three_hands() -> list[queue.Hand]:
    """Record three hands with the same code, and return them."""
    record(troubled_day("EOU-08", times=3, faults=("too-few-shakes:four",)))
    return queue.page(queue.Wanted(("aurora",), table="aurora/EOU-08")).rows


def names_in(answer: Any) -> list[str]:
    """Return the names of the hands in the form of the page."""
    return re.findall(r'name="hand" value="([^"]*)"', answer.content.decode())


def test_hands_with_other_codes_are_named_and_left_out(night: Cast) -> None:
    dana, (flagged, *other_rows) = browser("v-101"), three_hands()
    surveillance.flag_hand(person("v-102"), opened(flagged)[0], "looks at the cup")
    names = [f"{row.stream}|{row.hand}" for row in (flagged, *other_rows)]
    answer = dana.post("/queue/chosen/", {"hand": names}, headers=HTMX)
    shown = text(answer)
    assert "can be judged together" not in shown
    assert "2 of these hands have the codes Too few shakes. 1 differs:" in shown
    assert f"1 differs: EOU-08 hand {flagged.hand}" in shown
    assert 'id="verdict-form"' not in answer.content.decode()
    assert sorted(names_in(answer)) == sorted(names[1:])
    answer = dana.post("/queue/chosen/", {"hand": names_in(answer)}, headers=HTMX)
    assert "2 can be judged together" in text(answer)
    assert 'id="verdict-form"' in answer.content.decode()


def test_a_missing_disposition_keeps_the_form_of_the_chosen_hands(night: Cast) -> None:
    dana, rows = browser("v-101"), three_hands()
    answer = dana.post("/queue/chosen/", {"hand": [f"{row.stream}|{row.hand}" for row in rows]}, headers=HTMX)
    states = re.findall(r'name="seen" value="([^"]*)"', answer.content.decode())
    sent = {"hand": names_in(answer), "seen": states, "verdict": "dismissed", "note": "seen on video"}
    surveillance.give_verdict(person("v-102"), *opened(rows[0]), Words("escalated", "suspected_collusion"))
    answer = dana.post("/verdict/many/", sent, headers=HTMX)
    page = answer.content.decode()
    assert answer["HX-Retarget"] == answer["HX-Reselect"] == "#verdict-form"
    assert text(answer).count("Choose a disposition.") == 1
    assert 'data-error-field="disposition"' in page
    assert 'value="dismissed" checked' in page
    assert 'value="seen on video"' in page
    assert facts_of("verdict-given")[1:] == []
    assert re.findall(r'name="seen" value="([^"]*)"', page) == states  # also of the hand that has changed
    answer = dana.post("/verdict/many/", sent | {"disposition": "no_error"}, headers=HTMX)
    assert "2 of 3 hands" in text(answer)
    assert surveillance.CHANGED in text(answer)


def test_the_amounts_of_chosen_hands_have_a_currency_and_a_total(night: Cast) -> None:
    rows = [row for row in queue.page(queue.Wanted(("aurora",), state="all")).rows if row.currency]
    assert len(rows) > 1
    answer = browser("v-101").post(
        "/queue/chosen/", {"hand": [f"{row.stream}|{row.hand}" for row in rows]}, headers=HTMX
    )
    shown = text(answer)
    sums = [sum(amounts) for amounts in zip(*((row.to_player, row.to_house) for row in rows), strict=True)]
    assert sum(sums) > 0
    assert "To the player, USD To the casino, USD" in shown
    words = " ".join(money(amount, "USD") for amount in sums)
    assert f"Total of {len(rows)} hands {words}" in shown


def test_the_bar_for_chosen_hands_says_how_to_judge_missing_chips(short_tray: Cast) -> None:
    dana, hint = browser("v-101"), "wrongly, dismiss with “Capture error”"
    (tray,) = queue.page(queue.Wanted(("aurora",), code="inventory-does-not-balance")).rows
    name = f"{tray.stream}|{tray.hand}"
    assert hint in text(dana.post("/queue/chosen/", {"hand": [name]}, headers=HTMX))
    names = [f"{row.stream}|{row.hand}" for row in three_hands()]
    assert hint not in text(dana.post("/queue/chosen/", {"hand": names}, headers=HTMX))
