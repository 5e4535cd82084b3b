"""Handle a form: show it, record it once when it is submitted, or show it again with the error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render

from audit.queries import cage_facts
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.web.recording import ALREADY_RECORDED


def handle(
    request: HttpRequest, template: str, shown: Mapping[str, Any], act: Callable[[], str], to: str
) -> HttpResponse:
    """Render the form. If it was submitted, call `act`, and redirect to `to` with the message that `act`
    returns.

    If the action is rejected, the form is shown again with all values except passwords. `refused` is the
    reason, and `field` the name of the field to correct. If the same form was recorded before, the page shows
    only a message that says so.
    """
    context = {**shown, "sent": request.POST, "uid": request.POST.get("uid") or str(uuid4())}
    if request.method != "POST":
        return render(request, template, context)
    try:
        message = act()
    except ActionRejected as refused:
        says, field = str(refused), refused.field
        if _sent_before(str(shown["property"]), context["uid"]):
            says, field = ALREADY_RECORDED, ""
        return render(request, template, context | {"refused": says, "field": field}, status=400)
    messages.success(request, message)
    return HttpResponseRedirect(to)


def _sent_before(property: str, uid: str) -> bool:
    try:
        return cage_facts.fact(property, UUID(uid)) is not None
    except ValueError:
        return False


def current_user(request: HttpRequest) -> Person:
    """Return the logged-in user."""
    assert isinstance(request.user, Person)
    return request.user
