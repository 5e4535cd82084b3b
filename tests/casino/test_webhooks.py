"""Webhooks are signed, sent in order, and tried again until they are accepted. None is lost."""

import re
from collections.abc import Callable
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command

from audit.database import execute, rows
from audit.findings import examine
from audit.ledger.intake import Sender, post
from audit.proofs.registry import RowCount
from casino.alerts import http_client, publish, services
from casino.presentation.errors import ActionRejected
from casino.proofs import events
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from tests.audit.floor import fact, line, opened
from tests.casino.conftest import Cast
from tests.casino.receiver import Receiver, hurry, receiving, work
from tests.conftest import House
from tests.manage import PROJECT

ADA = Sender("Ada's table")


@pytest.fixture(autouse=True)
def intranet(settings: Any) -> None:
    """Allow webhooks without HTTPS, as a casino may do in its own network."""
    settings.WEBHOOK_HTTP = True


@pytest.fixture
def place(cast: Cast) -> Cast:
    """Return the users of a property that allows webhooks at private network addresses."""
    entry = Entry("thresholds", "private-webhooks", {"demand": True})
    set_registers("aurora", [entry], by="m-101", second="m-102")
    return cast


def hook(cast: Cast, receiver: Receiver, name: str = "soc", events: tuple[str, ...] = ()) -> None:
    receiver.secret = services.set_webhook(
        cast.person("Mia"), "aurora", str(uuid4()), name, receiver.url, events
    )


def findings(first: int = 2, count: int = 3) -> None:
    """Record that losing bets were taken although no bets were made. This causes findings."""
    if first == 2:
        post([line(opened(1))], ADA)
    post([line(fact(place)) for place in range(first, first + count)], ADA)
    examine.examine()


def waiting(kind: str = "deliver-webhook") -> list[tuple[Any, ...]]:
    return rows("SELECT state, due_at > clock_timestamp(), error FROM job WHERE kind = %s", [kind])


def test_findings_arrive_signed_and_in_order(place: Cast) -> None:
    with receiving() as receiver:
        hook(place, receiver, events=("finding.gained",))
        findings()
        work()
        finding_rows = rows("SELECT id FROM finding WHERE property = 'aurora' ORDER BY stream, number, id")
        assert len(finding_rows) >= 3
        assert [body["data"]["id"] for _, body in receiver.got] == [id for (id,) in finding_rows]
        assert receiver.numbers == sorted(receiver.numbers)
        assert receiver.refused == 0
        body = receiver.got[0][1]
        assert body["type"] == "finding.gained"
        assert body["data"] | {"table": "EOU-01", "day": "2026-11-27"} == body["data"]
        assert (body["property"], body["number"]) == ("aurora", 1)
        delivered = rows("SELECT state, attempts, code, message::text FROM delivery ORDER BY id")
        assert delivered == [("delivered", 1, 200, id) for id, _ in receiver.got]


def test_an_event_is_tried_again_after_an_error_a_silence_and_a_refused_connection(
    place: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_client, "READ_SECONDS", 0.2)
    with receiving() as receiver:
        hook(place, receiver, events=("finding.gained",))
        receiver.answers += [500, 0.5, 301]
        findings()
        work()
        for failure in ("500", "no answer", "301"):
            ((state, is_later, error),) = waiting()
            assert (state, is_later) == ("due", True)
            assert failure in error
            hurry()
            work()
        port, secret = receiver.port, receiver.secret
    findings(5, 2)
    work()
    ((_, _, error),) = waiting()
    assert error.endswith("no answer: Failed to establish a new connection: Connection refused")
    with receiving(port) as other_receiver:
        other_receiver.secret = secret
        hurry()
        work()
        numbers = receiver.numbers + other_receiver.numbers
        ids = [id for id, _ in receiver.got + other_receiver.got]
        count = rows("SELECT count(*) FROM event WHERE type = 'finding.gained'")[0][0]
        assert numbers == sorted(numbers), "in order"
        assert len(set(numbers)) == len(set(ids)) == count
        assert len(numbers) == count + 1, "the receiver had taken the event whose answer came too late"
    attempts = [row[0] for row in rows("SELECT attempts FROM delivery ORDER BY id")]
    assert attempts[0] == 4
    assert sum(attempts) == count + 4


