"""Give a verdict on the hand shown on the page."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from audit.facts import accepted_form
from audit.facts.input_parsing import whole
from audit.review import hands, verdicts
from audit.review.hands import Played
from casino.accounts.permissions import require
from casino.accounts.signatures import collect_signatures
from casino.presentation.amount_input import parse_amount
from casino.presentation.errors import ActionRejected
from casino.surveillance import hand_views as page
from casino.surveillance import services as surveillance
from casino.surveillance.services import Words
from casino.web.form_view import current_user
from casino.web.request_params import decode_hand


@require_POST
def give(request: HttpRequest) -> HttpResponse:
    """Record the verdict and show the updated hand, or show the form again with the error."""
    sent = request.POST
    property = sent.get("stream", "").partition("/")[0]
    require(request.user, "give-verdict", property)
    played, name = open_hand(request)
    chosen = dict(each.partition("|")[::2] for each in sent.getlist("finding"))
    found = [one for one in verdicts.findings_of(property, played.stream, name) if one.id in chosen]
    try:
        if any(chosen[one.id] != one.seen for one in found) or len(found) != len(chosen):
            raise ActionRejected(surveillance.CHANGED)
        words = _words(request, played.currency())
        asked = surveillance.needs_second(property, found, words) and accepted_form(
            request.POST.get("second", "")
        )
        second = (
            collect_signatures(request, property, {"second": "review-verdict"})["second"] if asked else None
        )
        surveillance.give_verdict(current_user(request), played, found, words, second)
    except ActionRejected as refused:
        context = page.context_of(request, played, name) | {
            "refused": str(refused),
            "field": refused.field,
            "sent": sent,
            "chosen": chosen,
        }
        alone = request.htmx  # type: ignore[attr-defined]
        answer = render(request, "surveillance/_verdict.html" if alone else "surveillance/hand.html", context)
        answer["HX-Retarget"], answer["HX-Reswap"] = "#verdict-form", "outerHTML"
        return answer
    answer = page.shown(request, played, played.stream, name, given=words.verdict)
    answer["HX-Trigger-After-Settle"] = "verdict-given"
    return answer


def open_hand(request: HttpRequest) -> tuple[Played, str]:
    """Return the hand named by a form, and its name. Raise Http404 if it does not exist."""
    stream, name = request.POST.get("stream", ""), decode_hand(request.POST.get("hand", ""))
    property = stream.partition("/")[0]
    if "\0" in name + stream:
        raise Http404("no such letter")
    number = whole(name[1:]) if name[:1] == "#" else None
    if number is not None:
        played = hands.single(property, stream, number)
    else:
        played = hands.played(property, stream, name)
    if played is None:
        raise Http404(stream)
    return played, name


def _words(request: HttpRequest, currency: str) -> Words:
    sent = request.POST
    savings, losses, recovered = (
        parse_amount(sent.get(name, ""), currency, name) for name in ("savings", "losses", "recovered")
    )
    note = sent.get("note", "").strip()
    if len(note) > 2000 or "\0" in note:
        raise ActionRejected("A note has at most 2,000 letters.", "note")
    return Words(sent.get("verdict", ""), sent.get("disposition", ""), savings, losses, recovered, note)
