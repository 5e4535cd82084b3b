"""Views to take hands of the queue, assign them to another officer, release them, or snooze them."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from audit.review.queue import Hand
from casino.accounts.permissions import require
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import clock
from casino.surveillance import assignments
from casino.surveillance.assignments import Chosen
from casino.surveillance.forms import AssignForm, SnoozeForm
from casino.surveillance.queue_rows import read_chosen
from casino.surveillance.verdict_views import done
from casino.web import request_params
from casino.web.form_view import current_user, submitted


@require_POST
def assign(request: HttpRequest) -> HttpResponse:
    """Assign the chosen hands to an officer, or release them, and show a message."""
    sent = AssignForm(submitted(request)).accepted()
    hands = read_chosen(sent["hand"], sent["owner"])
    for property in {hand.property for hand in hands}:
        require(request.user, "give-verdict", property)
    user = current_user(request)
    try:
        to = user if sent["to"] == request_params.MINE else _officer(sent["to"])
        free, taken = assignments.assign(user, hands, to)
    except ActionRejected as refused:
        return done(request, str(refused), {}, "", refused=True)
    assignee = "you" if to == user else str(to)
    says = [f"{_many(free)} assigned to {assignee}."] if free and to is not None else []
    says += [f"{_many(free)} released."] if free and to is None else []
    says += [f"{_many(taken)} not changed: {taken[0].owner} has taken it."] if taken else []
    says += _left_out(hands, len(free) + len(taken))
    return done(request, " ".join(says), {}, "queue-changed", refused=bool(taken))


@require_POST
def snooze(request: HttpRequest) -> HttpResponse:
    """Set or end the snooze of the chosen hands, and show a message."""
    sent = SnoozeForm(submitted(request)).accepted()
    hands = read_chosen(sent["hand"])
    for property in {hand.property for hand in hands}:
        require(request.user, "give-verdict", property)
    try:
        property = assignments.property_of(current_user(request), hands)
        until = (
            None
            if sent["minutes"] == "0"
            else assignments.parse_until(property, sent["minutes"], sent["until"])
        )
        rows = assignments.snooze(current_user(request), hands, until)
    except ActionRejected as refused:
        return done(request, str(refused), {}, "", refused=True)
    if until is None:
        says = [f"{_many(rows)} shown again."]
    else:
        says = [f"{_many(rows)} snoozed until {clock(until, request_params.zone(property))}."]
    return done(request, " ".join([*says, *_left_out(hands, len(rows))]), {}, "queue-changed")


def _officer(id: str) -> Person | None:
    """Return the person with this staff ID, or None if it is empty. Raise ActionRejected if it is unknown."""
    if not id:
        return None
    person: Person | None = Person.objects.filter(pk=id, is_active=True).first()
    if person is None:
        raise ActionRejected(f"There is no user {id}. Choose an officer from the list.", "to")
    return person


def _left_out(hands: list[Chosen], in_queue: int) -> list[str]:
    """Return a sentence about the chosen hands that are not in the queue, if there are any."""
    number = len(hands) - in_queue
    return (
        [f"{number} hand{'' if number == 1 else 's'} without a finding or a flag left out."] if number else []
    )


def _many(rows: list[Hand]) -> str:
    return "1 hand" if len(rows) == 1 else f"{len(rows)} hands"
