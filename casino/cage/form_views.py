"""Pages with the cage's forms: request, sign, withdraw and void a slip; sell chips. The pages of markers are
in `casino.cage.marker_views`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST

from audit.ledger import open_stream
from audit.queries import cage_facts
from audit.queries.write_offs import write_offs
from casino.accounts.names import names_of
from casino.accounts.permissions import can, require, require_recording
from casino.accounts.signatures import collect_signatures
from casino.cage import board_views
from casino.cage.forms import (
    BuyInForm,
    NumberVoidForm,
    PendingSlipVoidForm,
    SlipRequestForm,
    SlipVoidForm,
)
from casino.cage.par_levels import read_tray_at_par
from casino.cage.services import chips, markers, slips, voids
from casino.cage.slips import pending
from casino.cage.slips.document import SEEN_BY, SIGNED, paper_of
from casino.cage.slips.pending import PendingSlip
from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import day_label, money
from casino.reference import chip_sets
from casino.web import request_params
from casino.web.action_form import ActionForm, InputForm
from casino.web.form_view import current_user, handle, submitted
from casino.web.recording import open_day
from casino.web.request_params import require_GET_or_POST

KINDS = {"fill": "fill-sent", "credit": "credit-sent"}


@require_GET_or_POST
def request_slip(request: HttpRequest, property: str, table: str, slip_name: str) -> HttpResponse:
    """Request a fill or a credit for a table. Signers who are present can sign on the same form. With
    `proposed=1`, the form starts with the pieces that bring the tray back to par.
    """
    kind = KINDS.get(slip_name)
    if kind is None:
        raise Http404(slip_name)
    require(request.user, "see-cage", property)
    require_recording()
    currency = table_currency(property, table)
    chip_set = chip_sets.chips(property, currency)
    roles = slips.ROLES[kind]

    tray = read_tray_at_par(property, table)
    proposal = tray.proposal(slip_name) if tray is not None else {}
    is_proposed = bool(proposal) and request.GET.get("proposed") == "1"
    initial = {f"chips-{chip}": pieces for chip, pieces in proposal.items()} if is_proposed else {}
    form = SlipRequestForm(submitted(request), chip_set, currency, initial)
    form.add_signers(*_missing_signatures(request, property, kind, ()))

    def act() -> str:
        values = form.accepted()
        signers = collect_signatures(request, property, roles, optional=frozenset(roles) - {"requested_by"})
        serial = slips.request_slip(
            current_user(request), property, table, kind, values["pieces"], signers, uid=values["uid"]
        )
        return _result(serial, f"The {slip_name} is requested. It is pending until all have signed.")

    shown = {
        "property": property,
        "table": table,
        "what": slip_name,
        "currency": currency,
        "is_proposed": is_proposed,
        "may_propose": not is_proposed,
        "zone": request_params.zone(property),
    } | (tray.as_context(slip_name) if tray is not None else {})
    return handle(request, "cage/ask.html", form, shown, act, slip_url(property, form))


@require_GET_or_POST
def slip(request: HttpRequest, property: str, uid: UUID) -> HttpResponse:
    """Show a slip. A pending slip can be signed. A recorded slip can be printed and voided."""
    require(request.user, "see-cage", property)
    pending_slip = pending.get(property, uid)
    if pending_slip is None:
        form = SlipVoidForm(submitted(request))
        if form.is_bound and "reason" not in form.data:
            # The slip was still pending when the page was loaded.
            return _no_longer_pending(request, property, uid)
        return _recorded_slip(request, property, uid, form)
    signatures = pending.signatures_by_role(pending_slip)
    missing = {role: act for role, act in slips.ROLES[pending_slip.kind].items() if role not in signatures}
    signers = _signers_form(request, pending_slip)

    def act() -> str:
        serial = slips.sign_slip(
            current_user(request),
            property,
            uid,
            collect_signatures(request, property, missing, optional=frozenset(missing)),
        )
        if serial and _is_of_earlier_day(pending_slip):
            return (
                f"{serial} is complete. It is recorded on the gaming day {day_label(pending_slip.day)},"
                " on which it was requested."
            )
        return _result(serial, "Signed. The slip waits for the next signature.")

    shown = _pending_context(request, pending_slip) | {"void_form": PendingSlipVoidForm()}
    return handle(request, "cage/pending.html", signers, shown, act, request.path)


@require_POST
def withdraw(request: HttpRequest, property: str, uid: UUID) -> HttpResponse:
    """Withdraw a pending slip whose chips have not been handed out."""
    require(request.user, "see-cage", property)
    form = PendingSlipVoidForm()

    def act() -> None:
        slips.withdraw_slip(current_user(request), property, uid)

    return _end_pending(request, property, uid, form, act, "The request is withdrawn.")


@require_POST
def void_pending_slip(request: HttpRequest, property: str, uid: UUID) -> HttpResponse:
    """Void a pending slip, signed by the cage and a witness."""
    require(request.user, "see-cage", property)
    form = PendingSlipVoidForm(submitted(request))

    def act() -> None:
        second = collect_signatures(request, property, {"second": "witness-void"})["second"]
        reason = form.accepted()["reason"]
        slips.void_pending_slip(current_user(request), second, property, uid, reason)

    return _end_pending(request, property, uid, form, act, "The slip and its number are void.")


@require_GET_or_POST
def void_number(request: HttpRequest, property: str) -> HttpResponse:
    """Void a missing serial number, signed by the cage and a witness."""
    require(request.user, "void-slip", property)
    form = NumberVoidForm(submitted(request), {"slip": request.GET.get("slip")})

    def act() -> str:
        second = collect_signatures(request, property, {"second": "witness-void"})["second"]
        values = form.accepted()
        voids.void_missing_number(current_user(request), second, property, **values)
        return f"{values['slip']} is void."

    to = f"{reverse('cage')}?property={property}"
    return handle(request, "cage/number.html", form, {"property": property}, act, to)


@require_GET_or_POST
def record_buy_in(request: HttpRequest, property: str, table: str) -> HttpResponse:
    """Record chips that a player bought at a table."""
    require(request.user, "buy-chips", property)
    currency = table_currency(property, table)
    form = BuyInForm(submitted(request), currency, {"tender": chips.TENDERS[0]})

    def act() -> str:
        values = form.accepted()
        chips.record_buy_in(current_user(request), property, table, **values)
        return f"{money(values['amount'], currency)} of chips bought with {values['tender']} at {table}."

    shown = {"property": property, "table": table, "currency": currency, "tenders": chips.TENDERS}
    return handle(request, "cage/chips.html", form, shown, act, request.path)


def _recorded_slip(request: HttpRequest, property: str, uid: UUID, form: SlipVoidForm) -> HttpResponse:
    fact, stream = board_views.paper(property, uid)
    if fact.kind in SEEN_BY:
        raise Http404(str(uid))
    event: Any = fact.event
    paper = paper_of(fact, stream, request_params.zone(property))

    def act() -> str:
        second = collect_signatures(request, property, {"second": "witness-void"})["second"]
        values = form.accepted()
        voids.void_slip(current_user(request), second, property, event.slip, **values)
        return f"{event.slip} is void."

    paid = any(other.kind == "marker-paid" for other in cage_facts.of_slip(property, event.slip))
    written_off = bool(write_offs(property, slips=[event.slip]))
    is_marker = fact.kind == "marker-issued" and not paper.void
    shown = {
        "property": property,
        "paper": paper,
        "slip": fact,
        "zone": request_params.zone(property),
        "balance": markers.balance_of(property, event.slip) if is_marker else None,
        "signatures": board_views.signatures(fact),
        "what": board_views.NAMES[fact.kind],
        "may_void": fact.kind in slips.NAMES
        and not paper.void
        and not paid
        and not written_off
        and can(request.user, "void-slip", property),
        "may_pay": is_marker and can(request.user, "pay-marker", property),
        "may_write_off": is_marker and can(request.user, "write-off-marker", property),
        "may_adjust": fact.kind in KINDS.values()
        and any(other.kind == "day-closed" for other in stream)
        and can(request.user, "adjust", property),
    }
    if request.method == "POST":
        require(request.user, "void-slip", property)
    return handle(request, "cage/slip.html", form, shown, act, request.path)


def _end_pending(
    request: HttpRequest,
    property: str,
    uid: UUID,
    form: PendingSlipVoidForm,
    act: Callable[[], None],
    message: str,
) -> HttpResponse:
    """Withdraw or void a pending slip by calling `act`. If that is rejected, show the slip again with the
    reason.
    """
    try:
        act()
    except ActionRejected as refused:
        pending_slip = pending.get(property, uid)
        if pending_slip is None:
            return _no_longer_pending(request, property, uid)
        form.reject(refused)
        shown = _pending_context(request, pending_slip) | {
            "form": _signers_form(request, pending_slip),
            "void_form": form,
        }
        return render(request, "cage/pending.html", shown, status=400)
    messages.success(request, message)
    return HttpResponseRedirect(f"{reverse('cage')}?property={property}")


def _no_longer_pending(request: HttpRequest, property: str, uid: UUID) -> HttpResponse:
    """Show a message that the slip is no longer pending and that the new signatures were not added. Redirect
    to the slip's page, or to the cage's page if the request was withdrawn.
    """
    fact = cage_facts.fact(property, uid)
    if fact is None:
        messages.error(request, "This slip is no longer pending: its request was withdrawn.")
        return HttpResponseRedirect(f"{reverse('cage')}?property={property}")
    ended = "void" if fact.kind == "slip-voided" else "completely signed and recorded"
    messages.error(request, f"This slip is no longer pending: it is {ended}. Your form was not recorded.")
    return HttpResponseRedirect(reverse("cage_slip", args=[property, uid]))


def _pending_context(request: HttpRequest, slip: PendingSlip) -> dict[str, Any]:
    names = names_of(signature.id for signature in slip.signatures)
    labels = {name: label for label, name in SIGNED[slip.kind]}
    return {
        "property": slip.property,
        "slip": slip,
        "what": board_views.NAMES[slip.kind],
        "zone": request_params.zone(slip.property),
        "chips": sorted(
            ((int(worth), count, int(worth) * count) for worth, count in slip.chips.items()), reverse=True
        ),
        "signed": [
            (labels[signature.role], signature.id, names.get(signature.id, ""), signature.at)
            for signature in slip.signatures
        ],
        "may_sign": slips.can_handle_slips(request.user, slip.property),
        "handed_out": "sent_by" in pending.signatures_by_role(slip),
        "may_void": can(request.user, "void-slip", slip.property),
        "earlier": _is_of_earlier_day(slip),
    }


def _is_of_earlier_day(slip: PendingSlip) -> bool:
    """Return True if the table has begun another gaming day since the slip was requested."""
    day = open_day(slip.property, slip.table)
    return day is not None and day != slip.day


def _signers_form(request: HttpRequest, slip: PendingSlip) -> InputForm:
    form, signed_by = InputForm(submitted(request)), pending.signatures_by_role(slip)
    form.add_signers(*_missing_signatures(request, slip.property, slip.kind, signed_by))
    return form


def _missing_signatures(
    request: HttpRequest, property: str, kind: str, signed_by: Any
) -> tuple[dict[str, str], str]:
    """Return {field: label} of the signatures that a slip still lacks. Also return the staff ID of the user,
    so that the form can fill in the first missing signature. The ID is empty if the user may not give that
    signature.
    """
    labels = {name: label for label, name in SIGNED[kind]}
    missing = [(role, act) for role, act in slips.ROLES[kind].items() if role not in signed_by]
    own = current_user(request).id if missing and can(request.user, missing[0][1], property) else ""
    return {role: labels[role] for role, _ in missing}, own


def _result(serial: str, pending_text: str) -> str:
    """Return the message after signing. With a serial, it says that the slip is recorded. Without a serial,
    it is `pending_text`.
    """
    return f"{serial} is complete and recorded." if serial else pending_text


def slip_url(property: str, form: ActionForm) -> str:
    """Return the URL of the slip's page, or of the cage's page if the form has no valid uid."""
    try:
        return reverse("cage_slip", args=[property, UUID(str(form["uid"].value()))])
    except ValueError:
        return reverse("cage")


def table_currency(property: str, table: str) -> str:
    """Return the currency in which the table was last opened. Raise Http404 if it was never opened."""
    opened = open_stream.of_table(property, table)
    if opened is None or opened["settings"] is None:
        raise Http404(table)
    return str(opened["settings"]["currency"])
