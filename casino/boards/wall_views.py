"""The live wall: a page for a big screen, with a tile for each table. It is updated every few seconds."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from audit.review import queue
from casino.accounts.permissions import can
from casino.floor.tables import names_at, pits_of, rows_of, shift_now
from casino.floor.tile_words import words_of
from casino.floor.tiles import CLOSED, LATE, LIVE, SILENT, Tile, tiles
from casino.reference import calendar
from casino.reference.calendar import gaming_day
from casino.web import request_params, streams
from casino.web.replica import reads_replica

ACT = "see-floor"
SECONDS = 5
"""Seconds between two updates."""


@require_safe
@reads_replica
def wall(request: HttpRequest) -> HttpResponse:
    """Show the wall of a property. Parameters: `property`, and `pit` for the tables of one pit."""
    return render(request, "boards/wall.html", _wall(request))


@require_safe
@reads_replica
def news(request: HttpRequest) -> HttpResponse:
    """Return the tiles as of now. They replace the tiles on the page."""
    return render(request, "boards/_wall.html", _wall(request))


def _wall(request: HttpRequest) -> dict[str, Any]:
    places = request_params.permitted_properties(request, ACT)
    property = request_params.chosen_property(request, ACT)
    today, pit = gaming_day(property), request_params.clean_text(request.GET.get("pit"))
    rows = rows_of(property, today, with_slips=False)
    pits = list(pits_of(property, today, rows))
    shown = [row for row in rows if not pit or row.pit == pit]
    with_money = can(request.user, "see-hold", property)
    every = tiles(property, today, shown, with_money=with_money)
    open_tiles = [tile for tile in every if tile.state != CLOSED]
    names = names_at(tile.row.now.seated for tile in open_tiles if tile.row.now is not None)
    zone = calendar.zone(property, today)
    to_judge = sum(count.hands for count in queue.waiting(property).values())
    return {
        "property": property,
        "live": streams.is_available(request),
        "places": places,
        "today": today,
        "pits": pits,
        "pit": pit,
        "now": timezone.now(),
        "zone": zone,
        "shift": shift_now(property, today),
        "tiles": [words_of(tile, names, zone, with_money=with_money) for tile in open_tiles],
        "closed": [tile for tile in every if tile.state == CLOSED],
        "counts": [(state, _count(every, state)) for state in (LIVE, LATE, SILENT)],
        "silent": [tile for tile in every if tile.is_alarm],
        "to_judge": to_judge,
        "elsewhere": to_judge - sum(tile.row.now.flags for tile in every if tile.row.now is not None),
        "may_see_findings": can(request.user, "see-queue", property),
        "may_see_hands": can(request.user, "see-hand", property),
        "may_see_boards": can(request.user, "see-queue", property),
        "seconds": SECONDS,
        "query": request.GET.urlencode(),
    }


def _count(every: list[Tile], state: str) -> int:
    return sum(tile.state == state for tile in every)
