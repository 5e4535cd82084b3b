"""Which role may see each page, which views are recorded in the viewing log, and how verdicts are given."""

from __future__ import annotations

import re

import psycopg
import pytest
from django.db import connection
from django.test import Client
from msgspec import json

from audit.facts import VerdictGiven, decode
from audit.findings import examine as findings
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.ledger.store import read_kinds
from audit.review import hands, projections, queue, verdicts
from casino.models import Person
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.surveillance import services as surveillance
from casino.surveillance.services import Words
from tests.casino.conftest import ROLES, Cast
from tests.casino.logins import logged_in
from tests.casino.nights import STREAM, officers, record, troubled_day
from tests.casino.pages import OPENID, PAGES, STREAMS, status_for, text
from tests.conftest import House
from tests.counts import LONG
from tests.furnished import furnishing

HAND = "/hand/aurora/EOU-07/2026-11-27/r-0002/"
FACT = "/fact/aurora/EOU-07/2026-11-27/1/"
EVERYBODY = {*ROLES} - {"Dora"}
WATCHERS = {"Dana", "Boris", "Igor", "Rhea"}
ANSWERS: dict[str, tuple[str, set[str]]] = {
    "queue": ("/queue/", WATCHERS),
    "queue_more": ("/queue/more/?after=1|0||", WATCHERS),
    "queue_news": ("/queue/news/?since=1", WATCHERS),
    "hand": (HAND, WATCHERS),
    "fact": (FACT, WATCHERS),
    "replay": (HAND.replace("hand", "replay", 1), WATCHERS),
    "correct": ("/correct/?stream=aurora/EOU-07/2026-11-27&hand=r-0002", WATCHERS),
    "jump": ("/jump/?to=EOU-07+06:30", WATCHERS),
    "hands": ("/hands/", WATCHERS),
    "hands_complete": ("/hands/complete/?typed=card: 7", WATCHERS),
    "hands_add": ("/hands/add/?typed=card: 7", WATCHERS),
    "hold": ("/hold/", WATCHERS | {"Alma"}),
    "certificate": ("/certificate/", WATCHERS | {"Alma"}),
    "reports": ("/reports/", WATCHERS | {"Alma"}),
    "report": ("/reports/hold/", WATCHERS | {"Alma"}),
    "report_file": ("/reports/hold/csv/", WATCHERS | {"Alma"}),
    "review": ("/hold/review/", WATCHERS | {"Alma"}),
    "exports": ("/exports/", WATCHERS | {"Alma"}),
    "where": ("/hold/where/", WATCHERS | {"Alma"}),
    "where_day": ("/hold/where/aurora/EOU-07/2026-11-27/", WATCHERS | {"Alma"}),
    "boards": ("/boards/", WATCHERS),
    "board": ("/boards/dealers/", WATCHERS),
    "home_of_role": ("/home/", EVERYBODY - {"Ada", "Gus", "Eve"}),
    "wall": ("/wall/", WATCHERS | {"Alma", "Finn"}),
    "wall_news": ("/wall/news/", WATCHERS | {"Alma", "Finn"}),
    "floor": ("/floor/", WATCHERS | {"Alma", "Finn"}),
    "floor_news": ("/floor/news/", WATCHERS | {"Alma", "Finn"}),
    "floor_table": ("/floor/aurora/EOU-07/", WATCHERS | {"Alma", "Finn"}),
    "floor_change": ("/floor/change/", {"Boris", "Finn"}),
    **{
        f"floor_{act}": (f"/floor/aurora/EOU-07/{act}/", {"Boris", "Finn"})
        for act in ("open", "close", "seat", "limits")
    },
    "floor_tray": ("/floor/aurora/EOU-07/tray/closer/", {"Boris", "Finn"}),
    "cage": ("/cage/", WATCHERS | {"Alma", "Finn", "Chi"}),
    "cage_news": ("/cage/news/", WATCHERS | {"Alma", "Finn", "Chi"}),
    "cage_markers": ("/cage/markers/", WATCHERS | {"Alma", "Finn", "Chi"}),
    "cage_ask": ("/cage/ask/aurora/EOU-07/fill/", WATCHERS | {"Alma", "Finn", "Chi"}),
    "cage_marker": ("/cage/marker/aurora/EOU-07/", {"Boris", "Finn"}),
    "cage_chips": ("/cage/chips/aurora/EOU-07/", {"Boris", "Finn", "Ada"}),
    "cage_number": ("/cage/number/aurora/", {"Chi"}),
    "cage_payment": ("/cage/payment/aurora/", {"Chi"}),
    "cage_write_off": ("/cage/write-off/aurora/", {"Alma"}),
    "cage_deposits": ("/cage/deposits/", WATCHERS | {"Alma", "Finn", "Chi"}),
    "cage_drop": ("/cage/drop/aurora/", {"Chi"}),
    "cage_deposit": ("/cage/deposit/aurora/", {"Chi"}),
    "cage_confirmation": ("/cage/confirmation/aurora/", {"Alma"}),
    "count": ("/count/", {"Dana", "Alma", "Chi", "Nia", "Igor", "Rhea"}),
    "count_pull": ("/count/pull/", {"Finn", "Gus"}),
    "closing": ("/closing/", WATCHERS | {"Alma"}),
    "closing_adjust": ("/closing/adjust/", {"Alma"}),
    **{
        name: (path, WATCHERS | {"Alma"})
        for name, path in (
            ("journal", "/journal/"),
            ("journal_file", "/journal/csv/"),
            ("journal_accounts", "/journal/accounts/"),
        )
    },
    "views": ("/views/", {"Igor", "Rhea"}),
    "otp": ("/otp/", EVERYBODY - {"Eve"}),
    **{
        f"tokens{of}": (f"/tokens/{of and 'all/'}", names)
        for of, names in (("", WATCHERS | {"Alma", "Mia"}), ("_all", {"Mia"}))
    },
    "log": ("/log/", {"Dana", "Igor", "Rhea"}),
    "log_cameras": ("/log/cameras/", {"Dana", "Igor", "Rhea"}),
    "log_large_wins": ("/log/large-wins/", {"Dana", "Igor", "Rhea"}),
    "log_write": ("/log/write/", {"Dana"}),
    "log_hand_over": ("/log/hand-over/", {"Dana"}),
    "holds": ("/video/", {"Dana", "Igor", "Rhea"}),
    **{
        name: (path, {"Dana", "Mia", "Igor", "Rhea"})
        for name, path in (
            ("alerts", "/alerts/"),
            ("alerts_news", "/alerts/news/"),
            ("alerts_mine", "/alerts/mine/"),
            ("alert_rules", "/alerts/rules/"),
            ("webhooks", "/alerts/webhooks/"),
            ("deliveries", "/alerts/deliveries/"),
        )
    },
    "proof_verifier": ("/exports/verify_proof.py", WATCHERS | {"Alma"}),
    "help": ("/help/", EVERYBODY),
    "find": ("/find/?q=hold", EVERYBODY),
    "help_guide": ("/help/cage/", EVERYBODY),
    "cases": ("/cases/", WATCHERS - {"Boris"}),
    "case_new": ("/cases/new/", {"Dana"}),
    "home": ("/", EVERYBODY - {"Eve", "Ada"}),
}
"""The address of each page, and the members of the cast who may see it."""

