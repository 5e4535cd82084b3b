"""A form of floor, cage or count room: shown, sent once, and either done or shown again with what must be
mended.
"""

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
    """The form; or, where it was sent, the act, and on to `to` with the sentence that it gives.

    What is not accepted brings the form back with all that was typed but passwords: `refused` says why,
    `field` names what to mend. A form that was sent twice is not accepted the second time, and says that it
    is recorded: what else has changed by it is no reason to mend.
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
    """Who is logged in."""
    assert isinstance(request.user, Person)
    return request.user
