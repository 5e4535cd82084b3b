"""The queue page: hands with findings, sorted by grade and money. It polls for changes."""

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
from audit.review.queue import Hand, worst_sentences
from casino.presentation.formatting import code_label, finding_sentence
from casino.web import request_params
from games.kit.codes import GRADE

OFFERED = 60
"""Seconds for which the list of tables in the filter is cached."""


class Row(NamedTuple):
    """A hand in the list."""

    hand: Hand
    address: str
    grade: str
    says: str
    """The sentence of the worst finding, or empty text if that finding is not in the list of findings any
    more.
    """
    zone: tzinfo
    name: str
    place: str
    """A sort key. The browser uses it to insert a new row at the right place in the queue."""
    fits: bool = True

    @property
    def is_of_another_date(self) -> bool:
        """Return True if the calendar date differs from the gaming day, for example after midnight."""
        return self.hand.at.astimezone(self.zone).date() != self.hand.day

    @property
    def label(self) -> str:
        """Return the label of the worst finding's code."""
        return code_label(self.hand.codes[0]) if self.hand.codes else ""

    @property
    def more(self) -> int:
        """Return the number of findings that the row does not show."""
        return max(0, self.hand.findings - 1)


def rows_of(hands: list[Hand]) -> list[Row]:
    """Return a row for each hand, with its URL and its local time."""
    zones = request_params.zones({hand.property for hand in hands})
    sentences = worst_sentences(hands)
    return [
        _row(hand, zones[hand.property], says if hand.codes[:1] == [FLAGGED] else finding_sentence(says))
        for hand, says in zip(hands, sentences, strict=True)
    ]


def _row(hand: Hand, zone: tzinfo, says: str) -> Row:
    order = f"{hand.rank}|{10**24 + hand.less * 10**6:025.0f}|{hand.stream}|{hand.hand}"
    name = f"fact {hand.number}" if hand.hand[:1] == "#" else f"hand {hand.hand}"
    return Row(
        hand, request_params.hand_url(hand.stream, hand.hand), GRADES[hand.rank - 1], says, zone, name, order
    )


def listed(request: HttpRequest) -> dict[str, Any]:
    """Return the context of the list next to a hand: a page of the queue, its filters, and the point from
    which to poll.
    """
    wanted = request_params.queue_filters(request)
    since = hands.now()  # before the page is read, so that a change in between is shown twice and not missed
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
        "scope": _scope(wanted),
        "grade": GRADES[wanted.rank - 1] if wanted.rank else "",
        "notices": hands.counted(wanted._replace(rank=hands.NOTICE_RANK)) if not wanted.rank else 0,
        "grades": GRADES,
        "codes": sorted((*GRADE, FLAGGED)),
        "states": request_params.STATE_NAMES,
        "tables": _tables(wanted.properties),
    }


def _scope(wanted: hands.Wanted) -> str:
    """Return a text that says what the number above the list counts."""
    if wanted.rank or wanted.code or wanted.table or wanted.day:
        return "hands with these filters"
    named = wanted.properties[0] if len(wanted.properties) == 1 else "all your properties"
    return f"hands at {named}"


@require_safe
def queue(request: HttpRequest) -> HttpResponse:
    """Show the queue, with an empty area for a hand next to it."""
    return render(request, "surveillance/queue.html", listed(request))


@require_safe
def more(request: HttpRequest) -> HttpResponse:
    """Return the rows that follow the last one shown."""
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
    """Return the rows that have changed since the last poll, to replace those on the page. Also return the
    value of `since` for the next poll.
    """
    wanted, since = request_params.queue_filters(request), request.GET.get("since", "")
    if whole(since, 19) is None:
        raise BadRequest("The address names no time since which to poll. Reload the queue.")
    changes = hands.news(wanted, since)
    rows = rows_of([hand for hand, _ in changes.rows])
    shown = [row._replace(fits=fits) for row, (_, fits) in zip(rows, changes.rows, strict=True)]
    count = hands.counted(wanted) if shown else None
    return render(
        request,
        "surveillance/_news.html",
        {
            "rows": shown,
            "since": changes.since,
            "too_many": changes.too_many,
            "count": count,
            "counted": hands.COUNTED,
        },
    )


def _tables(properties: tuple[str, ...]) -> SafeString:
    """Return an option of the filter for every table.

    The list is cached. A new table may therefore be offered only a minute later, but users can type it at
    once.
    """
    key = f"tables of {' '.join(properties)}".encode().hex()[:200]
    cached: SafeString | None = cache.get(key)
    if cached is None:
        cached = format_html_join("", '<option value="{}">', ((name,) for name in hands.tables(properties)))
        cache.set(key, cached, OFFERED)
    return cached


def _after(row: Hand) -> str:
    return f"{row.rank}|{row.less}|{row.stream}|{row.hand}"


def _place(text: str) -> tuple[int, Decimal, str, str] | None:
    parts = text.split("|", 3)
    try:
        rank, less, stream, hand = parts
        amount = Decimal(less)
        return (
            (int(rank), amount, stream, hand)
            if amount.is_finite() and abs(amount) < 10**30 and 0 < int(rank) < 10
            else None
        )
    except (ValueError, InvalidOperation):
        return None
