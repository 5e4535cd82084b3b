"""Give a verdict on the hand shown on the page."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from audit.facts.input_parsing import whole
from audit.review import hands, verdicts
from audit.review.hands import Played
from casino.accounts.permissions import require
from casino.accounts.signatures import collect_signatures
from casino.presentation.errors import ActionRejected
from casino.surveillance import hand_views as page
from casino.surveillance import services as surveillance
from casino.surveillance.forms import FindingsForm, HandForm, VerdictForm
from casino.surveillance.services import Words
from casino.web.form_view import current_user
from casino.web.request_params import decode_hand


@require_POST
def give(request: HttpRequest) -> HttpResponse:
    """Record the verdict and show the updated hand, or show the form again with the error."""
    property = property_of_form(request)
    require(request.user, "give-verdict", property)
    played, name = open_hand(request)
    chosen = FindingsForm(request.POST).seen()
    findings = [
        finding for finding in verdicts.findings_of(property, played.stream, name) if finding.id in chosen
    ]
    try:
        if any(chosen[finding.id] != finding.seen for finding in findings) or len(findings) != len(chosen):
            raise ActionRejected(surveillance.CHANGED)
        values = VerdictForm(request.POST, played.currency()).accepted()
        has_second = bool(values.pop("second"))
        words = Words(**values)
        second = (
            collect_signatures(request, property, {"second": "review-verdict"})["second"]
            if has_second and surveillance.needs_second(property, findings, words)
            else None
        )
        surveillance.give_verdict(current_user(request), played, findings, words, second)
    except ActionRejected as refused:
        context = page.context_of(request, played, name) | {
            "refused": str(refused),
            "field": refused.field,
            "sent": request.POST,
            "chosen": chosen,
        }
        alone = request.htmx  # type: ignore[attr-defined]
        answer = render(request, "surveillance/_verdict.html" if alone else "surveillance/hand.html", context)
        answer["HX-Retarget"], answer["HX-Reswap"] = "#verdict-form", "outerHTML"
        return answer
    answer = page.shown(request, played, played.stream, name, given=words.verdict)
    answer["HX-Trigger-After-Settle"] = "verdict-given"
    return answer


def property_of_form(request: HttpRequest) -> str:
    """Return the property of the hand that a form names."""
    stream: str = HandForm(request.POST).accepted()["stream"]
    return stream.partition("/")[0]


def open_hand(request: HttpRequest) -> tuple[Played, str]:
    """Return the hand to which a form belongs, and its name. Raise Http404 if there is no such hand."""
    stream, hand = HandForm(request.POST).accepted().values()
    property, name = stream.partition("/")[0], decode_hand(hand)
    number = whole(name[1:]) if name[:1] == "#" else None
    if number is not None:
        played = hands.single(property, stream, number)
    else:
        played = hands.played(property, stream, name)
    if played is None:
        raise Http404(stream)
    return played, name
