"""Read request parameters: the property, dates and the filters of the queue. Detect partial
requests by htmx.
"""

from __future__ import annotations

from base64 import b64decode, urlsafe_b64encode
from collections.abc import Iterator
from datetime import date, timedelta, tzinfo
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, QueryDict
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from audit.facts import accepted_form
from audit.facts.input_parsing import day_of as day_of
from audit.facts.input_parsing import whole
from audit.review.projections import GRADES
from audit.review.queue import ORDERS, SNOOZED, STATES, Wanted
from audit.review.queue_money import MONEY
from casino.accounts.permissions import properties, require
from casino.presentation.formatting import day_label
from casino.reference import calendar

STATE_NAMES = {
    "todo": "to do",
    "open": "open",
    "second": "needs a second reviewer",
    "escalated": "escalated",
    "snoozed": "snoozed",
    "decided": "decided",
    "all": "all",
}
SORT_NAMES = {
    "grade": "Gravest",
    "money": "Most money",
    "time": "Latest",
    "oldest": "Oldest",
    "table": "By table",
}
MONEY_NAMES = {
    "any": "with an amount",
    "to-players": "to players",
    "to-the-casino": "to the casino",
    "chips-missing": "chips missing",
    "chips-surplus": "chips surplus",
}
MINE, NOBODY = "me", "nobody"
"""Values of the filter `owner` in addition to staff IDs."""

require_GET_or_POST = require_http_methods(["GET", "HEAD", "POST"])  # noqa: N816 - named like Django's require_GET
"""A decorator for pages with a form. It allows only the HTTP methods GET, HEAD and POST."""


def permitted_properties(request: HttpRequest, act: str) -> list[str]:
    """Return the properties at which the user has the right `act`. Raise PermissionDenied if the user has it
    at no property.
    """
    places = properties(request.user, act)
    if not places:
        raise PermissionDenied(act)
    return places


def chosen_property(request: HttpRequest, act: str) -> str:
    """Return the property that the form or the URL names. By default, return the first property at which the
    user has the right `act`.

    Raise PermissionDenied if the user does not have this right at the property.
    """
    places = permitted_properties(request, act)
    code = request.POST.get("property") or request.GET.get("property")
    property = clean_text(code) or places[0]
    require(request.user, act, property)
    return property


def day_range(sent: QueryDict, newest: date, count: int) -> tuple[date, date]:
    """Return the first and the last requested day, in order, as the form shows them. `day_errors` refuses
    days that are not in order.

    If one day is missing, the range has `count` days. If both are missing, the range has `count` days and
    ends at `newest`.
    """
    begins, last = (day_of(sent.get(name, "")) for name in ("from", "to"))
    last = last or (begins + timedelta(days=count - 1) if begins else newest)
    begins = begins or last - timedelta(days=count - 1)
    return min(begins, last), max(begins, last)


def day_errors(sent: QueryDict) -> Iterator[str]:
    """Yield an error message for each requested day that is invalid, and one if the first day is after the
    last.
    """
    for name, label in (("from", "First day"), ("to", "Last day")):
        typed = clean_text(sent.get(name))
        if typed and day_of(typed) is None:
            yield f"{label}: “{typed[:40]}” is not a valid date (use 2026-11-27)."
    begins, last = (day_of(sent.get(name, "")) for name in ("from", "to"))
    if begins and last and begins > last:
        yield (
            f"First day: {day_label(begins)} is after the last day, {day_label(last)}. The form now has them"
            " in order: choose Show."
        )


