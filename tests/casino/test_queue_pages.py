"""The order of hands in the queue, verdicts, quick search, and addresses with odd parameters."""

from __future__ import annotations

import re
from datetime import UTC, timedelta
from typing import Any

import pytest
from django.db import connection

from audit.facts import VerdictGiven, decode
from audit.findings import examine as findings
from audit.ledger.store import read_kinds
from audit.review import hands, projections, queue
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.surveillance import quick_search_text
from casino.surveillance import services as surveillance
from casino.surveillance.services import Words
from tests.casino.conftest import Cast
from tests.casino.nights import STREAM, record, troubled_day
from tests.casino.pages import text
from tests.casino.test_pages import FACT, HAND, a_hand, browser, night, opened, row_now

__all__ = ["night"]


def test_the_queue_is_ordered_by_grade_and_money_and_pages_without_a_gap(
    night: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = queue.Wanted(("aurora",))
    all_rows = queue.page(wanted).rows
    assert [(row.rank, row.less) for row in all_rows] == sorted((row.rank, row.less) for row in all_rows)
    monkeypatch.setattr(queue, "PAGE", 5)
    page, paged = queue.page(wanted), list[queue.Hand]()
    while True:
        paged += page.rows
        if not page.more:
            break
        page = queue.page(wanted, queue.place(page.rows[-1]))
    assert paged == all_rows


def test_a_verdict_is_a_fact_and_only_a_new_one_changes_it(night: Cast) -> None:
    row = a_hand("late-bet")
    dana, dora = (Person.objects.get(pk=id) for id in ("v-101", "v-102"))
    played, findings = opened(row)
    surveillance.give_verdict(
        dana, played, findings, Words("confirmed", "patron_action", note="past post, spot 3")
    )
    surveillance.give_verdict(dora, *opened(row), Words("dismissed", "capture_error"))
    facts = [decode(body) for *_, body in read_kinds("aurora", {"verdict-given"})]
    assert [
        (fact.verdict, fact.by, fact.disposition) for fact in facts if isinstance(fact, VerdictGiven)
    ] == [
        *[("confirmed", "v-101", "patron_action")] * len(findings),
        *[("dismissed", "v-102", "capture_error")] * len(findings),
    ]
    finding = opened(row)[1][0]
    assert finding.verdict is not None
    assert (finding.verdict.verdict, [verdict.verdict for verdict in finding.verdicts]) == (
        "dismissed",
        ["dismissed", "confirmed"],
    )
    assert finding.verdicts[1].note_sha256 is not None
    assert surveillance.words_of("aurora", [finding.verdicts[1].note_sha256]) == {
        finding.verdicts[1].note_sha256: "past post, spot 3"
    }
    assert row_now(row) == row._replace(state="decided", decided=len(findings))


def test_verdicts_survive_re_examination_and_the_queue_is_rebuilt_from_facts(night: Cast) -> None:
    row = a_hand("late-bet")
    surveillance.give_verdict(
        Person.objects.get(pk="v-101"), *opened(row), Words("escalated", "suspected_collusion")
    )
    before = queue.page(queue.Wanted(("aurora",), state="all")).rows
    findings.reexamine()
    projections.rebuild("aurora")
    assert queue.page(queue.Wanted(("aurora",), state="all")).rows == before
    assert {listed.hand: listed.state for listed in before}[row.hand] == "escalated"


def test_dealers_and_supervisors_of_a_hand_neither_judge_nor_review_it(night: Cast) -> None:
    row = a_hand("wrong-settlement", minimum=1_000)
    played, findings = opened(row)
    dana, dora = (Person.objects.get(pk=id) for id in ("v-101", "v-102"))
    own_hand = played._replace(
        seated=[
            seat.__class__(
                **{name: getattr(seat, name) for name in seat.__struct_fields__} | {"supervisor": "v-101"}
            )
            for seat in played.seated
        ]
    )
    words = Words("confirmed", "dealer_error_uncorrected_house_loss")
    for by, second, hand, says in (
        (dana, dora, own_hand, "dealt or supervised"),
        (dora, dana, own_hand, "dealt or supervised"),
        (dana, None, played, "second reviewer"),
        (dana, dana, played, "someone other than you"),
        (dana, Person.objects.get(pk="t-101"), played, "may not review"),
    ):
        with pytest.raises(ActionRejected, match=says):
            surveillance.give_verdict(by, hand, findings, words, second)
    assert list(read_kinds("aurora", {"verdict-given"})) == []
    surveillance.give_verdict(dana, played, findings, words, dora)
    assert row_now(row).state == "decided"


def test_a_verdict_on_a_finding_that_has_changed_is_refused(night: Cast) -> None:
    row = a_hand("late-bet")
    finding = opened(row)[1][0]
    sent: dict[str, Any] = {
        "stream": row.stream,
        "hand": row.hand,
        "verdict": "confirmed",
        "disposition": "patron_action",
    }
    answer = (
        browser("v-101")
        .post("/verdict/", sent | {"finding": f"{finding.id}|0000"}, headers={"HX-Request": "true"})
        .content.decode()
    )
    assert "changed after you opened it" in answer
    assert list(read_kinds("aurora", {"verdict-given"})) == []


def test_after_a_conflict_the_hand_is_shown_again_without_the_choice(night: Cast) -> None:
    row, htmx = a_hand("late-bet"), {"HX-Request": "true"}
    dana, finding = browser("v-101"), opened(row)[1][0]
    sent: dict[str, Any] = {
        "stream": row.stream,
        "hand": row.hand,
        "verdict": "confirmed",
        "disposition": "patron_action",
        "note": "past post",
        "finding": f"{finding.id}|{finding.seen}",
        "shown": f"{finding.id}|{finding.seen}",
    }
    surveillance.give_verdict(
        Person.objects.get(pk="v-102"), *opened(row), Words("dismissed", "capture_error")
    )
    answer = dana.post("/verdict/", sent, headers=htmx)
    page, shown = answer.content.decode(), text(answer)
    assert "HX-Retarget" not in answer  # the whole hand is replaced, not only the form
    assert "changed after you opened it" in shown
    assert shown.count("by v-102") == 2  # in the bar, and at the finding
    assert "dismissed (Capture error) by v-102" in shown
    assert re.findall(r'type="radio"[^>]* checked', page) == []
    assert 'name="note" value="past post"' in page
    changed_finding = opened(row)[1][0]
    assert f'name="shown" value="{changed_finding.id}|{changed_finding.seen}"' in page
    assert "changed after you opened it" in text(dana.post("/verdict/", sent, headers=htmx))
    assert [verdict.by for verdict in opened(row)[1][0].verdicts] == ["v-102"]


def test_the_message_about_a_verdict_names_the_gaming_day(night: Cast) -> None:
    row = a_hand("late-bet")
    finding = opened(row)[1][0]
    sent = {"stream": row.stream, "hand": row.hand, "finding": f"{finding.id}|{finding.seen}"}
    sent |= {"verdict": "dismissed", "disposition": "no_error"}
    answer = browser("v-101").post("/verdict/", sent, headers={"HX-Request": "true"})
    assert f"Dismissed: EOU-07 {row.hand}, gaming day 27 Nov 2026." in text(answer)


def test_a_form_with_an_error_keeps_the_states_that_the_officer_saw(night: Cast) -> None:
    """Test that a verdict on a finding that was not chosen also counts as a change of the hand."""
    row, htmx = a_hand("late-bet"), {"HX-Request": "true"}
    dana, (finding, *_) = browser("v-101"), opened(row)[1]
    sent = {
        "stream": row.stream,
        "hand": row.hand,
        "shown": f"{finding.id}|{finding.seen}",
        "verdict": "dismissed",
    }
    assert "Choose at least one finding" in text(
        dana.post("/verdict/", sent | {"disposition": "no_error"}, headers=htmx)
    )
    surveillance.give_verdict(
        Person.objects.get(pk="v-102"), *opened(row), Words("dismissed", "capture_error")
    )
    assert "changed after you opened it" in text(dana.post("/verdict/", sent, headers=htmx))


def test_a_notice_is_counted_and_not_in_the_queue(night: Cast) -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE finding SET grade = 'notice' WHERE code = 'too-few-shakes'")
    projections.rebuild("aurora")
    assert not any("too-few-shakes" in row.codes for row in queue.page(queue.Wanted(("aurora",))).rows)
    assert "notice not queued" in text(browser("v-101").get("/queue/"))


def test_a_poll_misses_no_change(night: Cast) -> None:
    since = queue.now()
    record(troubled_day("EOU-08", times=1, faults=("late-bet:new",)))

    def new(wanted: queue.Wanted) -> list[bool]:
        """Return for each changed row of the table EOU-08 whether it matches the filters. Rows of other
        tables are not returned, because a poll may repeat them while another transaction is open.
        """
        return [fits for row, fits in queue.news(wanted, since).rows if row.table == "aurora/EOU-08"]

    assert new(queue.Wanted(("aurora",))) == [True]
    assert new(queue.Wanted(("aurora",), rank=2)) == [False]


@pytest.mark.parametrize("typed", ["", "EOU-07", "22:05", "EOU-07 25:99", "EOU-07 2026-11-27"])
def test_a_search_without_table_and_time_leads_nowhere(typed: str) -> None:
    assert quick_search_text.read(typed) is None


def test_table_and_time_lead_to_the_hand_that_nobody_flagged(night: Cast) -> None:
    played = hands.played("aurora", STREAM, "r-0003")
    assert played is not None
    at = played.facts[0].fact.at.astimezone(UTC)
    answer = browser("v-101").get(
        "/jump/", {"to": f"EOU-07 2026-11-27 {at:%H:%M}:{at.second + 1:02d} spot 3"}
    )
    assert answer.status_code == 302
    assert answer["Location"] == "/hand/aurora/EOU-07/2026-11-27/r-0003/?spot=3#spot-3"


def test_a_time_between_hands_offers_the_nearest_ones(night: Cast) -> None:
    played_hands = [hands.played("aurora", STREAM, f"r-{number:04d}") for number in (3, 4)]
    ended, begins = (
        hand.facts[place].fact.at.astimezone(UTC)
        for hand, place in zip(played_hands, (-1, 0), strict=True)
        if hand is not None
    )
    assert ended + timedelta(seconds=2) < begins
    query = {"to": f"EOU-07 2026-11-27 {ended + timedelta(seconds=1):%H:%M:%S}"}
    answer = browser("v-101").get("/jump/", query)
    page = answer.content.decode()
    assert (answer.status_code, "No hand of EOU-07 was open at" in page) == (200, True)
    assert page.index("r-0003") < page.index("r-0004")
    assert browser("v-101").get("/jump/", {"to": f"EOU-07 2026-11-27 {begins:%H:%M}"}).status_code == 302
    assert browser("v-101").get("/jump/", {"to": "EOU-99 22:05"}).status_code == 404


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("from=yesterday", "First day: “yesterday” is not a valid date"),
        ("to=2026-13-01", "Last day: “2026-13-01” is not a valid date"),
        ("by=dealer", "cannot be grouped by “dealer”"),
        ("from=2026-11-27&to=2026-11-24", "27 Nov 2026 is after the last day, 24 Nov 2026."),
    ],
)
def test_invalid_parameters_of_the_hold_page_are_explained_without_figures(
    night: Cast, query: str, says: str
) -> None:
    answer = browser("v-101").get(f"/hold/?{query}")
    assert answer.status_code == 400
    assert says in answer.content.decode()
    assert "<table" not in answer.content.decode()


