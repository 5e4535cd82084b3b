"""The count room's pages: boxes of the day, a box pulled, counted by its team, and recounted by one who sees
no other count before.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from audit.facts import accepted_form
from audit.queries import cage_facts
from casino.accounts.permissions import can
from casino.accounts.signatures import collect_signatures
from casino.count_room import services as count_room
from casino.count_room.services import PAPERS, Box
from casino.presentation.amount_input import denominations, parse_amount, parse_counts
from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import money
from casino.reference import chip_sets
from casino.reference.calendar import gaming_day
from casino.web import request_params
from casino.web.form_view import current_user, handle
from casino.web.recording import has_tray, parse_form_uid
from casino.web.request_params import require_GET_or_POST

NOTES = "notes"


@require_safe
def boxes(request: HttpRequest) -> HttpResponse:
    """The boxes of a gaming day; without one, what still waits of the last days, and today's. No count is
    shown before its recount.
    """
    places = request_params.permitted_properties(request, "see-count")
    property = request_params.chosen_property(request, "see-count")
    today, day = gaming_day(property), request_params.day_of(request.GET.get("day", ""))
    found = count_room.boxes(property, [day] if day else count_room.recent(today))
    late = count_room.late_counts(
        property, (f"{box.table}/{box.day}" for box in found if box.sealed and box.state == "pulled")
    )
    others = count_room.misplaced(found)
    waits = {
        box.uid for box in found if box.state in ("pulled", "counted", "differs") and box.uid not in late
    }
    shown = [box for box in found if day or box.day == today or box.uid in waits]
    return render(
        request,
        "count/boxes.html",
        {
            "property": property,
            "places": places,
            "day": day,
            "today": today,
            "boxes": shown,
            "zone": request_params.zone(property),
            "may_pull": can(request.user, "pull-box", property),
            "may_count": can(request.user, "count-drop", property),
            "may_verify": can(request.user, "verify-count", property),
            "may_adjust": can(request.user, "adjust", property),
            "shown": [(box, others.get(box.uid)) for box in shown],
            "late": late,
            "waiting": sum(box.state == "pulled" and box.uid in waits for box in shown),
            "unverified": sum(box.state == "counted" for box in shown),
            "differing": sum(box.state == "differs" for box in shown),
            "me": request.user.pk,
        },
    )


@require_GET_or_POST
def pull(request: HttpRequest) -> HttpResponse:
    """A box is taken from its table by two people."""
    property = request_params.chosen_property(request, "pull-box")
    day = gaming_day(property)
    tables = [one for one in _tables(property, day) if not one[2]]
    of_tables = count_room.shifts(property, [(code, on) for code, on, _ in tables])
    names = list(dict.fromkeys(name for each in of_tables.values() for name in each))
    table = _chosen(request, tables)
    begun = (
        [name for name, at in of_tables.get(table, {}).items() if at <= timezone.now()]
        if table is not None
        else []
    )

    def act() -> str:
        if table is None:
            raise ActionRejected("Table: choose one whose gaming day is open.", "table")
        code, of = table
        second = collect_signatures(request, property, {"second": "pull-box"})["second"]
        shift, box = (
            accepted_form(request.POST.get("shift", ""))[:60],
            accepted_form(request.POST.get("box", "")),
        )
        uid = parse_form_uid(request.POST.get("uid", ""))
        count_room.pull_box(current_user(request), second, property, code, of, shift, box, uid=uid)
        return f"Box {box} of {code} was pulled by {current_user(request).id} and {second.id}."

    shown = {
        "property": property,
        "tables": tables,
        "shifts": names,
        "without": not all(of_tables.values()),
        "shift": request.POST.get("shift", begun[-1] if begun else ""),
        "table": table,
    }
    return handle(
        request,
        "count/pull.html",
        shown,
        act,
        _list(property) if can(request.user, "see-count", property) else request.get_full_path(),
    )


@require_GET_or_POST
def drop(request: HttpRequest, uid: UUID) -> HttpResponse:
    """A team counts what is in a box."""
    property = request_params.chosen_property(request, "count-drop")
    box = _box(property, uid)
    least = count_room.team_size(property)
    members = [f"member_{place}" for place in range(1, max(least, 3) + 1)]

    def act() -> str:
        signers = collect_signatures(
            request, property, dict.fromkeys(members, "count-drop"), optional=frozenset(members[least:])
        )
        if current_user(request).id not in {member.id for member in signers.values()}:
            raise ActionRejected("Whoever is logged in is of the team and signs as well.", members[0])
        notes, papers = _counted(request, property, box)
        count_room.count_drop(
            list(signers.values()),
            property,
            uid,
            notes,
            papers,
            uid=parse_form_uid(request.POST.get("uid", "")),
        )
        return (
            f"Box {box.box} of {box.code} was counted by {', '.join(one.id for one in signers.values())}. It"
            " waits for its recount."
        )

    rest = [(name, f"Member {place}", place > least) for place, name in enumerate(members, 1)]
    shown = _form(request, property, box) | {
        "members": [(*one, request.POST.get(one[0], "")) for one in rest],
        "least": least,
    }
    return handle(request, "count/drop.html", shown, act, _list(property))


@require_GET_or_POST
def verify(request: HttpRequest, uid: UUID) -> HttpResponse:
    """The recount. Nothing of the first count is on this page, nor on any before it."""
    property = request_params.chosen_property(request, "verify-count")
    box = _box(property, uid)

    def act() -> str:
        notes, papers = _counted(request, property, box)
        amount = count_room.verify_count(
            current_user(request),
            property,
            uid,
            notes,
            papers,
            uid=parse_form_uid(request.POST.get("uid", "")),
        )
        first = box.counted.amount if box.counted is not None else amount
        if first == amount:
            return (
                f"Box {box.box} of {box.code}: both counts say {money(amount, box.currency)} {box.currency}."
            )
        says = (
            f"the count says {money(first, box.currency)}, the recount {money(amount, box.currency)}"
            f" {box.currency}"
        )
        return (
            f"Box {box.box} of {box.code}: {says}. Both stay, and the difference is found: it is settled"
            " before the day is closed."
        )

    return handle(request, "count/verify.html", _form(request, property, box), act, _list(property))


def _chosen(request: HttpRequest, tables: Sequence[tuple[str, date, bool]]) -> tuple[str, date] | None:
    """The table and day that were sent, else the last day of the table that is asked for; None: nobody has
    chosen yet.
    """
    if request.method == "POST":
        sent = request.POST.get("table", "")
        return next(((code, on) for code, on, _ in tables if f"{code}|{on}" == sent), None)
    return next(
        ((code, on) for code, on, _ in tables if code == request_params.clean_text(request.GET.get("table"))),
        None,
    )


def _tables(property: str, day: date) -> list[tuple[str, date, bool]]:
    """(code, day, sealed) of every table of the gaming day and of the one before that has a drop box."""
    days = [day, date.fromordinal(day.toordinal() - 1)]
    found = [(one.table, on, one.sealed) for on in days for one in cage_facts.streams(property, on)]
    games = count_room.games(property, [(code, on) for code, on, _ in found])
    return [one for one in found if has_tray(games.get(one[:2], ""))]


def _box(property: str, uid: UUID) -> Box:
    try:
        return count_room.box_of(property, uid)
    except ActionRejected:
        raise Http404(uid) from None


def _form(request: HttpRequest, property: str, box: Box) -> dict[str, Any]:
    of = chip_sets.notes(property, box.currency, box.day)
    papers = [(name, f"{name.capitalize()}s", request.POST.get(f"{name}s", "")) for name in PAPERS]
    return {
        "property": property,
        "box": box,
        "currency": box.currency,
        "papers": papers,
        "denominations": denominations(of, NOTES, request.POST),
        "prefix": NOTES,
    }


def _counted(request: HttpRequest, property: str, box: Box) -> tuple[dict[str, int], dict[str, int]]:
    """Notes and papers as they were typed. Raises ActionRejected."""
    notes = parse_counts(request.POST, NOTES, _worths(property, box), box.currency)
    papers = {
        name: parse_amount(request.POST.get(f"{name}s", ""), box.currency, f"{name}s") for name in PAPERS
    }
    found = {name: amount for name, amount in papers.items() if amount}
    if not notes and not found and not request.POST.get("empty"):
        raise ActionRejected("Nothing was counted. Where the box is empty, say so below.", "empty")
    return notes, found


def _worths(property: str, box: Box) -> Sequence[int]:
    return chip_sets.notes(property, box.currency, box.day)


def _list(property: str) -> str:
    return f"{reverse('count')}?{urlencode({'property': property})}"
