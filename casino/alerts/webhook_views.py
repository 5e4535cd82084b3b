"""Pages of webhooks and of the delivery log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_safe

from audit.facts.input_parsing import whole
from audit.facts.vocabulary import EVENT_TYPES
from casino.accounts import signatures
from casino.accounts.permissions import can, properties
from casino.alerts import deliveries, event_log, services, webhook_list
from casino.alerts.alert_views import alerts_url
from casino.alerts.deliveries import Filters
from casino.alerts.forms import NamedForm, ReplayForm, WebhookForm
from casino.presentation.errors import ActionRejected
from casino.web import request_params
from casino.web.form_view import current_user, submitted
from casino.web.request_params import require_GET_or_POST

SEE, SET = "see-deliveries", "set-webhook"
PAGE = 100


@sensitive_post_parameters("password", "code")
@require_GET_or_POST
def webhooks(request: HttpRequest) -> HttpResponse:
    """Show the webhooks of a property with their state. A POST sets, ends, tests, replays or revives a
    webhook, or changes its secret.
    """
    property = request_params.chosen_property(request, SEE)
    may_set = can(request.user, SET, property)
    if request.method == "POST" and not may_set:
        raise PermissionDenied(SET)
    context: dict[str, Any] = {"may_set": may_set, "form": WebhookForm()}
    if request.method == "POST":
        form, named = WebhookForm(submitted(request)), NamedForm(submitted(request))
        is_set = (named["act"].value() or "set") == "set"
        try:
            message, secret = _set(request, property, form) if is_set else _acts(request, property, named)
        except ActionRejected as refused:
            form.reject(refused)
            return _show(
                request, property, context | ({"form": form} if is_set else {"refused": refused}), 400
            )
        if not secret:
            messages.success(request, message)
            return redirect(alerts_url("webhooks", property))
        context |= {"secret": secret, "done": message}
    return _show(request, property, context, 200)


def _show(request: HttpRequest, property: str, context: dict[str, Any], status: int) -> HttpResponse:
    shown = {
        "rows": webhook_list.listed(property),
        "last": event_log.last_number(property),
        "events": EVENT_TYPES,
        "property": property,
        "places": properties(request.user, SEE),
        "zone": request_params.zone(property),
    }
    return render(request, "alerts/webhooks.html", shown | context, status=status)


def _set(request: HttpRequest, property: str, form: WebhookForm) -> tuple[str, str]:
    """Set a webhook. Return a message and the new secret. Without a new secret, the second text is empty."""
    values, person = form.accepted(), current_user(request)
    signatures.confirm_password(request)
    secret = services.set_webhook(
        person, property, values["uid"], values["webhook"], values["url"].strip(), values["events"]
    )
    return f"The webhook {values['webhook']} is active.", secret


def _acts(request: HttpRequest, property: str, form: NamedForm) -> tuple[str, str]:
    """Perform the submitted action on one webhook. Return a message and the new secret. If no secret was
    created, the second text is empty.
    """
    values, person = form.accepted(), current_user(request)
    name, act = values["name"], values["act"]
    if act == "rotate":
        signatures.confirm_password(request)
        return f"The webhook {name} has a new secret.", services.rotate_secret(person, property, name)
    acts: dict[str, Callable[[], str]] = {
        "test": lambda: _test(request, property, name),
        "replay": lambda: _replay(request, property, name),
        "revive": lambda: _revive(request, property, name),
        "end": lambda: _end(request, property, name, values["uid"]),
    }
    if act not in acts:
        raise ActionRejected("Unknown action. Use a button of the webhook.", "act")
    return acts[act](), ""


def _test(request: HttpRequest, property: str, name: str) -> str:
    services.send_test(current_user(request), property, name)
    return f"A test event is on its way to {name}. Its result is in the delivery log."


def _replay(request: HttpRequest, property: str, name: str) -> str:
    number = ReplayForm(submitted(request)).accepted()["number"]
    if number is None:
        raise ActionRejected("Enter the number of the first event, for example 1.", "number")
    count = services.replay(current_user(request), property, name, number)
    return f"{count:,} events are delivered to {name} again."


def _revive(request: HttpRequest, property: str, name: str) -> str:
    is_revived = services.revive(current_user(request), property, name)
    return f"{name} is tried again now." if is_revived else f"{name} has nothing waiting to be sent."


def _end(request: HttpRequest, property: str, name: str, uid: str) -> str:
    services.end_webhook(current_user(request), property, uid, name)
    return f"The webhook {name} has ended."


@require_safe
def delivery_log(request: HttpRequest) -> HttpResponse:
    """Show the delivery log of a property, the latest entry first."""
    property = request_params.chosen_property(request, SEE)
    channel, target, state = (
        request_params.clean_text(request.GET.get(name)) for name in ("channel", "target", "state")
    )
    before = whole(request.GET.get("before", ""), 18)
    rows = deliveries.page(property, Filters(channel, target, state, before), PAGE + 1)
    query = {"property": property, "channel": channel, "target": target, "state": state}
    shown = {
        "query": urlencode(query),
        "rows": rows[:PAGE],
        "more": rows[PAGE - 1].id if len(rows) > PAGE else None,
        "channel": channel,
        "target": target,
        "state": state,
        "states": deliveries.STATES,
        "channels": ("webhook", "mail"),
        "counts": (counts := deliveries.counts(property)),
        "set_aside": counts.get("set-aside", 0),
        "property": property,
        "places": properties(request.user, SEE),
        "zone": request_params.zone(property),
    }
    return render(request, "alerts/deliveries.html", shown)
