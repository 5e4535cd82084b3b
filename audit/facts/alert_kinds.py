"""The kinds of fact that configure alerts and webhooks. They are recorded in the property's own stream.

The rule or webhook in force is the last fact of its name. A rule or webhook is ended by a fact with `active`
false.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from audit.facts.vocabulary import ALERT_CAUSES, ALERT_GRADES, EVENT_TYPES, ROLES
from games.kit import fields as t
from games.kit.events import Event
from games.kit.fields import MINOR, counts, identifier, one_of

Minutes = Annotated[int, Meta(ge=1, le=10_080)]
Clock = Annotated[
    str,
    Meta(
        pattern=r"\A([01][0-9]|2[0-3]):[0-5][0-9]\Z",
        description="A time of the property's clock.",
        examples=["22:00"],
    ),
]
Names = Annotated[str, identifier("A name.", "cage-alarms")]


class AlertRuleSet(Event, frozen=True, kw_only=True, gc=False, tag="alert-rule-set"):
    """A rule that raises alerts is set, changed or ended.

    An empty list does not restrict the rule.
    """

    rule: Annotated[str, identifier("The name of the rule.", "integrity-now")]
    active: Annotated[bool, Meta(description="False ends the rule.")]
    by: t.Staff
    on: Annotated[str, one_of("What raises an alert.", ALERT_CAUSES)]
    codes: Annotated[list[Names], Meta(description="The codes of findings.", examples=[["no-roll"]])] = []
    grades: Annotated[
        list[Annotated[str, one_of("A grade of findings.", ALERT_GRADES)]],
        Meta(description="The grades of findings.", examples=[["integrity"]]),
    ] = []
    tables: Annotated[
        list[Names], Meta(description="The codes of tables, without the property.", examples=[["EOU-01"]])
    ] = []
    over: (
        Annotated[
            int,
            Meta(ge=0, le=t.LIMIT),
            counts(MINOR, "Only findings with a difference of at least this amount.", 50_000),
        ]
        | None
    ) = None
    minutes: (
        Annotated[Minutes, counts("minutes", "How long a feed is silent, or how late facts arrive.", 10)]
        | None
    ) = None
    page: Annotated[bool, Meta(description="True: alerts are shown in the page.")] = True
    people: Annotated[
        list[t.Staff], Meta(description="The staff IDs that get mail.", examples=[["v-101"]])
    ] = []
    roles: Annotated[
        list[Annotated[str, one_of("A role.", ROLES)]],
        Meta(description="The roles that get mail.", examples=[["surveillance"]]),
    ] = []
    webhooks: Annotated[
        list[Names], Meta(description="The webhooks that get the alert.", examples=[["soc"]])
    ] = []
    quiet_from: Annotated[Clock, Meta(description="When quiet hours begin.")] | None = None
    quiet_to: Annotated[Clock, Meta(description="When quiet hours end.")] | None = None
    breaks: Annotated[
        bool, Meta(description="True: a finding of the grade integrity is delivered in quiet hours.")
    ] = True


class WebhookSet(Event, frozen=True, kw_only=True, gc=False, tag="webhook-set"):
    """A webhook is set, changed or ended. Its secret is not in the ledger."""

    webhook: Annotated[str, identifier("The name of the webhook.", "soc")]
    active: Annotated[bool, Meta(description="False ends the webhook.")]
    by: t.Staff
    url: Annotated[
        str,
        Meta(
            pattern=r"\Ahttps?://[^\s@]+\Z",
            max_length=500,
            description="The address that gets the events. It is visible in the ledger.",
            examples=["https://soc.example/catwalk"],
        ),
    ]
    events: Annotated[
        list[Annotated[str, one_of("A type of event.", EVENT_TYPES)]],
        Meta(description="The types of events; an empty list means all.", examples=[["finding.gained"]]),
    ] = []


OF_ALERTS: tuple[type[Event], ...] = (AlertRuleSet, WebhookSet)
"""Kinds of fact in the property's own stream that configure alerts and webhooks. Only the ledger fold reads
them, to check who signed.
"""
