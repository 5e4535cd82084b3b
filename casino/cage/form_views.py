"""The forms of the cage: a slip asked for, signed, withdrawn and voided; markers issued and paid; chips
bought.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST

from audit.ledger import open_stream
from audit.queries import cage_facts
from casino.accounts.permissions import demand, may
from casino.accounts.signatures import signed
from casino.cage import board_views as look
from casino.cage.services import chips as chip_services
from casino.cage.services import markers, slips, voids
from casino.cage.slips import pending
from casino.cage.slips.document import SEEN_BY, SIGNED, paper_of
from casino.cage.slips.pending import PendingSlip
from casino.presentation.amount_input import denominations, minor, pieces
from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import money
from casino.reference import chip_sets
from casino.web import request_params
from casino.web.form_view import answer, person_of
from casino.web.recording import open_day, parse_form_uid
from casino.web.request_params import either

KINDS = {"fill": "fill-sent", "credit": "credit-sent"}


@either
def ask(request: HttpRequest, property: str, table: str, what: str) -> HttpResponse:
    """Ask for a fill or a credit of a table; whoever is here signs."""
    kind = KINDS.get(what)
    if kind is None:
        raise Http404(what)
    demand(request.user, "see-cage", property)
    currency = _currency(property, table)
    of = chip_sets.chips(property, currency)
    fields = slips.ROLES[kind]

    def act() -> str:
        uid = parse_form_uid(request.POST.get("uid", ""))
        signers = signed(request, property, fields, optional=frozenset(fields) - {"requested_by"})
        serial = slips.request_slip(
            person_of(request),
            property,
            table,
            kind,
            pieces(request.POST, "chips", of, currency),
            signers,
            uid=uid,
        )
        return _told(serial, f"The {what} is asked for. It waits for its signatures.")

    shown = {
        "property": property,
        "table": table,
        "what": what,
        "currency": currency,
        "denominations": denominations(of, "chips", request.POST),
        "signatures": _blanks(request, property, kind, ()),
    }
    return answer(request, "cage/ask.html", shown, act, _page(property, request.POST.get("uid", "")))


@either
def slip(request: HttpRequest, property: str, uid: UUID) -> HttpResponse:
    """A slip: while it is under way, its next signatures; once it is recorded, what it says, its paper, and
    its voiding.
    """
    demand(request.user, "see-cage", property)
    waits = pending.get(property, uid)
    if waits is None and "reason" not in request.POST and request.method == "POST":
        return _over(request, property, uid)  # signed on a page that still had it under way
    if waits is None:
        return _recorded(request, property, uid)
    given = pending.signatures_by_role(waits)
    fields = {role: act for role, act in slips.ROLES[waits.kind].items() if role not in given}

    def act() -> str:
        serial = slips.sign_slip(
            person_of(request), property, uid, signed(request, property, fields, optional=frozenset(fields))
        )
        if serial and _is_earlier(waits):
            return (
                f"{serial} is complete. It is recorded on the gaming day {waits.day:%-d %b %Y}, on which it"
                " was asked for."
            )
        return _told(serial, "Signed. It waits for the next signature.")

    return answer(request, "cage/waits.html", _waiting(request, waits), act, _page(property, str(uid)))


@require_POST
def withdraw(request: HttpRequest, property: str, uid: UUID) -> HttpResponse:
    """The request is taken back before chips were handed out."""
    demand(request.user, "see-cage", property)
    return _ended(
        request,
        property,
        uid,
        lambda: slips.withdraw_slip(person_of(request), property, uid),
        "The request is withdrawn.",
    )


@require_POST
def spoil(request: HttpRequest, property: str, uid: UUID) -> HttpResponse:
    """A slip under way is void: cage and witness."""
    demand(request.user, "see-cage", property)

    def act() -> None:
        second = signed(request, property, {"second": "witness-void"})["second"]
        slips.void_pending_slip(person_of(request), second, property, uid, request.POST.get("reason", ""))

    return _ended(request, property, uid, act, "The slip is void, and its number with it.")


@either
def number(request: HttpRequest, property: str) -> HttpResponse:
    """A number that never came is void: cage and witness."""
    demand(request.user, "void-slip", property)
    sent = request.POST

    def act() -> str:
        second = signed(request, property, {"second": "witness-void"})["second"]
        serial, table = request_params.text(sent.get("slip")), request_params.text(sent.get("table"))
        again = parse_form_uid(sent.get("uid", ""))
        voids.void_missing_number(
            person_of(request), second, property, table, serial, sent.get("reason", ""), uid=again
        )
        return f"{serial} is void."

    shown = {"property": property, "serial": request_params.text(sent.get("slip") or request.GET.get("slip"))}
    return answer(request, "cage/number.html", shown, act, f"{reverse('cage')}?property={property}")


@either
def marker(request: HttpRequest, property: str, table: str) -> HttpResponse:
    """A marker issued at a table."""
    demand(request.user, "issue-marker", property)
    sent, currency = request.POST, _currency(property, table)

    def act() -> str:
        amount = minor(sent.get("amount", ""), currency, "amount", least=1)
        uid = parse_form_uid(sent.get("uid", ""))
        serial = markers.issue_marker(
            person_of(request), property, table, sent.get("player", ""), sent.get("spot", ""), amount, uid=uid
        )
        return f"Marker {serial} is issued. Print it for the player's signature."

    shown = {"property": property, "table": table, "currency": currency}
    return answer(request, "cage/marker.html", shown, act, _page(property, sent.get("uid", "")))


@either
def payment(request: HttpRequest, property: str) -> HttpResponse:
    """A marker paid back at the cage: by its serial, whatever its age."""
    demand(request.user, "pay-marker", property)
    serial = request_params.text(request.POST.get("slip") or request.GET.get("slip"))
    kept = cage_facts.of_slip(property, serial) if serial else []
    balance = markers.marker_balance(kept)
    issued, currency, left = balance if balance is not None else (None, "", 0)
    table = request.POST.get("table", "") or (issued.stream.split("/", 2)[1] if issued is not None else "")
    opened = open_stream.of_table(property, table) if table else None

    def act() -> str:
        amount = minor(request.POST.get("amount", ""), currency, "amount", least=1)
        uid = parse_form_uid(request.POST.get("uid", ""))
        left = markers.take_payment(
            person_of(request),
            property,
            serial,
            amount,
            uid=uid,
            table=request_params.text(request.POST.get("table")),
        )
        return f"{money(amount, currency)} paid on {serial}; " + (
            f"{money(left, currency)} is still open." if left else "it is paid in full."
        )

    shown = {
        "property": property,
        "serial": serial,
        "issued": issued,
        "owed": left,
        "currency": currency,
        "table": table,
        "elsewhere": issued is not None and not _takes(opened, currency),
        "void": issued is not None and cage_facts.is_void(issued, kept),
    }
    return answer(request, "cage/payment.html", shown, act, f"{reverse('cage_markers')}?property={property}")


@either
def chips(request: HttpRequest, property: str, table: str) -> HttpResponse:
    """Chips that a player bought at a table."""
    demand(request.user, "buy-chips", property)
    sent, currency = request.POST, _currency(property, table)

    def act() -> str:
        amount = minor(sent.get("amount", ""), currency, "amount", least=1)
        uid, tender = parse_form_uid(sent.get("uid", "")), sent.get("tender", "")
        chip_services.record_buy_in(
            person_of(request), property, table, sent.get("spot", ""), amount, tender, uid=uid
        )
        return f"{money(amount, currency)} of chips bought with {tender} at {table}."

    shown = {"property": property, "table": table, "currency": currency, "tenders": chip_services.TENDERS}
    return answer(request, "cage/chips.html", shown, act, request.path)


def _recorded(request: HttpRequest, property: str, uid: UUID) -> HttpResponse:
    kept, stream = look.paper(property, uid)
    if kept.kind in SEEN_BY:
        raise Http404(str(uid))
    event: Any = kept.event
    paper = paper_of(kept, stream, request_params.zone(property))

    def act() -> str:
        second = signed(request, property, {"second": "witness-void"})["second"]
        again = parse_form_uid(request.POST.get("uid", ""))
        voids.void_slip(
            person_of(request), second, property, event.slip, request.POST.get("reason", ""), uid=again
        )
        return f"{event.slip} is void."

    paid = any(one.kind == "marker-paid" for one in cage_facts.of_slip(property, event.slip))
    shown = {
        "property": property,
        "paper": paper,
        "slip": kept,
        "signatures": look.signatures(kept),
        "what": look.NAMES[kept.kind],
        "may_void": kept.kind in slips.NAMES
        and not paper.void
        and not paid
        and may(request.user, "void-slip", property),
        "may_pay": kept.kind == "marker-issued"
        and not paper.void
        and may(request.user, "pay-marker", property),
    }
    if request.method == "POST":
        demand(request.user, "void-slip", property)
    return answer(request, "cage/slip.html", shown, act, request.path)


def _ended(request: HttpRequest, property: str, uid: UUID, act: Any, said: str) -> HttpResponse:
    """A slip under way comes to an end, or is shown again with what is to be mended."""
    try:
        act()
    except ActionRejected as refused:
        waits = pending.get(property, uid)
        if waits is None:
            return _over(request, property, uid)
        shown = _waiting(request, waits) | {
            "sent": request.POST,
            "refused": str(refused),
            "field": refused.field,
            "ending": True,
        }
        return render(request, "cage/waits.html", shown, status=400)
    messages.success(request, said)
    return HttpResponseRedirect(f"{reverse('cage')}?property={property}")


def _over(request: HttpRequest, property: str, uid: UUID) -> HttpResponse:
    """Somebody, or the same form before, has brought it to its end: where it stands now, and nothing is done
    to it.
    """
    kept = cage_facts.fact(property, uid)
    if kept is None:
        messages.error(
            request,
            "This slip is under way no more, and nothing of it is recorded: its request was withdrawn.",
        )
        return HttpResponseRedirect(f"{reverse('cage')}?property={property}")
    ended = "void" if kept.kind == "slip-voided" else "signed to its end and recorded"
    messages.error(request, f"This slip is under way no more: it is {ended}. Nothing was added to it.")
    return HttpResponseRedirect(_page(property, str(uid)))


def _waiting(request: HttpRequest, waits: PendingSlip) -> dict[str, Any]:
    names = look.named(mark.id for mark in waits.signatures)
    labels = {name: label for label, name in SIGNED[waits.kind]}
    return {
        "property": waits.property,
        "slip": waits,
        "what": look.NAMES[waits.kind],
        "zone": request_params.zone(waits.property),
        "chips": sorted(
            ((int(worth), count, int(worth) * count) for worth, count in waits.chips.items()), reverse=True
        ),
        "signed": [
            (labels[mark.role], mark.id, names.get(mark.id, ""), mark.at) for mark in waits.signatures
        ],
        "signatures": _blanks(request, waits.property, waits.kind, pending.signatures_by_role(waits)),
        "may_sign": slips.can_handle_slips(request.user, waits.property),
        "handed_out": "sent_by" in pending.signatures_by_role(waits),
        "may_void": may(request.user, "void-slip", waits.property),
        "earlier": _is_earlier(waits),
    }


def _is_earlier(waits: PendingSlip) -> bool:
    """Whether its table has begun another gaming day since it was asked for."""
    now = open_day(waits.property, waits.table)
    return now is not None and now != waits.day


def _blanks(request: HttpRequest, property: str, kind: str, signed_by: Any) -> list[tuple[str, str, str]]:
    """(field, label, what is in it) of each signature that is missing; the first is the own id where one may
    sign it.
    """
    labels = {name: label for label, name in SIGNED[kind]}
    missing = [(role, act) for role, act in slips.ROLES[kind].items() if role not in signed_by]
    own = person_of(request).id if missing and may(request.user, missing[0][1], property) else ""
    return [
        (role, labels[role], request.POST.get(role, own if place == 0 and request.method != "POST" else ""))
        for place, (role, _) in enumerate(missing)
    ]


def _told(serial: str, otherwise: str) -> str:
    return f"{serial} is complete and recorded." if serial else otherwise


def _page(property: str, uid: str) -> str:
    """The page of a slip; the cage's where a form names none."""
    try:
        return reverse("cage_slip", args=[property, UUID(uid)])
    except ValueError:
        return reverse("cage")


def _takes(opened: dict[str, Any] | None, currency: str) -> bool:
    """Whether a payment in this currency can stand in this table's open day."""
    return (
        opened is not None
        and not opened["sealed"]
        and opened["settings"] is not None
        and opened["settings"]["currency"] == currency
    )


def _currency(property: str, table: str) -> str:
    """What the table's open day counts in. Raises Http404 where the table was never opened."""
    opened = open_stream.of_table(property, table)
    if opened is None or opened["settings"] is None:
        raise Http404(table)
    return str(opened["settings"]["currency"])
