"""A user investigates a result outside its bounds. The outcome is recorded together with the figures at that
time.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection

from audit.findings import examine as findings
from audit.queries.span import Span
from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import grouped
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.reports.statistical_review import investigate, investigations, rows_of
from tests.casino.conftest import Cast
from tests.casino.pages import text
from tests.casino.test_cage_reports import SEES, hands, rows, some
from tests.casino.test_reports import felt, only, record

DAY = date(2026, 11, 27)
SPAN = Span(DAY, date(2026, 11, 28), "aurora")
PAGE = "/hold/review/?property=aurora&from=2026-11-27&to=2026-11-27&by=dealer"
UID = "00000000-0000-4000-8000-00000000000{}"


@pytest.fixture
def review(cast: Cast) -> Cast:
    """Record a dealer who pays twelve times in a row and a dealer who pays once, so that the statistical
    review has a result outside its bounds.
    """
    bets = [("d-1", 1000, "pay", 1000)] * 12
    record(
        [
            felt(0, 0, **SEES)[0],
            *hands("aurora/T1", *bets),
            *hands("aurora/T1", ("d-2", 1000, "pay", 1000), round="x"),
        ]
    )
    return cast


def test_an_investigation_records_the_figures_and_the_outcome(review):
    browser = review.browser("Alma")
    page = browser.get(PAGE).content.decode()
    assert "1 outside the bounds, 1 inside" in page
    assert "Chance alone puts 0.1 rows outside on average" in page
    assert "not investigated" in page
    row = only("statistics", "--by", "dealer", "--dealer", "d-1")
    difference = Decimal(row["win"]) - Decimal(row["expected"])
    amounts = [grouped(figure) for figure in (row["win"], row["expected"], str(difference))]
    headings = ("win", "expected win", "difference")
    money = [f"{name} {amount} USD" for name, amount in zip(headings, amounts, strict=True)]
    assert f"Beyond chance · {' · '.join(money)}" in text(page), "the money follows the verdict"
    sent = {
        "row": "statistics-0",
        "state": "mended",
        "words": "The payout card was upside down.",
        "uid": UID.format(1),
    }
    assert browser.post(PAGE, sent).status_code == 302
    assert browser.post(PAGE, sent).status_code in (302, 400), "sent twice is recorded once"
    (investigation,) = investigations(SPAN._replace(begins=None, ends=None))
    before = next(
        row.figures
        for row in rows_of("statistics", SPAN, ("dealer",))
        if row.subject == investigation.subject
    )
    assert investigation.figures == before
    assert investigation.figures["verdict"] == "beyond chance"
    assert (investigation.state, investigation.by, investigation.words) == (
        "Error found and fixed",
        "a-101",
        "The payout card was upside down.",
    )
    assert investigation.saw > 0
    record([*hands("aurora/T1", ("d-1", 5000, "take", 5000), round="y")])
    (unchanged,) = investigations(SPAN._replace(begins=None, ends=None))
    current = next(
        row.figures
        for row in rows_of("statistics", SPAN, ("dealer",))
        if row.subject == investigation.subject
    )
    assert unchanged.figures == before != current, "the figures that it was judged by do not change"
    assert "error found and fixed" in browser.get(PAGE).content.decode()
    assert some(only("investigations"), "by", "state", "asked") == (
        "a-101",
        "Error found and fixed",
        "beyond chance",
    )


def test_a_later_note_follows_the_first_and_notes_can_be_erased(review):
    dana = review.person("Dana")
    subject = next(row.subject for row in rows_of("statistics", SPAN, ("dealer",)) if row.verdict)
    investigate(dana, subject, "opened", "Video of all twelve hands asked for.", UID.format(1))
    investigate(dana, subject, "chance", "Twelve honest wins.", UID.format(2))
    assert [row["state"] for row in rows("investigations")] == ["Under investigation", "Chance alone"]
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM free_words WHERE words LIKE 'Video%%'")
    assert [row["words"] for row in rows("investigations")] == [None, "Twelve honest wins."]
    assert "the words have been erased" in review.browser("Dana").get(PAGE).content.decode()


def test_users_without_the_right_see_the_rows_and_no_form(review):
    page = review.browser("Igor").get(PAGE)
    assert page.status_code == 200
    assert "<textarea" not in page.content.decode()
    assert (
        review.browser("Igor")
        .post(PAGE, {"row": "statistics-0", "state": "chance", "words": "x", "uid": UID.format(1)})
        .status_code
        == 403
    )
    subject = next(row.subject for row in rows_of("statistics", SPAN, ("dealer",)) if row.verdict)
    with pytest.raises(PermissionDenied):
        investigate(review.person("Rhea"), subject, "chance", "x", UID.format(1))
    assert not list(investigations(SPAN))


def test_missing_fields_are_named_and_the_form_keeps_its_values(review):
    browser = review.browser("Dana")
    answer = browser.post(
        PAGE, {"row": "statistics-0", "state": "", "words": "Looked at every hand.", "uid": UID.format(1)}
    )
    assert answer.status_code == 400
    assert "Choose a result." in answer.content.decode()
    assert "Looked at every hand.</textarea>" in answer.content.decode()
    subject = next(row.subject for row in rows_of("statistics", SPAN, ("dealer",)) if row.verdict)
    for state, words in (("lost", "x"), ("chance", "  "), ("chance", "x" * 4001)):
        with pytest.raises(ActionRejected):
            investigate(review.person("Dana"), subject, state, words, UID.format(1))
    with pytest.raises(ActionRejected, match="no longer in the report"):
        investigate(review.person("Dana"), subject._replace(key=("d-9", "USD")), "chance", "x", UID.format(1))


def test_the_register_sets_confidence_and_minimum_points(review):
    set_registers(
        "aurora",
        [Entry("thresholds", "statistics", {"points": 5, "confidence": 99})],
        by="m-101",
        second="m-102",
    )
    findings.examine()
    row = next(row for row in rows_of("statistics", SPAN, ("dealer",)) if row.verdict)
    assert row.headings["low_percent"] == "99 % interval from"
    other = next(row for row in rows_of("statistics", SPAN._replace(begins=DAY), ("table",)))
    assert other.headings["low_percent"] == "99 % interval from"


def test_the_page_leads_to_other_days_and_to_the_hold(review):
    page = review.browser("Boris").get("/hold/review/?from=2026-11-27&to=2026-11-27&by=game").content.decode()
    presets = page.partition('aria-label="Gaming days"')[2].partition("</nav>")[0]
    assert presets.count("<a href=") == 6
    assert presets.count("by=game") == 6, "the grouping stays"
    assert "/hold/?property=aurora&amp;from=2026-11-27&amp;to=2026-11-27" in page
