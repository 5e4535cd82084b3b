"""A round may have any name that can be recorded. Its hand is in the queue, has a page, and can get a
verdict.
"""

from __future__ import annotations

from html import escape, unescape
from re import findall

import pytest
from django.test import Client

from audit.facts import validation
from audit.review import queue
from casino.web.request_params import hand_url
from tests.audit.floor import fact
from tests.audit.test_facts import prepare, refused
from tests.casino.conftest import Cast
from tests.casino.nights import officers, record, troubled_day
from tests.casino.test_pages import row_now

EARLIER = (" ", "a\nb", "a\r\nb", "\u202e")
"""Names that an earlier release recorded and that are refused now."""
ODD = (
    "",
    ".",
    "..",
    "a/../b",
    "a//b",
    "/",
    "x/",
    "~",
    "~abc",
    "%2e%2e",
    "a?b#c",
    "\\",
    "é 😀",
    "r" * 200,
    *EARLIER,
)
JUDGED = ("", "..", "a\nb", "~abc")


def odd_night() -> None:
    """Record a table's day whose hands have the odd names of `ODD`."""
    night = troubled_day()
    names = dict(zip(sorted({fact["round"] for fact in night if fact.get("round")})[1::2], ODD, strict=False))
    assert len(names) == len(ODD)
    record(
        [
            fact | {"round": names.get(fact["round"], fact["round"])} if fact.get("round") else fact
            for fact in night
        ]
    )


def decide(dana: Client, page: str) -> None:
    """Give a verdict with the page's form, as a browser sends it: a line end in a field is sent as CR LF."""
    form = page[page.index('id="verdict-form"') :]
    fields = {
        name: unescape(findall(f'name="{name}" value="([^"]*)"', form)[0])
        for name in ("stream", "hand", "finding")
    }
    sent = {name: value.replace("\r\n", "\n").replace("\n", "\r\n") for name, value in fields.items()}
    answer = dana.post(
        "/verdict/",
        sent | {"verdict": "dismissed", "disposition": "no_error"},
        headers={"HX-Request": "true"},
    )
    assert answer.headers.get("HX-Trigger-After-Settle") == "verdict-given", answer.content.decode()[:2000]


def test_a_hand_of_any_name_is_in_the_queue_has_a_page_and_takes_a_verdict(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    officers(1_000_000)
    with monkeypatch.context() as earlier:
        earlier.setattr(validation, "refuse_spellings", lambda *_: None)
        odd_night()
    dana = cast.browser("Dana")
    shown = dana.get("/queue/").content.decode()
    rows = {row.hand: row for row in queue.page(queue.Wanted(("aurora",))).rows}
    for name in ODD:
        address = hand_url(rows[name].stream, name)
        assert f'href="{escape(address)}"' in shown
        page = dana.get(address)
        assert page.status_code == 200
        if name in JUDGED:
            decide(dana, page.content.decode())
            assert row_now(rows[name]).state != rows[name].state
    for no_name in ("~!!", "~_w==", "~a"):
        assert dana.get(f"/hand/aurora/EOU-07/2026-11-27/{no_name}/").status_code == 404
    assert cast.browser("Boris").get("/floor/aurora/EOU-07/").status_code == 200


@pytest.mark.parametrize("name", EARLIER)
def test_a_name_that_was_recorded_before_is_refused_today(name: str) -> None:
    assert refused(fact(1) | {"round": name}) == ("not-one-name", "round")


@pytest.mark.parametrize("name", ["#", "#5", "#x"])
def test_a_round_may_not_have_the_name_used_for_facts_outside_rounds(name: str) -> None:
    assert refused(fact(1) | {"round": name}) == ("round-name", "round")
    prepare(fact(1) | {"round": f"r{name}"})
