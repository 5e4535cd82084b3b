"""The rules and webhooks in force, which events a rule matches, and quiet hours.

Rules and webhooks are read from the facts that set them. They are few, and have an index of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, time, timedelta, tzinfo
from fractions import Fraction
from typing import Any, NamedTuple

from audit.facts import AlertRuleSet, WebhookSet
from audit.queries import announce

DEFAULT_MINUTES = {"silent": 30, "late": 10}
"""Minutes after which a table counts as silent, as on the floor, and after which its facts are late, if no
rule of that cause says so.
"""
CAUSES = {
    "finding.gained": "finding",
    "finding.withdrawn": "withdrawn",
    "feed.silent": "silent",
    "feed.late": "late",
    "job.set-aside": "set-aside",
}
"""For each type of event that can raise an alert: the cause in rules."""


class InForce(NamedTuple):
    """The rules and webhooks of a property: the last fact of each name, also if it ended the rule or
    webhook.
    """

    all_rules: dict[str, AlertRuleSet]
    all_webhooks: dict[str, WebhookSet]

    @property
    def rules(self) -> dict[str, AlertRuleSet]:
        """Return the rules that are active."""
        return {name: rule for name, rule in self.all_rules.items() if rule.active}

    @property
    def webhooks(self) -> dict[str, WebhookSet]:
        """Return the webhooks that are active."""
        return {name: webhook for name, webhook in self.all_webhooks.items() if webhook.active}

    def minutes(self, cause: str) -> set[int]:
        """Return the numbers of minutes for which silence or lateness must be watched."""
        least = DEFAULT_MINUTES[cause]
        return {rule.minutes or least for rule in self.rules.values() if rule.on == cause} or {least}


def in_force(property: str) -> InForce:
    """Return the rules and webhooks of a property."""
    rules: dict[str, AlertRuleSet] = {}
    webhooks: dict[str, WebhookSet] = {}
    for _, fact in announce.alert_facts(property):
        if isinstance(fact, AlertRuleSet):
            rules[fact.rule] = fact
        elif isinstance(fact, WebhookSet):
            webhooks[fact.webhook] = fact
    return InForce(dict(sorted(rules.items())), dict(sorted(webhooks.items())))


def matches(rule: AlertRuleSet, type: str, data: Mapping[str, Any]) -> bool:
    """Return True if an event of this type with this data raises an alert by the rule."""
    if CAUSES.get(type) != rule.on:
        return False
    if rule.on in DEFAULT_MINUTES and data.get("minutes") != (rule.minutes or DEFAULT_MINUTES[rule.on]):
        return False
    return (
        (not rule.tables or data.get("table") in rule.tables)
        and (not rule.codes or data.get("code") in rule.codes)
        and (not rule.grades or data.get("grade") in rule.grades)
        and (rule.over is None or difference(data.get("owed"), data.get("moved")) >= rule.over)
    )


def difference(owed: Any, moved: Any) -> Fraction:
    """Return the amount between what was owed and what moved, in minor units; 0 without amounts."""
    return abs(Fraction(moved or 0) - Fraction(owed or 0))


def held_until(rule: AlertRuleSet, grade: str | None, now: datetime, zone: tzinfo) -> datetime | None:
    """Return the end of the rule's quiet hours if they hold back an alert now, otherwise None."""
    if rule.breaks and grade == "integrity":
        return None
    return quiet_end(rule.quiet_from or "", rule.quiet_to or "", now, zone)


def quiet_end(begins: str, ends: str, now: datetime, zone: tzinfo) -> datetime | None:
    """Return when the quiet hours end in which this instant lies, or None if it does not lie in them.

    The hours are local times such as 22:00 and may go over midnight. The end is not part of them.
    """
    if not begins or not ends or begins == ends:
        return None
    first, last = time.fromisoformat(begins), time.fromisoformat(ends)
    local = now.astimezone(zone)
    for day in (local.date(), local.date() - timedelta(days=1)):
        start = datetime.combine(day, first, zone)
        end = datetime.combine(day + timedelta(days=last <= first), last, zone)
        if start.timestamp() <= now.timestamp() < end.timestamp():
            return end
    return None
