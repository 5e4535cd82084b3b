"""Read the rules and webhooks in force, match events with rules, and apply quiet hours.

Rules and webhooks are read from the facts that set them. These facts are few, and they have an index of their
own.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, time, timedelta, tzinfo
from fractions import Fraction
from typing import Any, NamedTuple

from audit.facts import AlertRuleSet, WebhookSet
from audit.queries import announce
from audit.review.projections import FLAGGED, GRADES

DEFAULT_MINUTES = {"silent": 30, "late": 10}
"""For each cause: the minutes that apply if a rule gives none. A table is `silent` if it has sent no facts
for this time. A table is `late` if its facts are recorded this long after they happened.
"""
CAUSES = {
    "finding.gained": "finding",
    "hand.flagged": "finding",
    "finding.withdrawn": "withdrawn",
    "finding.lost": "withdrawn",
    "feed.silent": "silent",
    "feed.late": "late",
    "job.set-aside": "set-aside",
    "token.ending": "token-ending",
    "token.refused": "token-refused",
}
"""For each type of event that can raise an alert: the word for it in the field `on` of a rule."""


class InForce(NamedTuple):
    """The last fact of each rule and each webhook of a property. The fact may be the one that ended the rule
    or webhook.
    """

    all_rules: dict[str, AlertRuleSet]
    all_webhooks: dict[str, WebhookSet]
    positions: dict[str, int]
    """For each rule, the position of its last fact in the ledger."""

    @property
    def rules(self) -> dict[str, AlertRuleSet]:
        """Return the rules that are active."""
        return {name: rule for name, rule in self.all_rules.items() if rule.active}

    def set_after(self, position: int) -> dict[str, AlertRuleSet]:
        """Return the active rules that were set or changed after a position of the ledger."""
        return {name: rule for name, rule in self.rules.items() if self.positions[name] > position}

    @property
    def webhooks(self) -> dict[str, WebhookSet]:
        """Return the webhooks that are active."""
        return {name: webhook for name, webhook in self.all_webhooks.items() if webhook.active}

    def minutes(self, cause: str) -> set[int]:
        """Return the limits in minutes after which a silent or late table becomes an event. `cause` is
        `silent` or `late`. Each rule with this cause can have its own limit. Rules without a limit, and a
        property without such a rule, use the default.
        """
        default = DEFAULT_MINUTES[cause]
        return {rule.minutes or default for rule in self.rules.values() if rule.on == cause} or {default}


def in_force(property: str) -> InForce:
    """Return the rules and webhooks of a property."""
    rules: dict[str, AlertRuleSet] = {}
    webhooks: dict[str, WebhookSet] = {}
    positions: dict[str, int] = {}
    for position, fact in announce.alert_facts(property):
        if isinstance(fact, AlertRuleSet):
            rules[fact.rule], positions[fact.rule] = fact, position
        elif isinstance(fact, WebhookSet):
            webhooks[fact.webhook] = fact
    return InForce(dict(sorted(rules.items())), dict(sorted(webhooks.items())), positions)


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


def includes_flags(rule: AlertRuleSet) -> bool:
    """Return True if an officer's flag on a hand can raise an alert by the rule. A flag has no amount."""
    flag = {"code": FLAGGED, "grade": GRADES[0], "table": (*rule.tables, "")[0]}
    return matches(rule, "hand.flagged", flag)


def difference(owed: Any, moved: Any) -> Fraction:
    """Return the difference between the amount owed and the amount moved, in minor units. Return 0 if there
    are no amounts.
    """
    return abs(Fraction(moved or 0) - Fraction(owed or 0))


def held_until(rule: AlertRuleSet, grade: str | None, instant: datetime, zone: tzinfo) -> datetime | None:
    """Return the time until which quiet hours hold back an alert of this grade that is raised now. Return
    None if nothing holds it back.
    """
    if rule.breaks and grade == "integrity":
        return None
    return quiet_end(rule.quiet_from or "", rule.quiet_to or "", instant, zone)


def quiet_end(begins: str, ends: str, instant: datetime, zone: tzinfo) -> datetime | None:
    """Return the end of the quiet hours if this instant is within them, otherwise None. The hours are local
    times such as 22:00. They may include midnight. The end itself is not included.
    """
    if not begins or not ends or begins == ends:
        return None
    first, last = time.fromisoformat(begins), time.fromisoformat(ends)
    local = instant.astimezone(zone)
    for day in (local.date(), local.date() - timedelta(days=1)):
        start = datetime.combine(day, first, zone)
        end = datetime.combine(day + timedelta(days=last <= first), last, zone)
        if start.timestamp() <= instant.timestamp() < end.timestamp():
            return end
    return None
