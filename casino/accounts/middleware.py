"""Middleware: log out deactivated users, and block writes from users without OTP where the property requires
it.
"""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from casino.accounts import otp
from casino.accounts import services as accounts
from casino.models import Person

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
OF_ONES_LOGIN = ("login", "logout", "otp", "password_change")
"""Names of the URLs at which users log in and out, and set up one-time passwords and passwords."""


class LogOutDeactivatedUsers:
    """Log out users who have left, according to the registers. This happens at their next request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        person = request.user
        if isinstance(person, Person) and not person.roles and Person.registers.find_departed([person.pk]):
            accounts.end_sessions([person.pk])
            logout(request)
        return self.get_response(request)


class RequireOtpToWrite:
    """Allow only reads to users who must set up one-time passwords but have not done so."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        person = request.user
        if (
            request.method in SAFE
            or not isinstance(person, Person)
            or request.path in map(reverse, OF_ONES_LOGIN)
        ):
            return self.get_response(request)
        places = otp.properties_requiring_otp(person)
        if not places:
            return self.get_response(request)
        if request.headers.get("HX-Request"):
            return HttpResponse(status=403, headers={"HX-Redirect": reverse("otp")})
        return render(request, "own/codes_first.html", {"places": ", ".join(places)}, status=403)
