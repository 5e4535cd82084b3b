"""After a verdict that money was wrong, the money is corrected. The page says which amount is still wrong and
links to the form that adjusts a closed day.
"""

from __future__ import annotations

from html import unescape
from re import findall
from typing import Any
from uuid import uuid4

from django.http import QueryDict

from audit.review import verdicts
from tests.casino.conftest import Cast
from tests.casino.nights import DAY, record, troubled_day
from tests.casino.pages import source, text
from tests.casino.test_pages import browser, night

__all__ = ["night"]
STREAM = f"aurora/EOU-07/{DAY}"
CORRECT = f"/correct/?stream={STREAM}&hand=r-0002"
OVERPAID = {"round": "r-0002", "spot": "6", "wager": "over"}
"""The wager of the hand that was paid 1.00 too much."""
HTMX = {"HX-Request": "true"}


def post(kind: str, **fields: Any) -> None:
    """Record a fact of this kind at the end of the table's day."""
    last = troubled_day(times=1)[-1]
    envelope = {name: last[name] for name in ("table", "day", "at", "source")}
    record([envelope | {"uid": str(uuid4()), "kind": kind, **fields}])


def address_for_accounting(page: Any) -> str:
    """Return the address that a user can copy from the page and send to accounting. It leads to the form for
    an adjustment.
    """
    (address,) = findall(r'value="https?://[^/]+(/closing/adjust/[^"]+)"', source(page))
    return unescape(address)


def test_a_hand_of_an_open_day_shows_the_correction_due_at_the_table(night: Cast) -> None:
    dana = night.browser("Dana")
    page = text(dana.get(CORRECT))
    assert "is open: the table corrects the payout" in page
    assert "Wrong settlement Spot 6 Over 1.00 USD must still come back from the player" in page
    assert "/closing/adjust/" not in source(dana.get(CORRECT))
    post("corrected", amount=-60, reason="Paid too much.", by="s-201", second="t-101", **OVERPAID)
    page = text(dana.get(CORRECT))
    assert "0.40 USD must still come back from the player" in page
    assert "−0.60 USD, “Paid too much.” s-201, second t-101" in page
    post("corrected", amount=-40, reason="The rest.", by="s-201", second="t-101", **OVERPAID)
    assert "Corrected in full." in text(dana.get(CORRECT))


def test_a_closed_day_is_adjusted_by_accounting_with_the_amounts_of_the_hand(night: Cast) -> None:
    post("day-closed", by="a-101")
    address = address_for_accounting(night.browser("Dana").get(CORRECT))
    assert night.browser("Dana").get(address).status_code == 403
    form = source(night.browser("Alma").get(address))
    assert 'value="1.00"' in form
    assert "Wrong settlement: Spot 6, over" in form
    sent = QueryDict(address.partition("?")[2]).dict()
    alan = night.logins["Alan"]
    sent |= {"uid": str(uuid4()), "second": alan.id, "second_password": alan.password}
    assert sent["direction"] == "raises"
    assert night.browser("Alma").post(address, sent).status_code == 302
    page = text(night.browser("Dana").get(CORRECT))
    assert "Corrected in full." in page
    assert "settlement, the win raised by 1.00 USD, “Wrong settlement: Spot 6, over” a-101, second" in page


def test_a_confirmed_verdict_says_that_the_money_can_be_corrected_and_a_dismissed_one_does_not(
    night: Cast,
) -> None:
    dana, findings = browser("v-101"), verdicts.findings_of("aurora", STREAM, "r-0002")
    sent = {"stream": STREAM, "hand": "r-0002", "losses": "1.00"}
    for verdict, disposition, leads in (
        ("dismissed", "capture_error", False),
        ("confirmed", "dealer_error_uncorrected_house_loss", True),
    ):
        findings = verdicts.findings_of("aurora", STREAM, "r-0002")
        sent["finding"] = [f"{finding.id}|{finding.seen}" for finding in findings]
        sent |= {"verdict": verdict, "disposition": disposition}
        answer = dana.post("/verdict/", sent, headers=HTMX)
        assert (f"/correct/?stream={STREAM.replace('/', '%2F')}&amp;hand=r-0002" in source(answer)) is leads
    bar = source(dana.get(f"/hand/{STREAM}/r-0002/"))
    assert 'aria-haspopup="dialog"' in bar
    assert '<dialog id="correct"' in bar


def test_the_hold_attribution_leads_accounting_to_the_same_form(night: Cast) -> None:
    page = f"/hold/where/{STREAM}/"
    assert "/closing/adjust/" not in source(night.browser("Alma").get(page))
    post("day-closed", by="a-101")
    shown = source(night.browser("Alma").get(page))
    assert "amount=1.00&amp;direction=raises" in shown
    assert "/closing/adjust/" not in source(night.browser("Boris").get(page))
