"""The queue: hands with findings by grade and money; it polls for what has changed."""

from __future__ import annotations

from datetime import tzinfo
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from django.core.cache import cache
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from audit.facts.input_parsing import whole
from audit.review import queue as hands
from audit.review.projections import FLAGGED, GRADES
from audit.review.queue import Hand
from casino.web import request_params
from games.kit.codes import GRADE

OFFERED = 60
"""Seconds for which the list of tables is cached."""


class Row(NamedTuple):
    """A hand as the list shows it."""

    hand: Hand
    address: str
    grade: str
    codes: list[str]
    zone: tzinfo
    name: str
    place: str
    """Its place in the queue, as text that sorts as the queue does."""
    fits: bool = True

    @property
    def more(self) -> int:
        """Return the number of codes for which the row has no room."""
        return max(0, len(self.codes) - 2)


def rows_of(hands: list[Hand]) -> list[Row]:
    """Return rows with their addresses and clocks."""
    zones = request_params.zones({each.property for each in hands})
    return [_row(each, zones[each.property]) for each in hands]


def _row(each: Hand, zone: tzinfo) -> Row:
    codes = list(dict.fromkeys(each.codes))
    order = f"{each.rank}|{10**24 + each.less * 10**6:025.0f}|{each.stream}|{each.hand}"
    name = f"fact {each.number}" if each.hand[:1] == "#" else f"hand {each.hand}"
    return Row(
        each, request_params.hand_url(each.stream, each.hand), GRADES[each.rank - 1], codes, zone, name, order
    )


def listed(request: HttpRequest) -> dict[str, Any]:
    """Return what the list next to every hand shows: a page of the queue, its filters, and since when to
    poll.
    """
    wanted = request_params.queue_filters(request)
    since = hands.now()  # before the page is read: what comes in between is shown twice and not never
    page = hands.page(wanted)
    query = request_params.filters_query(wanted)
    return {
        "rows": rows_of(page.rows),
        "more": _after(page.rows[-1]) if page.more else "",
        "since": since,
        "wanted": wanted,
        "query": query,
        "count": hands.counted(wanted),
        "counted": hands.COUNTED,
        "grade": GRADES[wanted.rank - 1] if wanted.rank else "",
        "notices": hands.counted(wanted._replace(rank=hands.NOTICE_RANK)) if not wanted.rank else 0,
        "grades": GRADES,
        "codes": sorted((*GRADE, FLAGGED)),
        "states": request_params.STATE_NAMES,
        "tables": _tables(wanted.properties),
    }


@require_safe
def queue(request: HttpRequest) -> HttpResponse:
    """Show the list, and room for a hand next to it."""
    return render(request, "surveillance/queue.html", listed(request))


@require_safe
def more(request: HttpRequest) -> HttpResponse:
    """Return the rows after the last one shown."""
    wanted, after = request_params.queue_filters(request), _place(request.GET.get("after", ""))
    if after is None:
        raise BadRequest("The address names no row from which to continue. Reload the queue.")
    page = hands.page(wanted, after)
    shown = {
        "rows": rows_of(page.rows),
        "more": _after(page.rows[-1]) if page.more else "",
        "query": request_params.filters_query(wanted),
    }
    return render(request, "surveillance/_rows.html", shown)


@require_safe
def news(request: HttpRequest) -> HttpResponse:
    """Return rows that have changed, for the page to replace; `since` is where the next poll begins."""
    wanted, since = request_params.queue_filters(request), request.GET.get("since", "")
    if whole(since, 19) is None:
        raise BadRequest("The address names no time since which to poll. Reload the queue.")
    found = hands.news(wanted, since)
    rows = rows_of([each for each, _ in found.rows])
    shown = [row._replace(fits=fits) for row, (_, fits) in zip(rows, found.rows, strict=True)]
    count = hands.counted(wanted) if shown else None
    return render(
        request,
        "surveillance/_news.html",
        {
            "rows": shown,
            "since": found.since,
            "too_many": found.too_many,
            "count": count,
            "counted": hands.COUNTED,
        },
    )


def _tables(properties: tuple[str, ...]) -> SafeString:
    """Return every table as an option of the filter.

    A new table can be typed at once, and is offered a minute later.
    """
    key = f"tables of {' '.join(properties)}".encode().hex()[:200]
    made: SafeString | None = cache.get(key)
    if made is None:
        made = format_html_join("", '<option value="{}">', ((name,) for name in hands.tables(properties)))
        cache.set(key, made, OFFERED)
    return made


def _after(row: Hand) -> str:
    return f"{row.rank}|{row.less}|{row.stream}|{row.hand}"


def _place(text: str) -> tuple[int, Decimal, str, str] | None:
    parts = text.split("|", 3)
    try:
        rank, less, stream, hand = parts
        amount = Decimal(less)
        return (
            (int(rank), amount, stream, hand)
            if amount.is_finite() and abs(amount) < 10**30 and 0 < int(rank) < 10 and "\0" not in text
            else None
        )
    except (ValueError, InvalidOperation):
        return None