KEPT = (
    "report_keep",
    "report_preferences",
    "kept_report",
    *(f"export{suffix}" for suffix in ("", "_state", "_file", "_manifest", "_again", "_retry", "_verifier")),
)
ACTS_OF_THE_QUEUE = ("verdict_many", "verdict_undo", "queue_chosen", "queue_assign", "queue_snooze")
LOG_AND_VIDEO = (
    "log_accept",
    "log_entry",
    "hold_video",
    "secure_video",
    "release_video",
    "export_video",
    "open_video",
    "play_video",
)
"""Actions and pages that test_daily_log.py and test_video.py cover."""
CASE = ("case", "case_add", "case_act", "case_note", "case_file", "evidence")
SLIPS = (
    "token",
    "token_revoke",
    "cage_slip",
    "cage_withdraw",
    "cage_spoil",
    "slip_print",
    "count_drop",
    "count_verify",
)


@furnishing
def night() -> Cast:
    cast = Cast()
    officers(1_000)
    record(troubled_day(times=1))
    return cast


def browser(id: str) -> Client:
    return logged_in(id)


def pages_under_test() -> set[str]:
    """Return the names of the pages that this module tests. Some pages are not included: those that other
    modules test, and addresses that only act and show no page.
    """
    return {page.name for page in PAGES if page.name} - {
        "verdict",
        "view_save",
        "view_remove",
        "fact_proof",
        "flag",
        *ACTS_OF_THE_QUEUE,
        *LOG_AND_VIDEO,
        "help_image",
        *OPENID,
        *STREAMS,
        *SLIPS,
        *KEPT,
        *CASE,
    }


