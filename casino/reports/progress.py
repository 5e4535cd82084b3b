"""A page whose figures nobody has added up yet says so, and how far they are, instead of letting a browser
hang; then it shows itself.

Each look adds up for a second, and keeps it: whoever stops looking makes nobody work, and who comes back goes
on where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from time import monotonic
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django_htmx.http import HttpResponseClientRefresh

from audit.queries.cache.aggregates import TimeBudgetExceeded, time_budget
from casino.reports import catalog

SLICE_SECONDS = 1.0
"""Seconds that one look adds up, and the month that it is at; at least one."""
LOOKS = "adding-up"
"""The part of the page that looks by itself."""


Page = Callable[..., HttpResponse]


def with_progress(title: str = "") -> Callable[[Page], Page]:
    """The page, or how far its figures are. `title`: its own; else that of the report of its name."""

    def of(page: Page) -> Page:
        @wraps(page)
        def looked_at(request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
            if request.method == "POST":
                return page(request, *args, **named)
            begun, by_itself = monotonic(), request.headers.get("HX-Target") == LOOKS
            try:
                with time_budget(lambda: budget.cached > 0 and monotonic() - begun > SLICE_SECONDS) as budget:
                    shown = page(request, *args, **named)
            except TimeBudgetExceeded as far:
                says = {
                    "title": title or catalog.report(named["name"]).TITLE,
                    "address": request.get_full_path(),
                    "looks": LOOKS,
                    "far": far,
                }
                return render(
                    request, "reports/_adding.html" if by_itself else "reports/adding.html", says, status=202
                )
            return HttpResponseClientRefresh() if by_itself else shown

        return looked_at

    return of
