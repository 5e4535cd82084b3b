"""Scheduled exports that are delivered by mail, to a real mail server. The places that a schedule names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django_celery_beat.models import PeriodicTask

from audit.database import execute
from audit.jobs import leases
from audit.ledger.intake import Sender, post
from audit.models import Job
from casino.checkpoints.destination_urls import parse, parse_delivery
from casino.exports import deliver, schedules
from casino.exports.archive import orders
from casino.exports.mail import MailRefused
from casino.exports.manifest import SUFFIX
from casino.exports.schedules import Schedule
from tests.audit import floor
from tests.casino.conftest import Cast
from tests.casino.mailbox import LOST, MailBox, receiving_mail
from tests.casino.receiver import hurry, work
from tests.casino.test_export_deliveries import delivered, order
from tests.casino.test_schedules import schedule_form

BOOKS = "mailto:books@casino.example"
SCHEDULES = "/admin/casino/schedule/"


@pytest.fixture
def mailbox(settings: Any) -> Iterator[MailBox]:
    settings.EXPORT_COPIES = [f"aurora={BOOKS}", "borealis=mailto:others@casino.example"]
    with receiving_mail(settings) as box:
        yield box


@pytest.fixture
def night(cast: Cast) -> None:
    post([floor.line(floor.opened(1)), floor.line(floor.fact(2))], Sender("gateway-1"))


def texts(message: Any) -> tuple[str, dict[str, bytes]]:
    """Return the text of a message, and its attachments by name."""
    parts = [part for part in message.walk() if not part.is_multipart()]
    text = next(part.get_payload(decode=True).decode() for part in parts if part.get_filename() is None)
    return text, {part.get_filename(): part.get_payload(decode=True) for part in parts if part.get_filename()}


def states(id: int) -> list[tuple[str, str, str]]:
    """Return the deliveries of an export."""
    stored = orders.get_order(id)
    assert stored is not None
    return [(delivery.place, delivery.state, delivery.error) for delivery in deliver.deliveries(stored)]


def test_an_export_is_sent_with_its_manifest(cast: Cast, night: None, mailbox: MailBox) -> None:
    id = order("aurora/EOU-01")
    order("aurora/EOU-01", schedule="")
    work()
    ((recipients, message),) = mailbox.messages
    text, files = texts(message)
    (name,) = [name for name in files if not name.endswith(SUFFIX)]
    assert recipients == ["books@casino.example"]
    assert name.endswith(f"_kept-{id}.ndjson")
    assert json.loads(files[f"{name}{SUFFIX}"])["sha256"] == sha256(files[name]).hexdigest()
    assert files[name].count(b"\n") == 2
    assert (name in text, sha256(files[name]).hexdigest() in text, "earlier attempt" in text) == (
        True,
        True,
        False,
    )
    assert states(id) == [(BOOKS, "done", "")]
    page = cast.browser("Alma").get(f"/exports/{id}/").content.decode()
    assert (BOOKS in page, page.count('<span class="badge good">delivered</span>')) == (True, 1)


def test_a_long_export_is_sent_as_a_link(night: None, mailbox: MailBox, settings: Any) -> None:
    settings.MAIL_ATTACHMENT_BYTES, settings.PAGES_URL = 100, "https://catwalk.casino.example"
    id = order("aurora/EOU-01")
    work()
    text, files = texts(mailbox.messages[0][1])
    assert files == {}
    assert f"https://catwalk.casino.example/exports/{id}/" in text
    assert "longer than 100 bytes" in text


def test_a_repeated_mail_says_so(night: None, mailbox: MailBox) -> None:
    """Test a server that accepts a message and whose answer is lost: the message is sent again."""
    mailbox.refuse = [LOST]
    id = order("aurora/EOU-01")
    with pytest.raises(ConnectionError, match="SMTPServerDisconnected"):
        work()
    assert [state for _, state, _ in states(id)] == ["due"]
    hurry()
    work()
    (_, first), (_, second) = mailbox.messages
    assert first["Message-ID"] == second["Message-ID"]
    assert second["Subject"] == f"Repeated: {first['Subject']}"
    assert "An earlier attempt may have sent you this mail already" in texts(second)[0]
    assert texts(first)[1] == texts(second)[1]
    assert states(id) == [(BOOKS, "done", "")]


def test_a_server_that_is_busy_is_tried_again_and_a_refusal_is_set_aside(
    night: None, mailbox: MailBox, settings: Any
) -> None:
    mailbox.refuse = ["451 try later"]
    id = order("aurora/EOU-01")
    with pytest.raises(ConnectionError, match="451 try later"):
        work()
    (job,) = Job.objects.filter(kind=deliver.JOB)
    assert (job.state, job.attempts, job.interruptions) == ("due", 0, 1), "it waits, however often"
    mailbox.refuse = ["552 too long"] * leases.MOST
    for _ in range(leases.MOST):
        execute("UPDATE job SET due_at = now() WHERE kind = %s", [deliver.JOB])
        with pytest.raises(MailRefused, match="552 too long"):
            work()
    assert [state for _, state, _ in states(id)] == ["set-aside"]
    assert mailbox.messages == []
    settings.EMAIL_HOST = ""
    leases.revive([job.id], "m-101")
    with pytest.raises(ConnectionError, match="CATWALK_MAIL_HOST"):
        work()


@pytest.mark.parametrize(
    "text",
    [
        "mailto:",
        "mailto:nobody",
        "mailto:a@b@c",
        "mailto:a@b.example?cc=x@y.example",
        "mailto:a b@c.example",
        "mailto:a%40b",
    ],
)
def test_an_invalid_mail_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse_delivery(text)


def test_checkpoints_are_not_sent_by_mail() -> None:
    assert parse_delivery(f"aurora={BOOKS}").property == "aurora"
    with pytest.raises(ValueError):
        parse(BOOKS)


def stored_schedule() -> Schedule:
    return schedules.read(json.loads(PeriodicTask.objects.get(name="nightly").kwargs))


def test_a_schedule_delivers_to_the_places_that_its_page_names(
    cast: Cast, night: None, mailbox: MailBox, settings: Any, tmp_path: Path
) -> None:
    folder = f"file://{tmp_path}/folder"
    settings.EXPORT_COPIES += [folder]
    alma = cast.browser("Alma")
    add = alma.get(f"{SCHEDULES}add/").content.decode()
    assert (BOOKS in add, folder in add, "others@casino.example" in add) == (True, True, False)
    assert alma.post(f"{SCHEDULES}add/", schedule_form()).status_code == 302
    assert stored_schedule().deliver_to is None
    page = f"{SCHEDULES}{PeriodicTask.objects.get(name='nightly').pk}/change/"
    chosen = schedule_form(deliver="chosen", deliver_to=[folder])
    assert alma.post(page, chosen).status_code == 302
    assert stored_schedule().deliver_to == (folder,)
    id = order("aurora/EOU-01")
    work()
    assert [(place, state) for place, state, _ in states(id)] == [(folder, "done")]
    assert (mailbox.messages, len(delivered(tmp_path / "folder" / "aurora"))) == ([], 2)
    for changes, says in (
        ({"deliver": "chosen"}, "Check at least one place."),
        ({"deliver": "none", "deliver_to": [folder]}, "another delivery is chosen above"),
        (
            {"deliver": "chosen", "deliver_to": ["mailto:others@casino.example"]},
            "is not one of the available",
        ),
    ):
        assert says in alma.post(page, schedule_form(**changes)).content.decode()
    assert stored_schedule().deliver_to == (folder,)
    assert alma.post(page, schedule_form(deliver="none")).status_code == 302
    assert stored_schedule().deliver_to == ()
    history = alma.get(page.replace("change", "history")).content.decode()
    assert f"Places (nothing → {folder})" in history
    assert "no place" in cast.browser("Igor").get(SCHEDULES).content.decode()
    assert cast.browser("Igor").post(page, chosen).status_code == 403


def test_a_place_that_is_not_configured_any_more_is_an_alarm(
    cast: Cast, night: None, mailbox: MailBox, settings: Any
) -> None:
    removed = "file:///removed"
    schedules.create(Schedule("nightly", "aurora", "hold", ("table",), "csv", "day", deliver_to=(removed,)))
    id = order("aurora/EOU-01")
    with pytest.raises(deliver.PlaceNotConfigured):
        work()
    page = f"{SCHEDULES}{PeriodicTask.objects.get(name='nightly').pk}/change/"
    assert f"{removed} (not configured any more)" in cast.browser("Alma").get(page).content.decode()
    assert [(place, error[:18]) for place, _, error in states(id)] == [(removed, "PlaceNotConfigured")]
    assert mailbox.messages == []
