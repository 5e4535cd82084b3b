"""Quick search: open a hand by its table and a time of day, or by its name, even if it has no finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta
from typing import NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from audit.facts import clock
from audit.review import hands
from audit.review.hands import Dealt
from audit.review.table_days import last_days
from casino.presentation.formatting import day_label, distance
from casino.reference.calendar import gaming_day
from casino.surveillance.identifiers import slips_of
from casino.surveillance.quick_search_text import DaySearch, Search, read, read_day, unreadable
from casino.web import request_params

STILL = timedelta(minutes=10)
"""If the end of a hand was not reported, the hand counts as open until this long after its last fact.
Without a typed date, a gaming day counts if one of its hands is at most this far from the typed time.
"""
DAYS_BACK = 14
"""Maximum number of a table's gaming days that are searched if no date was typed."""


@require_safe
def jump(request: HttpRequest) -> HttpResponse:
    """Search for a hand by a text such as `EOU-01 22:05`, `EOU-01 22:05:45 spot 3` or `EOU-01 r-0009`, and
    redirect to it. Other examples: `aurora/EOU-01 27 Nov 22:05`, `EOU-01 22:05 p-90210`.

    If no hand was open at that time, the page offers the nearest hands. If a clock change repeats that time,
    it offers the hands at both instants, except if the user typed the offset: `EOU-01 01:30-07:00`. A typed
    date may mean the calendar date or the gaming day, which differ after midnight. If a hand was open on each
    of these two days, the page offers both. Without a date, the latest gaming day that has a hand near that
    time is meant. A date without a time or a hand leads to all hands of that day, and
    the serial of a slip to its first fact.
    """
    places = request_params.permitted_properties(request, "see-hand")
    typed = request.GET.get("to", "")[:200]
    wanted = read(typed)
    if wanted is None:
        if (of := read_day(typed)) is not None and (days := day_searches(places, of)):
            return HttpResponseRedirect(days[0][1])
        for slip in (slip for property in places for slip in slips_of(property, typed.strip())):
            return HttpResponseRedirect(request_params.hand_url(slip.stream, f"#{slip.number}"))
        says = "" if not typed else unreadable(typed)
        return render(request, "surveillance/jump.html", {"typed": typed, "says": says})
    near = []
    is_repeated = two_days = False
    for property, table in ((place, table) for place in places for table in _tables(place, wanted.table)):
        leads = _results(property, table, wanted)
        instants = {
            (lead.stream, lead.hand, lead.spot, bool(lead.away)) for lead in leads if lead.of is not None
        }
        is_ambiguous = len(instants) > 1
        for lead in leads:
            if lead.meant and not (is_ambiguous and lead.of is not None):
                return HttpResponseRedirect(lead.address)
            zone, day = request_params.zone(property), lead.stream[-10:]
            near.append((lead.dealt, lead.address, zone, lead.away, lead.of, day, lead.spot))
        is_repeated = is_repeated or is_ambiguous
        two_days = two_days or len({lead.stream for lead in leads if lead.is_open}) > 1
    near.sort(
        key=lambda candidate: (candidate[4].timestamp() if candidate[4] is not None else 0, candidate[3])
    )
    context = {
        "typed": typed,
        "says": _which_instant(wanted)
        if is_repeated
        else _two_days(wanted)
        if two_days
        else _missing(wanted),
        "near": near,
        "twice": is_repeated,
    }
    return render(request, "surveillance/jump.html", context, status=200 if near else 404)


def day_searches(places: Iterable[str], of: DaySearch) -> list[tuple[str, str, str]]:
    """Return (property, URL of the search for hands, table) for each property that has the typed table. If no
    table was typed, return all properties, with an empty table.
    """
    searches = []
    for property in places:
        for table in _tables(property, of.table) if of.table else [""]:
            name = table.removeprefix(f"{property}/")
            filters = {"property": property, "day_from": of.day.isoformat(), "day_last": of.day.isoformat()}
            filters |= {"table": name} if name else {}
            searches.append((property, f"{reverse('hands')}?{urlencode(filters)}", name))
    return searches


def _tables(property: str, typed: str) -> list[str]:
    """Return the tables of the property that match a typed table, with or without the property's name."""
    name = typed[len(property) + 1 :] if typed.lower().startswith(f"{property}/".lower()) else typed
    return hands.tables_called(property, f"{property}/{name}")


