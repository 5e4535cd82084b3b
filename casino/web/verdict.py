"""A verdict is given on the hand that is open: one form, three keys."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from audit import hands, verdicts
from audit.hands import Played
from casino import surveillance
from casino.models import Person
from casino.permissions import demand
from casino.signing import signs
from casino.surveillance import NotAccepted, Words
from casino.web import hand as page
from games.kit.amounts import EXPONENT

MOST = 10**13
"""Minor units that may be typed."""


@require_POST
def give(request: HttpRequest) -> HttpResponse:
    """Record it and show the hand as it now stands; or the form again, with what is missing."""
    sent = request.POST
    property = sent.get("stream", "").partition("/")[0]
    demand(request.user, "give-verdict", property)
    played, name = open_hand(request)
    chosen = dict(each.partition("|")[::2] for each in sent.getlist("finding"))
    found = [one for one in verdicts.findings_of(property, played.stream, name) if one.id in chosen]
    try:
        if any(chosen[one.id] != one.seen for one in found) or len(found) != len(chosen):
            raise NotAccepted("What was found here has changed since you opened it. Look again, then decide.")
        words = _words(request, played.currency())
        second = _second(request) if surveillance.needs_second(property, found, words) else None
        surveillance.give_verdict(person_of(request), played, found, words, second)
    except NotAccepted as refused:
        context = page.context_of(request, played, name) | {"refused": str(refused), "field": refused.field, "sent": sent, "chosen": chosen}
        answer = render(request, "surveillance/_verdict.html" if request.htmx else "surveillance/hand.html", context)  # type: ignore[attr-defined]
        answer["HX-Retarget"], answer["HX-Reswap"] = "#verdict-form", "outerHTML"
        return answer
    answer = page.shown(request, played, played.stream, name, given=words.verdict)
    answer["HX-Trigger-After-Settle"] = "verdict-given"
    return answer


def open_hand(request: HttpRequest) -> tuple[Played, str]:
    """The hand that a form speaks of, and its name. Raises Http404."""
    stream, name = request.POST.get("stream", ""), request.POST.get("hand", "")
    property = stream.partition("/")[0]
    if "\0" in name + stream:
        raise Http404("no such letter")
    if name[:1] == "#" and name[1:].isdigit() and len(name) < 18:
        played = hands.single(property, stream, int(name[1:]))
    else:
        played = hands.played(property, stream, name)
    if played is None:
        raise Http404(stream)
    return played, name


def person_of(request: HttpRequest) -> Person:
    """Who is logged in."""
    assert isinstance(request.user, Person)
    return request.user


def _words(request: HttpRequest, currency: str) -> Words:
    sent = request.POST
    savings, losses, recovered = (_amount(sent.get(name, ""), name, currency) for name in ("savings", "losses", "recovered"))
    note = sent.get("note", "").strip()
    if len(note) > 2000 or "\0" in note:
        raise NotAccepted("A note has at most 2,000 letters.", "note")
    return Words(sent.get("verdict", ""), sent.get("disposition", ""), savings, losses, recovered, note)


def _amount(text: str, name: str, currency: str) -> int:
    """An amount as it is typed, `1,250.00`, in minor units; nothing typed is 0."""
    typed = text.replace(",", "").strip()
    try:
        minor = Decimal(typed or "0") * 10 ** EXPONENT.get(currency, 2)
    except InvalidOperation:
        minor = Decimal(-1)
    if not minor.is_finite() or minor != minor.to_integral_value() or not 0 <= minor <= MOST:
        raise NotAccepted(f"{name.capitalize()}: an amount such as 125.00, not below 0.", name)
    return int(minor)


def _second(request: HttpRequest) -> Person | None:
    """The colleague whose own password was typed just now; None where nothing was."""
    person, password = request.POST.get("second", "").strip(), request.POST.get("second_password", "")
    if not person and not password:
        return None
    if person == request.user.pk:
        raise NotAccepted("The second reviewer is another person than you.", "second")
    signed = signs(request, person, password)
    if signed is None:
        raise NotAccepted("The second reviewer's id and password do not fit.", "second")
    return signed