@pytest.mark.parametrize(
    "path",
    [
        "/queue/?code=%00",
        "/queue/?table=%00&day=9999-99-99&grade=x",
        "/queue/news/?since=" + "9" * 19,
        "/queue/more/?after=1|NaN|a|b",
        "/queue/more/?after=1|1e999999|a|b",
        "/queue/more/?after=%00",
        "/hand/aurora/EOU-07/2026-11-27/%00/",
        "/hand/aurora/EOU-07/2026-11-27/~YQA=/",
        "/hand/aurora/%00/2026-11-27/a/",
        "/fact/aurora/EOU-07/2026-11-27/" + "9" * 30 + "/",
        "/jump/?to=EOU-07 22:05 9999-12-31",
        "/jump/?to=%00 22:05",
        "/hold/?from=9999-12-31",
        "/hold/?to=0001-01-01",
        "/hand/aurora/house/2026-11-27/x/",
    ],
)
def test_invalid_addresses_cause_no_server_error(night: Cast, path: str) -> None:
    assert browser("v-101").get(path).status_code in (200, 400, 404)


@pytest.mark.parametrize(
    "path",
    [
        HAND.replace("r-0002", "none"),
        FACT.replace("/1/", "/99999/"),
        "/hand/aurora/x/2026-11-27/r%2F1/",
        "/nothing/",
    ],
)
def test_a_missing_object_has_catwalks_own_error_page(night: Cast, path: str) -> None:
    answer = browser("v-101").get(path)
    assert answer.status_code == 404
    assert b"Page not found" in answer.content