class Lead(NamedTuple):
    """A search result. If `meant` is True, this hand is certainly the one that the user means, and its page
    is opened. If it is False, the hand is offered with others. `away` is the distance of the hand from the
    typed time, or 0 if the hand was open then.
    """

    stream: str
    hand: str
    spot: str
    meant: bool
    dealt: Dealt | None = None
    away: timedelta = timedelta()
    of: datetime | None = None
    """The instant to which this hand is nearest. It is set only if the typed time means two instants, because
    of a clock change.
    """

    @property
    def is_open(self) -> bool:
        """Return True if the search named a time at which the hand was open."""
        return self.dealt is not None and not self.away

    @property
    def address(self) -> str:
        """Return the URL of the hand's page, at the spot if one was typed."""
        return request_params.hand_url(self.stream, self.hand) + (
            f"?{urlencode({'spot': self.spot})}#spot-{self.spot}" if self.spot else ""
        )


def _results(property: str, table: str, wanted: Search) -> list[Lead]:
    """Return the search results for hands of one table."""
    if wanted.hand or wanted.at is None:
        stream = hands.stream_of(property, table, wanted.hand, wanted.day)
        stream = stream or _of_calendar_date(property, table, wanted)
        return [Lead(stream, wanted.hand, wanted.spot, meant=True)] if stream else []
    if wanted.player and (bets := _of_player(property, table, wanted)):
        return bets
    spot = "" if wanted.player else wanted.spot
    nearest = _near(property, table, wanted.at, wanted)
    is_clear = not wanted.player and len({near.stream for near in nearest if not near.away}) == 1
    return [
        Lead(
            near.stream,
            near.dealt.name,
            spot,
            is_clear and not near.away,
            near.dealt,
            near.away,
            near.of,
        )
        for near in nearest
    ]


def _of_calendar_date(property: str, table: str, wanted: Search) -> str | None:
    """Search for the named hand in the gaming day before the typed date. If the hand began after midnight,
    and therefore on the typed date, return the stream of that gaming day. Otherwise, return None.
    """
    if wanted.day is None:
        return None
    stream = hands.stream_of(property, table, wanted.hand, wanted.day - timedelta(days=1))
    played = hands.played(property, stream, wanted.hand) if stream else None
    if played is None:
        return None
    began = played.facts[0].fact.at.astimezone(request_params.zone(property))
    return stream if began.date() == wanted.day else None


def _missing(wanted: Search) -> str:
    """Return a sentence that says what was not found."""
    on = f" on {day_label(wanted.day)}" if wanted.day else ""
    if wanted.hand or wanted.at is None:
        return f"{wanted.table} has no hand {wanted.hand}{on}."
    if wanted.player:
        span = distance(STILL)
        return f"{wanted.spot} has no bet at {wanted.table} within {span} of {wanted.at:%H:%M:%S}{on}."
    return f"No hand of {wanted.table} was open at {wanted.at:%H:%M:%S}{on}."


def _two_days(wanted: Search) -> str:
    """Return a sentence that asks whether the calendar date or the gaming day is meant."""
    assert wanted.at is not None
    assert wanted.day is not None
    day = day_label(wanted.day)
    return (
        f"A hand was open at {wanted.at:%H:%M:%S} on the calendar date {day}, and another on the gaming day"
        f" {day}. Choose one of the two hands."
    )


def _which_instant(wanted: Search) -> str:
    """Return a sentence that asks which of two instants is meant."""
    assert wanted.at is not None
    return (
        f"The clock was put back and showed {wanted.at:%H:%M:%S} twice. Choose the first or the second, or"
        " type the offset with the time."
    )


class Moment(NamedTuple):
    """An instant that the user may have meant by the typed time."""

    begins: datetime
    twice: bool
    """True if the clock shows the same time at another instant too."""


class Near(NamedTuple):
    """A hand near an instant, and its distance from that instant. `of` is the instant, or None if the typed
    time means only one instant.
    """

    stream: str
    dealt: Dealt
    away: timedelta
    of: datetime | None


