"""From a table and a time of day to the hand that was dealt then, also one that nobody flagged."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_safe

from audit import hands
from casino.registers import gaming_day
from casino.web import asked


class Asked(NamedTuple):
    """What was typed: table, time of day, and the day and spot where they were."""

    table: str
    at: time
    day: date | None
    spot: str


@require_safe
def jump(request: HttpRequest) -> HttpResponse:
    """`EOU-01 22:05`, `EOU-01 22:05:45 spot 3`, `aurora/EOU-01 2026-11-27 22:05`."""
    places = asked.where(request, "see-hand")
    typed = request.GET.get("to", "")[:200]
    wanted = read(typed)
    if wanted is None:
        return render(request, "surveillance/jump.html", {"typed": typed, "says": "" if not typed else "That names no table and time."})
    for property in places:
        found = _find(property, wanted)
        if found is not None:
            spot = f"?{urlencode({'spot': wanted.spot})}#spot-{wanted.spot}" if wanted.spot else ""
            return HttpResponseRedirect(asked.address(*found) + spot)
    says = f"No hand of {wanted.table} was open by {wanted.at:%H:%M:%S}{f' on {wanted.day}' if wanted.day else ''}."
    return render(request, "surveillance/jump.html", {"typed": typed, "says": says}, status=404)


def read(typed: str) -> Asked | None:
    """Table, time, and optionally a day and a spot, in any order after the table."""
    table, at, day, spot = "", None, None, ""
    for word in typed.replace(",", " ").split():
        if ":" in word and (found := _time(word)) is not None:
            at = found
        elif (named := asked.day_of(word)) is not None:
            day = named
        elif not table:
            table = word
        elif word.isdigit() or word.startswith("p-"):
            spot = word
        elif word.lower() != "spot":
            return None
    return Asked(table, at, day, spot) if table and at is not None and "\0" not in typed else None


def _time(word: str) -> time | None:
    try:
        return time.fromisoformat(word.zfill(5) if word.count(":") == 1 else word.zfill(8))
    except ValueError:
        return None


def _find(property: str, wanted: Asked) -> tuple[str, str] | None:
    table = wanted.table if wanted.table.startswith(f"{property}/") else f"{property}/{wanted.table}"
    zone = asked.zone(property)
    last = hands.last_day(property, table)
    day = wanted.day or min(last or gaming_day(property), gaming_day(property))
    for near in (day, day + timedelta(days=1)):  # after midnight it is still the gaming day before
        found = hands.at(property, f"{table}/{day.isoformat()}", datetime.combine(near, wanted.at, zone))
        if found:
            return f"{table}/{day.isoformat()}", found
    return None