def test_a_secret_is_replaced_with_an_overlap(place: Cast) -> None:
    with receiving() as receiver:
        hook(place, receiver, events=("finding.gained",))
        mia = place.person("Mia")
        before = receiver.secret
        new = services.rotate_secret(mia, "aurora", "soc")
        assert new.startswith("whsec_")
        assert new != before
        assert not rows("SELECT 1 FROM webhook_secret WHERE secret LIKE '%%whsec%%'"), "encrypted"
        findings(count=1)
        work()
        assert len(receiver.headers["webhook-signature"].split()) == 2
        receiver.secret, taken = new, len(receiver.got)
        findings(3, 1)
        work()
        assert len(receiver.got) > taken
        execute("UPDATE webhook_secret SET ends_at = now() WHERE ends_at IS NOT NULL")
        findings(4, 1)
        work()
        assert len(receiver.headers["webhook-signature"].split()) == 1
        assert receiver.refused == 0


def test_events_are_redelivered_from_a_number_with_the_same_ids(place: Cast) -> None:
    with receiving() as receiver:
        hook(place, receiver)
        findings()
        work()
        first = list(receiver.got)
        last = first[-1][1]["number"]
        call_command(
            "webhook", "aurora", "soc", "--replay", str(last - 1), "--by", "m-101", stdout=StringIO()
        )
        work()
        numbers = [body["number"] for _, body in first]
        assert receiver.numbers == [*numbers, last - 1, last]
        assert receiver.got[len(first) :] == first[-2:], "the same bytes with the same ids"
        assert rows("SELECT type, event, by FROM delivery WHERE by <> ''") == [("replay", last - 1, "m-101")]
        for wrong in (0, last + 1):
            with pytest.raises(ActionRejected) as refused:
                services.replay(place.person("Mia"), "aurora", "soc", wrong)
            assert refused.value.field == "number"


def test_a_webhook_that_fails_for_days_is_set_aside_and_can_be_revived(place: Cast) -> None:
    with receiving() as receiver:
        hook(place, receiver, events=("finding.gained",))
        receiver.answers += [500, 500, 410]
        findings(count=1)
        work()
        assert waiting()[0][0] == "due"
        execute("UPDATE webhook_progress SET failing_since = now() - interval '3 days'")
        hurry()
        work()
        ((state, _, error),) = waiting()
        assert (state, "500" in error) == ("set-aside", True)
        assert rows("SELECT state FROM delivery ORDER BY id LIMIT 1") == [("set-aside",)]
        publish.publish("aurora")
        assert rows("SELECT subject FROM condition WHERE kind = 'set-aside'"), "it is an event itself"
        mia = place.person("Mia")
        assert services.revive(mia, "aurora", "soc")
        work()
        assert waiting()[0][0] == "set-aside", "410 Gone sets aside at once"
        assert services.revive(mia, "aurora", "soc")
        work()
        assert receiver.numbers == sorted(set(receiver.numbers))
        assert waiting()[0][0] == "done"
        assert rows("SELECT DISTINCT by FROM job_revival") == [("m-101",)]


def test_a_test_event_is_sent_at_once_even_if_others_wait(place: Cast) -> None:
    with receiving() as receiver:
        hook(place, receiver)
        receiver.answers += [500]
        findings(count=1)
        work()
        services.send_test(place.person("Mia"), "aurora", "soc")
        work()
        assert receiver.types == ["test"]
        assert rows("SELECT state, code, by FROM delivery WHERE type = 'test'") == [
            ("delivered", 200, "m-101")
        ]


