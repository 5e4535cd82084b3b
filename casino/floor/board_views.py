"""Pages of the floor: a board of all tables now, and one table with its facts of the day."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, tzinfo
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from audit.queries import cage_facts
from audit.queries import floor as queries
from audit.queries.floor import Now
from audit.review import queue
from casino.accounts.permissions import can, require
from casino.cage.par_levels import trays_at_par
from casino.cage.slips.document import SEEN_BY
from casino.count_room import queries as count_room
from casino.daily_log.table_day import log_context
from casino.floor.board_words import BoardViewer, words_of_pits
from casino.floor.limits import table_limits, with_change
from casino.floor.map_words import Viewer, words_of_maps
from casino.floor.pit_map import counts, pit_maps
from casino.floor.tables import Pit, Row, names_at, pits_of, registered_game_of, rows_of, shift_now, title_of
from casino.floor.tiles import LATE, SILENT
from casino.presentation.fact_descriptions import sentence
from casino.presentation.formatting import only_currency
from casino.reference import calendar
from casino.reference.calendar import gaming_day
from casino.reference.registers import values_on
from casino.reports.grouping import Pits
from casino.web import request_params, streams

ON_BOARD = {
    "open": "open-table",
    "seat": "seat-dealer",
    "queue": "see-queue",
    "slip": "request-slip",
    "cage": "see-cage",
    "arrange": "set-register",
    "limits": "set-limits",
}
"""Actions that the board and its map offer, with the right that each needs."""
SHOWN: dict[str, tuple[str, Callable[[Row], bool]]] = {
    "open": ("Open tables", lambda row: row.is_open),
    "late": ("Late feeds", lambda row: row.lateness == LATE),
    "silent": ("Silent feeds", lambda row: row.lateness == SILENT),
    "behind": ("Open since an earlier day", lambda row: row.state == "behind"),
    "boxes": ("Boxes not counted", lambda row: row.now is not None and row.now.boxes > 0),
}
"""For each value of the filter `show`: its label, and the function that chooses the tables."""
HANDS = 12
"""Number of rounds to which a table's page links."""
ACTS = 60
"""Maximum number of facts in the list on a table's page."""


@require_safe
def board(request: HttpRequest) -> HttpResponse:
    """Show every table of a property, by pit: as a list, with `view=map` as a map, or with `view=limits` as a
    list of the limits of open tables.
    """
    return render(request, "floor/board.html", _board(request))


@require_safe
def news(request: HttpRequest) -> HttpResponse:
    """Return the current rows of the board, which replace those on the page."""
    return render(request, "floor/_current.html", _board(request))


def _board(request: HttpRequest) -> dict[str, Any]:
    places, property = (
        request_params.permitted_properties(request, "see-floor"),
        request_params.chosen_property(request, "see-floor"),
    )
    today, pit_name = gaming_day(property), request_params.clean_text(request.GET.get("pit"))
    rows = rows_of(property, today)
    pits = list(pits_of(property, today, rows))
    show = request.GET.get("show", "")
    shown = _of_filter([pit for pit in pits if not pit_name or pit.name == pit_name], show)
    rows_shown = [row for pit in shown for row in pit.rows]
    waiting = sum(count.hands for count in queue.waiting(property).values())
    instant, is_map = timezone.now(), request.GET.get("view") == "map"
    with_money = can(request.user, "see-hold", property)
    maps = pit_maps(property, today, shown, instant, with_money=with_money) if is_map else []
    open_tables = [row.now for row in rows_shown if row.now is not None and row.is_open]
    names, zone = names_at(state.seated for state in open_tables), calendar.zone(property, today)
    rights = {f"may_{act}": can(request.user, right, property) for act, right in ON_BOARD.items()}
    own_rights = (rights[f"may_{act}"] for act in ("slip", "cage", "seat", "queue"))
    viewer = Viewer(property, with_money, *own_rights)
    list_viewer = BoardViewer(property, zone, rights["may_queue"], rights["may_seat"], rights["may_open"])
    return {
        "property": property,
        "live": streams.is_available(request),
        "places": places,
        "today": today,
        **_limits(request, property, today, rows_shown),
        "pits": [] if is_map else words_of_pits(shown, names, list_viewer),
        "every_pit": pits,
        "pit": pit_name,
        "shift": shift_now(property, today),
        **_filter_words(show, rows_shown, {"property": property, **({"pit": pit_name} if pit_name else {})}),
        "open": len(open_tables),
        "tables": len(rows_shown),
        "late": sum(row.lateness == LATE for row in rows_shown),
        "silent": sum(row.lateness == SILENT for row in rows_shown),
        "unit": only_currency(row.now.opened.currency for row in rows_shown if row.now is not None),
        "in_play": _in_play(rows_shown),
        "waiting": waiting,
        "elsewhere": waiting - sum(row.now.flags for row in rows_shown if row.now is not None),
        "zone": zone,
        "now": instant,
        "is_map": is_map,
        "maps": words_of_maps(maps, names, zone, viewer),
        "counts": counts(maps),
        **rights,
        "query": request.GET.urlencode(),
        "filters": _without_view(request),
    }


