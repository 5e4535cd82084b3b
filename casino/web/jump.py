"""From a table and a time of day to the hand that was dealt then, also one that nobody flagged."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_safe

from audit import hands
from audit.hands import Dealt
from casino.registers import gaming_day
from casino.web import asked

STILL = timedelta(minutes=10)
"""A hand whose end was not reported is taken to be open so long after its last fact."""


class Asked(NamedTuple):
    """What was typed: table, time of day, and the day and spot where they were typed."""

    table: str
    at: time
    day: date | None
    spot: str
    span: timedelta
    """Of a time without seconds the whole minute is meant."""


@require_safe
def jump(request: HttpRequest) -> HttpResponse:
    """`EOU-01 22:05`, `EOU-01 22:05:45 spot 3`, `aurora/EOU-01 2026-11-27 22:05`. Where no hand was open then, the nearest are offered."""
    places = asked.where(request, "see-hand")
    typed = request.GET.get("to", "")[:200]
    wanted = read(typed)
    if wanted is None:
        return render(request, "surveillance/jump.html", {"typed": typed, "says": "" if not typed else "That names no table and time."})
    spot = f"?{urlencode({'spot': wanted.spot})}#spot-{wanted.spot}" if wanted.spot else ""
    near = []
    for property in places:
        for stream, dealt, away in _near(property, wanted):
            if not away:
                return HttpResponseRedirect(asked.address(stream, dealt.name) + spot)
            near.append((dealt, asked.address(stream, dealt.name) + spot, asked.zone(property), away))
    says = f"No hand of {wanted.table} was open at {wanted.at:%H:%M:%S}{f' on {wanted.day}' if wanted.day else ''}."
    near.sort(key=lambda one: one[3])
    return render(request, "surveillance/jump.html", {"typed": typed, "says": says, "near": near}, status=200 if near else 404)


def read(typed: str) -> Asked | None:
    """Table, time, and optionally a day and a spot, in any order after the table."""
    table, at, day, spot, span = "", None, None, "", timedelta()
    for word in typed.replace(",", " ").split():
        if ":" in word and (found := _time(word)) is not None:
            at, span = found, timedelta(minutes=1) if word.count(":") == 1 else timedelta(seconds=1)
        elif (named := asked.day_of(word)) is not None:
            day = named
        elif not table:
            table = word
        elif word.isdigit() or word.startswith("p-"):
            spot = word
        elif word.lower() != "spot":
            return None
    return Asked(table, at, day, spot, span) if table and at is not None and "\0" not in typed else None


def _time(word: str) -> time | None:
    try:
        return time.fromisoformat(word.zfill(5) if word.count(":") == 1 else word.zfill(8))
    except ValueError:
        return None


def _near(property: str, wanted: Asked) -> list[tuple[str, Dealt, timedelta]]:
    """The hands of a table nearest to what was asked for, the nearest first: stream, hand, and how far away it is (0 = open then)."""
    table = wanted.table if wanted.table.startswith(f"{property}/") else f"{property}/{wanted.table}"
    zone = asked.zone(property)
    last = hands.last_day(property, table)
    day = wanted.day or min(last or gaming_day(property), gaming_day(property))
    stream, found = f"{table}/{day.isoformat()}", dict[str, tuple[str, Dealt, timedelta]]()
    for on in (day, day + timedelta(days=1)):  # after midnight it is still the gaming day before
        begins = datetime.combine(on, wanted.at, zone)
        for dealt in hands.near(property, stream, begins):
            if dealt is not None:
                away = _away(dealt, begins, begins + wanted.span)
                if dealt.name not in found or away < found[dealt.name][2]:
                    found[dealt.name] = stream, dealt, away
    return sorted(found.values(), key=lambda one: one[2])[:2]


def _away(dealt: Dealt, begins: datetime, ends: datetime) -> timedelta:
    """How long before or after the time that was asked for a hand was open."""
    if dealt.opened >= ends:
        return dealt.opened - begins
    away = max(timedelta(), begins - dealt.ended)
    return timedelta() if not dealt.closed and away < STILL else away
