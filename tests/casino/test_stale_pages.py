"""A user loads a form, and another user acts before it is sent. The form does not undo that action."""

from __future__ import annotations

import html
import re
from typing import Any

from tests.casino.test_floor import Floor, floor

__all__ = ["floor"]


def hidden(page: Any, name: str) -> str:
    """Return the value that a page has in the hidden form field `name`."""
    match = re.search(rf'name="{name}" value="([^"]*)"', page.content.decode())
    assert match is not None
    return html.unescape(match[1])


def test_a_stale_seating_form_undoes_nothing(floor: Floor) -> None:
    floor.open()
    floor.open("EOU-02", "d-102")
    page = floor.finn.get("/floor/change/?property=aurora")
    loaded = {f"was-{code}": hidden(page, f"was-{code}") for code in ("EOU-01", "EOU-02")}
    loaded |= {
        "dealer-EOU-01": "d-101",
        "supervisor-EOU-01": "s-201",
        "dealer-EOU-02": "d-102",
        "supervisor-EOU-02": "s-201",
    }
    alone_page = floor.finn.get("/floor/aurora/EOU-02/seat/")
    assert floor.send("seat", "EOU-02", dealer="d-102", supervisor="s-202").status_code == 302
    assert floor.send("change", "", **loaded | {"supervisor-EOU-01": "s-202"}).status_code == 302
    seats = {table: floor.now(table).seated.supervisor for table in ("EOU-01", "EOU-02")}  # type: ignore[union-attr]
    assert seats == {"EOU-01": "s-202", "EOU-02": "s-202"}, "a line that was not touched is left as it is"
    answer = floor.send("change", "", **loaded | {"dealer-EOU-02": "d-101", "dealer-EOU-01": "d-102"})
    assert (
        "EOU-01: the seats were changed after this page was loaded: d-101 is the dealer now and s-202 the"
        " supervisor." in floor.refusal(answer)
    )
    stale = floor.send("seat", "EOU-02", dealer="d-101", supervisor="s-201", was=hidden(alone_page, "was"))
    assert (
        "EOU-02: the seats were changed after this page was loaded: d-102 is the dealer now and s-202 the"
        " supervisor." in floor.refusal(stale)
    )
    assert 'value="s-201"' in stale.content.decode(), "what was typed stays"
    assert (
        floor.send("seat", "EOU-02", dealer="d-102", supervisor="s-201", was=hidden(stale, "was")).status_code
        == 302
    )


def test_a_stale_limits_form_undoes_nothing(floor: Floor) -> None:
    floor.open()
    page = floor.finn.get("/floor/aurora/EOU-01/limits/")
    assert (
        floor.send(
            "limits", **{"least-*": "20.00", "most-*": "500.00", "was": hidden(page, "was")}
        ).status_code
        == 302
    )
    stale = floor.send("limits", **{"least-*": "10.00", "most-*": "300.00", "was": hidden(page, "was")})
    assert (
        "The limits were changed after this page was loaded: every wager 20.00 to 500.00."
        in floor.refusal(stale)
    )
    assert (
        floor.send(
            "limits", **{"least-*": "10.00", "most-*": "300.00", "was": hidden(stale, "was")}
        ).status_code
        == 302
    )
    assert dict(floor.now().opened.limits) == {"*": (1_000, 30_000)}
