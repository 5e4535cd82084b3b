"""The actions of users on alerts and webhooks. Each function first checks the user's permission.

Rules and webhooks are recorded as facts. Secrets, tests and replays are not: secrets are sealed rows, and the
delivery log shows tests and replays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from audit import database
from audit.facts import AlertRuleSet, WebhookSet
from audit.facts.vocabulary import ALERT_CAUSES, ALERT_GRADES, EVENT_TYPES, ROLES
from audit.jobs import leases
from audit.review.projections import FLAGGED
from casino.accounts import alert_contacts
from casino.accounts.alert_contacts import Contact
from casino.accounts.permissions import require
from casino.alerts import deliveries, event_log, http_client, rules, webhook_secrets
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.web.property_turn import in_turn
from casino.web.recording import property_fact, record, reject_resubmission
from games.kit.codes import GRADE

RULE_NAME = 40
"""Maximum length of the name of a rule."""
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}", re.ASCII)
CLOCK = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]", re.ASCII)
NAMED = "A name has at most 40 lower-case letters, digits and hyphens, for example integrity-now."
MOST_MINUTES = 10_080
"""Maximum number of minutes in a rule: one week."""
ABOUT_FINDINGS = ("finding", "withdrawn")
"""Causes of alerts that have a code and a grade."""
ABOUT_TABLES = (*ABOUT_FINDINGS, "silent", "late")
"""Causes of alerts that are about a table."""


def set_rule(by: Person, property: str, uid: str, rule: str, **fields: Any) -> None:
    """Record an alert rule, or that the rule has ended. Raise ActionRejected or PermissionDenied.

    Args:
        by: The person who sets the rule.
        property: The property for which the rule applies.
        uid: The uid of the form, so that the rule is recorded once.
        rule: The name of the rule.
        fields: The other fields of the fact `alert-rule-set`.
    """
    require(by, "set-alert", property)
    reject_resubmission(property, uid)
    in_force = rules.in_force(property)
    if not 0 < len(rule) <= RULE_NAME or not rule.isprintable():
        raise ActionRejected(f"Name the rule in at most {RULE_NAME} characters.", "rule")
    _check_rule(fields, list(in_force.webhooks))
    record(by, property, [property_fact("alert-rule-set", by, property, rule=rule, **fields) | {"uid": uid}])


def end_rule(by: Person, property: str, uid: str, rule: str) -> None:
    """Record that a rule has ended. Raise ActionRejected or PermissionDenied."""
    require(by, "set-alert", property)
    reject_resubmission(property, uid)
    before = rules.in_force(property).rules.get(rule)
    if before is None:
        raise ActionRejected(f"There is no rule {rule[:40]}.", "rule")
    fields = {"rule": rule, "active": False, "on": before.on}
    record(by, property, [property_fact("alert-rule-set", by, property, **fields) | {"uid": uid}])


def _check_rule(fields: dict[str, Any], webhooks: Sequence[str]) -> None:
    """Raise ActionRejected for the first field of a rule that is not valid."""
    on = fields.get("on")
    checks = (
        ("on", on in ALERT_CAUSES, "Choose what raises the alert."),
        ("codes", set(fields["codes"]) <= {*GRADE, FLAGGED}, "Choose codes of findings from the list."),
        ("grades", set(fields["grades"]) <= set(ALERT_GRADES), "Choose grades from the list."),
        ("roles", set(fields["roles"]) <= set(ROLES), "Choose roles from the list."),
        ("webhooks", set(fields["webhooks"]) <= set(webhooks), "Choose webhooks of this property."),
        (
            "minutes",
            fields["minutes"] is None or 1 <= fields["minutes"] <= MOST_MINUTES,
            f"Minutes must be a whole number from 1 to {MOST_MINUTES:,}.",
        ),
        ("minutes", on not in ("silent", "late") or fields["minutes"], "Enter the number of minutes."),
        *_unfit_fields(on, fields),
        ("quiet_from", _is_clock(fields["quiet_from"]), "Write the time like this: 22:00."),
        ("quiet_to", _is_clock(fields["quiet_to"]), "Write the time like this: 06:00."),
        (
            "quiet_to",
            bool(fields["quiet_from"]) == bool(fields["quiet_to"]),
            "Quiet hours need a beginning and an end.",
        ),
        (
            "page",
            fields["page"] or fields["people"] or fields["roles"] or fields["webhooks"],
            "Choose at least one channel: page, mail or webhook.",
        ),
    )
    for field, holds, says in checks:
        if not holds:
            raise ActionRejected(says, field)
    known = set(Person.objects.filter(pk__in=fields["people"]).values_list("pk", flat=True))
    if strange := sorted(set(fields["people"]) - known):
        raise ActionRejected(f"There is no user {strange[0][:40]}.", "people")


def _unfit_fields(on: Any, fields: dict[str, Any]) -> Iterator[tuple[str, bool, str]]:
    """Yield a check for each field that only some causes have. With such a field, a rule of another cause
    would never raise an alert.
    """
    for name, causes, says in (
        ("codes", ABOUT_FINDINGS, "Only findings have a code."),
        ("grades", ABOUT_FINDINGS, "Only findings have a grade."),
        ("over", ("finding",), "Only findings that are made have an amount."),
        ("tables", ABOUT_TABLES, "This cause is not about a table."),
    ):
        is_empty = fields[name] in ([], (), None)
        yield name, on in causes or is_empty, f"{says} Leave this field empty, or choose another cause."


def _is_clock(text: str | None) -> bool:
    return not text or CLOCK.fullmatch(text) is not None


def _check_name(name: str, field: str) -> None:
    if not NAME.fullmatch(name):
        raise ActionRejected(NAMED, field)


def set_webhook(by: Person, property: str, uid: str, webhook: str, url: str, events: Sequence[str]) -> str:
    """Record a webhook. If the webhook has never had a secret, create one and return it. The caller must show
    it only once. Otherwise, return an empty text. Raise ActionRejected or PermissionDenied.
    """
    require(by, "set-webhook", property)
    reject_resubmission(property, uid)
    _check_name(webhook, "webhook")
    if strange := sorted(set(events) - set(EVENT_TYPES)):
        raise ActionRejected(f"{strange[0][:40]} is not a type of event. Choose from the list.", "events")
    if len(url) > 500 or any(letter.isspace() or not letter.isprintable() for letter in url):
        raise ActionRejected("A URL has at most 500 characters and no spaces.", "url")
    try:
        http_client.check_url(url)
    except http_client.Refused as refused:
        raise ActionRejected(f"This URL cannot be used: {refused}.", "url") from None
    except ValueError:
        raise ActionRejected("Type a complete URL, for example https://soc.example/catwalk.", "url") from None
    fields = {"webhook": webhook, "active": True, "url": url, "events": list(events)}
    with in_turn(property):
        record(by, property, [property_fact("webhook-set", by, property, **fields) | {"uid": uid}])
        database.execute(_BEGIN, [property, webhook, event_log.last_number(property)])
        if webhook_secrets.history(property, webhook):
            return ""
        return webhook_secrets.rotate(property, webhook, by.pk)


def end_webhook(by: Person, property: str, uid: str, webhook: str) -> None:
    """Record that a webhook has ended. Raise ActionRejected or PermissionDenied."""
    before = _webhook(by, property, webhook)
    reject_resubmission(property, uid)
    fields = {"webhook": webhook, "active": False, "url": before.url, "events": before.events}
    record(by, property, [property_fact("webhook-set", by, property, **fields) | {"uid": uid}])


def rotate_secret(by: Person, property: str, webhook: str) -> str:
    """Create a new secret of a webhook and return it. The caller must show it only once. For a day, requests
    are also signed with the former secret.
    """
    _webhook(by, property, webhook)
    return webhook_secrets.rotate(property, webhook, by.pk)


def send_test(by: Person, property: str, webhook: str) -> None:
    """Request that a test event is sent now. The delivery log shows the result."""
    _webhook(by, property, webhook)
    with transaction.atomic():
        leases.ask_for(deliveries.TEST_JOB, property, f"{webhook} {by.pk}")


def replay(by: Person, property: str, webhook: str, number: int) -> int:
    """Request that a webhook gets all events from this number on again, with the same ids. Return how many
    events are delivered. Raise ActionRejected if there is no event with this number.
    """
    _webhook(by, property, webhook)
    last = event_log.last_number(property)
    if not 1 <= number <= last:
        raise ActionRejected(f"Enter the number of an event, from 1 to {last}.", "number")
    with transaction.atomic():
        database.execute(_BEGIN, [property, webhook, last])
        database.execute(_MOVE, [number - 1, property, webhook])
        database.execute(_NOTE_REPLAY, [property, webhook, number, by.pk, f"from event {number}"])
        leases.ask_for(deliveries.WEBHOOK_JOB, property, webhook)
    return last - number + 1


def revive(by: Person, property: str, webhook: str) -> bool:
    """Request another attempt at once for a webhook that was set aside, or that waits after a failure. Return
    False if there was nothing to do, because the webhook was in another state.
    """
    _webhook(by, property, webhook)
    query = "SELECT id FROM job WHERE kind = %s AND property = %s AND stream = %s"
    rows = database.rows(query, [deliveries.WEBHOOK_JOB, property, webhook])
    with transaction.atomic():
        return bool(leases.revive([row[0] for row in rows], by.pk))


def revive_mail(by: Person, property: str) -> int:
    """Retry all mail that was set aside. Return the number of mails to retry."""
    require(by, "set-webhook", property)
    with transaction.atomic():
        revived = database.execute(_REVIVE_MAIL, [by.pk, property])
        leases.ask_for(deliveries.MAIL_JOB, property, "")
    return revived


def _webhook(by: Person, property: str, webhook: str) -> WebhookSet:
    require(by, "set-webhook", property)
    webhook_set = rules.in_force(property).webhooks.get(webhook)
    if webhook_set is None:
        raise ActionRejected(f"There is no webhook {webhook[:40]}.", "webhook")
    return webhook_set


def set_contact(by: Person, mail: str, sound: bool, quiet_from: str, quiet_to: str) -> None:
    """Store how the user wants to be alerted. Raise ActionRejected if a value is not valid."""
    if mail:
        try:
            validate_email(mail)
        except ValidationError:
            raise ActionRejected("This is not an email address.", "mail") from None
    for field, text in (("quiet_from", quiet_from), ("quiet_to", quiet_to)):
        if not _is_clock(text):
            raise ActionRejected("Write the time like this: 22:00.", field)
    if bool(quiet_from) != bool(quiet_to):
        raise ActionRejected("Quiet hours need a beginning and an end.", "quiet_to")
    alert_contacts.store(Contact(by.pk, mail[:254], sound, quiet_from, quiet_to))


def describe(rule: AlertRuleSet) -> str:
    """Return a sentence that describes when a rule raises an alert."""
    if rule.on in ("silent", "late"):
        problem = "sends no facts" if rule.on == "silent" else "sends facts late"
        place = f"Table {', '.join(rule.tables)}" if rule.tables else "Any open table"
        return f"{place} {problem} for {rule.minutes or rules.DEFAULT_MINUTES[rule.on]} minutes"
    if rule.on in ("set-aside", "token-ending", "token-refused"):
        says = ALERT_CAUSES[rule.on]
        return says[0].upper() + says[1:]
    parts = [_about_findings(rule)]
    parts += [f"grade {' or '.join(rule.grades)}"] if rule.grades else []
    parts += [f"code {' or '.join(rule.codes)}"] if rule.codes and rule.codes != [FLAGGED] else []
    parts += [f"table {' or '.join(rule.tables)}"] if rule.tables else []
    return ", ".join(parts)


def _about_findings(rule: AlertRuleSet) -> str:
    """Return the beginning of the sentence about a rule for findings or flags."""
    if rule.on == "withdrawn":
        return "A finding is withdrawn or lost"
    if rule.codes == [FLAGGED]:
        return "A hand is flagged"
    return "A finding is made or a hand is flagged" if rules.includes_flags(rule) else "A finding is made"


_BEGIN = """INSERT INTO webhook_progress (property, webhook, number) VALUES (%s, %s, %s)
    ON CONFLICT DO NOTHING"""
_MOVE = """UPDATE webhook_progress SET number = %s, attempts = 0, failing_since = NULL
    WHERE property = %s AND webhook = %s"""
_NOTE_REPLAY = """INSERT INTO delivery (property, channel, target, message, type, event, state, by, answer,
        delivered_at)
    VALUES (%s, 'webhook', %s, gen_random_uuid(), 'replay', %s, 'delivered', %s, %s, clock_timestamp())"""
_REVIVE_MAIL = """UPDATE delivery SET state = 'failed', attempts = 0, made_at = clock_timestamp(),
        due_at = clock_timestamp(), by = %s
    WHERE property = %s AND channel = 'mail' AND state = 'set-aside'"""