def _days(property: str, table: str, wanted: Search) -> list[date]:
    """Return the typed day. If no date was typed, return the latest gaming days of the table, the latest
    first, or today if it has none.
    """
    if wanted.day is not None:
        return [wanted.day]
    today = gaming_day(property)
    return last_days(property, table, today, DAYS_BACK) or [today]


def _moments(property: str, table: str, at: time, wanted: Search, day: date) -> Iterator[tuple[str, Moment]]:
    """Yield (stream, instant) for each instant of a day that the typed time may mean. There may be several:
    after midnight it may still be the previous gaming day, a clock change may repeat an hour, and a typed
    date may be the gaming day or the calendar date.
    """
    zone = request_params.zone(property)
    readings = [(day, day), (day, day + timedelta(days=1))]
    if wanted.day is not None:
        readings.append((day - timedelta(days=1), day))
    for gaming, on in readings:
        local = datetime.combine(on, at)
        instants = [local] if at.tzinfo is not None else clock.instants(local, zone)
        for begins in instants:
            yield f"{table}/{gaming.isoformat()}", Moment(begins, len(instants) > 1)


def _near(property: str, table: str, at: time, wanted: Search) -> list[Near]:
    """Return the hands of a table that are nearest to a time. If no date was typed, they are those of the
    latest gaming day that has a hand near that time. If no day has one, they are those of the latest day.
    """
    latest = list[Near]()
    for day in _days(property, table, wanted):
        near = _near_on(property, table, at, wanted, day)
        if any(candidate.away <= STILL for candidate in near):
            return near
        latest = latest or near
    return latest


def _near_on(property: str, table: str, at: time, wanted: Search, day: date) -> list[Near]:
    """Return the hands of a table that are nearest to a time on a day, the nearest first. If a clock change
    repeats that time, return the nearest hand for each instant.
    """
    nearest = dict[tuple[str, str, datetime | None], Near]()
    for stream, (begins, is_repeated) in _moments(property, table, at, wanted, day):
        of = begins if is_repeated else None
        for dealt in hands.near(property, stream, begins):
            if dealt is not None:
                distance = _away(dealt, begins, begins + wanted.span)
                key = stream, dealt.name, of
                if key not in nearest or distance < nearest[key].away:
                    nearest[key] = Near(stream, dealt, distance, of)
    near = sorted(nearest.values(), key=lambda candidate: candidate.away)
    if not near or near[0].of is None:
        return [candidate for candidate in near if candidate.of is None][:2]
    return [
        next(candidate for candidate in near if candidate.of == of)
        for of in sorted({candidate.of for candidate in near if candidate.of is not None})
    ]


def _of_player(property: str, table: str, wanted: Search) -> list[Lead]:
    """Return a player's hand near the typed time. If no date was typed, return that of the latest gaming day
    that has one.
    """
    days = _days(property, table, wanted)
    return next((bets for day in days if (bets := _of_player_on(property, table, wanted, day))), [])


def _of_player_on(property: str, table: str, wanted: Search, day: date) -> list[Lead]:
    """Return a player's hand that is nearest to the typed time on a day, with the player's spot. Only hands
    in which the player has a bet are searched. If a clock change repeats that time, return the nearest hand
    for each instant.
    """
    assert wanted.at is not None
    bets = [
        (_away(dealt, begins, begins + wanted.span), dealt.opened, begins, is_repeated, stream, dealt, spot)
        for stream, (begins, is_repeated) in _moments(property, table, wanted.at, wanted, day)
        for dealt, spot in hands.betting(property, stream, wanted.spot, begins, STILL)
    ]
    bets.sort()
    if not bets or not bets[0][3]:
        return [Lead(stream, dealt.name, spot, meant=True) for *_, stream, dealt, spot in bets[:1]]
    first = {
        begins: (stream, dealt.name, spot, True, dealt, distance)
        for distance, _, begins, is_repeated, stream, dealt, spot in reversed(bets)
        if is_repeated
    }
    return [Lead(*lead, begins) for begins, lead in sorted(first.items())]


def _away(dealt: Dealt, begins: datetime, ends: datetime) -> timedelta:
    """Return the time between a hand and the period from `begins` to `ends`, or 0 if the hand was open in
    that period.
    """
    if dealt.opened >= ends:
        return dealt.opened - begins
    distance = max(timedelta(), begins - dealt.ended)
    return timedelta() if not dealt.closed and distance < STILL else distance