def a_hand(code: str = "wrong-settlement", minimum: int = 0) -> queue.Hand:
    rows = queue.page(queue.Wanted(("aurora",), code=code)).rows
    return next(row for row in rows if -row.less >= minimum)


def row_now(row: queue.Hand) -> queue.Hand:
    """Return the hand of this row as the queue has it now."""
    rows = queue.page(queue.Wanted(("aurora",), state="all")).rows
    return next(hand for hand in rows if (hand.stream, hand.hand) == (row.stream, row.hand))


def opened(row: queue.Hand) -> tuple[hands.Played, list[verdicts.CurrentFinding]]:
    played = hands.played(row.property, row.stream, row.hand)
    assert played is not None
    return played, verdicts.findings_of(row.property, row.stream, row.hand)


def unnamed_fields(html: str) -> list[str]:
    """Return the fields of a page's forms that have no name. A browser does not send such fields."""
    forms = re.findall(r"<form\b.*?</form>", html, flags=re.S)
    fields = [field for form in forms for field in re.findall(r"<(?:input|select|textarea)\b[^>]*>", form)]
    return [field for field in fields if not re.search(r"\bname=\"[^\"]", field)]


def test_every_page_is_shown_only_to_its_users(night: Cast) -> None:
    assert pages_under_test() <= ANSWERS.keys()
    clients = {name: night.browser(name) for name in EVERYBODY}
    people = {name: night.person(name) for name in EVERYBODY}
    wrong = []
    for place, page in enumerate(sorted(pages_under_test())):
        address, may = ANSWERS[page]
        rendered = sorted(may)[place % len(may)]  # the page is rendered for this user only
        for name, client in clients.items():
            if LONG or name == rendered:
                response = client.get(address)
                status = response.status_code
                if status == 200 and response["Content-Type"].startswith("text/html"):
                    wrong += [(page, field, status) for field in unnamed_fields(response.content.decode())]
            else:
                status = status_for(people[name], address)
            if (status in (200, 302)) != (name in may) or status not in (200, 302, 403):
                wrong.append((page, name, status))
        answer = Client().get(address)
        if answer.status_code != 302 or not answer["Location"].startswith("/login/"):
            wrong.append((page, "nobody", answer.status_code))
    assert wrong == []


def test_only_surveillance_gives_verdicts(night: Cast) -> None:
    row = a_hand()
    sent = {
        "stream": row.stream,
        "hand": row.hand,
        "finding": "x|y",
        "verdict": "confirmed",
        "disposition": "patron_action",
    }
    answers = {name: night.browser(name).post("/verdict/", sent).status_code for name in EVERYBODY}
    assert {name for name, status in answers.items() if status != 403} == {"Dana"}
    assert Client().post("/verdict/", sent)["Location"].startswith("/login/")
    assert list(read_kinds("aurora", {"verdict-given"})) == []


def test_another_propertys_hand_is_not_shown(night: Cast) -> None:
    answer = browser("v-101").get(HAND.replace("aurora", "borealis"))
    assert answer.status_code == 403
    assert "see-hand at borealis" in answer.content.decode()


def test_an_officers_flag_is_a_fact_that_the_queue_shows_like_a_finding(night: Cast) -> None:
    clean = hands.played("aurora", STREAM, "r-0001")
    assert clean is not None
    dana = Person.objects.get(pk="v-101")
    before = len(queue.page(queue.Wanted(("aurora",))).rows)
    surveillance.flag_hand(dana, clean, "seat 3 looks into the cup")
    (fact,) = [decode(body) for *_, body in read_kinds("aurora", {"flagged"})]
    assert (fact.of_table, str(fact.of_day), fact.round, fact.by) == (
        "aurora/EOU-07",
        "2026-11-27",
        "r-0001",
        "v-101",
    )  # type: ignore[attr-defined]
    row = a_hand("flagged")
    assert (row.hand, row.rank, row.codes, row.state) == ("r-0001", 1, ["flagged"], "open")
    assert len(queue.page(queue.Wanted(("aurora",))).rows) == before + 1
    rows = queue.page(queue.Wanted(("aurora",))).rows
    findings.reexamine()
    projections.rebuild("aurora")
    assert queue.page(queue.Wanted(("aurora",))).rows == rows
    surveillance.give_verdict(dana, *opened(row), Words("dismissed", "no_error"))
    assert row_now(row).state == "decided"


