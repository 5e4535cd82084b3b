"""A small installation with two properties, in which nearly every database table has rows."""

from __future__ import annotations

from contextlib import redirect_stderr, redirect_stdout
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django_celery_beat.models import IntervalSchedule
from msgspec import json

from audit import tasks
from audit.facts import check
from audit.findings import examine as findings
from audit.findings import read
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.review import hands, log_projection, verdicts
from casino import tasks as _registered  # noqa: F401 - registers the work of archived exports
from casino.accounts.services import activate_user
from casino.alerts import publish
from casino.alerts import services as alerts
from casino.cases import services as cases
from casino.cases import viewings
from casino.cases.services import SubjectValues
from casino.checkpoints import make
from casino.exports import schedules
from casino.exports.archive import orders
from casino.exports.archive.orders import ExportSpec
from casino.models import Asking, Person
from casino.proofs import anchors
from casino.reference.calendar import gaming_day
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.surveillance import assignments
from casino.surveillance import services as surveillance
from casino.surveillance.assignments import Chosen
from casino.surveillance.services import Words
from tests.audit.floor import OPENING, fact, line
from tests.casino.books import marked
from tests.casino.casework import PNG, named_file, opened, suspicion
from tests.casino.conftest import COMPLIANCE, Cast
from tests.casino.nights import PASSWORD, officers, troubled_day
from tests.casino.test_cage import FILL, Desk
from tests.casino.test_otp import enrol
from tests.casino.test_reports import PEOPLE, at, felt

FAULTS = (
    "wrong-settlement:over:overpaid",
    "late-bet:new",
    "wrong-settlement:under:underpaid",
    "not-settled:over",
)
EXAMPLES = Path(__file__).parent.parent / "audit" / "golden" / "facts.ndjson"
LOGGED = frozenset({"log-written", "camera-down", "hold-ordered", "clip-exported"})
"""The kinds of the daily log whose examples are recorded."""
SECOND = "borealis"
"""The property that is not aurora."""


def post(facts: list[dict[str, Any]]) -> None:
    """Record facts and examine them. The facts are validated, but their sender is not checked."""
    intake.post_prepared([check(json.encode(fact)) for fact in facts], Sender("gateway"))
    findings.examine()


def furnish() -> Cast:
    """Record two properties with faults, verdicts, slips, markers, exports, users and tokens."""
    cast = Cast()
    officers()
    day = troubled_day(times=1, faults=FAULTS)
    post(day)
    post(json.decode(json.encode(day[:60]).replace(b'"aurora/', b'"' + SECOND.encode() + b"/")))
    late = at(table="aurora/T1")
    post([*felt(1000, 100), *marked(issued=500, paid=200)])
    post([late("fill-sent", slip=f"F-000{serial}", chips={}, amount=300, **PEOPLE) for serial in (1, 2, 2)])
    post([late("day-closed", by="t-101")])
    _judge(cast)
    _work_at_the_cage(cast)
    _work_on_cases(cast)
    _set_alerts(cast)
    _export()
    _sign_in(cast)
    findings.examine()
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        for report in ("hold", "table-drop", "slips"):
            call_command("report", report, "--from", "2026-11-27", "--to", "2026-11-28", "--format", "csv")
    for property in ("aurora", SECOND):
        assert make.make(property)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(anchors, "SETTLED", timedelta(0))
        assert anchors.anchor() == 1
    findings.examine()
    for property in ("aurora", SECOND):
        publish.publish(property)
    return cast


def _judge(cast: Cast) -> None:
    """Give two verdicts, one of them signed by a second officer. Flag, assign and snooze a hand."""
    every = [finding for finding, _ in read.findings(code="wrong-settlement")]
    grave = [finding for finding in every if finding.stream.startswith("aurora/")]
    lost = Words("confirmed", "dealer_error_uncorrected_house_loss", note="Seen on camera, twice.")
    dana, dora = cast.person("Dana"), cast.person("Dora")
    for finding, words in zip(grave[:2], (lost, Words("dismissed", "no_error")), strict=False):
        stream, round = finding.stream, finding.round or ""
        played = hands.played("aurora", stream, round)
        assert played is not None
        first = verdicts.findings_of("aurora", stream, round)[:1]
        surveillance.give_verdict(dana, played, first, words, dora)
    played = hands.played("aurora", grave[-1].stream, grave[-1].round or "")
    assert played is not None
    surveillance.flag_hand(dana, played, "The dealer looked away.")
    chosen = [Chosen(played.stream, played.name)]
    assignments.assign(dana, chosen, dora)
    assignments.snooze(dana, chosen, datetime.now(UTC) + timedelta(days=1))


