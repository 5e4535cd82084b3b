"""Pages of markers: the open markers, and the forms that issue a marker, take its payment and write it
off.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from audit.ledger import open_stream
from audit.queries import cage_facts
from audit.queries.markers import Marker
from audit.queries.write_offs import RECOVERED, write_offs
from casino.accounts.permissions import can, require
from casino.accounts.signatures import collect_signatures
from casino.cage.form_views import slip_url, table_currency
from casino.cage.forms import MarkerForm, PaymentForm, RecoveryForm, SerialForm, WriteOffForm
from casino.cage.services import markers as services
from casino.cage.services.markers import DAYS, MarkerBalance, first_day, unpaid_markers
from casino.presentation.formatting import money, only_currency
from casino.reference.calendar import gaming_day
from casino.web import request_params
from casino.web.form_view import current_user, handle, submitted
from casino.web.request_params import require_GET_or_POST

LIST_FOLLOWS = " The list shows this within seconds."
"""The end of the message above the list of open markers, which counts only examined facts."""


class OpenMarker(NamedTuple):
    """A marker that is not fully paid.

    Attributes:
        owed: what is still owed, in minor units.
        days_open: gaming days since the marker was issued. None if it was never issued here.
        address: the URL of its page, or empty text if it was never issued here.
    """

    marker: Marker
    owed: int
    days_open: int | None
    address: str = ""


class WrittenOffRow(NamedTuple):
    """A marker of which something was written off or recovered in the last DAYS gaming days.

    Attributes:
        last: the last of these gaming days.
        amount: what was written off on them, in minor units.
        recovered: what was recovered on them, in minor units.
        address: the URL of the marker's page, or empty text if it was never issued here.
    """

    slip: str
    currency: str
    last: date
    amount: int
    recovered: int
    address: str = ""


@require_safe
def markers(request: HttpRequest) -> HttpResponse:
    """Show the markers that are not fully paid, and what was written off and recovered. Parameters:
    `property`; `currency`; `issued`, the gaming day on which the markers were issued.
    """
    places, property = (
        request_params.permitted_properties(request, "see-cage"),
        request_params.chosen_property(request, "see-cage"),
    )
    today, currency = gaming_day(property), request_params.clean_text(request.GET.get("currency"))
    issued = request_params.day_of(request.GET.get("issued", ""))
    open_markers = [
        OpenMarker(marker, left, None if marker.issued_on is None else (today - marker.issued_on).days)
        for marker, left in sorted(
            unpaid_markers(property, today), key=lambda pair: (pair[0].issued_on or today, pair[0].slip)
        )
        if currency in ("", marker.currency) and issued in (None, marker.issued_on)
    ]
    written_off = [row for row in _written_off(property, first_day(today)) if currency in ("", row.currency)]
    serials = [*(row.marker.slip for row in open_markers), *(row.slip for row in written_off)]
    pages = {
        slip: reverse("cage_slip", args=[property, uid])
        for slip, uid in cage_facts.issued_markers(property, serials).items()
    }
    shown = {
        "property": property,
        "places": places,
        "days": DAYS,
        "currency": currency,
        "issued": issued,
        "markers": [row._replace(address=pages.get(row.marker.slip, "")) for row in open_markers],
        "unit": only_currency(
            [*(row.marker.currency for row in open_markers), *(row.currency for row in written_off)]
        ),
        "totals": _totals((row.marker.currency, row.owed) for row in open_markers),
        "written_off": [row._replace(address=pages.get(row.slip, "")) for row in written_off],
        "written_off_totals": _totals((row.currency, row.amount) for row in written_off),
        "may_see_reports": can(request.user, "see-hold", property),
        "may_pay": can(request.user, "pay-marker", property),
        "may_write_off": can(request.user, "write-off-marker", property),
    }
    return render(request, "cage/markers.html", shown)


def _written_off(property: str, since: date) -> list[WrittenOffRow]:
    """Return the markers of which something was written off or recovered since a gaming day, the latest
    first.
    """
    rows: dict[tuple[str, str], WrittenOffRow] = {}
    for fact in write_offs(property, since):
        key = (fact.slip, fact.currency)
        row = rows.pop(key, WrittenOffRow(*key, fact.day, 0, 0))
        lost, back = (0, fact.amount) if fact.kind == RECOVERED else (fact.amount, 0)
        rows[key] = WrittenOffRow(*key, max(fact.day, row.last), row.amount + lost, row.recovered + back)
    return list(reversed(rows.values()))


def _totals(amounts: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return (currency, total of the amounts in this currency) for each currency."""
    sums: dict[str, int] = {}
    for currency, amount in amounts:
        sums[currency] = sums.get(currency, 0) + amount
    return sorted(sums.items())


