"""The forms of the floor: a table opened and closed, people seated, limits set, a tray counted by two."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote, unquote

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.urls import reverse

from audit.queries import floor as queries
from casino.accounts.permissions import require
from casino.accounts.signatures import collect_signatures
from casino.floor import services as floor
from casino.floor.board_views import rows_of, table_now, title_of
from casino.floor.services import CLOSER, OPENER, Seat, Tray
from casino.models import Person, roles_of
from casino.presentation import amount_input
from casino.presentation.errors import ActionRejected
from casino.reference import chip_sets
from casino.reference.calendar import gaming_day
from casino.reference.registers import values_on
from casino.web import form_view, request_params
from casino.web.form_view import current_user
from casino.web.recording import parse_form_uid
from casino.web.request_params import require_GET_or_POST

_written_limits = re.compile(r"([^\s:]+):([0-9]{1,15})-([0-9]{1,15})").findall
KINDS = {"opener": OPENER, "closer": CLOSER}


@require_GET_or_POST
def open_table(request: HttpRequest, property: str, table: str) -> HttpResponse:
    """The settings it would be opened with, and who sits down first; then its opener is counted."""
    require(request.user, "open-table", property)
    shown = table_now(request, property, table) | people(property)
    refused = ""
    try:
        opening = floor.opening_of(property, table, shown["today"], shown["now"])
    except ActionRejected as missing:
        opening, refused = None, str(missing)
    shown |= {"opening": opening, "missing": refused, "has_tray": _has_tray(shown["now"], opening)}

    def act() -> str:
        sent = request.POST
        goes_on = bool(sent.get("continues"))
        floor.open_table(
            current_user(request),
            property,
            table,
            _seat(sent),
            parse_form_uid(sent.get("uid", "")),
            continues=goes_on,
        )
        return f"{table} is open." + (" Count its opener." if shown["has_tray"] else "")

    onward = (
        reverse("floor_tray", args=[property, table, "opener"])
        if shown["has_tray"]
        else _page(property, table)
    )
    return form_view.handle(request, "floor/open.html", shown, act, onward)


def _has_tray(now: queries.Now | None, opening: floor.Opening | None) -> bool:
    """Whether chips are counted there: not at a live-dealer table, which has players without end and no tray."""
    spots = opening.settings["spots"] if opening is not None else now.opened.spots if now is not None else 0
    return bool(spots)


@require_GET_or_POST
def close_table(request: HttpRequest, property: str, table: str) -> HttpResponse:
    """What is still missing, and the one button."""
    require(request.user, "open-table", property)
    shown = table_now(request, property, table)
    if shown["now"] is None:
        raise Http404(table)

    def act() -> str:
        floor.close_table(current_user(request), property, table, parse_form_uid(request.POST.get("uid", "")))
        return f"{table} is shut."

    return form_view.handle(request, "floor/close.html", shown, act, _page(property, table))


@require_GET_or_POST
def seat(request: HttpRequest, property: str, table: str) -> HttpResponse:
    """A dealer or a supervisor out, another in."""
    require(request.user, "seat-dealer", property)
    shown = table_now(request, property, table) | people(property)
    shown["was"] = _written(floor.seat_of(shown["now"]))

    def act() -> str:
        wanted, was = _seat(request.POST), _was(request.POST)
        before = {} if was is None else {table: was}
        floor.seat(
            current_user(request),
            property,
            {table: wanted},
            parse_form_uid(request.POST.get("uid", "")),
            before=before,
        )
        return f"{wanted.dealer} deals at {table}, {wanted.supervisor} supervises."

    return form_view.handle(request, "floor/seat.html", shown, act, _page(property, table))


@require_GET_or_POST
def change(request: HttpRequest) -> HttpResponse:
    """A change of shift, or a rotation: every open table of a pit on one form, all or none."""
    property = request_params.chosen_property(request, "seat-dealer")
    pit, today = request_params.clean_text(request.GET.get("pit")), gaming_day(property)
    rows = [row for row in rows_of(property, today) if row.is_open and (not pit or row.pit == pit)]
    sent = request.POST
    wanted = {row.code: _seat(sent, row.code) for row in rows if f"dealer-{row.code}" in sent}
    before = {code: was for code in wanted if (was := _was(sent, code)) is not None}
    changed = {code: seat for code, seat in wanted.items() if before.get(code) != seat}
    now = {row.code: floor.seat_of(row.now) for row in rows}
    shown = {
        "property": property,
        "pit": pit,
        "pit_title": title_of(property, today, pit) if pit else "",
        # a line that nobody touched follows the floor
        "tables": [(row, changed.get(row.code, now[row.code]), _written(now[row.code])) for row in rows],
        "today": today,
        **people(property),
    }

    def act() -> str:
        floor.seat(
            current_user(request), property, changed, parse_form_uid(sent.get("uid", "")), before=before
        )
        return "Everybody is seated as on the form."

    return form_view.handle(
        request, "floor/change.html", shown, act, f"{reverse('floor')}?property={property}&pit={pit}"
    )


@require_GET_or_POST
def limits(request: HttpRequest, property: str, table: str) -> HttpResponse:
    """New limits, from the next round on."""
    require(request.user, "set-limits", property)
    shown = table_now(request, property, table)
    now = shown["now"]
    if now is None:
        raise Http404(table)
    sent, currency = request.POST, now.opened.currency
    shown["was"] = " ".join(f"{wager}:{low}-{high}" for wager, (low, high) in floor.limits_of(now).items())
    shown["limits"] = [
        (wager, low, high, sent.get(f"least-{wager}"), sent.get(f"most-{wager}"))
        for wager, (low, high) in now.opened.limits.items()
    ]

    def act() -> str:
        wanted = {
            wager: (_amount(sent, f"least-{wager}", currency), _amount(sent, f"most-{wager}", currency))
            for wager in now.opened.limits
        }
        before = _limits(sent.get("was", ""))
        floor.set_limits(
            current_user(request), property, table, wanted, parse_form_uid(sent.get("uid", "")), before=before
        )
        return "The new limits hold from the next hand on."

    return form_view.handle(request, "floor/limits.html", shown, act, _page(property, table))


@require_GET_or_POST
def tray(request: HttpRequest, property: str, table: str, which: str) -> HttpResponse:
    """An opener or a closer by denomination, signed by dealer and supervisor; an opener stands beside the
    last closer.
    """
    require(request.user, "count-tray", property)
    shown = table_now(request, property, table)
    if which not in KINDS or shown["now"] is None:
        raise Http404(which)
    currency, sent = shown["currency"], request.POST
    chips, by = chip_sets.chips(property, currency), current_user(request)
    shown |= {
        "which": which,
        "denominations": amount_input.denominations(chips, "chips", sent),
        "dealer": sent.get("dealer") or _dealer(shown["now"]),
    }
    shown["supervisor"] = sent.get("supervisor") or by.id

    def act() -> str:
        counted = amount_input.parse_counts(sent, "chips", chips, currency)
        hands = collect_signatures(request, property, {"dealer": "count-chips", "supervisor": "open-table"})
        made = Tray(
            KINDS[which], counted, hands["dealer"], hands["supervisor"], stands=bool(sent.get("stands"))
        )
        apart = floor.count_tray(by, property, table, made, parse_form_uid(sent.get("uid", "")))
        return " ".join(
            [f"The {which} of {table} is recorded.", *(apart.duties if apart is not None else ())]
        )

    return form_view.handle(request, "floor/tray.html", shown, act, _page(property, table))


def _amount(sent: QueryDict, field: str, currency: str) -> int:
    return amount_input.parse_amount(sent.get(field, ""), currency, field, least=1)


def _dealer(now: queries.Now) -> str:
    return now.seated.dealer if now.seated is not None else ""


def _seat(sent: QueryDict, table: str = "") -> Seat:
    mark = f"-{table}" if table else ""
    return Seat(
        request_params.clean_text(sent.get(f"dealer{mark}")),
        request_params.clean_text(sent.get(f"supervisor{mark}")),
    )


def _written(seat: Seat) -> str:
    """A seat as a form carries it: who sat there as it was loaded."""
    return " ".join(map(quote, seat))


def _was(sent: QueryDict, table: str = "") -> Seat | None:
    """What `_written` wrote; None where the form does not say."""
    dealer, between, supervisor = sent.get(f"was-{table}" if table else "was", "").partition(" ")
    return Seat(unquote(dealer), unquote(supervisor)) if between else None


def _limits(text: str) -> floor.Limits | None:
    """The limits that a form carries, as they stood when it was loaded; None where it does not say."""
    found = _written_limits(text)
    return {wager: (int(low), int(high)) for wager, low, high in found} or None


def people(property: str) -> dict[str, Any]:
    """Dealers and supervisors of the day, by id, with the names that are known."""
    today = gaming_day(property)
    roles = {id: roles_of(value) for id, value in values_on(property, "people", today).items()}
    known = dict(Person.objects.filter(pk__in=roles).values_list("id", "name"))
    return {
        f"{role}s": [(id, known.get(id, "")) for id, held_roles in roles.items() if role in held_roles]
        for role in ("dealer", "supervisor")
    }


def _page(property: str, table: str) -> str:
    return reverse("floor_table", args=[property, table])
