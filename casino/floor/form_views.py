"""Pages with the floor's forms: open and close a table, seat people, set limits, count a tray."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from audit.queries import floor as queries
from casino.accounts.permissions import require
from casino.accounts.signatures import collect_signatures
from casino.floor import services as floor
from casino.floor.board_views import table_now
from casino.floor.forms import (
    CloseTableForm,
    LimitsForm,
    OpenTableForm,
    SeatForm,
    ShiftChangeForm,
    TrayForm,
    limits_text,
    seat_text,
)
from casino.floor.services import Seat
from casino.floor.tables import rows_of, title_of
from casino.floor.trays import CLOSER, OPENER, Tray, count_tray
from casino.models import Person, roles_of
from casino.presentation.errors import ActionRejected
from casino.reference import chip_sets
from casino.reference.calendar import gaming_day
from casino.reference.registers import values_on
from casino.web import request_params
from casino.web.form_view import Duty, current_user, handle, submitted
from casino.web.request_params import require_GET_or_POST

KINDS = {"opener": OPENER, "closer": CLOSER}
FREE_DEALERS = 12
"""Maximum number of free dealers that the form for a seat names."""


@require_GET_or_POST
def open_table(request: HttpRequest, property: str, table: str) -> HttpResponse:
    """Show the form that opens a table, with the settings that the table would have. If the form was sent,
    open the table and redirect to the page on which its opener is counted.
    """
    require(request.user, "open-table", property)
    shown = table_now(request, property, table) | people(property)
    missing = floor.why_not_opened(table, shown["today"], shown["now"])
    try:
        opening = floor.opening_of(property, table, shown["today"], shown["now"])
    except ActionRejected as rejected:
        opening, missing = None, str(rejected)
    shown |= {"opening": opening, "missing": missing, "has_tray": _has_tray(shown["now"], opening)}

    form = OpenTableForm(submitted(request))

    def act() -> str:
        values = form.accepted()
        seat = Seat(values["dealer"], values["supervisor"])
        floor.open_table(
            current_user(request), property, table, seat, values["uid"], continues=values["continues"]
        )
        return f"{table} is open." + (" Count its opener." if shown["has_tray"] else "")

    next_page = (
        reverse("floor_tray", args=[property, table, "opener"])
        if shown["has_tray"]
        else _page(property, table)
    )
    return handle(request, "floor/open.html", form, shown, act, next_page)


def _has_tray(state: queries.Now | None, opening: floor.Opening | None) -> bool:
    """Return True if the table has a tray of chips that must be counted. A live-dealer table has none. It is
    recognized by having no spots.
    """
    spots = (
        opening.settings["spots"] if opening is not None else state.opened.spots if state is not None else 0
    )
    return bool(spots)


@require_GET_or_POST
def close_table(request: HttpRequest, property: str, table: str) -> HttpResponse:
    """Show the form that closes a table, with what still prevents closing it. If the form was sent, close the
    table.
    """
    require(request.user, "open-table", property)
    shown = table_now(request, property, table)
    if shown["now"] is None:
        raise Http404(table)
    form = CloseTableForm(submitted(request))

    def act() -> str:
        floor.close_table(current_user(request), property, table, form.accepted()["uid"])
        return f"{table} is closed."

    return handle(request, "floor/close.html", form, shown, act, _page(property, table))


@require_GET_or_POST
def seat(request: HttpRequest, property: str, table: str) -> HttpResponse:
    """Seat a dealer or a supervisor at one table."""
    require(request.user, "seat-dealer", property)
    shown = table_now(request, property, table) | people(property)
    state = shown["now"]
    free = _free_dealers(property, shown["dealers"])
    shown |= {"free": free[:FREE_DEALERS], "more_free": len(free[FREE_DEALERS:])}
    shown["was"] = seat_text(floor.seat_of(state))
    supervisor = state.seated.supervisor if state is not None and state.seated is not None else ""
    form = SeatForm(submitted(request), {"supervisor": supervisor})

    def act() -> str:
        values = form.accepted()
        seat, was = Seat(values["dealer"], values["supervisor"]), values["was"]
        before = {} if was is None else {table: was}
        floor.seat(current_user(request), property, {table: seat}, values["uid"], before=before)
        return f"{seat.dealer} deals at {table}, {seat.supervisor} supervises."

    return handle(request, "floor/seat.html", form, shown, act, _page(property, table))


@require_GET_or_POST
def change_shift(request: HttpRequest) -> HttpResponse:
    """Seat people at all open tables of a pit on one form, for a change of shift or a rotation. Either all
    people are seated, or nothing is recorded.
    """
    property = request_params.chosen_property(request, "seat-dealer")
    pit, today = request_params.clean_text(request.GET.get("pit")), gaming_day(property)
    rows = [row for row in rows_of(property, today) if row.is_open and (not pit or row.pit == pit)]
    form = ShiftChangeForm(submitted(request), [row.code for row in rows])
    before = form.seats_as_loaded()
    changed = {code: seat for code, seat in form.seats().items() if before.get(code) != seat}
    seats = {row.code: floor.seat_of(row.now) for row in rows}
    shown = {
        "property": property,
        "pit": pit,
        "pit_title": title_of(property, today, pit) if pit else "",
        # A line that the user did not change shows who sits there now.
        "tables": [(row, changed.get(row.code, seats[row.code]), seat_text(seats[row.code])) for row in rows],
        "today": today,
        **people(property),
    }

    def act() -> str:
        floor.seat(current_user(request), property, changed, form.accepted()["uid"], before=before)
        return "The seats are recorded as entered."

    to = f"{reverse('floor')}?property={property}&pit={pit}"
    return handle(request, "floor/change.html", form, shown, act, to)


@require_GET_or_POST
def limits(request: HttpRequest, property: str, table: str) -> HttpResponse:
    """Set the limits of a table from the next round on."""
    require(request.user, "set-limits", property)
    shown = table_now(request, property, table)
    state = shown["now"]
    if state is None:
        raise Http404(table)
    shown["was"] = limits_text(floor.limits_of(state))
    form = LimitsForm(submitted(request), state.opened.limits, state.opened.currency)

    def act() -> str:
        wanted, values = form.limits(), form.cleaned_data
        floor.set_limits(current_user(request), property, table, wanted, values["uid"], before=values["was"])
        return "The new limits apply from the next hand."

    return handle(request, "floor/limits.html", form, shown, act, _page(property, table))


@require_GET_or_POST
def tray(request: HttpRequest, property: str, table: str, tray_count: str) -> HttpResponse:
    """Show the form for the count of a tray (an opener or a closer) by denomination. If the form was sent,
    record the count. Dealer and supervisor sign it.

    The form of an opener starts with the pieces of the last closer. The two people confirm or correct them.
    """
    require(request.user, "count-tray", property)
    shown = table_now(request, property, table)
    if tray_count not in KINDS or shown["now"] is None:
        raise Http404(tray_count)
    currency, by = shown["currency"], current_user(request)
    shown["which"] = tray_count
    initial = {"dealer": _dealer(shown["now"]), "supervisor": by.id}
    if tray_count == "opener":
        initial |= _copied_pieces(shown["now"], shown["last_closer"])
    form = TrayForm(submitted(request), chip_sets.chips(property, currency), currency, initial)

    def act() -> str:
        values = form.accepted()
        signers = collect_signatures(request, property, {"dealer": "count-chips", "supervisor": "open-table"})
        counted = Tray(
            KINDS[tray_count],
            values["pieces"],
            signers["dealer"],
            signers["supervisor"],
            difference_confirmed=values["stands"],
        )
        difference = count_tray(by, property, table, counted, values["uid"])
        recorded = f"The {tray_count} of {table} is recorded."
        return recorded if difference is None else Duty(" ".join([recorded, *difference.duties]))

    return handle(request, "floor/tray.html", form, shown, act, _page(property, table))


def _copied_pieces(state: queries.Now, closer: queries.Closer | None) -> dict[str, Any]:
    """Return the pieces with which the form of an opener starts. They are the pieces of the last closer.
    Return an empty dict if there is no closer. Return an empty dict also if an opener was counted after the
    closer: the tray must then be counted again without copied pieces.
    """
    if closer is None or (state.opener is not None and not state.counted_since):
        return {}
    pieces = {f"chips-{chip}": number for chip, number in closer.counted.chips.items()}
    return {"copied": f"{closer.stream} {closer.number}", **pieces}


def _dealer(state: queries.Now) -> str:
    return state.seated.dealer if state.seated is not None else ""


def people(property: str) -> dict[str, Any]:
    """Return the dealers and supervisors in the register today, by staff ID, with their names."""
    today = gaming_day(property)
    roles = {id: roles_of(value) for id, value in values_on(property, "people", today).items()}
    known = dict(Person.objects.filter(pk__in=roles).values_list("id", "name"))
    return {
        f"{role}s": [(id, known.get(id, "")) for id, held_roles in roles.items() if role in held_roles]
        for role in ("dealer", "supervisor")
    }


def _free_dealers(property: str, dealers: list[tuple[str, str]]) -> list[str]:
    """Return the staff IDs of the dealers in the register who are seated at no open table."""
    rows = rows_of(property, gaming_day(property), with_slips=False)
    seats = [row.now.seated for row in rows if row.now is not None and row.is_open]
    busy = {seat.dealer for seat in seats if seat is not None}
    return sorted(id for id, _ in dealers if id not in busy)


def _page(property: str, table: str) -> str:
    return reverse("floor_table", args=[property, table])