def _work_at_the_cage(cast: Cast) -> None:
    """Record one fill with all signatures, and request another one that has only two signatures."""
    day = gaming_day("aurora").isoformat()
    intake.post([line(fact(900, table="aurora/EOU-01", day=day, **OPENING))], Sender("test"))
    desk = Desk(cast)
    desk.filled()
    assert desk.ask({name: FILL[name] for name in ("requested_by", "sent_by")}).status_code == 302


def _work_on_cases(cast: Cast) -> None:
    """Open a case with a subject, a file and a note. Open a case of suspicion and let compliance look at it.
    Record the daily log.
    """
    dana = cast.person("Dana")
    case = opened(cast, parts=())
    values = SubjectValues(0, "dealer", "d-101", "Tall, black jacket.", "seen twice", "none", None, None)
    cases.set_subject(dana, "aurora", case, str(uuid4()), values)
    cases.add_file(dana, "aurora", case, str(uuid4()), named_file(PNG, "spot.png"), "spot.png")
    cases.note(dana, "aurora", case, str(uuid4()), "The cut card was late.")
    set_registers("aurora", [Entry("people", COMPLIANCE, {"role": "compliance"})], by="m-101", second="m-102")
    activate_user(COMPLIANCE, "Cora", PASSWORD)
    viewings.record_viewing(Person.objects.get(pk=COMPLIANCE), "aurora", suspicion())
    golden = map(json.decode, EXAMPLES.read_bytes().splitlines())
    facts = {fact["kind"]: fact["sent"].encode() for fact in golden if fact["kind"] in LOGGED}
    intake.post(list(facts.values()), Sender("test"))
    log_projection.follow("aurora")


def _set_alerts(cast: Cast) -> None:
    """Create a webhook, and let Dana receive alerts by mail."""
    webhook = "https://soc.example/catwalk"
    alerts.set_webhook(cast.person("Mia"), "aurora", str(uuid4()), "soc", webhook, ["finding.gained"])
    alerts.set_contact(cast.person("Dana"), "dana@example.com", True, "", "")


def _export() -> None:
    """Archive two exports, rebuild one, and schedule another."""
    span = (date(2026, 11, 27), date(2026, 11, 28))
    ids = [
        orders.order(ExportSpec("aurora", "hold", *span, ("table",), form), "a-101")
        for form in ("csv", "json")
    ]
    _work()
    assert ids[0] is not None
    orders.request_rebuild(ids[0], "a-101")
    _work()
    every = schedules.Schedule("drop of the day", "aurora", "table-drop", ("table",), "csv", "day")
    schedules.create(every)
    Asking.objects.create(minute="5", hour="15")
    IntervalSchedule.objects.create(every=5, period="minutes")


def _work() -> None:
    """Do the jobs of archived exports that are due, as a worker does."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM job WHERE state = 'due' AND kind <> ALL (%s)", [["examine"]])
        due = [id for (id,) in cursor.fetchall()]
    for id in due:
        tasks.examine(id)


def _sign_in(cast: Cast) -> None:
    """Sign Dana in, let her look at lists and hands, let Eve guess a password, and set up one-time passwords
    for Gus.
    """
    dana = cast.logins["Dana"]
    browser = Client(headers={"host": "localhost"})
    assert browser.post("/login/", {"username": dana.id, "password": PASSWORD}).status_code == 302
    assert browser.get("/reports/slips/csv/?from=2026-11-27&to=2026-11-28").status_code == 200
    browser.get("/queue/")
    guess = {"username": "e-101", "password": "a guess of a guess"}
    Client(headers={"host": "localhost"}).post("/login/", guess)
    enrol(cast, "Gus")
