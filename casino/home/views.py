"""The home page: one section for each role that the user has at a property."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, timedelta

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from audit.queries.cache.stamps import stamps_read_once
from casino.accounts import tokens
from casino.floor.tables import shift_now
from casino.home import accounting, cage, casework, control, floor, surveillance, table_games
from casino.home.cards import Home, Viewer
from casino.reference import calendar
from casino.reference.calendar import gaming_day
from casino.reports.progress import with_progress
from casino.web import request_params
from casino.web.form_view import current_user

Build = Callable[[Viewer, date | None], Home]
HOMES: dict[str, tuple[str, Build]] = {
    "surveillance": ("see-queue", lambda viewer, day: surveillance.home(viewer)),
    "table-games": ("see-hold", table_games.home),
    "supervisor": ("see-floor", lambda viewer, day: floor.home(viewer)),
    "cage": ("see-cage", lambda viewer, day: cage.home(viewer)),
    "count": ("see-count", lambda viewer, day: cage.count_home(viewer)),
    "accounting": ("see-hold", lambda viewer, day: accounting.home(viewer)),
    "internal-audit": ("see-views", lambda viewer, day: control.home(viewer)),
    "regulator": ("see-views", lambda viewer, day: control.home(viewer)),
    "compliance": ("see-case", lambda viewer, day: casework.home(viewer)),
    "administrator": ("see-jobs", lambda viewer, day: control.administration(viewer)),
}
"""For each role with a home page: the right that the page needs, and the function that builds it."""


@require_safe
@with_progress("Home")
def home_of_role(request: HttpRequest) -> HttpResponse:
    """Show what each of the user's roles needs now. Parameters: `property`; `day`, the gaming day of the
    figures of table games, by default the last one with play before today.
    """
    places = places_of(request)
    if not places:
        return render(request, "nothing.html", status=403)
    property = _chosen(request, places)
    today = gaming_day(property)
    viewer = Viewer(request.user, property, today, timezone.now())
    with stamps_read_once():
        homes = list(_homes(viewer, request_params.day_of(request.GET.get("day", ""))))
    day = next((home.day for home in homes if home.day is not None), None)
    days = {"Today": today, "Yesterday": today - timedelta(days=1)}
    shown = {
        "property": property,
        "places": places,
        "homes": homes,
        "today": today,
        "now": viewer.now,
        "zone": calendar.zone(property, today),
        "shift": shift_now(property, today),
        "day": day,
        "ending_tokens": tokens.ending_soon(tokens.tokens_of(viewer.person.pk)),
        "days": [(name, of.isoformat(), of == day) for name, of in days.items()],
    }
    return render(request, "home/home.html", shown)


def places_of(request: HttpRequest) -> list[str]:
    """Return the properties at which one of the user's roles has a home page."""
    person = current_user(request)
    return sorted(property for property in person.roles if HOMES.keys() & set(person.roles_in(property)))


def _chosen(request: HttpRequest, places: list[str]) -> str:
    """Return the requested property, by default the first one. Raise PermissionDenied if the user has no home
    page at that property.
    """
    wanted = request_params.clean_text(request.GET.get("property")) or places[0]
    if wanted not in places:
        raise PermissionDenied(wanted)
    return wanted


def _homes(viewer: Viewer, day: date | None) -> Iterator[Home]:
    """Yield the section of each of the user's roles. A section that two roles share is yielded only once."""
    built = set()
    for role, (act, build) in HOMES.items():
        if role in viewer.person.roles_in(viewer.property) and viewer.may(act):
            home = build(viewer, day)
            if home.title not in built:
                built.add(home.title)
                yield home
