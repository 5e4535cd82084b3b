"""Views to give a verdict on the open hand or on many chosen hands, and to take verdicts back."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST
from msgspec import json

from audit.facts.input_parsing import whole
from audit.review import hands, queue, verdicts
from audit.review.hands import Played
from audit.review.verdicts import CurrentFinding
from casino.accounts.permissions import require
from casino.accounts.signatures import collect_signatures
from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import cut_property, day_label
from casino.surveillance import batch, withdrawals
from casino.surveillance import hand_views as page
from casino.surveillance import services as surveillance
from casino.surveillance.assignments import Chosen
from casino.surveillance.batch import Candidate
from casino.surveillance.forms import ChosenForm, FindingsForm, UndoForm, VerdictForm
from casino.surveillance.money_corrections import correction_query, is_correctable
from casino.surveillance.queue_rows import read_chosen, rows_of
from casino.surveillance.services import Words
from casino.web.action_form import HandForm
from casino.web.form_view import current_user, submitted
from casino.web.request_params import decode_hand, hand_url

DONE = {"confirmed": "Confirmed", "dismissed": "Dismissed", "escalated": "Escalated"}


@require_POST
def give(request: HttpRequest) -> HttpResponse:
    """Record the verdict and show a message, or show the form again with the error. After a verdict, the
    browser opens the next hand. Without scripts, the same hand is shown.

    If the hand has changed since the page was loaded, the whole hand is shown again without the choice, so
    that the officer decides about what is now recorded.
    """
    property = property_of_form(request)
    require(request.user, "give-verdict", property)
    played, name = open_hand(request)
    sent, form = FindingsForm(submitted(request)), VerdictForm(submitted(request), played.currency())
    chosen, shown_states = sent.seen(), sent.all_seen()
    current = verdicts.findings_of(property, played.stream, name)
    findings = [finding for finding in current if finding.id in chosen]
    try:
        if has_changed(current, chosen, shown_states):
            raise ActionRejected(surveillance.CHANGED)
        values = form.accepted()
        has_second = bool(values.pop("second"))
        words = Words(**values)
        second = (
            collect_signatures(request, property, {"second": "review-verdict"})["second"]
            if has_second and surveillance.needs_second(property, findings, words)
            else None
        )
        positions = surveillance.give_verdict(current_user(request), played, findings, words, second)
    except ActionRejected as refused:
        if str(refused) == surveillance.CHANGED:
            form = _only_note(form, played.currency())
            form.reject(refused)
            return page.shown(
                request, played, played.stream, name, verdict_form=form, states_before=chosen | shown_states
            )
        form.reject(refused)
        return page.again(request, played, name, "verdict", verdict_form=form, chosen=chosen, found=current)
    if not request.htmx:  # type: ignore[attr-defined]
        return page.shown(request, played, played.stream, name, given=words.verdict)
    table, _, day = played.stream.rpartition("/")
    return done(
        request,
        f"{DONE[words.verdict]}: {cut_property(table)} {name}, gaming day {day_label(day)}.",
        {
            "property": property,
            "positions": positions,
            "back": hand_url(played.stream, name),
            "correct": correction_query(played, name) if to_correct(words, findings) else "",
        },
        "verdict-given",
    )


def has_changed(
    current: Sequence[CurrentFinding], chosen: dict[str, str], shown_states: dict[str, str]
) -> bool:
    """Return True if a finding or a verdict of the hand differs from what the page showed.

    Args:
        current: the findings of the hand as they are now.
        chosen: {ID of a chosen finding: its state on the page}.
        shown_states: the same for all findings that the page showed. It is empty if a script sent the form.
    """
    states = {finding.id: finding.seen for finding in current}
    unchanged = {*chosen.items(), *shown_states.items()} <= states.items()
    return not unchanged or bool(shown_states and shown_states.keys() != states.keys())


def _only_note(sent: VerdictForm, currency: str) -> VerdictForm:
    """Return a form in which nothing is chosen, with the note that was sent."""
    form = VerdictForm(None, currency)
    form.initial["note"] = sent["note"].value() or ""
    return form


def to_correct(words: Words, findings: Sequence[CurrentFinding]) -> bool:
    """Return True if the verdict confirms a finding whose money can be corrected."""
    return words.verdict == "confirmed" and is_correctable(findings)


@require_POST
def undo(request: HttpRequest) -> HttpResponse:
    """Withdraw verdicts that the user has just given, and show a message. If they cannot be withdrawn, show
    the reason.
    """
    sent = UndoForm(submitted(request)).accepted()
    property, back = sent["property"], sent["back"]
    require(request.user, "give-verdict", property)
    positions = [number for text in sent["position"] if (number := whole(text, 18)) is not None]
    judged_together = read_chosen(sent["hand"])
    try:
        withdrawn = withdrawals.withdraw(current_user(request), property, positions)
    except ActionRejected as refused:
        return done(request, str(refused), {}, "", refused=True)
    if not request.htmx:  # type: ignore[attr-defined]
        return redirect("queue")
    subject = f"{len(withdrawn)} verdicts are" if len(withdrawn) > 1 else "The verdict is"
    says = f"{subject} withdrawn. The findings need a verdict again."
    if judged_together:
        return _show_withdrawn(request, property, judged_together, says)
    reopen = back if back.startswith(("/hand/", "/fact/")) else ""
    return done(request, says, {"reopen": reopen}, _undone_event([reopen]))


def _undone_event(addresses: Sequence[str]) -> str:
    """Return the header value with the event that tells the page which hands have lost their verdicts."""
    return json.encode({"verdict-undone": {"hands": addresses}}).decode()


def _show_withdrawn(request: HttpRequest, property: str, judged: Sequence[Chosen], says: str) -> HttpResponse:
    """Render the hands whose common verdicts were withdrawn. They replace the list of results, which is no
    longer true.
    """
    names = [(hand.stream, hand.hand) for hand in judged if hand.property == property]
    rows = rows_of(queue.chosen(property, names), "grade")
    answer = render(request, "surveillance/_withdrawn.html", {"rows": rows, "says": says})
    answer["HX-Retarget"], answer["HX-Reswap"] = "#hand", "innerHTML"
    answer["HX-Trigger-After-Settle"] = _undone_event([row.address for row in rows])
    return answer


def done(
    request: HttpRequest, says: str, context: dict[str, Any], event: str, *, refused: bool = False
) -> HttpResponse:
    """Render the message about a recorded verdict, with a button that takes the verdict back."""
    answer = render(request, "surveillance/_done.html", context | {"says": says, "refused": refused})
    answer["HX-Retarget"], answer["HX-Reswap"] = "#done", "innerHTML"
    if event:
        answer["HX-Trigger-After-Settle"] = event
    return answer


@require_POST
def chosen(request: HttpRequest) -> HttpResponse:
    """Show the chosen hands with the form for one verdict on all of them."""
    return _chosen(request, VerdictForm(None, ""))


@require_POST
def many(request: HttpRequest) -> HttpResponse:
    """Record one verdict on many hands, and list the result for each of them."""
    sent, form = ChosenForm(submitted(request)).accepted(), VerdictForm(submitted(request), "")
    hands_seen = list(zip(read_chosen(sent["hand"]), sent["seen"], strict=False))
    for property in {hand.property for hand, _ in hands_seen}:
        require(request.user, "give-verdict", property)
    try:
        if len(hands_seen) != len(sent["hand"]):
            raise ActionRejected(surveillance.CHANGED)
        values = form.accepted()
        has_second = bool(values.pop("second"))
        words = Words(values["verdict"], values["disposition"], note=values["note"])
        property = hands_seen[0][0].property if hands_seen else ""
        second = (
            collect_signatures(request, property, {"second": "review-verdict"})["second"]
            if has_second and property
            else None
        )
        outcomes = batch.judge(current_user(request), hands_seen, words, second)
    except ActionRejected as refused:
        form.reject(refused)
        return _chosen(request, form)
    rows = rows_of([outcome.hand for outcome in outcomes], "grade")
    positions = [position for outcome in outcomes for position in outcome.positions]
    context = {
        "results": list(zip(rows, outcomes, strict=True)),
        "recorded": sum(bool(outcome.positions) for outcome in outcomes),
        "verdict": DONE.get(words.verdict, words.verdict),
        "property": property,
        "positions": positions,
    }
    answer = render(request, "surveillance/_many.html", context)
    answer["HX-Trigger-After-Settle"] = "verdicts-given"
    return answer


def _chosen(request: HttpRequest, form: VerdictForm) -> HttpResponse:
    """Render the chosen hands, with the codes that they have in common. If the form was rejected, only the
    form is replaced. It then keeps the states of the hands that the officer saw.
    """
    sent = ChosenForm(submitted(request)).accepted()
    names = read_chosen(sent["hand"])
    try:
        known = batch.candidates(current_user(request), names)
    except ActionRejected as refused:
        return render(request, "surveillance/_chosen.html", {"refused_all": str(refused)})
    able, differing = batch.split_by_codes(known)
    threshold = surveillance.second_from(known[0].hand.property)
    context = {
        "rows": list(zip(rows_of([outcome.hand for outcome in known], "grade"), known, strict=True)),
        "totals": _totals(known),
        "able": able,
        "differing": differing,
        "without": len(names) - len(known),
        "reasons": page.REASONS,
        "dispositions": surveillance.DISPOSITIONS,
        "is_about_chips": page.is_about_chips(finding for outcome in able for finding in outcome.findings),
        "verdict_names": surveillance.VERDICTS,
        "asks_second": any(surveillance.reaches(threshold, outcome.findings) for outcome in able),
        "form": form,
        "states_before": dict(zip(sent["hand"], sent["seen"], strict=False)),
    }
    answer = render(request, "surveillance/_chosen.html", context)
    if form.refused and able and not differing:
        answer["HX-Retarget"], answer["HX-Reselect"] = "#verdict-form", "#verdict-form"
        answer["HX-Reswap"] = "outerHTML"
    return answer


def _totals(known: Sequence[Candidate]) -> list[tuple[str, Decimal, Decimal]]:
    """Return (currency, total to the player, total to the casino) for each currency of the hands. If the
    findings are about chips, these are the totals of missing and of surplus chips.
    """
    totals = dict[str, tuple[Decimal, Decimal]]()
    for outcome in known:
        hand = outcome.hand
        if hand.currency:
            to_player, to_house = totals.get(hand.currency, (Decimal(0), Decimal(0)))
            totals[hand.currency] = to_player + hand.to_player, to_house + hand.to_house
    return [(currency, *amounts) for currency, amounts in sorted(totals.items())]


def property_of_form(request: HttpRequest) -> str:
    """Return the property of the hand that a form names."""
    stream: str = HandForm(submitted(request)).accepted()["stream"]
    return stream.partition("/")[0]


def open_hand(request: HttpRequest) -> tuple[Played, str]:
    """Return the hand to which a form belongs, and its name. Raise Http404 if there is no such hand."""
    stream, hand = HandForm(submitted(request)).accepted().values()
    return hand_named(stream, hand)


def hand_named(stream: str, hand: str) -> tuple[Played, str]:
    """Return the hand with this stream and encoded name, and its name. Raise Http404 if no such hand is
    recorded.
    """
    property, name = stream.partition("/")[0], decode_hand(hand)
    played = hands.named(property, stream, name)
    if played is None:
        raise Http404(stream)
    return played, name
