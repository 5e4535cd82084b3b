"""Pages of REST API tokens: a user's own tokens, and for administrators the tokens of all users and devices
of a property.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from audit.facts.input_parsing import whole
from casino.account_pages.forms import ChangeTokenForm, DeviceTokenForm, RevokeForm, TokenForm
from casino.accounts import scopes, signatures, tokens
from casino.accounts.permissions import properties
from casino.accounts.tokens import AlreadyIssued
from casino.models import Person, Token
from casino.presentation.errors import ActionRejected
from casino.reference import registers
from casino.web import request_params
from casino.web.form_view import current_user, handle, submitted
from casino.web.recording import ALREADY_RECORDED
from casino.web.request_params import require_GET_or_POST

ACT = "issue-token"
PAGE = 50


@sensitive_post_parameters("password", "code")
@require_GET_or_POST
def own_tokens(request: HttpRequest) -> HttpResponse:
    """Show the user's own tokens and the form that issues a new one."""
    person = current_user(request)
    of_use, any_held = scopes.usable_scopes(person), tokens.tokens_of(person.pk).exists()
    if not of_use and not any_held:
        raise PermissionDenied("a user without rights cannot use any scope")
    shown = {
        "rows": tokens.tokens_of(person.pk)[:200],
        "choices": _choices(of_use),
        "zone": _zone(person),
        "all": bool(properties(person, ACT)),
    }
    forms = TokenForm(submitted(request), of_use), TokenForm(None, of_use)
    return _issue_or_show(request, "own/tokens.html", shown, forms, {"person": person.pk})


@sensitive_post_parameters("password", "code")
@require_GET_or_POST
def all_tokens(request: HttpRequest) -> HttpResponse:
    """Show the tokens of a property, and the form that issues a token for a device. The tokens can be
    searched by holder. With `ending=1`, only the tokens that end soon are shown.
    """
    property = request_params.chosen_property(request, ACT)
    holder, before = (
        request_params.clean_text(request.GET.get("holder")),
        whole(request.GET.get("before", "")),
    )
    rows = tokens.tokens_at([property])
    if holder:
        rows = rows.filter(person=holder) | rows.filter(device=holder)
    is_ending = request.GET.get("ending") == "1"
    if is_ending:
        rows = rows.filter(pk__in=[token.pk for token in tokens.ending_soon(rows)])
    if before is not None:
        rows = rows.filter(pk__lt=min(before, 2**62))
    page_rows = list(rows.order_by("-pk")[: PAGE + 1])
    devices = sorted(registers.values_on(property, "devices"))
    shown = {
        "rows": page_rows[:PAGE],
        "more": page_rows[PAGE - 1].pk if len(page_rows) > PAGE else None,
        "holder": holder,
        "is_ending": is_ending,
        "query": request_params.query_of(property=property, holder=holder, ending="1" if is_ending else ""),
        "property": property,
        "places": properties(request.user, ACT),
        "devices": devices,
        "choices": _choices(scopes.OF_A_DEVICE),
        "zone": request_params.zone(property),
    }
    forms = (
        DeviceTokenForm(submitted(request), scopes.OF_A_DEVICE, devices),
        DeviceTokenForm(None, scopes.OF_A_DEVICE, devices),
    )
    return _issue_or_show(request, "own/tokens_all.html", shown, forms, {"property": property})


@require_POST
def revoke(request: HttpRequest, id: int) -> HttpResponse:
    """Revoke a token. Users may revoke their own tokens. Administrators may revoke any token of their
    property. The token is invalid from the next request on.
    """
    person = current_user(request)
    token = _managed(person, id)
    tokens.revoke_one(token, person.pk)
    messages.success(
        request, f"The token {token.prefix}… is revoked. Programs that still use it are refused."
    )
    return redirect(_list_of(person, RevokeForm(submitted(request)).accepted()["back"]))


@sensitive_post_parameters("password", "code")
@require_GET_or_POST
def change(request: HttpRequest, id: int) -> HttpResponse:
    """Change the networks of a token, and the number of days before its end at which its holder is warned.
    Users may change their own tokens. Administrators may change any token of their property.
    """
    person = current_user(request)
    token = _managed(person, id)
    if token.state() != "valid":
        raise PermissionDenied("the token is no longer valid")
    form = ChangeTokenForm(submitted(request), token, request_params.clean_text(request.GET.get("back")))

    def act() -> str:
        values = form.accepted()
        signatures.confirm_password(request)
        tokens.change(token, values["networks"], values["warn_days"], person.pk)
        return f"The token {token.prefix}… is changed."

    to = _list_of(person, form["back"].value())
    return handle(request, "own/token.html", form, {"token": token, "zone": _zone(person)}, act, to)


def _managed(person: Person, id: int) -> Token:
    """Return the token with this id. Raise PermissionDenied if it does not exist or the person may not change
    it. The error is the same in both cases, so that nobody learns which ids exist.
    """
    token: Token | None = Token.objects.filter(pk=id).first() if id < 2**63 else None
    own = token is not None and token.person_id == person.pk
    if token is None or not (own or tokens.tokens_at(properties(person, ACT)).filter(pk=id).exists()):
        raise PermissionDenied("the token belongs to another user")
    return token


def _list_of(person: Person, back: str) -> str:
    """Return the address of the list of tokens of the property `back`, or of the person's own tokens."""
    if back in properties(person, ACT):
        return f"{reverse('tokens_all')}?{urlencode({'property': back})}"
    return reverse("tokens")


def _issue_or_show(
    request: HttpRequest,
    template: str,
    shown: dict[str, Any],
    forms: tuple[TokenForm, TokenForm],
    holder: dict[str, str],
) -> HttpResponse:
    """Show a page with the form for a new token. If the form was sent, issue the token and show its secret.
    The secret is never shown again. If the form is rejected, show the error.

    Args:
        forms: the submitted form, and an empty form for the next token.
    """
    form, empty = forms
    context = shown | {"form": form}
    if not form.is_bound:
        return render(request, template, context)
    try:
        secret = _issue(request, form.accepted(), holder)
    except ActionRejected as refused:
        form.reject(refused)
        return render(request, template, context, status=400)
    except AlreadyIssued:
        says = (
            f"{ALREADY_RECORDED} The secret of the token was shown when the token was issued, and cannot be"
            " shown again. If the secret is lost, revoke the token and create another."
        )
        form.reject(ActionRejected(says))
        return render(request, template, context, status=400)
    return render(request, template, context | {"form": empty, "secret": secret})


def _issue(request: HttpRequest, values: dict[str, Any], holder: dict[str, str]) -> str:
    person = signatures.confirm_password(request)
    if "device" in values:
        holder = holder | {"device": values["device"]}
    return tokens.issue_token(
        uid=UUID(values["uid"]),
        label=values["label"],
        scopes=values["scope"],
        days=values["days"],
        networks=values["networks"],
        warn_days=values["warn_days"],
        made_by=person.pk,
        **holder,
    )


def _choices(of_use: Any) -> list[tuple[str, str]]:
    return [(scope, says) for scope, says in scopes.SCOPES.items() if scope in of_use]


def _zone(person: Person) -> Any:
    return request_params.zone(next(iter(sorted(person.roles)), ""))
