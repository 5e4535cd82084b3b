"""What users do in the queue: assign and snooze hands, judge several hands at once, and withdraw verdicts.
The tests say who may do it and what is recorded. All pages count the same hands.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from msgspec import json

from audit.facts import HandAssigned, HandSnoozed, VerdictGiven, decode
from audit.findings import examine as findings
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.ledger.store import read_kinds
from audit.queries import tray_equation
from audit.queries.span import Span
from audit.queries.table_days import table_days
from audit.review import compare, projections, queue, verdicts
from casino.admin.charts import charts
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.reference.calendar import gaming_day
from casino.surveillance import assignments, batch, withdrawals
from casino.surveillance import services as surveillance
from casino.surveillance.assignments import Chosen
from casino.surveillance.queue_rows import cursor_of, place_of, read_cursor
from casino.surveillance.services import Words
from tests.audit.floor import OPENING, fact, line
from tests.casino.conftest import Cast
from tests.casino.nights import DAY, STREAM, record, troubled_day
from tests.casino.pages import text
from tests.casino.test_pages import EVERYBODY, a_hand, browser, night, opened, row_now
from tests.furnished import furnishing

__all__ = ["night"]
HTMX = {"HX-Request": "true"}
PROCEDURE = Words("confirmed", "procedure_only_no_money")


def person(id: str) -> Person:
    return Person.objects.get(pk=id)


def chosen(*rows: queue.Hand) -> list[Chosen]:
    return [Chosen(row.stream, row.hand, row.owner) for row in rows]


def facts_of(kind: str) -> list[Any]:
    return [decode(body) for *_, body in read_kinds("aurora", {kind})]


def assert_queue_equals_replay() -> None:
    """Assert that the queue's tables in the database are those that replay of the facts makes, and that a
    rebuild changes no row of the queue.
    """
    assert [str(difference) for difference in compare.compare("aurora").listed] == []
    rows = queue.page(queue.Wanted(("aurora",), state="all")).rows
    projections.rebuild("aurora")
    assert queue.page(queue.Wanted(("aurora",), state="all")).rows == rows


ACTS: dict[str, dict[str, Any]] = {
    "/queue/chosen/": {},
    "/queue/assign/": {"to": "me"},
    "/queue/snooze/": {"minutes": "60"},
    "/verdict/many/": {"seen": "x", "verdict": "dismissed", "disposition": "no_error"},
    "/verdict/undo/": {"property": "aurora", "position": "1"},
}


@pytest.mark.parametrize("path", ACTS)
def test_only_surveillance_acts_on_the_queue_and_only_at_its_own_property(night: Cast, path: str) -> None:
    row = a_hand()
    sent = {"hand": f"{row.stream}|{row.hand}"} | ACTS[path]
    answers = {name: night.browser(name).post(path, sent).status_code for name in EVERYBODY}
    assert {name for name, status in answers.items() if status != 403} == {"Dana"}, answers
    assert Client().post(path, sent)["Location"].startswith("/login/")
    assert browser("v-101").get(path).status_code == 405
    at_borealis = {name: str(value).replace("aurora", "borealis") for name, value in sent.items()}
    assert browser("v-101").post(path, at_borealis).status_code == 403


@pytest.mark.parametrize("path", ACTS)
@pytest.mark.parametrize("hand", ["", "x", "aurora/EOU-07|r-1", "aurora/EOU-07/2026-11-27"])
def test_a_form_that_names_no_hand_is_a_clear_refusal(night: Cast, path: str, hand: str) -> None:
    assert browser("v-101").post(path, ACTS[path] | {"hand": hand}).status_code == 400


def test_a_hand_is_taken_assigned_and_released_and_each_step_is_a_fact(night: Cast) -> None:
    dana, dora, row = person("v-101"), person("v-102"), a_hand("late-bet")
    assert assignments.assign(dana, chosen(row), dana)[0] == [row]
    taken = row_now(row)
    assert taken == row._replace(owner="v-101")
    # Dora still sees a hand without an owner: it is not taken from Dana without her knowing.
    assert assignments.assign(dora, chosen(row), dora) == ([], [taken])
    assert row_now(row).owner == "v-101"
    assignments.assign(dora, chosen(taken), dora)  # she has seen the owner, and takes it over
    assignments.assign(dora, chosen(row_now(row)), None)
    assert row_now(row).owner == ""
    assert [(fact.to, fact.by) for fact in facts_of("hand-assigned") if isinstance(fact, HandAssigned)] == [
        ("v-101", "v-101"),
        ("v-102", "v-102"),
        (None, "v-102"),
    ]
    assert_queue_equals_replay()
    with pytest.raises(ActionRejected, match="may not give verdicts"):
        assignments.assign(dana, chosen(row), person("t-101"))
    with pytest.raises(ActionRejected, match="None of these hands is in the queue"):
        assignments.assign(dana, [Chosen(STREAM, "none")], dana)


def test_a_snoozed_hand_returns_at_its_time_and_is_always_counted(night: Cast) -> None:
    dana, row, todo = person("v-101"), a_hand("late-bet"), queue.Wanted(("aurora",))
    before = queue.counted(todo)
    until = datetime.now(UTC) + timedelta(hours=1)
    assignments.snooze(dana, chosen(row), until)
    assert row.hand not in {listed.hand for listed in queue.page(todo).rows}
    assert [listed.hand for listed in queue.page(todo._replace(state="snoozed")).rows] == [row.hand]
    assert queue.counted(todo) == before
    (snoozed,) = facts_of("hand-snoozed")
    assert isinstance(snoozed, HandSnoozed)
    assert snoozed.until == until.replace(microsecond=0)
    assert_queue_equals_replay()
    since = queue.now()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE queued SET until = now() - interval '1 second', touched = '3'")
    assert row.hand in {listed.hand for listed, fits in queue.news(todo, since).rows if fits}
    assert row.hand in {listed.hand for listed in queue.page(todo).rows}
    for wrong in (datetime.now(UTC) - timedelta(minutes=1), datetime.now(UTC) + timedelta(days=31)):
        with pytest.raises(ActionRejected, match="in the future"):
            assignments.snooze(dana, chosen(row), wrong)
    answer = browser("v-101").post(
        "/queue/snooze/", {"hand": f"{row.stream}|{row.hand}", "until": "soon"}, headers=HTMX
    )
    assert "property's clock" in text(answer)


def test_a_withdrawn_verdict_stays_recorded_and_the_finding_has_none(night: Cast) -> None:
    dana, dora, row = person("v-101"), person("v-102"), a_hand("late-bet")
    position = surveillance.give_verdict(dana, *opened(row), Words("confirmed", "patron_action"))
    assert row_now(row).state == "decided"
    with pytest.raises(ActionRejected, match="Only the officer who gave"):
        withdrawals.withdraw(dora, "aurora", position)
    withdrawals.withdraw(dana, "aurora", position)
    assert row_now(row) == row
    (finding,) = opened(row)[1]
    assert finding.verdict is None
    assert [verdict.verdict for verdict in finding.verdicts] == ["withdrawn", "confirmed"]
    with pytest.raises(ActionRejected, match="a later verdict"):
        withdrawals.withdraw(dana, "aurora", position)
    with pytest.raises(ActionRejected, match="no such verdict"):
        withdrawals.withdraw(dana, "aurora", [10**9])
    assert_queue_equals_replay()
    surveillance.give_verdict(dora, *opened(row), Words("dismissed", "no_error"))
    assert row_now(row).state == "decided"


def test_a_withdrawal_needs_no_second_reviewer_even_if_the_verdict_did(night: Cast) -> None:
    row = a_hand("wrong-settlement", minimum=1_000)
    lost = Words("confirmed", "dealer_error_uncorrected_house_loss")
    position = surveillance.give_verdict(person("v-101"), *opened(row), lost, person("v-102"))
    withdrawals.withdraw(person("v-101"), "aurora", position)
    assert row_now(row).state == "open"
    findings.examine()
    assert queue.page(queue.Wanted(("aurora",), code="signed-once")).rows == []


def test_hands_judged_together_get_facts_of_their_own_in_one_post_and_the_rest_is_named(night: Cast) -> None:
    record(troubled_day("EOU-08", times=4, faults=("too-few-shakes:four",)))
    dana, dora = person("v-101"), person("v-102")
    rows = queue.page(queue.Wanted(("aurora",), code="too-few-shakes")).rows
    assert len(rows) == 5
    chosen_hands = [
        (Chosen(candidate.hand.stream, candidate.hand.hand), candidate.seen)
        for candidate in batch.candidates(dana, chosen(*rows))
    ]
    assignments.assign(dora, chosen(rows[1]), dora)
    surveillance.give_verdict(dora, *opened(rows[2]), Words("dismissed", "no_error"))
    withdrawals.withdraw(dora, "aurora", [verdict_position()])
    outcomes = batch.judge(dana, chosen_hands, PROCEDURE, None)
    assert [bool(outcome.positions) for outcome in outcomes] == [True, False, False, True, True]
    assert [outcome.problem for outcome in outcomes if outcome.problem] == [
        "v-102 has taken this hand.",
        surveillance.CHANGED,
    ]
    positions = [position for outcome in outcomes for position in outcome.positions]
    assert positions == list(range(positions[0], positions[0] + 3))
    assert [row_now(row).state for row in rows] == ["decided", "open", "open", "decided", "decided"]
    given_verdicts = [
        verdict
        for verdict in facts_of("verdict-given")
        if isinstance(verdict, VerdictGiven) and verdict.by == "v-101"
    ]
    assert len({verdict.finding for verdict in given_verdicts}) == len(given_verdicts) == 3
    assert_queue_equals_replay()
    mixed = chosen(a_hand("late-bet"), rows[1]._replace(owner="v-102"))
    with pytest.raises(ActionRejected, match="have different codes"):
        batch.judge(dora, [(hand, "") for hand in mixed], PROCEDURE, None)


def verdict_position() -> int:
    """Return the position of the latest verdict in the ledger."""
    return [place for place, *_ in read_kinds("aurora", {"verdict-given"})][-1]


def test_each_hand_has_its_own_loss_and_a_large_one_needs_a_second_reviewer(night: Cast) -> None:
    record(troubled_day("EOU-08", times=3, faults=("wrong-settlement:over:overpaid",)))
    dana, dora = person("v-101"), person("v-102")
    wanted = queue.Wanted(("aurora",), code="wrong-settlement", table="aurora/EOU-08")
    rows = queue.page(wanted).rows
    chosen_hands = [
        (Chosen(candidate.hand.stream, candidate.hand.hand), candidate.seen)
        for candidate in batch.candidates(dana, chosen(*rows))
    ]
    lost = Words("confirmed", "dealer_error_uncorrected_house_loss")
    outcomes_alone = batch.judge(dana, chosen_hands, lost, None)
    large = {row.hand for row in rows if row.to_player >= 1_000}
    assert large
    assert {outcome.hand.hand for outcome in outcomes_alone if "second reviewer" in outcome.problem} == large
    assert all(
        outcome.positions
        for outcome in batch.judge(
            dana, [outcome for outcome in chosen_hands if outcome[0].hand in large], lost, dora
        )
    )
    verdicts_by_finding = {
        given_verdict.finding: given_verdict
        for given_verdict in facts_of("verdict-given")
        if isinstance(given_verdict, VerdictGiven)
    }
    for row in rows:
        (finding,) = verdicts.findings_of("aurora", row.stream, row.hand)
        verdict = verdicts_by_finding[finding.id]
        assert (verdict.losses, verdict.second) == (row.to_player, "v-102" if row.hand in large else None)


@pytest.mark.parametrize("sort", queue.ORDERS)
def test_each_order_pages_without_a_gap_and_the_browser_sorts_alike(
    night: Cast, monkeypatch: pytest.MonkeyPatch, sort: str
) -> None:
    record(troubled_day("EOU-06", times=1))
    wanted = queue.Wanted(("aurora",), sort=sort)
    all_rows = queue.page(wanted).rows
    assert len(all_rows) == 24
    assert [place_of(row, sort) for row in all_rows] == sorted(place_of(row, sort) for row in all_rows)
    monkeypatch.setattr(queue, "PAGE", 5)
    page, paged = queue.page(wanted), list[queue.Hand]()
    while True:
        paged += page.rows
        if not page.more:
            break
        page = queue.page(wanted, read_cursor(cursor_of(page.rows[-1], sort), sort))
    assert paged == all_rows


def test_the_queue_page_has_the_same_queries_for_twelve_and_fifty_rows(night: Cast) -> None:
    dana = browser("v-101")
    counts = []
    for table in ("", "EOU-05", "EOU-06"):
        if table:
            record(troubled_day(table))
        dana.get("/queue/")
        counted = []
        for path in ("/queue/", "/queue/?sort=money", "/queue/news/?since=1&open=" + f"{STREAM}|r-0002"):
            with CaptureQueriesContext(connection) as taken:
                assert dana.get(path).status_code == 200
            counted.append(len(taken))
        rows = queue.page(queue.Wanted(("aurora",), code="late-bet")).rows
        with CaptureQueriesContext(connection) as taken:
            dana.post("/queue/chosen/", {"hand": [f"{row.stream}|{row.hand}" for row in rows]})
        counts.append((*counted, len(taken)))
    assert counts[0] == counts[-1]
    assert max(counts[0]) <= 40, counts


@pytest.mark.usefixtures("contexts")
def test_the_queue_and_other_pages_count_the_same_hands(night: Cast) -> None:
    record(troubled_day("EOU-06", times=1))
    dana, row = person("v-101"), a_hand("late-bet")
    surveillance.give_verdict(dana, *opened(row), Words("escalated", "suspected_collusion"))
    assignments.snooze(dana, chosen(a_hand("no-such-bet")), datetime.now(UTC) + timedelta(hours=1))
    surveillance.give_verdict(dana, *opened(a_hand("too-few-shakes")), PROCEDURE)
    assert (count := queue.counted(queue.Wanted(("aurora",)))) == 23
    officer = browser("v-101")
    assert f"Queue {count} " in text(officer.get("/queue/"))
    assert "hands at aurora, all gaming days · of these, 1 snoozed" in text(officer.get("/queue/"))
    floor = officer.get("/floor/")
    assert floor.context["waiting"] == count
    reviews = [row.review for pit in floor.context["pits"] for row in pit.rows]
    assert sum(int(review.hands) for review in reviews if review) == count
    assert floor.context["elsewhere"] == 0
    wall, log = officer.get("/wall/").context, officer.get("/log/").context["open"]
    assert (wall["to_judge"], wall["elsewhere"]) == (count, 0)
    assert sum(log.hands_by_grade.values()) == count
    assert log.further_hands == {"escalated": 1, "snoozed": 1}
    shown = " ".join(chart.says for chart in charts(person("i-101"), "aurora", gaming_day("aurora")))
    assert "Hands with findings" not in shown or f"{count} of all gaming days need a verdict" in shown
    shown = " ".join(chart.says for chart in charts(person("i-101"), "aurora", DAY))
    assert f"{count} of all gaming days need a verdict" in shown
    closing = officer.get(f"/closing/?day={DAY}").context["tables"]
    of_day = queue.counted(queue.Wanted(("aurora",), day=date.fromisoformat(STREAM[-10:])))
    assert sum(group.findings for group in closing) == of_day == count


@furnishing
def short_tray() -> Cast:
    """Record a table's day of two shifts. In the second there are a fill, a voided credit, a purchase of
    chips and one hand. Its closer is 25.00 short.
    """
    cast = Cast()
    shifts = {"day": f"{DAY}T12:00:00-08:00", "swing": f"{DAY}T20:00:00-08:00"}
    opening = OPENING | {"sees": ["round-opened", "bet", "take", "pay", "round-closed"], "shifts": shifts}
    day, swing = (f"{DAY}T{clock}:00-08:00" for clock in ("13:00", "21:00"))
    signed = {"requested_by": "s-201", "sent_by": "c-101", "carried_by": "g-101", "received_by": "d-101"}
    by = {"by": "d-101", "second": "s-201"}
    chips = {"100": 1000}
    sent = [
        fact(1, **opening, at=day),
        fact(2, "opener-counted", chips=chips, amount=100_000, **by, at=day),
        fact(3, "fill-sent", slip="F-1", chips={"100": 50}, amount=5_000, **signed, at=day),
        fact(4, "closer-counted", chips={"100": 1050}, amount=105_000, **by, at=day),
        fact(5, "opener-counted", chips={"100": 1050}, amount=105_000, **by, at=swing),
        fact(6, "fill-sent", slip="F-2", chips={"100": 100}, amount=10_000, **signed, at=swing),
        fact(7, "credit-sent", slip="C-1", chips={"100": 20}, amount=2_000, **signed, at=swing),
        fact(8, "slip-voided", slip="C-1", reason="wrong table", **by, at=swing),
        fact(9, "chips-bought", spot="1", amount=3_000, tender="cash", at=swing),
        fact(10, "round-opened", round="r-1", at=swing),
        fact(11, "bet", round="r-1", spot="1", wager="over", amount=1_000, at=swing),
        fact(12, "take", round="r-1", spot="1", wager="over", amount=1_000, at=swing),
        fact(13, "round-closed", round="r-1", at=swing),
        fact(14, "closer-counted", chips={"100": 1105}, amount=110_500, **by, at=swing),
    ]
    intake.post([line(fact) for fact in sent], Sender("gateway"))
    findings.examine()
    return cast


def test_a_short_tray_shows_its_equation_with_shift_and_facts_and_leads_to_the_hold_and_back(
    short_tray: Cast,
) -> None:
    (row,) = queue.page(queue.Wanted(("aurora",), code=tray_equation.CODE)).rows
    assert (row.hand, row.to_player, row.to_house) == ("#14", 2_500, 0)
    tray = tray_equation.equation("aurora", row.stream, 14, row.to_player)
    assert tray is not None
    assert (tray.shift, tray.currency, tray.missing) == ("swing", "USD", 2_500)
    assert {term.name: (int(term.amount), term.facts) for term in tray.terms} == {
        "Opener": (105_000, [5]),
        "Fills": (10_000, [6]),
        "Credits": (0, [7, 8]),
        "Chips bought": (-3_000, [9]),
        "Play": (1_000, []),
        "The tray should hold": (113_000, []),
        "Closer": (110_500, [14]),
    }
    (swing,) = [
        row
        for row in table_days(Span(date.fromisoformat(DAY.isoformat()), None, "aurora"), by_shift=True)
        if row.shift == "swing"
    ]
    assert swing.taken - swing.paid == 1_000, "the tally of the shift says the same of play"
    dana = short_tray.browser("Dana")
    assert "25.00 USD missing" in text(dana.get("/queue/"))
    page = dana.get(f"/fact/{row.stream}/14/")
    assert "Tray of EOU-01, shift swing, USD" in text(page)
    assert "Missing 25.00" in text(page)
    for number in (5, 6, 7, 8, 9):
        assert f'href="/fact/aurora/EOU-01/{DAY}/{number}/"' in page.content.decode()
    hold = f"/hold/where/aurora/EOU-01/{DAY}/"
    assert f'href="{hold}?part=unexplained#list"' in page.content.decode()
    assert f'href="/fact/aurora/EOU-01/{DAY}/14/"' in dana.get(f"{hold}?part=unexplained").content.decode()


def test_a_fact_of_the_queue_from_a_file_is_read_and_a_wrong_one_is_refused(night: Cast) -> None:
    row = a_hand("late-bet")
    sent = fact(
        1,
        "hand-snoozed",
        "aurora/house",
        of_table=row.table,
        of_day=row.day.isoformat(),
        hand=row.hand,
        until="2026-12-01T10:00:00+00:00",
        by="v-101",
    )
    intake.post([json.encode(sent)], Sender("file"))
    findings.examine()
    assert row_now(row).until == datetime(2026, 12, 1, 10, tzinfo=UTC)
    assert_queue_equals_replay()
    for until in ("9999-12-31T23:59:00-14:00", "tomorrow", "2026-12-01T10:00:00+20:00"):
        with pytest.raises(Exception, match=r"until|is refused"):
            intake.post(
                [json.encode(sent | {"uid": "0198b2f0-8c00-7000-8000-000000000999", "until": until})],
                Sender("x"),
            )
