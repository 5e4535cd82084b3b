"""The page before the close of a gaming day. It shows for each figure the range in which it is expected, and
requires an explanation if it is outside. A close is accepted only if the figures are still those that the
page showed.
"""

from __future__ import annotations

import re
from fractions import Fraction
from uuid import uuid4

import pytest

from audit.findings import examine as findings
from casino.day_close import preview
from casino.day_close import services as day_close
from casino.day_close.preview import Figures
from casino.day_close.services import Closing
from casino.presentation.errors import ActionRejected
from casino.reports.expected_win import Win
from casino.reports.hold_figure import FELT
from tests.casino.test_count_room import TABLE, Room, plain_markup, room

__all__ = ["room"]

SURE = Fraction(196, 100)
ABOVE = (
    "The win is above the expected range, −96.00 to 296.00 USD: 1.96 standard deviations from the expected"
    " win."
)


def counted(room: Room) -> None:
    """Record the count of a box with 10,440.00, which no purchase of chips explains, and close the table."""
    room.pull()
    room.count()
    room.recount()
    room.close_table()


def page(room: Room) -> str:
    return plain_markup(room.cast.browser("Alma").get(f"/closing/?day={room.day}"))


def text(body: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", body))


def test_pending_figures_are_marked_and_arrive_without_reloading(room: Room) -> None:
    counted(room)
    before = page(room)
    assert "Figures are being computed and appear here." in before
    assert 'hx-trigger="every 3s"' in before
    assert "not judged" in text(before)
    assert '<dt>Not judged</dt><dd class="muted">1</dd>' in before
    findings.examine()
    after = page(room)
    assert 'hx-trigger="every' not in after, "nothing is missing, so nothing is asked for again"
    assert "10,440.00 USD" in text(after)
    assert "10,440.00 USD is more than play explains." in text(after)
    assert "not judged no play" in text(after), "a win without play has no range and is not inside"


def test_a_table_to_explain_is_not_counted_as_ready(room: Room) -> None:
    counted(room)
    findings.examine()
    shown = text(page(room))
    assert "Closed 0 of 1 Ready 0 To explain 1 Not judged 1 Blocked 0" in shown
    assert "What can be closed 1 of 1 tables" in shown


def test_a_figure_outside_its_range_needs_an_explanation_that_is_recorded(room: Room) -> None:
    counted(room)
    findings.examine()
    alma = room.cast.browser("Alma")
    form = {"uid": str(uuid4()), "tables": [TABLE]}
    refused = alma.post(f"/closing/?day={room.day}", form | {"looked": "yes"})
    assert refused.status_code == 400
    says = f"{TABLE}: 10,440.00 USD is more than play explains. Explain it in at most 500 characters."
    assert says in text(plain_markup(refused))
    assert room.facts("day-closed") == []
    form |= {f"explanation-{TABLE}": " buy-ins are not recorded here "}
    refused = alma.post(f"/closing/?day={room.day}", form)
    assert (refused.status_code, "Confirm that you have read the figures" in plain_markup(refused)) == (
        400,
        True,
    )
    assert "buy-ins are not recorded here" in plain_markup(refused), "what was typed is still there"
    assert alma.post(f"/closing/?day={room.day}", form | {"looked": "yes"}).status_code == 302
    (closed,) = room.facts("day-closed")
    assert (closed["explanation"], "reason" in closed) == ("buy-ins are not recorded here", False)
    findings.examine()
    assert "Explained by a-101: buy-ins are not recorded here" in text(page(room))


def test_a_day_is_closed_on_the_figures_that_were_shown(room: Room) -> None:
    room.close_table()
    findings.examine()
    (seal,) = re.findall(rf'name="seal-{TABLE}" value="(\w+)"', page(room))
    alma = room.cast.person("Alma")
    with pytest.raises(ActionRejected, match="changed after this page was loaded"):
        day_close.close_day(alma, "aurora", room.day, Closing([TABLE], seals={TABLE: "0" * 16}))
    closing = Closing([TABLE], seals={TABLE: seal})
    assert day_close.close_day(alma, "aurora", room.day, closing) == [TABLE]


@pytest.mark.parametrize(
    ("win", "unexplained", "outside"),
    [
        (Fraction(10_000), Fraction(0), []),
        (Fraction(29_600), Fraction(0), []),
        (
            Fraction(29_601),
            Fraction(0),
            [ABOVE],
        ),
        (Fraction(10_000), Fraction(-10_000), ["100.00 USD is missing."]),
    ],
)
def test_a_figure_is_outside_if_it_is_beyond_its_range(
    win: Fraction, unexplained: Fraction, outside: list[str]
) -> None:
    judged = Win(win, Fraction(10_000), Fraction(100_000_000), SURE)
    figures = Figures(FELT, "USD", win, "", 50_000, judged, "", unexplained, 0)
    assert figures.outside == outside
    assert figures.drawing is not None
    assert figures.drawing.is_outside == judged.is_outside
    assert figures._replace(judged=None, unexplained=None).outside == [], "what is not known is not outside"


def test_a_preview_without_figures_is_not_judged() -> None:
    assert not preview.NOTHING.is_judged
    assert preview.NOTHING.outside == []


def test_the_form_of_an_adjustment_shows_the_figures_that_it_changes(room: Room) -> None:
    counted(room)
    room.close()
    findings.examine()
    room.adjust(amount="40.00", direction="raises")
    findings.examine()
    address = f"/closing/adjust/?day={room.day}"
    first = text(plain_markup(room.cast.browser("Alma").get(address)))
    assert "Amount USD" in first, "of the table that the list shows first"
    figures = first.partition("Record adjustment")[2]
    assert "Drop, closed 10,440.00 Win, closed 10,440.00 Earlier adjustments 1, 40.00" in figures
    assert "Win today, USD 10,480.00" in figures
    assert "Win after it" not in figures, "no amount was typed"
    typed = f"{address}&table={TABLE}&what=drop&amount=80.00&direction=lowers"
    after = text(plain_markup(room.cast.browser("Alma").get(typed)))
    assert "This adjustment −80.00 Win after it, USD 10,400.00" in after
    wrong = text(plain_markup(room.cast.browser("Alma").get(typed.replace("80.00", "many"))))
    assert "Win after it" not in wrong
