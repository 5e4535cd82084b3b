"""Show a form, and record what it sends: once, or show it again with what must be fixed."""

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
    """Return the rendered form; or, if it was sent, do the action and redirect to `to` with its message.

    A rejected action shows the form again with everything but passwords: `refused` says why, `field` names
    the field to fix. A form that was sent twice is rejected the second time and says only that it is
    recorded: other changes since then are no reason to fix it.
    """
    context = {**shown, "sent": request.POST, "uid": request.POST.get("uid") or str(uuid4())}
    if request.method != "POST":
        return render(request, template, context)
    try:
        said = act()
    except ActionRejected as refused:
        says, field = str(refused), refused.field
        if _sent_before(str(shown["property"]), context["uid"]):
            says, field = ALREADY_RECORDED, ""
        return render(request, template, context | {"refused": says, "field": field}, status=400)
    messages.success(request, said)
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
