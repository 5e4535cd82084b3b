"""Findings of internal-control checks are in the queue with their amounts, and each has a page."""

from __future__ import annotations

from audit.findings import examine as findings
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.review import projections
from tests.audit.controls import opened, slip, tray
from tests.audit.floor import DAY, line
from tests.casino.conftest import Cast
from tests.casino.pages import text
from tests.casino.refused_facts import placed

STREAM = f"aurora/EOU-01/{DAY}"


def test_findings_about_chips_and_trays_are_in_the_queue_with_their_amounts(
    cast: Cast,
) -> None:
    sent = slip("F-EOU01-1", amount=5_000) | {"amount": 65_000}
    day = [opened(), tray("opener", 10_000), sent, tray("closer", 75_000), slip("F-EOU01-2")]
    intake.post([line(fact) for fact in placed(day)], Sender("test"))
    findings.examine()
    projections.follow("aurora")
    dana = cast.browser("Dana")
    for code, row in (("does-not-foot", "fact 3"), ("tray-moved-after-count", "fact 5")):
        assert row in text(dana.get(f"/queue/?code={code}").content)
    assert "600.00" in text(dana.get("/queue/").content), "what is at stake"
    page = text(dana.get(f"/fact/{STREAM}/3/").content)
    assert (
        "Fill sent F-EOU01-1: its chips add up to 50.00 USD, and its amount is 650.00 USD, which is 600.00"
        " USD more." in page
    )
    assert "Control FI-07" in page
    late = text(dana.get(f"/fact/{STREAM}/5/").content)
    assert "the win is 50.00 USD too low" in late
    assert "Control OC-10" in late
