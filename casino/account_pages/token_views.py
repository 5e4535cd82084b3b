"""Pages of REST API tokens: a user's own tokens, and for administrators the tokens of all users and devices
of a property.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from audit.facts.input_parsing import whole
from casino.accounts import scopes, signatures, tokens
from casino.accounts.permissions import properties
from casino.accounts.tokens import LONGEST, TOKEN_DAYS, AlreadyIssued
from casino.models import Person, Token
from casino.presentation.errors import ActionRejected
from casino.reference import registers
from casino.web import request_params
from casino.web.form_view import current_user
from casino.web.recording import ALREADY_RECORDED, parse_form_uid
from casino.web.request_params import require_GET_or_POST

ACT = "issue-token"
PAGE = 50
OF_A_DEVICE = ("post:facts", "read:tables")
"""The scopes that a device's token can have; they match the rights of devices in `permissions.RIGHTS`."""


@sensitive_post_parameters("password", "code")
@require_GET_or_POST
def own_tokens(request: HttpRequest) -> HttpResponse:
    """Show the user's own tokens and the form that issues a new one."""
    person = current_user(request)
    of_use, any_held = scopes.usable_scopes(person), tokens.tokens_of(person.pk).exists()
    if not of_use and not any_held:
        raise PermissionDenied("no scope is of use to who may see nothing")
    shown = {
        "rows": tokens.tokens_of(person.pk)[:200],
        "choices": _choices(of_use),
        "zone": _zone(person),
        "all": bool(properties(person, ACT)),
    }
    return _made(request, "own/tokens.html", shown, lambda uid: _make_own(request, of_use, uid))


@sensitive_post_parameters("password", "code")
@require_GET_or_POST
def all_tokens(request: HttpRequest) -> HttpResponse:
    """Show the tokens of a property, which can be searched by holder, and the form that issues one for a
    device.
    """
    property = request_params.chosen_property(
        request, ACT, request.POST if request.method == "POST" else None
    )
    holder, before = (
        request_params.clean_text(request.GET.get("holder")),
        whole(request.GET.get("before", "")),
    )
    rows = tokens.tokens_at([property])
    if holder:
        rows = rows.filter(person=holder) | rows.filter(device=holder)
    if before is not None:
        rows = rows.filter(pk__lt=min(before, 2**62))
    found = list(rows.order_by("-pk")[: PAGE + 1])
    devices = sorted(registers.values_on(property, "devices"))
    shown = {
        "rows": found[:PAGE],
        "more": found[PAGE - 1].pk if len(found) > PAGE else None,
        "holder": holder,
        "property": property,
        "places": properties(request.user, ACT),
        "devices": devices,
        "choices": _choices(OF_A_DEVICE),
        "zone": request_params.zone(property),
    }
    return _made(
        request, "own/tokens_all.html", shown, lambda uid: _make_for_device(request, property, devices, uid)
    )


@require_POST
def revoke(request: HttpRequest, id: int) -> HttpResponse:
    """Revoke a token: users may revoke their own, administrators any token of their property. It is invalid
    from the next request on.
    """
    person = current_user(request)
    token = Token.objects.filter(pk=id).first() if id < 2**63 else None
    own = token is not None and token.person_id == person.pk
    if token is None or not (own or tokens.tokens_at(properties(person, ACT)).filter(pk=id).exists()):
        raise PermissionDenied(
            "not one's own token"
        )  # the same answer for a number that does not exist, so that nobody learns which do
    tokens.revoke_one(token, person.pk)
    messages.success(
        request, f"The token {token.prefix}… is revoked. Programs that still use it are refused."
    )
    back = request.POST.get("back", "")
    return redirect(
        f"{reverse('tokens_all')}?{urlencode({'property': back})}"
        if back in properties(person, ACT)
        else "tokens"
    )


def _made(request: HttpRequest, template: str, shown: dict[str, Any], make: Any) -> HttpResponse:
    """Render the page. If its form was submitted, issue the token and show its secret this once, or show the
    error.
    """
    sent = request.POST
    form = {
        "sent": sent,
        "uid": sent.get("uid") or str(uuid4()),
        "chosen": sent.getlist("scope"),
        "days": sent.get("days", TOKEN_DAYS),
    }
    context = shown | form
    if request.method != "POST":
        return render(request, template, context)
    try:
        secret = make(UUID(parse_form_uid(sent.get("uid", ""))))
    except ActionRejected as refused:
        return render(
            request, template, context | {"refused": str(refused), "field": refused.field}, status=400
        )
    except AlreadyIssued:
        says = (
            f"{ALREADY_RECORDED} Its secret was shown then and cannot be shown again: if it is lost,"
            " revoke that token and create another."
        )
        return render(request, template, context | {"refused": says}, status=400)
    fresh = {"sent": QueryDict(), "uid": str(uuid4()), "chosen": [], "days": TOKEN_DAYS}
    return render(request, template, context | fresh | {"secret": secret})


def _make_own(request: HttpRequest, of_use: list[str], uid: UUID) -> str:
    wanted = _wanted(request.POST, of_use)
    person = signatures.confirm_password(request)
    return tokens.issue_token(made_by=person.pk, person=person.pk, uid=uid, **wanted)


def _make_for_device(request: HttpRequest, property: str, devices: list[str], uid: UUID) -> str:
    device = request_params.clean_text(request.POST.get("device"))
    if device not in devices:
        raise ActionRejected("Device: choose a registered device.", "device")
    wanted = _wanted(request.POST, OF_A_DEVICE)
    person = signatures.confirm_password(request)
    return tokens.issue_token(made_by=person.pk, property=property, device=device, uid=uid, **wanted)


def _wanted(sent: QueryDict, of_use: Any) -> dict[str, Any]:
    """Return the purpose, scopes and validity from the form. Raise ActionRejected, which names the invalid
    field.
    """
    label, chosen, days = (
        request_params.clean_text(sent.get("label"))[:60],
        list(dict.fromkeys(sent.getlist("scope"))),
        whole(sent.get("days", "")),
    )
    if not label:
        raise ActionRejected("Purpose: type a few words, so that you recognize the token later.", "label")
    if not chosen or not set(chosen) <= set(of_use):
        raise ActionRejected("Scopes: choose at least one, and no more than the program needs.", "scope")
    if days is None or not 1 <= days <= LONGEST:
        raise ActionRejected(f"Days valid: type a whole number from 1 to {LONGEST}.", "days")
    return {"label": label, "scopes": [scope for scope in scopes.SCOPES if scope in chosen], "days": days}


def _choices(of_use: Any) -> list[tuple[str, str]]:
    return [(scope, says) for scope, says in scopes.SCOPES.items() if scope in of_use]


def _zone(person: Person) -> Any:
    return request_params.zone(next(iter(sorted(person.roles)), ""))
