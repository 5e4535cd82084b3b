"""Publish new events: add them to the stream of a property, raise alerts according to the property's rules,
and request deliveries.

One job for each property does this. It is requested every few seconds if there is something to publish. Each
run is one transaction that locks the stream. If the worker is killed, nothing is stored, and the next job
does the work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from audit import database
from audit.facts import AlertRuleSet
from audit.jobs import alarms, leases
from audit.jobs.leases import Lease
from audit.queries import announce, heads
from casino.alerts import deliveries, event_log, rules, sources
from casino.alerts.event_log import Draft, Stream
from casino.alerts.rules import InForce
from casino.reference import calendar

JOB = alarms.PUBLISH
FINDINGS = 2000
"""Maximum number of findings that one transaction announces."""
EVERY = 15
"""Seconds after which conditions and quiet hours are checked if nothing else has happened."""
LISTED = 100
"""Maximum number of alerts that a summary lists."""


class Alert(NamedTuple):
    """An alert to add: its rule, its event, and the time until which quiet hours hold it back."""

    rule: str
    event: int
    held_until: datetime | None


class Numbered(NamedTuple):
    """An event with the number that it gets in the stream."""

    number: int
    draft: Draft


class Match(NamedTuple):
    """A rule, and an event that fits it and therefore raises an alert."""

    rule: str
    event: Numbered


def request_due() -> int:
    """Request the job of each property that has something to publish. Return the number of jobs."""
    due = database.rows(_DUE, [EVERY])
    for (property,) in due:
        leases.ask_for(JOB, property, "")
    return len(due)


def job(lease: Lease) -> Callable[[], int]:
    """Publish until nothing new is left. In the transaction that ends the job, request the deliveries."""
    while publish(lease.property) >= FINDINGS:
        lease.progress[0] += FINDINGS
    return lambda: event_log.last_number(lease.property)


def publish(property: str) -> int:
    """Publish at most FINDINGS new findings and everything else that is new. Return the number of findings
    that were announced.
    """
    with transaction.atomic():
        stream = event_log.lock(property)
        # Lock new findings before the facts are read, so that no finding is announced after the event of
        # its withdrawal. A locked finding cannot end before this transaction is committed, and a finding
        # that ended earlier is not among the locked ones.
        findings = announce.lock_new_findings(property, FINDINGS)
        head = heads.head(property).position
        # Read the rules after the head, so that no new rule is passed over. A rule that is set between the
        # two is new in this run and in the next one.
        in_force = rules.in_force(property)
        drafts = sources.of_facts(property, announce.facts_since(property, stream.position, head))
        first = stream.number + len(drafts) + 1
        drafts += [sources.of_finding(finding) for finding in findings]
        announce.mark_announced(
            property, [(finding.id, number) for number, finding in enumerate(findings, first)]
        )
        drafts += sources.of_exports(property)
        conditions = sources.of_conditions(property, in_force)
        drafts += conditions.changes
        numbers = event_log.append(property, stream.number, drafts)
        added = [Numbered(number, draft) for number, draft in zip(numbers, drafts, strict=True)]
        matches = _matches(in_force.rules, added)
        matches += _older_matches(property, in_force.set_after(stream.position), conditions.older)
        stream = stream._replace(number=stream.number + len(drafts), position=head)
        stream = _alert(property, stream, in_force, matches)
        event_log.store(property, stream)
        deliveries.request(property, in_force, stream.number)
    return len(findings)


def _matches(active: Mapping[str, AlertRuleSet], events: Iterable[Numbered]) -> list[Match]:
    """Return a match for each event and each active rule that the event fits."""
    return [
        Match(name, event)
        for event in events
        for name, rule in active.items()
        if rules.matches(rule, event.draft.type, event.draft.data)
    ]


def _older_matches(
    property: str, new_rules: Mapping[str, AlertRuleSet], older: Sequence[Draft]
) -> list[Match]:
    """Return a match for each new rule and each condition that fits it and began before the rule was set.
    Leave out a match if the rule has already raised an alert about the condition, for example because only
    the rule's channels were changed.
    """
    matches = [
        Match(match.rule, Numbered(number, match.event.draft))
        for match in _matches(new_rules, [Numbered(0, draft) for draft in older])
        if (number := event_log.latest(property, match.event.draft)) is not None
    ]
    if not matches:
        return []
    values = [property, list(new_rules), [match.event.number for match in matches]]
    raised = set(map(tuple, database.rows(_RAISED, values)))
    return [match for match in matches if (match.rule, match.event.number) not in raised]


def _alert(property: str, stream: Stream, in_force: InForce, matches: list[Match]) -> Stream:
    """Raise the alerts of events that match a rule, and release those whose quiet hours have ended."""
    instant, zone = timezone.now(), calendar.zone(property)
    alerts = []
    for name, event in matches:
        grade = event.draft.data.get("grade")
        held_until = rules.held_until(in_force.rules[name], grade, instant, zone)
        alerts.append(Alert(name, event.number, held_until))
    first = stream.alerts + 1
    _store_alerts(property, first, alerts, in_force)
    stream = stream._replace(alerts=stream.alerts + len(alerts))
    by_number = {event.number: event.draft for _, event in matches}
    now_due = [
        (number, alert.rule, by_number[alert.event].data | {"event": alert.event})
        for number, alert in enumerate(alerts, first)
        if alert.held_until is None
    ]
    drafts = [
        Draft(
            "alert.raised",
            str(number),
            {"alert": number, "rule": rule, "about": about},
            tuple(in_force.rules[rule].webhooks),
        )
        for number, rule, about in now_due
        if in_force.rules[rule].webhooks
    ]
    deliveries.queue_mail(property, in_force, _by_rule((number, rule) for number, rule, _ in now_due))
    released = _release(property, stream.alerts)
    stream = stream._replace(alerts=stream.alerts + sum(map(len, released.values())))
    deliveries.queue_mail(property, in_force, released, "alert.summary")
    drafts += _summaries(property, in_force, released)
    event_log.append(property, stream.number, drafts)
    return stream._replace(number=stream.number + len(drafts))


def _store_alerts(property: str, first: int, alerts: list[Alert], in_force: InForce) -> None:
    rows = [
        (
            property,
            number,
            alert.rule,
            alert.event,
            in_force.rules[alert.rule].page,
            alert.held_until,
            number if alert.held_until is None else None,
        )
        for number, alert in enumerate(alerts, first)
    ]
    database.execute_many(_INSERT_ALERT, rows)


def _release(property: str, last: int) -> dict[str, list[int]]:
    """Release the alerts whose quiet hours have ended, so that they are shown. Number them from `last` + 1.
    Return {rule: the numbers of its released alerts}.
    """
    due = database.rows(_DUE_ALERTS, [property])
    places = [(place, property, number) for place, (number, _) in enumerate(due, last + 1)]
    database.execute_many("UPDATE alert SET shown = %s WHERE property = %s AND number = %s", places)
    return _by_rule(due)


def _by_rule(alerts: Iterable[Any]) -> dict[str, list[int]]:
    by_rule: dict[str, list[int]] = {}
    for number, rule in alerts:
        by_rule.setdefault(rule, []).append(number)
    return by_rule


def _summaries(property: str, in_force: InForce, released: dict[str, list[int]]) -> list[Draft]:
    """Return one summary event for each rule whose alerts have just been released from quiet hours. Rules
    without webhooks get none.
    """
    drafts = []
    for name, numbers in released.items():
        rule = in_force.all_rules.get(name)
        if rule is None or not rule.webhooks:
            continue
        events = event_log.numbered(property, _events_of(property, numbers[:LISTED]))
        data: dict[str, Any] = {"rule": name, "alerts": len(numbers), "first": numbers[0]}
        data["about"] = [
            event.data | {"event": event.number, "type": event.type} for event in events.values()
        ]
        drafts.append(Draft("alert.summary", name, data, tuple(rule.webhooks)))
    return drafts


def _events_of(property: str, alerts: list[int]) -> list[int]:
    query = "SELECT event FROM alert WHERE property = %s AND number = ANY(%s) ORDER BY number"
    return [row[0] for row in database.rows(query, [property, alerts])]


_DUE = """SELECT h.property FROM head h LEFT JOIN event_stream s USING (property)
    WHERE s.property IS NULL OR h.position > s.position
        OR s.checked_at < clock_timestamp() - make_interval(secs => %s)
        OR EXISTS (SELECT FROM finding f WHERE f.property = h.property AND f.announced IS NULL)
    ORDER BY 1"""
_RAISED = "SELECT rule, event FROM alert WHERE property = %s AND rule = ANY(%s) AND event = ANY(%s)"
_INSERT_ALERT = """INSERT INTO alert (property, number, rule, event, page, held_until, shown)
    VALUES (%s, %s, %s, %s, %s, %s, %s)"""
_DUE_ALERTS = """SELECT number, rule FROM alert
    WHERE property = %s AND shown IS NULL AND held_until <= clock_timestamp() ORDER BY number"""
