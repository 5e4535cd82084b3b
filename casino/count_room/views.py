"""Pages of the count room: the boxes of a day, and the forms for a pull, for a team's count and for a
recount. The form for a recount does not show the first count.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from audit.queries import cage_facts
from casino.accounts.permissions import can
from casino.accounts.signatures import collect_signatures
from casino.count_room import queries
from casino.count_room import services as count_room
from casino.count_room.forms import BoxCountForm, PullForm
from casino.count_room.queries import Box
from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import money, only_currency
from casino.reference import chip_sets
from casino.reference.calendar import gaming_day
from casino.web import request_params
from casino.web.form_view import Duty, current_user, handle, submitted
from casino.web.recording import has_tray
from casino.web.request_params import require_GET_or_POST

WAITING = {
    "waiting": "All that wait",
    "pulled": "To count",
    "counted": "To recount",
    "differs": "Counts differ",
}
"""The values of the filter for the state of a waiting box, with their labels."""


class CountTotal(NamedTuple):
    """The boxes that were counted twice, in one currency. Amounts are in minor units."""

    currency: str
    boxes: int
    counted: int
    verified: int


def _totals(boxes: Sequence[Box]) -> list[CountTotal]:
    """Return the totals of the boxes that were counted twice, by currency. Counts of other boxes are not
    shown, so they are not added either.
    """
    sums: dict[str, CountTotal] = {}
    for box in boxes:
        if box.counted is not None and box.verified is not None:
            total = sums.get(box.currency, CountTotal(box.currency, 0, 0, 0))
            counted, verified = total.counted + box.counted.amount, total.verified + box.verified.amount
            sums[box.currency] = CountTotal(box.currency, total.boxes + 1, counted, verified)
    return [sums[currency] for currency in sorted(sums)]


@require_safe
def boxes(request: HttpRequest) -> HttpResponse:
    """Show the boxes of a gaming day. By default, show today's boxes and all recent boxes that wait for a
    count or a recount. A count is shown only after the box has been recounted. With `state`, show only the
    waiting boxes in this state.
    """
    places = request_params.permitted_properties(request, "see-count")
    property = request_params.chosen_property(request, "see-count")
    today, day = gaming_day(property), request_params.day_of(request.GET.get("day", ""))
    all_boxes = queries.boxes(property, [day] if day else queries.recent_days(today))
    late = queries.late_counts(
        property, (f"{box.table}/{box.day}" for box in all_boxes if box.sealed and box.state == "pulled")
    )
    others = queries.find_misplaced(all_boxes)
    waits = {
        box.uid for box in all_boxes if box.state in ("pulled", "counted", "differs") and box.uid not in late
    }
    state = request.GET.get("state", "")
    if state in WAITING:
        shown = [box for box in all_boxes if box.uid in waits and state in ("waiting", box.state)]
    else:
        shown = [box for box in all_boxes if day or box.day == today or box.uid in waits]
    return render(
        request,
        "count/boxes.html",
        {
            "property": property,
            "places": places,
            "day": day,
            "state": state if state in WAITING else "",
            "states": WAITING,
            "today": today,
            "days": queries.DAYS,
            "unit": only_currency(box.currency for box in shown if box.verified),
            "boxes": shown,
            "totals": _totals(shown),
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
    """Record that two people pulled a box from its table."""
    property = request_params.chosen_property(request, "pull-box")
    day = gaming_day(property)
    tables = [table for table in _tables(property, day) if not table[2]]
    of_tables = queries.shifts(property, [(code, on) for code, on, _ in tables])
    names = list(dict.fromkeys(name for tables_of_day in of_tables.values() for name in tables_of_day))
    table_day = _last_day(tables, request_params.clean_text(request.GET.get("table")))
    shifts_begun = (
        [name for name, at in of_tables.get(table_day, {}).items() if at <= timezone.now()]
        if table_day
        else []
    )
    initial = {
        "table": _key(*table_day) if table_day else "",
        "shift": shifts_begun[-1] if shifts_begun else "",
    }
    form = PullForm(submitted(request), initial)

    def act() -> str:
        typed = form["table"].value()
        table = next(((code, on) for code, on, _ in tables if _key(code, on) == typed), None)
        if table is None:
            raise ActionRejected("Table: choose one whose gaming day is open.", "table")
        code, pulled_on = table
        second = collect_signatures(request, property, {"second": "pull-box"})["second"]
        values = form.accepted()
        del values["table"]
        count_room.pull_box(current_user(request), second, property, code, pulled_on, **values)
        return f"Box {values['box']} of {code} was pulled by {current_user(request).id} and {second.id}."

    shown = {
        "property": property,
        "tables": tables,
        "shifts": names,
        "without": not all(of_tables.values()),
        "may_count_room": can(request.user, "see-count", property),
    }
    to = _list(property) if shown["may_count_room"] else request.get_full_path()
    return handle(request, "count/pull.html", form, shown, act, to)


@require_GET_or_POST
def drop(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Record a team's count of a box."""
    property = request_params.chosen_property(request, "count-drop")
    box = _box(property, uid)
    team_size = count_room.team_size(property)
    members = [f"member_{place}" for place in range(1, max(team_size, 3) + 1)]
    form, own = _count_form(request, property, box), current_user(request).id
    form.add_signers({name: f"Member {place}" for place, name in enumerate(members, 1)}, own)

    def act() -> str:
        signers = collect_signatures(
            request, property, dict.fromkeys(members, "count-drop"), optional=frozenset(members[team_size:])
        )
        if own not in {member.id for member in signers.values()}:
            raise ActionRejected("You must be a member of the count team and sign too.", members[0])
        values = form.accepted()
        form_uid = values.pop("uid")
        count_room.count_drop(list(signers.values()), property, uid, **values, uid=form_uid)
        team = ", ".join(member.id for member in signers.values())
        return f"Box {box.box} of {box.code} was counted by {team}. It waits for its recount."

    shown = _count_context(property, box) | {"spare": members[team_size:]}
    return handle(request, "count/drop.html", form, shown, act, _list(property))