@require_GET_or_POST
def issue_marker(request: HttpRequest, property: str, table: str) -> HttpResponse:
    """Issue a marker at a table."""
    require(request.user, "issue-marker", property)
    currency = table_currency(property, table)
    form = MarkerForm(submitted(request), currency, {"player": request.GET.get("player", "")})
    player = request_params.clean_text(form["player"].value())
    owed = services.unpaid_of_player(property, gaming_day(property), player)

    def act() -> str:
        values = form.accepted()
        serial = services.issue_marker(current_user(request), property, table, **values)
        return f"Marker {serial} is issued. Print it for the player's signature."

    shown = {
        "property": property,
        "table": table,
        "currency": currency,
        "player": player,
        "owed": owed,
        "owed_totals": _totals((marker.currency, left) for marker, left in owed),
        "days": DAYS,
    }
    return handle(request, "cage/marker.html", form, shown, act, slip_url(property, form))


@require_GET_or_POST
def take_payment(request: HttpRequest, property: str) -> HttpResponse:
    """Take a payment for a marker, which is found by its serial and may be of any age."""
    require(request.user, "pay-marker", property)
    serial = SerialForm(submitted(request) or request.GET).accepted()["slip"]
    facts = cage_facts.of_slip(property, serial) if serial else []
    balance = services.balance_of(property, serial)
    if balance is not None and not balance.owed and balance.recoverable:
        return _take_recovery(request, property, serial, balance)
    issued, currency, owed = balance[:3] if balance is not None else (None, "", 0)
    form = PaymentForm(submitted(request), currency, {"amount": money(owed, currency)})
    table = form["table"].value() or (issued.stream.split("/", 2)[1] if issued is not None else "")
    opened = open_stream.of_table(property, table) if table else None

    def act() -> str:
        values = form.accepted()
        left = services.take_payment(current_user(request), property, serial, **values)
        paid = f"{money(values['amount'], currency)} paid on {serial}"
        balance_text = f"{money(left, currency)} is still owed" if left else "it is paid in full"
        return f"{paid}; {balance_text}.{LIST_FOLLOWS}"

    shown = {
        "property": property,
        "serial": serial,
        "issued": issued,
        "owed": owed,
        "currency": currency,
        "table": table,
        "elsewhere": issued is not None and not _takes(opened, currency),
        "void": issued is not None and cage_facts.is_void(issued, facts),
        "balance": balance,
    }
    to = f"{reverse('cage_markers')}?property={property}"
    return handle(request, "cage/payment.html", form, shown, act, to)


def _take_recovery(request: HttpRequest, property: str, serial: str, balance: MarkerBalance) -> HttpResponse:
    """Take a payment for a marker that was written off and on which nothing is owed any more."""
    currency = balance.currency
    form = RecoveryForm(submitted(request), currency, {"amount": money(balance.recoverable, currency)})

    def act() -> str:
        values = form.accepted()
        left = services.take_recovery(current_user(request), property, serial, **values)
        recovered = f"{money(values['amount'], currency)} recovered on {serial}, which was written off"
        balance_text = f"; {money(left, currency)} is not recovered" if left else ""
        return f"{recovered}{balance_text}.{LIST_FOLLOWS}"

    shown = {"property": property, "serial": serial, "issued": balance.issued, "balance": balance}
    to = f"{reverse('cage_markers')}?property={property}"
    return handle(request, "cage/recovery.html", form, shown | {"currency": currency}, act, to)


@require_GET_or_POST
def write_off(request: HttpRequest, property: str) -> HttpResponse:
    """Write off a marker, or the part of it that is not paid, signed by two people."""
    require(request.user, "write-off-marker", property)
    serial = SerialForm(submitted(request) or request.GET).accepted()["slip"]
    balance = services.balance_of(property, serial)
    currency, owed = (balance.currency, balance.owed) if balance is not None else ("", 0)
    form = WriteOffForm(submitted(request), currency, {"amount": money(owed, currency)})

    def act() -> str:
        second = collect_signatures(request, property, {"second": "sign-write-off"})["second"]
        values = form.accepted()
        left = services.write_off(current_user(request), second, property, serial, **values)
        written_off = f"{money(values['amount'], currency)} of {serial} is written off"
        balance_text = f"; {money(left, currency)} is still owed" if left else ""
        return f"{written_off}{balance_text}.{LIST_FOLLOWS}"

    shown = {
        "property": property,
        "serial": serial,
        "issued": balance.issued if balance is not None else None,
        "balance": balance,
        "currency": currency,
    }
    to = f"{reverse('cage_markers')}?property={property}"
    return handle(request, "cage/write_off.html", form, shown, act, to)


def _takes(opened: dict[str, Any] | None, currency: str) -> bool:
    """Return True if a payment in this currency can be recorded at a table. `opened` is the state of the
    table. The table must have been opened in this currency, and its day must not be closed.
    """
    return (
        opened is not None
        and not opened["sealed"]
        and opened["settings"] is not None
        and opened["settings"]["currency"] == currency
    )
