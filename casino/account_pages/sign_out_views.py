"""Sign-out. If the user has signed in with OpenID Connect, the provider's session ends too.

The ID token that the provider needs for this is stored in the session, which is a row of the database, and is
deleted with it. The cookie has only the session's key.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import views as auth
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from casino.accounts import openid
from casino.models import Person

SESSION_KEY = "openid-sign-in"
"""The key in the session of the last sign-in at the provider: issuer, user and ID token."""


def remember(request: HttpRequest, account: openid.Account, person: Person) -> None:
    """Store in the session what the provider needs to end its own session."""
    request.session[SESSION_KEY] = [settings.OPENID_ISSUER, person.pk, account.id_token]


class SignOut(auth.LogoutView):
    """Sign the user out, then send the browser to the provider if the user has signed in there."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """End the session here first, so that the user is signed out even if the provider does not answer.

        The browser goes to the provider from a page of its own: the content security policy does not allow a
        form to lead to another site.
        """
        issuer, person, id_token = request.session.get(SESSION_KEY, ("", "", ""))
        is_from_provider = issuer == settings.OPENID_ISSUER != "" and person == request.user.pk
        response = super().post(request, *args, **kwargs)
        address = ""
        if is_from_provider:
            after = request.build_absolute_uri(reverse("login"))
            address = openid.end_session_address(id_token, after)
        if not address:
            return response
        return render(request, "registration/openid_sign_out.html", {"address": address})