def test_a_flag_on_a_hand_with_findings_is_judged_with_them(night: Cast) -> None:
    row = a_hand("late-bet")
    played, findings = opened(row)
    surveillance.flag_hand(Person.objects.get(pk="v-101"), played, "past post for the third time")
    assert row_now(row).codes == sorted([*row.codes, "flagged"])
    assert len(opened(row)[1]) == len(findings) + 1


def test_a_flag_on_a_hand_never_dealt_is_recorded_and_not_shown(night: Cast) -> None:
    before = queue.page(queue.Wanted(("aurora",))).rows
    line = json.encode(
        {
            "uid": "5b3d7c52-0000-4000-8000-000000000001",
            "table": "aurora/house",
            "day": "2026-11-27",
            "kind": "flagged",
            "source": "desk",
            "at": "2026-11-27T12:00:00Z",
            "of_table": "aurora/EOU-99",
            "of_day": "2026-11-27",
            "round": "r1",
            "why": "x",
            "by": "v-101",
        }
    )
    intake.post([line], Sender("v-101"))
    findings.examine()
    assert queue.page(queue.Wanted(("aurora",))).rows == before


@pytest.mark.parametrize("reason", ["", "   ", "x" * 501])
def test_a_flag_needs_a_reason_and_the_right_of_surveillance(night: Cast, reason: str) -> None:
    sent = {"stream": STREAM, "hand": "r-0001", "why": reason}
    answer = browser("v-101").post("/flag/", sent, headers={"HX-Request": "true"}).content.decode()
    assert "why this hand should be reviewed" in answer
    answers = {
        name: night.browser(name).post("/flag/", sent | {"why": "x"}).status_code for name in EVERYBODY
    }
    assert {name for name, status in answers.items() if status != 403} == {"Dana"}


def test_a_verdict_names_the_video_that_shows_the_hand(night: Cast) -> None:
    set_registers(
        "aurora",
        [
            Entry("cameras", "cam-12", {"tables": ["EOU-07"]}),
            Entry("cameras", "cam-40", {"tables": ["EOU-08"]}),
        ],
        by="m-101",
        second="m-102",
    )
    row = a_hand("late-bet")
    played, findings = opened(row)
    surveillance.give_verdict(
        Person.objects.get(pk="v-101"), played, findings, Words("confirmed", "patron_action")
    )
    fact = next(decode(body) for *_, body in read_kinds("aurora", {"verdict-given"}))
    assert isinstance(fact, VerdictGiven)
    begins, ends = (played.facts[place].fact.at.isoformat(timespec="seconds") for place in (0, -1))
    assert [(clip.camera, clip.from_, clip.to) for clip in fact.video] == [("cam-12", begins, ends)]
    assert "video cam-12" in text(browser("v-101").get(HAND))


def test_every_view_of_a_hand_is_on_record_and_cannot_be_changed(night: Cast, house: House) -> None:
    browser("v-101").get(HAND)
    night.browser("Igor").get(FACT)
    with connection.cursor() as cursor:
        cursor.execute("SELECT person, stream, hand FROM viewing ORDER BY id")
        assert cursor.fetchall() == [("v-101", STREAM, "r-0002"), ("i-101", STREAM, "#1")]
    for change in ("UPDATE viewing SET person = 'x'", "DELETE FROM viewing", "TRUNCATE viewing"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            house.app.execute(change)
        with pytest.raises(psycopg.errors.RaiseException):
            house.owner.execute(change)
    assert "v-101" in night.browser("Rhea").get("/views/").content.decode()


def test_the_viewing_log_finds_a_table_by_its_name_with_and_without_the_property(night: Cast) -> None:
    browser("v-101").get(HAND)
    property, table, _ = STREAM.split("/")
    rhea = night.browser("Rhea")
    for name, is_found in ((table, True), (f"{property}/{table}", True), (table[:-1], False), ("x", False)):
        page = text(rhea.get(f"/views/?table={name}"))
        assert ("r-0002" in page) == is_found, name
        assert ("No entry of the viewing log matches" in page) != is_found, name


def test_a_hand_replayed_alone_owes_the_same_as_in_its_day(night: Cast) -> None:
    compared = 0
    for row in queue.page(queue.Wanted(("aurora",))).rows:
        played, findings = opened(row)
        lines = {(wager.spot, wager.wager): wager for wager in played.wagers}
        for finding in findings:
            if finding.code == "wrong-settlement":
                line = lines[finding.spot or "", finding.wager or ""]
                assert (line.owed, line.moved) == (finding.owed, finding.moved)
                compared += 1
    assert compared >= 3
