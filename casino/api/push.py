"""GET /api/v1/events, alerts, deliveries and webhooks; POST /api/v1/webhooks/PROPERTY/NAME/tests and
/replays.

`events` has the same events that webhooks receive, for programs that prefer to poll. Rules and webhooks can
be set only on pages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from django.http import HttpResponse
from msgspec import json
from rest_framework.views import APIView

from audit.facts.input_parsing import whole
from audit.facts.vocabulary import ALERT_GRADES, EVENT_TYPES
from casino.accounts import view_log
from casino.accounts.permissions import require
from casino.accounts.scopes import needs
from casino.alerts import alert_log, deliveries, event_log, services, webhook_list
from casino.alerts.deliveries import Filters
from casino.alerts.event_log import Event
from casino.api import event_pages, lines
from casino.api import shapes as s
from casino.api.lists import PROPERTY, requested_property
from casino.api.older_pages import OlderStyle, answers, deprecated
from casino.api.openapi import Answer, RequestBody, described, path_parameter, query_parameter
from casino.api.paging import (
    LINK,
    MOST,
    NEXT,
    SIZE,
    cursor_parameter,
    link_to_next,
    page_by_number,
    page_of,
    size_of,
)
from casino.api.problems import Problem, perform

SEE, SEE_DELIVERIES, SET = "see-findings", "see-deliveries", "set-webhook"
INSTANT = s.nullable(s.INSTANT)
UID = "0198b2f0-8c00-7000-8000-000000000042"
EVENT = s.body(
    number=(s.COUNT, 42, "The number of the event in the property's stream. Numbers have no gaps."),
    id=(s.UID, UID, "The `webhook-id` with which webhooks receive the event."),
    type=(s.one_of(*EVENT_TYPES), "feed.silent"),
    at=(s.INSTANT, "2026-11-28T09:12:00.100000+00:00", "When the event was published."),
    data=(
        {"type": "object"},
        {"table": "EOU-01", "minutes": 10},
        "What the event is about, as in the body of a webhook.",
    ),
)
EVENTS = s.body(
    items=s.items(EVENT),
    next=(NEXT, None),
    since=(event_pages.SINCE, "cursor"),
    last=event_pages.LAST,
)
OLDER = OlderStyle("after", standard=("cursor",))
"""The older style had `page_size` too, so only `cursor` asks for a standard page."""
OLDER_EVENTS = s.body(
    items=s.items(EVENT),
    next=(s.COUNT, 42, "The value of `after` for the next page."),
    last=event_pages.LAST,
)
ALERT = s.body(
    number=(s.COUNT, 7),
    rule=(s.TEXT, "silence"),
    at=(s.INSTANT, "2026-11-28T09:12:00Z", "When the alert was raised."),
    event=(s.COUNT, 42),
    type=(s.one_of(*EVENT_TYPES), "feed.silent"),
    table=(s.TEXT, "EOU-01"),
    grade=(s.one_of("", *ALERT_GRADES), "", "The grade of the finding; empty if the alert has none."),
    says=(s.TEXT, "EOU-01 has sent no facts for more than 10 minutes"),
)
DELIVERY = s.body(
    id=(s.COUNT, 3),
    channel=(s.one_of("webhook", "mail"), "webhook"),
    target=(s.TEXT, "soc", "The webhook, or the staff ID of the recipient."),
    message=(s.UID, UID, "The `webhook-id`, or the Message-ID of the mail."),
    type=(s.TEXT, "feed.silent"),
    event=(s.nullable(s.COUNT), 42),
    alerts=(s.array(s.COUNT), [], "The numbers of the alerts in a mail."),
    state=(s.one_of(*deliveries.STATES), "delivered"),
    attempts=(s.COUNT, 1),
    code=(s.nullable(s.COUNT), 200, "The status of the last answer; null if there was no answer."),
    answer=(s.TEXT, "", "The beginning of the last answer, or what failed."),
    tried_at=(INSTANT, "2026-11-28T09:12:01Z"),
    delivered_at=(INSTANT, "2026-11-28T09:12:01Z"),
    by=(s.TEXT, "", "The staff ID of the person who requested a test or a replay."),
)
WEBHOOK = s.body(
    name=(s.TEXT, "soc"),
    url=(s.TEXT, "https://soc.example/catwalk"),
    events=(s.array(s.one_of(*EVENT_TYPES)), ["finding.gained"]),
    state=(s.one_of("ready", "waiting", "failing", "set-aside"), "ready"),
    number=(
        s.COUNT,
        42,
        "The number of the last event that the webhook has accepted, or that was not for it.",
    ),
    behind=(s.COUNT, 0, "How many events of the stream come after that event."),
    attempts=(s.COUNT, 0, "The number of failures since that event."),
    failing_since=(INSTANT, None),
    why=(s.TEXT, "", "Why deliveries fail; empty if they do not."),
)
CURSOR = cursor_parameter("filters")
AFTER = OLDER.documented(
    s.integer(0, 2**53), "The number of the last event that you have; default: 0.", example=41
)
PLACE = (
    path_parameter("property", s.PROPERTY, "The property.", example="aurora"),
    path_parameter("name", s.TEXT | {"minLength": 1, "maxLength": 40}, "The webhook.", example="soc"),
)


def answer(content: Any, status: int = 200) -> HttpResponse:
    """Return an answer in JSON."""
    return HttpResponse(json.encode(content), content_type="application/json", status=status)


def page_answer(request: Any, items: list[Any], following: str | None, **others: Any) -> HttpResponse:
    """Return a page of a list in JSON, with a link to the next page if there is one."""
    response = answer({"items": items, "next": following} | others)
    link_to_next(request, response, following)
    return response


class Events(APIView):
    permission_classes = [needs("read:findings")]

    @described(
        "The stream of events",
        PROPERTY,
        query_parameter("type", s.one_of(*EVENT_TYPES), "Only events of this type."),
        SIZE,
        cursor_parameter("property and type"),
        AFTER,
        responses=answers(
            EVENTS, OLDER_EVENTS.shape, "Without `cursor`, the events after the number `after` are returned."
        ),
    )
    def get(self, request: Any) -> HttpResponse:
        """Return events in the order of their numbers: findings, verdicts, closed days, exports, silent
        tables. They are the events that webhooks receive, with the same ids. Request the next page with
        `cursor` = `next`, until `next` is null. Later, send `since` of that last page as `cursor` to get the
        following events.
        """
        property = requested_property(request, SEE)
        query = request.query_params.dict()
        types = [query["type"]] if "type" in query else []
        if OLDER.is_requested(query):
            events, content = _older_events(property, query, types)
            response = deprecated(request, answer(content))
        else:
            page = event_pages.page("events", property, query, types)
            events = page.events
            response = answer(EVENTS.of(page, items=_items(events)))
            link_to_next(request, response, page.next)
        if events:
            view_log.record_report(request.user, property, "Events", request.get_full_path())
        return response


def _items(events: Sequence[Event]) -> list[dict[str, Any]]:
    return [EVENT.of(event, id=event.uid) for event in events]


def _older_events(
    property: str, query: Mapping[str, str], types: list[str]
) -> tuple[list[Event], dict[str, Any]]:
    """Return a page of the older style: its events, and the content of the answer."""
    after, size = whole(query.get("after", "")) or 0, size_of(query)
    last = event_log.last_number(property)
    events = event_log.after(property, after, size, types)
    upto = events[-1].number if len(events) == size else max(last, after)
    return events, {"items": _items(events), "next": upto, "last": last}


class Alerts(APIView):
    permission_classes = [needs("read:alerts")]

    @described(
        "Alerts, latest first",
        PROPERTY,
        query_parameter("rule", s.TEXT | {"maxLength": 40}, "Only alerts of this rule.", example="silence"),
        SIZE,
        CURSOR,
        responses=Answer.of(page_of(ALERT), "A page of alerts.", LINK),
    )
    def get(self, request: Any) -> HttpResponse:
        """Return the alerts that rules have raised. Alerts that quiet hours hold back are left out. If the
        bearer may not see findings, alerts about findings are left out too.
        """
        property = requested_property(request, "see-alerts")
        hidden, rule = (
            alert_log.hidden_types(request.user, property),
            request.query_params.get("rule", ""),
        )
        rows, following = page_by_number(
            request,
            "alerts",
            property,
            lambda before, limit: alert_log.page(property, hidden, rule=rule, before=before, limit=limit),
            lambda alert: alert.number,
        )
        items = [ALERT.of(alert) for alert in rows]
        if items:
            view_log.record_report(request.user, property, "Alerts", request.get_full_path())
        return page_answer(request, items, following)


class Deliveries(APIView):
    permission_classes = [needs("read:alerts")]

    @described(
        "The delivery log, latest first",
        PROPERTY,
        query_parameter("channel", s.one_of("webhook", "mail"), "Only this channel."),
        query_parameter("target", s.TEXT | {"maxLength": 200}, "Only this webhook or person.", example="soc"),
        query_parameter("state", s.one_of(*deliveries.STATES), "Only deliveries in this state."),
        SIZE,
        CURSOR,
        responses=Answer.of(page_of(DELIVERY), "A page of the log.", LINK),
    )
    def get(self, request: Any) -> HttpResponse:
        """Return the events and alerts that were sent by webhook and by mail, each with its state, its
        attempts and the last answer.
        """
        property = requested_property(request, SEE_DELIVERIES)
        query = request.query_params.dict()
        filters = Filters(*[query.get(name, "") for name in ("channel", "target", "state")])
        rows, following = page_by_number(
            request,
            "deliveries",
            property,
            lambda before, limit: deliveries.page(property, filters._replace(before=before), limit),
            lambda delivery: delivery.id,
        )
        return page_answer(request, [DELIVERY.of(delivery) for delivery in rows], following)


class Webhooks(APIView):
    permission_classes = [needs("read:alerts")]

    @described(
        "Webhooks and their state",
        PROPERTY,
        query_parameter("page_size", s.integer(1, MOST), "The number of rows of a page; default: all."),
        cursor_parameter("property"),
        responses=Answer.of(
            s.body(items=s.items(WEBHOOK), next=(NEXT, None), last=event_pages.LAST),
            "A page of webhooks, in the order of their names.",
            LINK,
        ),
    )
    def get(self, request: Any) -> HttpResponse:
        """Return the active webhooks of a property. Each has the number of the last event that it has
        accepted, and the reason if deliveries fail. Without `page_size` and `cursor`, the page has all.
        """
        property = requested_property(request, SEE_DELIVERIES)
        every = webhook_list.listed(property)
        following = None
        if request.query_params.keys() & {"page_size", "cursor"}:
            every, following = page_by_number(
                request,
                "webhooks",
                property,
                lambda name, limit: [row for row in every if name is None or row.name > name][:limit],
                lambda row: row.name,
            )
        items = [WEBHOOK.of(row, url=row.webhook.url, events=row.webhook.events) for row in every]
        return page_answer(request, items, following, last=event_log.last_number(property))


class Tests(APIView):
    permission_classes = [needs("manage:webhooks")]

    @described(
        "Send a test event",
        *PLACE,
        responses={202: Answer(s.object_(webhook=s.TEXT), "The test is requested.", {"webhook": "soc"})},
        problems=(422,),
    )
    def post(self, request: Any, property: str, name: str) -> HttpResponse:
        """Send one event of the type `test` at once, even if other events are waiting. The delivery log shows
        the result.
        """
        require(request.user, SET, property)
        _reject_device(request)
        perform(lambda: services.send_test(request.user, property, name), "webhook")
        return answer({"webhook": name}, 202)


class ReplayBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a replay: the number of the first event that is delivered again."""

    number: int


class Replays(APIView):
    permission_classes = [needs("manage:webhooks")]

    @described(
        "Deliver events again",
        *PLACE,
        request_body=RequestBody(s.object_(number=s.integer(1, 2**53)), {"number": 40}),
        responses={
            202: Answer(
                s.object_(webhook=s.TEXT, events=s.COUNT),
                "The number of repeated events.",
                {"webhook": "soc", "events": 3},
            )
        },
        problems=(415, 422),
    )
    def post(self, request: Any, property: str, name: str) -> HttpResponse:
        """Deliver again all events from a given number on, in order and with the same ids."""
        require(request.user, SET, property)
        _reject_device(request)
        try:
            sent = json.decode(lines.read_body(request._request), type=ReplayBody)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise Problem(
                400, "number", f"The body is not a valid replay: {error}.", field="number"
            ) from None
        count = perform(lambda: services.replay(request.user, property, name, sent.number), "webhook")
        return answer({"webhook": name, "events": count}, 202)


def _reject_device(request: Any) -> None:
    """Raise Problem for a device, because devices may not manage webhooks."""
    if request.auth is None or request.auth.device:
        raise Problem(403, "device", "A device may not manage webhooks.")
