"""Handle a form: show it, record it once when it is submitted, or show it again with the error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render

from audit.queries import cage_facts
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.web.action_form import InputForm
from casino.web.recording import ALREADY_RECORDED


class Duty(str):
    """The message of an action that was recorded and requires another one, such as a count that differs. The
    page does not show it as a success.
    """


def submitted(request: HttpRequest) -> QueryDict | None:
    """Return the fields of the submitted form, or None if the page is only requested."""
    return request.POST if request.method == "POST" else None


def handle(
    request: HttpRequest,
    template: str,
    form: InputForm,
    shown: Mapping[str, Any],
    act: Callable[[], str],
    to: str,
) -> HttpResponse:
    """Render the form. If it was submitted, call `act` instead, and redirect to `to` with the message that
    `act` returns.

    If the action is rejected, the form is shown again with its error and all values except passwords. If the
    same form was recorded before, the page shows only a message that says so.
    """
    context = {**shown, "form": form}
    if not form.is_bound:
        return render(request, template, context)
    try:
        message = act()
    except ActionRejected as refused:
        was_sent = _sent_before(str(shown.get("property", "")), form)
        form.reject(ActionRejected(ALREADY_RECORDED) if was_sent else refused)
        return render(request, template, context, status=400)
    level = messages.WARNING if isinstance(message, Duty) else messages.SUCCESS
    messages.add_message(request, level, message)
    return HttpResponseRedirect(to)


def _sent_before(property: str, form: InputForm) -> bool:
    try:
        return cage_facts.fact(property, UUID(str(form.data.get("uid", "")))) is not None
    except ValueError:
        return False


def current_user(request: HttpRequest) -> Person:
    """Return the logged-in user."""
    assert isinstance(request.user, Person)
    return request.user
