"""Alerts: rules raise them, quiet hours delay them, mail and pages show them, and each delivery is
recorded.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from audit.database import execute, rows
from audit.findings import examine
from audit.ledger.intake import Sender, post
from audit.proofs.registry import RowCount
from audit.queries import feed_ages
from audit.queries.floor import PAGES
from audit.review import hands
from casino.accounts import alert_contacts
from casino.accounts import services as accounts
from casino.alerts import alert_log, publish, rules, services
from casino.presentation.errors import ActionRejected
from casino.proofs import events
from casino.surveillance.services import flag_hand
from tests.audit.floor import fact, line, opened
from tests.casino.conftest import Cast
from tests.casino.mailbox import MailBox, receiving_mail
from tests.casino.nights import STREAM, record, troubled_day
from tests.casino.receiver import hurry, work

ADA = Sender("Ada's table")
EMPTY: dict[str, Any] = {
    "active": True,
    "on": "finding",
    "codes": [],
    "grades": [],
    "tables": [],
    "over": None,
    "minutes": None,
    "page": True,
    "people": [],
    "roles": [],
    "webhooks": [],
    "quiet_from": None,
    "quiet_to": None,
    "breaks": True,
}
ZONE = ZoneInfo("America/Los_Angeles")


@pytest.fixture
def mailbox(settings: Any) -> Iterator[MailBox]:
    with receiving_mail(settings) as box:
        yield box


def rule(cast: Cast, name: str = "all", by: str = "Dana", **fields: Any) -> None:
    services.set_rule(cast.person(by), "aurora", str(uuid4()), name, **(EMPTY | fields))


def findings(first: int = 2, count: int = 3, table: str = "aurora/EOU-01") -> None:
    """Record that losing bets were taken although no bets were made. This causes findings of the grade
    integrity.
    """
    takes = [fact(place, table=table) for place in range(first, first + count)]
    post([line(fact) for fact in (opened(first - 1, table), *takes)], ADA)
    examine.examine()


def alerts() -> list[tuple[str, str, str]]:
    """Return the alerts of aurora, each as (rule, type, table)."""
    return [(alert.rule, alert.type, alert.table) for alert in alert_log.page("aurora", ())]


@contextmanager
def age_in(span: timedelta) -> Iterator[None]:
    """Make the open tables look as if this much time had passed since their last facts."""
    age = rows("SELECT %s - recorded_at FROM fact LIMIT 1", [timezone.now() + span])[0][0]
    real = publish.sources.feed_ages.open_tables
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            publish.sources.feed_ages,
            "open_tables",
            lambda *args: [feed._replace(age=age) for feed in real(*args)],
        )
        yield


def test_a_rule_raises_an_alert_for_each_event_that_fits_it(cast: Cast) -> None:
    rule(cast, "all")
    rule(cast, "money", grades=["money"])
    rule(cast, "over", over=500)
    rule(cast, "too-large", over=10**6)
    rule(cast, "elsewhere", tables=["EOU-02"])
    rule(cast, "by-code", codes=["no-such-wager"])
    record(troubled_day(times=1))
    publish.publish("aurora")
    finding_rows = rows("SELECT grade, owed, moved FROM finding")
    by_rule = Counter(name for name, _, _ in alerts())
    assert by_rule["all"] == len(finding_rows)
    assert by_rule["money"] == sum(grade == "money" for grade, _, _ in finding_rows) >= 1
    differences = [rules.difference(owed, moved) for _, owed, moved in finding_rows]
    assert by_rule["over"] == sum(difference >= 500 for difference in differences) >= 1
    assert by_rule["too-large"] == sum(difference >= 10**6 for difference in differences)
    assert not by_rule["elsewhere"] + by_rule["by-code"]
    publish.publish("aurora")
    assert rows("SELECT count(*) FROM alert") == [(by_rule.total(),)], "each once"


def test_events_of_findings_verdicts_and_days_come_in_order(cast: Cast) -> None:
    findings(count=1)
    publish.publish("aurora")
    execute("UPDATE finding SET code = 'not-settled', id = replace(id, code, 'not-settled')")
    examine.reexamine()
    rule(cast, "back", on="withdrawn")
    publish.publish("aurora")
    types = [row[0] for row in rows("SELECT type FROM event WHERE type LIKE 'finding%%' ORDER BY number")]
    assert types[0] == "finding.gained"
    assert "finding.lost" in types
    assert ("back", "finding.lost", "EOU-01") in alerts()


def test_a_flag_raises_an_alert_by_each_rule_that_it_fits(cast: Cast) -> None:
    rule(cast, "all")
    rule(cast, "grade", grades=["integrity"])
    rule(cast, "code", codes=["flagged"], tables=["EOU-07"])
    rule(cast, "money", grades=["money"])
    rule(cast, "amount", over=1)
    rule(cast, "elsewhere", tables=["EOU-02"])
    rule(cast, "withdrawn", on="withdrawn")
    record(troubled_day(times=1, faults=()))
    hand = hands.played("aurora", STREAM, "r-0001")
    assert hand is not None
    flag_hand(cast.person("Dana"), hand, "The dealer looked at the card.")
    for _ in range(2):
        publish.publish("aurora")
    assert sorted(alerts()) == [(name, "hand.flagged", "EOU-07") for name in ("all", "code", "grade")]
    alert = alert_log.page("aurora", ())[0]
    assert alert.says == "v-101 flagged hand r-0001 for review"
    assert alert.address == f"/hand/{STREAM}/r-0001/"
    assert alert.grade == "integrity", "the grade that the queue shows"
    assert "looked" not in str(alert.data), "the reason is not sent to webhooks"
    assert alert_log.page("aurora", alert_log.hidden_types(cast.person("Mia"), "aurora")) == []
    assert list(events.prove(RowCount())) == []


@pytest.mark.parametrize(
    ("fields", "begins"),
    [
        ({}, "A finding is made or a hand is flagged"),
        ({"codes": ["flagged"]}, "A hand is flagged"),
        ({"tables": ["EOU-01"]}, "A finding is made or a hand is flagged, table"),
        ({"codes": ["late-bet"]}, "A finding is made, code"),
        ({"grades": ["money"]}, "A finding is made, grade"),
        ({"over": 100}, "A finding is made"),
        ({"on": "withdrawn"}, "A finding is withdrawn or lost"),
    ],
)
def test_a_rule_says_if_flags_raise_it(cast: Cast, fields: dict[str, Any], begins: str) -> None:
    rule(cast, **fields)
    says = services.describe(rules.in_force("aurora").rules["all"])
    assert says.startswith(begins)
    assert fields or says == begins


def test_a_rule_that_is_set_later_raises_each_condition_that_still_lasts_once(cast: Cast) -> None:
    post([line(opened(1))], ADA)
    execute("UPDATE job SET state = 'set-aside', error = 'x' WHERE stream LIKE 'aurora/EOU%%'")
    with age_in(timedelta(minutes=31)):
        publish.publish("aurora")
        assert alerts() == []
        rule(cast, "jobs", on="set-aside")
        rule(cast, "quiet-table", on="silent", minutes=rules.DEFAULT_MINUTES["silent"])
        rule(cast, "elsewhere", on="silent", minutes=30, tables=["EOU-02"])
        rule(cast, "sooner", on="silent", minutes=5)
        expected = [
            ("jobs", "job.set-aside", ""),
            ("quiet-table", "feed.silent", "EOU-01"),
            ("sooner", "feed.silent", "EOU-01"),
        ]
        for _ in range(2):
            publish.publish("aurora")
            assert sorted(alerts()) == expected
        rule(cast, "jobs", on="set-aside", people=["v-101"])
        services.end_rule(cast.person("Mia"), "aurora", str(uuid4()), "quiet-table")
        rule(cast, "second", on="set-aside", by="Mia")
        publish.publish("aurora")
        assert sorted(alerts()) == [*expected[:2], ("second", "job.set-aside", ""), expected[2]], (
            "a rule whose channels change raises nothing again"
        )
    types = Counter(row[0] for row in rows("SELECT type FROM event"))
    assert types["job.set-aside"] == 1, "the condition keeps its event"


def test_a_silent_table_and_a_job_that_was_set_aside_raise_one_alert_each_time(cast: Cast) -> None:
    rule(cast, "quiet-table", on="silent", minutes=5)
    rule(cast, "jobs", on="set-aside", by="Mia")
    post([line(opened(1))], ADA)
    execute("UPDATE job SET state = 'set-aside', error = 'x' WHERE stream LIKE 'aurora/EOU%%'")
    publish.publish("aurora")
    assert alerts() == [("jobs", "job.set-aside", "")]
    with age_in(timedelta(minutes=6)):
        for _ in range(2):
            publish.publish("aurora")
    assert alerts()[0] == ("quiet-table", "feed.silent", "EOU-01")
    publish.publish("aurora")
    assert rows("SELECT type FROM event ORDER BY number DESC LIMIT 1") == [("feed.heard",)]
    assert len(alerts()) == 2


@pytest.mark.parametrize(("sees", "last"), [(None, 2), ([], 3)])
def test_a_fact_that_a_person_records_does_not_end_the_silence_of_equipment(
    cast: Cast, sees: list[str] | None, last: int
) -> None:
    settings = {} if sees is None else {"sees": sees}
    seat = {"dealer": "d-101", "supervisor": "s-201", "source": PAGES}
    earlier = fact(2, "dealer-seated", dealer="d-102", supervisor="s-202")
    post([line(opened(1) | settings), line(earlier)], ADA)
    post([line(fact(3, "dealer-seated", **seat))], ADA)
    (feed,) = feed_ages.open_tables("aurora", "2100-01-01")
    query = "SELECT recorded_at FROM fact WHERE stream = %s AND number = %s"
    assert rows(query, [feed.stream, last]) == [(feed.recorded_at,)]


@pytest.mark.parametrize(
    ("instant", "ends"),
    [
        ("2026-11-15T21:59:59-08:00", None),
        ("2026-11-15T22:00:00-08:00", "2026-11-16T06:00:00-08:00"),
        ("2026-11-16T05:59:59-08:00", "2026-11-16T06:00:00-08:00"),
        ("2026-11-16T06:00:00-08:00", None),
        ("2026-11-01T01:30:00-08:00", "2026-11-01T06:00:00-08:00"),  # after the clock was put back
    ],
)
def test_quiet_hours_go_over_midnight_and_end_by_the_clock(instant: str, ends: str | None) -> None:
    end = rules.quiet_end("22:00", "06:00", datetime.fromisoformat(instant), ZONE)
    assert (end and end.isoformat()) == ends


def test_quiet_hours_hold_alerts_back_and_end_in_one_mail(cast: Cast, mailbox: MailBox) -> None:
    zone = publish.calendar.zone("aurora")
    local_now = datetime.now(zone)
    quiet = {
        "quiet_from": f"{local_now - timedelta(hours=1):%H:%M}",
        "quiet_to": f"{local_now + timedelta(hours=1):%H:%M}",
    }
    services.set_contact(cast.person("Dana"), "dana@casino.example", True, "", "")
    rule(cast, "held", grades=["money", "integrity"], people=["v-101"], **quiet)
    record(troubled_day(times=1))
    work()
    money, integrity = (
        rows("SELECT count(*) FROM finding WHERE grade = %s", [grade])[0][0]
        for grade in ("money", "integrity")
    )
    assert money
    assert alert_log.held_back("aurora", ()) == money
    assert len(alerts()) == integrity, "integrity breaks through"
    assert sum(len(message) for message in mailbox.messages) in (0, 2)
    before = len(mailbox.messages)
    execute("UPDATE alert SET held_until = clock_timestamp() WHERE shown IS NULL")
    publish.publish("aurora")
    work()
    assert len(mailbox.messages) == before + 1
    to, message = mailbox.messages[-1]
    assert to == ["dana@casino.example"]
    assert f"{money} alert" in message.get_payload()
    assert len(alerts()) == money + integrity
    newest = alert_log.unseen("aurora", "v-101", ())
    assert newest.newest[0].grade == "money", "released alerts are new for those who have seen later ones"
    assert {row[0] for row in rows("SELECT state FROM delivery")} == {"delivered"}


def test_mail_is_tried_again_and_reaches_only_those_who_may_see_alerts(cast: Cast, mailbox: MailBox) -> None:
    for name, mail in (("Dana", "dana@casino.example"), ("Boris", "boris@casino.example")):
        alert_contacts.store(alert_contacts.Contact(cast.person(name).pk, mail))
    rule(cast, people=["v-101", "v-102", "t-101"])
    mailbox.refuse = ["451 try later"]
    findings(count=1)
    work()
    states = dict(rows("SELECT target, state FROM delivery"))
    assert states == {"v-101": "failed", "t-101": "set-aside"}, (
        "Boris may not see alerts, Dora has no address"
    )
    assert rows("SELECT code, answer FROM delivery WHERE target = 'v-101'") == [(451, "try later")]
    execute("UPDATE delivery SET due_at = clock_timestamp() WHERE state = 'failed'")
    hurry()
    work()
    ((to, message),) = mailbox.messages
    assert to == ["dana@casino.example"]
    assert message["Subject"].startswith("Catwalk aurora:")
    assert "EOU-01" in message.get_payload()
    ((state, attempts, code, uid),) = rows(
        "SELECT state, attempts, code, message::text FROM delivery WHERE target = 'v-101'"
    )
    assert (state, attempts, code) == ("delivered", 2, 250)
    assert message["Message-ID"] == f"<{uid}@catwalk>"


def test_a_mail_address_is_sealed_and_erased_with_its_person(cast: Cast, house: Any) -> None:
    services.set_contact(cast.person("Dana"), "dana@casino.example", True, "22:00", "06:00")
    assert alert_contacts.contact_of("v-101").quiet_to == "06:00"
    accounts.erase_personal_data("v-101")
    assert alert_contacts.contact_of("v-101") == alert_contacts.Contact("v-101")
    assert rows("""SELECT reason FROM seal WHERE "table" = 'alert_contact' ORDER BY id""") == [
        ("",),
        ("erased",),
    ]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"on": "boredom"}, "on"),
        ({"codes": ["no-such-code"]}, "codes"),
        ({"grades": ["grave"]}, "grades"),
        ({"roles": ["king"]}, "roles"),
        ({"webhooks": ["nowhere"]}, "webhooks"),
        ({"people": ["x-999"]}, "people"),
        ({"on": "silent"}, "minutes"),
        ({"minutes": 0}, "minutes"),
        ({"on": "silent", "minutes": 30, "over": 100}, "over"),
        ({"on": "late", "minutes": 30, "grades": ["money"]}, "grades"),
        ({"on": "token-ending", "codes": ["late-bet"]}, "codes"),
        ({"on": "withdrawn", "over": 100}, "over"),
        ({"on": "set-aside", "tables": ["EOU-01"]}, "tables"),
        ({"quiet_from": "25:00", "quiet_to": "06:00"}, "quiet_from"),
        ({"quiet_from": "22:00"}, "quiet_to"),
        ({"page": False}, "page"),
        ({"name": "n" * 41}, "rule"),
        ({"name": ""}, "rule"),
    ],
)
def test_an_invalid_rule_is_refused_with_its_field(cast: Cast, fields: dict[str, Any], field: str) -> None:
    with pytest.raises(ActionRejected) as refused:
        rule(cast, **fields)
    assert refused.value.field == field
    assert rules.in_force("aurora").rules == {}


def test_a_rule_may_have_an_ordinary_name(cast: Cast) -> None:
    browser = cast.browser("Dana")
    sent = {"property": "aurora", "uid": str(uuid4()), "rule": "Night flags", "on": "finding", "page": "on"}
    assert browser.post("/alerts/rules/", sent).status_code == 302
    assert list(rules.in_force("aurora").rules) == ["Night flags"]
    page = browser.get("/alerts/rules/?property=aurora&rule=Night%20flags").content.decode()
    assert "Change Night flags" in page
    assert "?property=aurora&amp;rule=Night%20flags" in page
    ending = {"property": "aurora", "uid": str(uuid4()), "name": "Night flags", "act": "end"}
    assert browser.post("/alerts/rules/", ending).status_code == 302
    assert rules.in_force("aurora").rules == {}


def test_setting_rules_needs_the_right_and_a_rule_can_be_ended(cast: Cast) -> None:
    for name in ("Boris", "Alma", "Igor", "Rhea", "Ada", "Eve"):
        with pytest.raises(PermissionDenied):
            rule(cast, by=name)
    rule(cast, "mine")
    services.end_rule(cast.person("Mia"), "aurora", str(uuid4()), "mine")
    assert rules.in_force("aurora").rules == {}
    kinds = rows("SELECT kind FROM fact WHERE kind LIKE 'alert%%' ORDER BY position")
    assert kinds == [("alert-rule-set",)] * 2
    with pytest.raises(ActionRejected):
        services.end_rule(cast.person("Mia"), "aurora", str(uuid4()), "mine")