def _in_play(rows: list[Row]) -> int:
    """Return the number of hands in play at these tables. Silent tables are left out, because their hands are
    not known.
    """
    states = (row.now for row in rows if row.is_open and row.lateness != SILENT)
    return sum(state is not None and bool(state.round) for state in states)


def _of_filter(pits: list[Pit], show: str) -> list[Pit]:
    """Return the pits with the tables that the filter `show` chooses. Pits without such a table are left
    out.
    """
    if show in SHOWN:
        fits = SHOWN[show][1]
        pits = [pit._replace(rows=[row for row in pit.rows if fits(row)]) for pit in pits]
    return [pit for pit in pits if pit.rows]


def _filter_words(show: str, rows: list[Row], filters: dict[str, str]) -> dict[str, Any]:
    """Return the context of the filter `show`: its value, its labels, the uncounted boxes, and the parameters
    of the board with some of its values.

    Args:
        filters: the other parameters of the board.
    """
    return {
        "show": show if show in SHOWN else "",
        "shows": {name: label for name, (label, _) in SHOWN.items()},
        "boxes": sum(row.now.boxes for row in rows if row.now is not None),
        "links": {name: urlencode({**filters, "show": name}) for name in ("open", LATE, SILENT)},
    }


def _limits(request: HttpRequest, property: str, today: date, rows: list[Row]) -> dict[str, Any]:
    """Return the context of the view `limits`: the limits of these tables or, with `changes=1`, only those
    that will change.
    """
    if request.GET.get("view") != "limits":
        return {"is_limits": False}
    limits, changes = table_limits(property, today, rows), request.GET.get("changes") == "1"
    return {"is_limits": True, "changes": changes, "limits": with_change(limits) if changes else limits}


def _without_view(request: HttpRequest) -> str:
    """Return the parameters of the board without the choice of list, map or limits."""
    parameters = request.GET.copy()
    for name in ("view", "changes"):
        parameters.pop(name, None)
    return parameters.urlencode()


class Done(NamedTuple):
    """A fact in the list of facts on a table's page."""

    number: int
    at: datetime
    says: str
    uid: str
    printed: bool


@require_safe
def table(request: HttpRequest, property: str, table: str) -> HttpResponse:
    """Show a table's current state, its tray against par, its settings, and the facts of its last gaming day,
    newest first.
    """
    context = table_now(request, property, table)
    state = context["now"]
    if state is not None:
        context = log_context(request.user, property, table, state.day) | context
        tray = trays_at_par(property, context["today"], [state]).get(table)
        if tray is not None:
            context |= tray.as_context("fill") | {"may_propose": context["may_slip"] and context["may_print"]}
    return render(request, "floor/table.html", context)


def table_now(request: HttpRequest, property: str, table: str) -> dict[str, Any]:
    """Return the context of all pages about one table: its state, and what the user may do there. Raise
    Http404 if the table is unknown.
    """
    require(request.user, "see-floor", property)
    today = gaming_day(property)
    state = queries.table(property, table, today)
    registered = values_on(property, "tables", today)
    if state is None and table not in registered:
        raise Http404(f"{property} has no table {table}")
    row = Row(
        table,
        Pits().pit(f"{property}/{table}", today),
        state,
        today,
        registered_game_of(registered.get(table)),
    )
    zone: tzinfo = calendar.zone(property, today)
    shown: dict[str, Any] = {
        "property": property,
        "table": table,
        "row": row,
        "now": state,
        "today": today,
        "zone": zone,
    }
    shown |= {f"may_{act}": can(request.user, right, property) for act, right in MAY.items()}
    shown["pit_title"] = title_of(property, today, row.pit) if row.pit else ""
    if state is not None:
        shown["currency"] = state.opened.currency
        shown["done"] = _done(property, state, request.user)
        shown["hands"] = [
            (hand, request_params.hand_url(state.stream, hand))
            for hand in queries.hands(property, state.stream, HANDS)
        ]
        shown["names"] = names_at([state.seated])
        shown["last_closer"] = queries.last_closer(property, table, today, state.opened.currency)
    return shown


MAY = {
    "open": "open-table",
    "seat": "seat-dealer",
    "limits": "set-limits",
    "tray": "count-tray",
    "hand": "see-hand",
    "queue": "see-queue",
    "slip": "request-slip",
    "print": "see-cage",
    "marker": "issue-marker",
    "chips": "buy-chips",
    "pull": "pull-box",
}
PRINTED = {"opener-counted", "closer-counted", "fill-sent", "credit-sent", "marker-issued", "drop-counted"}
"""Kinds of facts that can be printed as a slip. A user who may print slips gets a link to the slip of each of
these facts.
"""


def _done(property: str, state: Now, person: Any) -> list[Done]:
    facts = list(cage_facts.facts(property, [state.stream]))
    shown = [fact for fact in facts[: -ACTS - 1 : -1] if not count_room.is_hidden(property, fact)]
    currencies = cage_facts.currencies(facts)
    printed = {kind for kind in PRINTED if can(person, SEEN_BY.get(kind, "see-cage"), property)}
    return [
        Done(
            fact.number,
            fact.event.at,
            sentence(fact.event, currencies[fact.event.uid]),
            fact.event.uid,
            fact.kind in printed,
        )
        for fact in shown
    ]