def queue_filters(request: HttpRequest, act: str = "see-queue") -> Wanted:
    """Return the filters of the queue. Invalid filters are ignored. Raise PermissionDenied if the user lacks
    the right `act` at the property that the filter names.
    """
    params, places = request.GET, permitted_properties(request, act)
    if property := clean_text(params.get("property")):
        require(request.user, act, property)
        places = [property]
    table = clean_text(params.get("table"))
    grade, state = params.get("grade", ""), params.get("state", "todo")
    owner, sort = clean_text(params.get("owner")), params.get("sort", "grade")
    money = params.get("money", "")
    return Wanted(
        tuple(places),
        rank=GRADES.index(grade) + 1 if grade in GRADES else 0,
        code=clean_text(params.get("code")),
        table=f"{places[0]}/{table}" if table and "/" not in table and len(places) == 1 else table,
        day=day_of(params.get("day", "")),
        state=state if state in STATES or state in ("all", SNOOZED) else "todo",
        owner={"": None, MINE: request.user.pk, NOBODY: ""}.get(owner, owner),
        sort=sort if sort in ORDERS else "grade",
        property=property,
        currency=clean_text(params.get("currency")),
        money=money if money in MONEY else "",
    )


def query_of(**parameters: str) -> str:
    """Return the query string of these parameters without those that are empty."""
    return urlencode({name: value for name, value in parameters.items() if value})


def filters_query(wanted: Wanted) -> str:
    """Return the filters as a query string; empty if all have their defaults."""
    grade = GRADES[wanted.rank - 1] if wanted.rank else ""
    parts = {
        "grade": grade,
        "code": wanted.code,
        "table": wanted.table,
        "day": wanted.day.isoformat() if wanted.day else "",
    }
    parts["state"] = "" if wanted.state == "todo" else wanted.state
    parts["owner"] = "" if wanted.owner is None else wanted.owner or NOBODY
    parts["sort"] = "" if wanted.sort == "grade" else wanted.sort
    parts |= {"property": wanted.property, "currency": wanted.currency, "money": wanted.money}
    return urlencode({name: value for name, value in parts.items() if value})


def clean_text(text: str | None) -> str:
    """Return an identifier that the user has entered, in the form in which facts record it. If it is too
    long, cut it.
    """
    return accepted_form(text or "")[:200]


def zone(property: str) -> tzinfo:
    """Return the property's time zone; UTC if the register has none."""
    return calendar.zone(property)


def zones(names: Any) -> dict[str, tzinfo]:
    """Return {property: time zone} for these properties."""
    return {name: zone(name) for name in names}


def hand_url(stream: str, hand: str) -> str:
    """Return the URL of a hand, or of a fact that does not belong to a hand."""
    property, table, day = stream.split("/", 2)
    number = whole(hand[1:]) if hand[:1] == "#" else None
    if number is not None:
        return reverse("fact", args=[property, table, day, number])
    return reverse("hand", args=[property, table, day, encode_hand(hand)])


def replay_url(stream: str, hand: str) -> str:
    """Return the URL of a hand's replay. The parameter `step` chooses a step of the replay."""
    property, table, day = stream.split("/", 2)
    return reverse("replay", args=[property, table, day, encode_hand(hand)])


WRITTEN = "~"
"""First character of an encoded name of a hand in a URL."""


def encode_hand(hand: str) -> str:
    """Encode the name of a hand for a URL or a form. An empty name, a name with a line break, and a name such
    as `..` are encoded in base64.
    """
    if hand[:1] != WRITTEN and "\n" not in hand and not {"", ".", ".."} & {*hand.split("/")}:
        return hand
    return WRITTEN + urlsafe_b64encode(hand.encode()).decode()


def decode_hand(segment: str) -> str:
    """Return the name of a hand from its encoded form. Raise Http404 if that is invalid, or if the name has a
    NUL, which no stored name can contain.
    """
    if segment[:1] != WRITTEN:
        return segment
    try:
        name = b64decode(segment[1:].encode(), b"-_", validate=True).decode()
    except ValueError:
        raise Http404("there is no hand with this name") from None
    if "\0" in name:
        raise Http404("there is no hand with this name")
    return name


def is_partial_request(request: Any) -> bool:
    """Return True if htmx requests only a part of the page. If htmx restores a page from the history, it
    needs the whole page, so the result is False.
    """
    return bool(request.htmx) and not request.htmx.history_restore_request
