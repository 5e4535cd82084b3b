"""Who is let through to a page: nobody who has left, and to acts nobody who lacks a one-time password where
the house demands it.
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
"""Pages of one's own login, by which it is set up."""


class LogOutDeactivatedUsers:
    """Who has left by the registers, from the gaming day on which that holds, is logged out by the next
    request.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        person = request.user
        if isinstance(person, Person) and not person.roles and Person.registers.find_departed([person.pk]):
            accounts.end_sessions([person.pk])
            logout(request)
        return self.get_response(request)


class RequireOtpToWrite:
    """Where one-time passwords are demanded, whoever has none reads and does nothing until they are set up."""

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
