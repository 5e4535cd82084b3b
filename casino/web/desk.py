"""A form of floor, cage or count room: shown, sent once, and either done or shown again with what must be mended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render

from casino.acts import NotAccepted
from casino.models import Person


def answer(request: HttpRequest, template: str, shown: Mapping[str, Any], act: Callable[[], str], to: str) -> HttpResponse:
    """The form; or, where it was sent, the act, and on to `to` with the sentence that it gives.

    What is not accepted brings the form back with all that was typed but passwords: `refused` says why, `field` names what to mend.
    """
    context = {**shown, "sent": request.POST, "uid": request.POST.get("uid") or str(uuid4())}
    if request.method != "POST":
        return render(request, template, context)
    try:
        said = act()
    except NotAccepted as refused:
        return render(request, template, context | {"refused": str(refused), "field": refused.field}, status=400)
    messages.success(request, said)
    return HttpResponseRedirect(to)


def person_of(request: HttpRequest) -> Person:
    """Who is logged in."""
    assert isinstance(request.user, Person)
    return request.user
