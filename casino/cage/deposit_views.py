"""Pages of the way of cash from the count room to the bank: what waits where, and the forms that receive
counted cash, send a deposit and confirm it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from audit.queries import deposits as queries
from audit.queries.deposits import Deposit, difference, is_on_the_way
from audit.replay.checks.unconfirmed_deposits import DAYS as DAYS_TO_CONFIRM
from audit.replay.checks.unconfirmed_deposits import THRESHOLD
from casino.accounts.permissions import can, require
from casino.accounts.signatures import collect_signatures
from casino.cage.forms import ConfirmationForm, DepositForm, DepositNumberForm, DropReceivedForm
from casino.cage.services import deposits as services
from casino.cage.services.waiting_cash import WaitingCash, older_cash, waiting_cash
from casino.count_room.queries import DAYS as RECENT_DAYS
from casino.presentation.formatting import day_label, money, only_currency
from casino.reference.calendar import gaming_day
from casino.reference.registers import currency_of, threshold, values_on
from casino.web import request_params
from casino.web.form_view import current_user, handle, submitted
from casino.web.request_params import require_GET_or_POST

DAYS = 30
"""Confirmed deposits are listed for this number of gaming days."""


class DepositRow(NamedTuple):
    """A deposit on the page.

    Attributes:
        days: the days since it was sent.
        is_late: True if the bank has not confirmed it within the allowed days.
        difference: what the bank counted minus what was sent, in minor units.
    """

    deposit: Deposit
    days: int
    is_late: bool
    difference: int


@require_safe
def deposits(request: HttpRequest) -> HttpResponse:
    """Show the cash that waits in the count room, the deposits on the way to the bank, and the confirmed
    deposits.
    """
    places, property = (
        request_params.permitted_properties(request, "see-cage"),
        request_params.chosen_property(request, "see-cage"),
    )
    today = gaming_day(property)
    all_deposits = queries.deposits(property)
    days = threshold(property, THRESHOLD, today).whole("days")
    allowed = days if days is not None else DAYS_TO_CONFIRM
    on_the_way = [_row(deposit, today, allowed) for deposit in all_deposits if is_on_the_way(deposit)]
    first = today - timedelta(days=DAYS - 1)
    confirmed = [
        _row(deposit, today, allowed)
        for deposit in reversed(all_deposits)
        if deposit.confirmed_on is not None and deposit.confirmed_on >= first
    ]
    sums: dict[str, int] = {}
    for row in on_the_way:
        sums[row.deposit.currency] = sums.get(row.deposit.currency, 0) + (row.deposit.amount or 0)
    waiting = _waiting(property, today, is_whole=request.GET.get("older") == "1")
    shown = {
        "property": property,
        "places": places,
        "days": DAYS,
        "allowed": allowed,
        **waiting,
        "unit": only_currency(
            [*dict(waiting["left"]), *(row.deposit.currency for row in (*on_the_way, *confirmed))]
        ),
        "on_the_way": on_the_way,
        "totals": sorted(sums.items()),
        "confirmed": confirmed,
        "may_see_reports": can(request.user, "see-hold", property),
        "may_see_boxes": can(request.user, "see-count", property),
        "may_receive": can(request.user, "receive-drop", property),
        "may_send": can(request.user, "send-deposit", property),
        "may_confirm": can(request.user, "confirm-deposit", property),
    }
    return render(request, "cage/deposits.html", shown)


class OlderCash(NamedTuple):
    """Cash of older gaming days in one currency, in minor units.

    Attributes:
        first: the oldest of these gaming days.
        age: the gaming days since then.
        days: the number of these gaming days.
    """

    currency: str
    first: date
    age: int
    days: int
    left: int


class WaitingRow(NamedTuple):
    """Cash of a gaming day on the page.

    Attributes:
        age: the gaming days since then.
        is_old: True if the day is before the recent ones.
    """

    cash: WaitingCash
    age: int
    is_old: bool

    @property
    def is_counted(self) -> bool:
        """Return True if any cash of the day was counted twice or received."""
        return not self.cash.boxes or bool(self.cash.counted or self.cash.received)


def _waiting(property: str, today: date, *, is_whole: bool) -> dict[str, Any]:
    """Return the template values of the cash in the count room: the sums of older gaming days, the rows of
    the recent ones, and the totals. If `is_whole` is True, the older days have rows too.
    """
    recent, older = waiting_cash(property, today), older_cash(property, today)
    left: dict[str, int] = {}
    for row in (*older, *recent):
        if WaitingRow(row, 0, is_old=False).is_counted:
            left[row.currency] = left.get(row.currency, 0) + row.left
    shown = (*older, *recent) if is_whole else recent
    return {
        "waiting": [WaitingRow(row, (today - row.day).days, is_old=row in older) for row in shown],
        "older": [] if is_whole else _older_sums(older, today),
        "recent_days": RECENT_DAYS,
        "left": sorted(left.items()),
    }


def _older_sums(rows: Sequence[WaitingCash], today: date) -> list[OlderCash]:
    """Return the sum of these rows for each currency."""
    sums = []
    for currency in sorted({row.currency for row in rows}):
        own = [row for row in rows if row.currency == currency]
        first = min(row.day for row in own)
        age, left = (today - first).days, sum(row.left for row in own)
        sums.append(OlderCash(currency, first, age, len(own), left))
    return sums


def _row(deposit: Deposit, today: date, allowed: int) -> DepositRow:
    days = (today - deposit.sent_on).days if deposit.sent_on is not None else 0
    return DepositRow(deposit, days, is_on_the_way(deposit) and days > allowed, difference(deposit))


@require_GET_or_POST
def receive_drop(request: HttpRequest, property: str) -> HttpResponse:
    """Record that the cage received the counted cash of a gaming day, signed by cage and count room."""
    require(request.user, "receive-drop", property)
    days = _days_that_wait(property)
    (oldest, *others) = [day.isoformat() for day in days] or [gaming_day(property).isoformat()]
    initial = {"of_day": request.GET.get("day", "" if others else oldest)}
    form = DropReceivedForm(submitted(request), _currencies(property), initial)

    def act() -> str:
        second = collect_signatures(request, property, {"second": "hand-over-drop"})["second"]
        values = form.accepted()
        day = request_params.day_of(values.pop("of_day"))
        services.receive_drop(current_user(request), second, property, day, **values)
        amount = f"{money(values['amount'], values['currency'])} {values['currency']}"
        return f"{amount} of the drop of {day_label(str(day))} received."

    shown = {"property": property, "currencies": form.currencies, "waiting_days": days}
    return handle(request, "cage/drop.html", form, shown, act, _board(property))


def _days_that_wait(property: str) -> list[date]:
    """Return the gaming days whose counted cash the cage has not received, the oldest first."""
    today = gaming_day(property)
    rows = (*older_cash(property, today), *waiting_cash(property, today))
    return sorted({row.day for row in rows if row.left > 0})


@require_GET_or_POST
def send_deposit(request: HttpRequest, property: str) -> HttpResponse:
    """Record that a bag with cash was handed to a carrier, signed by two people."""
    require(request.user, "send-deposit", property)
    form = DepositForm(submitted(request), _currencies(property))

    def act() -> str:
        second = collect_signatures(request, property, {"second": "sign-deposit"})["second"]
        values = form.accepted()
        services.send_deposit(current_user(request), second, property, **values)
        return f"Deposit {values['deposit']} is on the way to the bank."

    shown = {"property": property, "currencies": form.currencies, "cash": services.drop_cash(property)}
    return handle(request, "cage/deposit.html", form, shown, act, _board(property))


@require_GET_or_POST
def confirm_deposit(request: HttpRequest, property: str) -> HttpResponse:
    """Record the amount that the bank counted for a deposit."""
    require(request.user, "confirm-deposit", property)
    number = DepositNumberForm(submitted(request) or request.GET).accepted()["deposit"]
    sent = services.on_the_way(property, number)
    currency = sent.currency if sent is not None else ""
    form = ConfirmationForm(submitted(request), currency)

    def act() -> str:
        values = form.accepted()
        was = services.confirm_deposit(current_user(request), property, number, **values)
        difference_at_bank = values["amount"] - (was.amount or 0)
        if not difference_at_bank:
            return f"Deposit {number} is confirmed."
        size = money(abs(difference_at_bank), currency)
        comparison = "more" if difference_at_bank > 0 else "less"
        return f"Deposit {number} is confirmed; the bank counted {size} {comparison} than was sent."

    shown = {"property": property, "number": number, "sent": sent, "currency": currency}
    return handle(request, "cage/confirmation.html", form, shown, act, _board(property))


def _currencies(property: str) -> list[str]:
    """Return the currencies that have a chip set, the property's own currency first."""
    others = sorted(values_on(property, "chip-sets", gaming_day(property)))
    return list(dict.fromkeys([currency_of(property), *others]))


def _board(property: str) -> str:
    return f"{reverse('cage_deposits')}?property={property}"
