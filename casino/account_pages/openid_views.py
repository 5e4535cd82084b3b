"""Pages for sign-in with OpenID Connect: go to the provider, return from it, and type the one-time password.

A user who has set up one-time passwords types one here too. A staff ID that is locked after wrong passwords
cannot sign in with OpenID Connect either. Sign-in, refusal and sign-out are recorded like those with a
password.
"""

from __future__ import annotations

import time
from typing import Any

from axes.handlers.proxy import AxesProxyHandler
from axes.helpers import get_lockout_response
from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.signals import user_login_failed
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from casino.account_pages import sign_out_views
from casino.account_pages.forms import OtpForm
from casino.accounts import openid, openid_people, signatures
from casino.accounts import otp as one_time
from casino.accounts.openid import OpenIdRefused
from casino.accounts.otp import OtpRejected
from casino.accounts.signatures import CONFIRMED, LETTERS
from casino.models import Person
from casino.web.form_view import submitted

PASSWORD_BACKEND = "django.contrib.auth.backends.ModelBackend"
SALT = "casino.openid"
COOKIE, CODE_COOKIE = "openid-", "openid-code"
"""The prefix of the names of sign-in cookies, and the name of the cookie while a one-time password is typed.
"""
CODE_SECONDS = 300
"""Seconds within which the one-time password must be typed after the sign-in at the provider."""


@login_not_required
@require_safe
def begin(request: HttpRequest) -> HttpResponse:
    """Send the browser to the provider. With the parameter `confirm`, a user who is already signed in here
    confirms an action with a new sign-in.
    """
    _require_openid()
    after, confirms = _next_page(request.GET.get("next", "")), "confirm" in request.GET
    if request.user.is_authenticated != confirms:
        return redirect(after if request.user.is_authenticated else "login")
    try:
        authorization = openid.begin(request.build_absolute_uri(reverse("openid_callback")))
    except OpenIdRefused as refused:
        return _refused(request, refused)
    response = redirect(authorization.url)
    stored = authorization.stored | {"next": after, "confirms": str(request.user.pk) if confirms else ""}
    _set_cookie(response, _cookie_name(authorization.state), stored, openid.SIGN_IN_SECONDS)
    return response


@login_not_required
@require_safe
def callback(request: HttpRequest) -> HttpResponse:
    """Handle the provider's answer: sign the user in, ask for the one-time password, or confirm an action."""
    _require_openid()
    name = _cookie_name(request.GET.get("state", ""))
    stored = _read_cookie(request, name, openid.SIGN_IN_SECONDS)
    try:
        if stored is None or stored["state"] != request.GET["state"]:
            raise OpenIdRefused(
                "This sign-in was not begun in this browser, or more than ten minutes ago. Sign in again.",
                status=400,
            )
        account = openid.finish(request.GET.dict(), stored)
        person = openid_people.person_of(account)
        if stored["confirms"]:
            response = _confirm(request, account, person, stored)
        else:
            response = _sign_in(request, account, person, stored["next"])
    except OpenIdRefused as refused:
        response = _refused(request, refused)
    response.delete_cookie(name, path=reverse("openid"))
    return response


@sensitive_post_parameters("code")
@login_not_required
@require_POST
def code(request: HttpRequest) -> HttpResponse:
    """Check the one-time password of a user who has signed in at the provider, and sign the user in."""
    _require_openid()
    stored = _read_cookie(request, CODE_COOKIE, CODE_SECONDS)
    person = None if stored is None else Person.objects.filter(pk=stored["person"]).first()
    if stored is None or person is None or person.get_session_auth_hash() != stored["hash"]:
        return redirect("login")
    if locked := _lockout(request, person):
        return locked
    try:
        openid_people.check(person)
        if one_time.enrolled([person.pk]):
            one_time.verify_codes({person.pk: OtpForm(submitted(request)).accepted()["code"]})
    except OpenIdRefused as refused:
        return _refused(request, refused)
    except OtpRejected as wrong:
        if wrong.guessed:
            signatures.record_failed_code(request, person.pk)
        return render(
            request, "registration/openid_code.html", {"person": person, "says": str(wrong)}, status=400
        )
    login(request, person, PASSWORD_BACKEND)
    response = redirect(stored["next"])
    response.delete_cookie(CODE_COOKIE, path=reverse("openid"))
    return response


