"""The queue page: hands with findings in the order that the officer chose. The page asks twice a second what
has changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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
from casino.accounts.permissions import can, require
from casino.surveillance import presence
from casino.surveillance.assignments import STEPS, officers
from casino.surveillance.queue_rows import Row, cursor_of, read_chosen, read_cursor, rows_of
from casino.video.policy import allow_recordings
from casino.web import request_params, streams
from casino.web.form_view import current_user
from games.kit.codes import GRADE

EVENTS = ("verdict-given", "verdicts-given", "verdict-undone", "queue-changed")
"""Events after which the page polls at once."""
POLLING, STREAMING = "every 500ms", "live from:body, every 3s"
"""When the page requests changes: without a stream, and with a stream, which triggers `live`. With a stream
the page also polls, because the stream does not report the end of a snooze, or who has a hand open.
"""
OFFERED = 60
"""Seconds for which the list of tables in the filter is cached."""


def listed(request: HttpRequest) -> dict[str, Any]:
    """Return the template context of the list next to a hand: a page of the queue, its filters, and the
    moment since which the page asks for changes.
    """
    wanted, live = request_params.queue_filters(request), streams.is_available(request)
    since = hands.now()  # before the page is read, so that a change in between is shown twice and not missed
    page = hands.page(wanted)
    query = request_params.filters_query(wanted)
    count, notices, snoozed = hands.counts(
        (wanted, wanted._replace(rank=hands.NOTICE_RANK), wanted._replace(state=hands.SNOOZED))
    )
    judging = [place for place in wanted.properties if can(request.user, "give-verdict", place)]
    return {
        "rows": _rows(page.rows, wanted),
        "more": cursor_of(page.rows[-1], wanted.sort) if page.more else "",
        "since": since,
        "wanted": wanted,
        "query": query,
        "count": count,
        "counted": hands.COUNTED,
        "scope": _scope(wanted),
        "grade": GRADES[wanted.rank - 1] if wanted.rank else "",
        "notices": 0 if wanted.rank else notices,
        "grades": GRADES,
        "codes": sorted((*GRADE, FLAGGED)),
        "states": request_params.STATE_NAMES,
        "sorts": request_params.SORT_NAMES,
        "ways": request_params.MONEY_NAMES,
        "places": request_params.permitted_properties(request, "see-queue"),
        "money_totals": hands.money_totals(wanted) if wanted.money or wanted.currency else [],
        "owner": request_params.NOBODY if wanted.owner == "" else wanted.owner,
        "snoozed": snoozed if wanted.state == "todo" else 0,
        "tables": _tables(wanted.properties),
        "officers": officers(judging),
        "may_judge_here": bool(judging),
        "steps": STEPS,
        "news_trigger": ", ".join(
            (STREAMING if live else POLLING, *(f"{event} from:body" for event in EVENTS))
        ),
        "live": live,
    }


def _rows(listed_hands: Sequence[hands.Hand], wanted: hands.Wanted) -> list[Row]:
    return rows_of(listed_hands, wanted.sort, names_property=len(wanted.properties) > 1)


def _scope(wanted: hands.Wanted) -> str:
    """Return the words after the number above the list. They say which hands are counted."""
    filters = wanted._replace(properties=(), property="", sort="grade", state="todo")
    if filters != hands.Wanted(()):
        return "hands with these filters"
    named = wanted.properties[0] if len(wanted.properties) == 1 else "all your properties"
    return f"hands at {named}, all gaming days"


@require_safe
def queue(request: HttpRequest) -> HttpResponse:
    """Show the queue, with an empty area for a hand next to it."""
    return allow_recordings(render(request, "surveillance/queue.html", listed(request)), request.user)


@require_safe
def more(request: HttpRequest) -> HttpResponse:
    """Return the rows that follow the last one shown."""
    wanted = request_params.queue_filters(request)
    page = hands.page(wanted, read_cursor(request.GET.get("after", ""), wanted.sort))
    shown = {
        "rows": _rows(page.rows, wanted),
        "more": cursor_of(page.rows[-1], wanted.sort) if page.more else "",
        "query": request_params.filters_query(wanted),
        "may_judge_here": any(can(request.user, "give-verdict", place) for place in wanted.properties),
    }
    return render(request, "surveillance/_rows.html", shown)


@require_safe
def news(request: HttpRequest) -> HttpResponse:
    """Return the rows that have changed since the page last asked, to replace those on the page. Also return
    the value of `since` with which the page asks again.
    """
    wanted, since = request_params.queue_filters(request), request.GET.get("since", "")
    if whole(since, 19) is None:
        raise BadRequest("The address does not say from which moment to poll. Reload the queue.")
    changes = hands.news(wanted, since)
    rows = _rows([hand for hand, _ in changes.rows], wanted)
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
            "may_judge_here": any(can(request.user, "give-verdict", place) for place in wanted.properties),
            **_company(request),
        },
    )


def _company(request: HttpRequest) -> dict[str, Any]:
    """Record that the page still has its hand open. Return the owner of the hand and the other people who
    have it open.
    """
    open_hand = request.GET.get("open", "")
    if not open_hand:
        return {}
    (chosen,) = read_chosen([open_hand])
    require(request.user, "see-queue", chosen.property)
    place = (chosen.property, chosen.stream, chosen.hand)
    user = current_user(request)
    if may_judge := can(user, "give-verdict", chosen.property):
        presence.stay(user, *place)
    return {
        "company": presence.company(user, *place),
        "zone": request_params.zone(chosen.property),
        "may_judge": may_judge,
    }


def _tables(properties: tuple[str, ...]) -> SafeString:
    """Return the options of the filter for tables: one option for each table.

    The options are cached for a minute. Until then a new table is not among them, but users can type its
    name.
    """
    key = f"tables of {' '.join(properties)}".encode().hex()[:200]
    cached: SafeString | None = cache.get(key)
    if cached is None:
        cached = format_html_join("", '<option value="{}">', ((name,) for name in hands.tables(properties)))
        cache.set(key, cached, OFFERED)
    return cached