def test_a_receiver_can_ask_for_more_time(place: Cast) -> None:
    with receiving() as receiver:
        hook(place, receiver)
        receiver.answers, receiver.extra = [503], {"Retry-After": "900"}
        findings(count=1)
        work()
        query = (
            "SELECT due_at > clock_timestamp() + interval '14 min' FROM job WHERE kind = 'deliver-webhook'"
        )
        assert rows(query) == [(True,)]


def test_a_property_that_does_not_allow_private_addresses_sends_nothing_there(cast: Cast) -> None:
    with receiving() as receiver:
        hook(cast, receiver)
        findings(count=1)
        work()
        assert receiver.got == []
        assert "private address" in waiting()[0][2]


def test_two_properties_have_streams_of_their_own(place: Cast) -> None:
    with receiving() as receiver:
        hook(place, receiver)
        post([line(opened(50, "borealis/EOU-01")), line(fact(51, table="borealis/EOU-01"))], ADA)
        findings(count=1)
        work()
        assert {body["property"] for _, body in receiver.got} == {"aurora"}
        assert rows("SELECT DISTINCT property FROM event ORDER BY 1") == [("aurora",), ("borealis",)]
        with pytest.raises(PermissionDenied):
            services.replay(place.person("Mia"), "borealis", "soc", 1)


def test_only_an_administrator_manages_webhooks(place: Cast) -> None:
    with receiving() as receiver:
        hook(place, receiver)
        for name in ("Dana", "Boris", "Alma", "Igor", "Rhea", "Ada", "Eve"):
            person = place.person(name)
            acts: tuple[Callable[[], Any], ...] = (
                lambda person=person: services.set_webhook(
                    person, "aurora", str(uuid4()), "x", receiver.url, []
                ),
                lambda person=person: services.end_webhook(person, "aurora", str(uuid4()), "soc"),
                lambda person=person: services.rotate_secret(person, "aurora", "soc"),
                lambda person=person: services.send_test(person, "aurora", "soc"),
                lambda person=person: services.replay(person, "aurora", "soc", 1),
                lambda person=person: services.revive(person, "aurora", "soc"),
                lambda person=person: services.revive_mail(person, "aurora"),
            )
            for act in acts:
                with pytest.raises(PermissionDenied):
                    act()
        for command in ("--test", "--rotate", "--revive"):
            with pytest.raises(CommandError, match="may not set webhooks"):
                call_command("webhook", "aurora", "soc", command, "--by", "v-101", stdout=StringIO())


def test_the_stream_of_events_is_proved(place: Cast, house: House) -> None:
    findings()
    publish.publish("aurora")
    count = RowCount()
    assert list(events.prove(count)) == []
    assert count.by_table["event"] >= 3
    for announced in ("NULL", "0", "99"):
        execute(f"UPDATE finding SET announced = {announced}")
        assert {fault.table for fault in events.prove(RowCount())} == {"finding"}, announced
        execute("UPDATE finding f SET announced = e.number FROM event e WHERE e.subject = f.id")
    assert list(events.prove(RowCount())) == []
    house.owner.execute("ALTER TABLE event DISABLE TRIGGER USER")
    house.owner.execute("UPDATE event SET subject = 'x' WHERE type = 'finding.gained'")
    assert {fault.table for fault in events.prove(RowCount())} == {"finding"}
    house.owner.execute("DELETE FROM event WHERE number = 2")
    assert {fault.table for fault in events.prove(RowCount())} == {"finding", "event"}


def test_the_ten_lines_of_the_guide_verify_what_arrives(place: Cast) -> None:
    text = (PROJECT / "docs" / "api.md").read_text(encoding="utf-8")
    block = next(part for part in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "hmac" in part)
    names: dict[str, Any] = {}
    exec(compile(block, "docs/api.md", "exec"), names)
    with receiving() as receiver:
        hook(place, receiver)
        findings(count=1)
        work()
        verify = names["verify"]
        assert verify(receiver.secret, receiver.headers, receiver.body)
        assert not verify(receiver.secret, receiver.headers, receiver.body + b" ")
        assert not verify(receiver.secret, receiver.headers | {"webhook-timestamp": "1"}, receiver.body)