def _sign_in(request: HttpRequest, account: openid.Account, person: Person, after: str) -> HttpResponse:
    """Sign the user in. A user who has set up one-time passwords first gets the form for one."""
    if locked := _lockout(request, person):
        return locked
    sign_out_views.remember(request, account, person)
    if not one_time.enrolled([person.pk]):
        login(request, person, PASSWORD_BACKEND)
        return redirect(after)
    response = render(request, "registration/openid_code.html", {"person": person})
    stored = {"person": person.pk, "next": after, "hash": person.get_session_auth_hash()}
    _set_cookie(response, CODE_COOKIE, stored, CODE_SECONDS)
    return response


def _confirm(
    request: HttpRequest, account: openid.Account, person: Person, stored: dict[str, str]
) -> HttpResponse:
    """Record in the session that the user has signed in at the provider again. This confirms one action that
    needs a password.
    """
    if not request.user.pk == person.pk == stored["confirms"]:
        raise OpenIdRefused(
            f"You signed in at {settings.OPENID_NAME} as {person.pk}, but another user is signed in here.",
            str(request.user.pk or ""),
        )
    if not openid.is_fresh(account):
        raise OpenIdRefused(
            f"{settings.OPENID_NAME} does not say that you have just typed your password (claim auth_time).",
            person.pk,
        )
    sign_out_views.remember(request, account, person)
    request.session[CONFIRMED] = time.time()
    return redirect(stored["next"])


def _lockout(request: HttpRequest, person: Person) -> HttpResponse | None:
    """Return the page that says that the staff ID is locked at this address, or None if it is not locked."""
    credentials = {"username": person.pk}
    if AxesProxyHandler.is_allowed(request, credentials):
        return None
    locked: HttpResponse = get_lockout_response(request, credentials=credentials)
    return locked


def _refused(request: HttpRequest, refused: OpenIdRefused) -> HttpResponse:
    """Record the refusal like a wrong password if an account was refused, and return the page with the
    reason.
    """
    if refused.name:
        credentials = {"username": refused.name[:LETTERS].replace("\0", "")}
        user_login_failed.send(sender=__name__, credentials=credentials, request=request)
    return render(request, "registration/openid_refused.html", {"says": str(refused)}, status=refused.status)


def _require_openid() -> None:
    if not openid.is_configured():
        raise Http404


def _next_page(address: str) -> str:
    """Return the address if it is one of this site, otherwise the address of the first page."""
    is_own = url_has_allowed_host_and_scheme(address, allowed_hosts=None) and address.startswith("/")
    return address if is_own and len(address) < 1000 else settings.LOGIN_REDIRECT_URL


def _cookie_name(state: str) -> str:
    """Return the name of the cookie of a sign-in. Each sign-in has its own, so that two tabs do not disturb
    each other.
    """
    return COOKIE + "".join(letter for letter in state[:12] if letter.isascii() and letter.isalnum())


def _set_cookie(response: HttpResponse, name: str, stored: dict[str, str], seconds: int) -> None:
    response.set_cookie(
        name,
        signing.dumps(stored, salt=SALT + name),
        max_age=seconds,
        path=reverse("openid"),
        secure=settings.SECURE,
        httponly=True,
        samesite="Lax",  # the provider sends the browser back from another site
    )


def _read_cookie(request: HttpRequest, name: str, seconds: int) -> dict[str, str] | None:
    """Return the content of a cookie, or None if it is missing, too old or not ours."""
    try:
        stored: Any = signing.loads(request.COOKIES.get(name, ""), salt=SALT + name, max_age=seconds)
    except signing.BadSignature:
        return None
    return stored if isinstance(stored, dict) else None