@require_GET_or_POST
def verify(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Record the recount of a box. The page shows nothing of the first count."""
    property = request_params.chosen_property(request, "verify-count")
    box = _box(property, uid)

    form = _count_form(request, property, box)

    def act() -> str:
        values = form.accepted()
        form_uid = values.pop("uid")
        amount = count_room.verify_count(current_user(request), property, uid, **values, uid=form_uid)
        first = box.counted.amount if box.counted is not None else amount
        if first == amount:
            return (
                f"Box {box.box} of {box.code}: both counts say {money(amount, box.currency)} {box.currency}."
            )
        count, recount = (f"{money(counted, box.currency)} {box.currency}" for counted in (first, amount))
        says = f"the count says {count}, the recount {recount}"
        return Duty(
            f"Box {box.box} of {box.code}: {says}. Both are kept. Settle the difference"
            " before the day is closed."
        )

    return handle(request, "count/verify.html", form, _count_context(property, box), act, _list(property))


def _last_day(tables: Sequence[tuple[str, date, bool]], table: str) -> tuple[str, date] | None:
    """Return the table with its last day, or None if there is no such table."""
    return next(((code, on) for code, on, _ in tables if code == table), None)


def _key(table: str, day: date) -> str:
    """Return the table and the day as the form sends them: `TABLE|DAY`."""
    return f"{table}|{day}"


def _tables(property: str, day: date) -> list[tuple[str, date, bool]]:
    """Return (code, day, is closed) of each table with a drop box, on this gaming day and on the previous
    one.
    """
    days = [day, date.fromordinal(day.toordinal() - 1)]
    streams = [
        (stream.table, on, stream.sealed) for on in days for stream in cage_facts.streams(property, on)
    ]
    games = queries.games(property, [(code, on) for code, on, _ in streams])
    return [stream for stream in streams if has_tray(games.get(stream[:2], ""))]


def _box(property: str, uid: UUID) -> Box:
    try:
        return queries.box_of(property, uid)
    except ActionRejected:
        raise Http404(uid) from None


def _count_context(property: str, box: Box) -> dict[str, Any]:
    return {"property": property, "box": box, "currency": box.currency}


def _count_form(request: HttpRequest, property: str, box: Box) -> BoxCountForm:
    notes = chip_sets.notes(property, box.currency, box.day)
    return BoxCountForm(submitted(request), notes, box.currency)


def _list(property: str) -> str:
    return f"{reverse('count')}?{urlencode({'property': property})}"
