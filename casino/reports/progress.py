"""Show a progress page while the figures of a page are aggregated.

Each request aggregates for about a second and caches the result. If the page is closed, the work stops, and
the next visit continues from the same point. When everything is aggregated, the requested page is shown.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from time import monotonic
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django_htmx.http import HttpResponseClientRefresh

from audit.queries.cache.time_budget import TimeBudgetExceeded, time_budget
from casino.reports import catalog

SLICE_SECONDS = 1.0
"""How long one request aggregates, in seconds. A month that it has begun is completed even after that time,
so every request completes at least one month.
"""
LOOKS = "adding-up"
"""The HTML id of the part of the page that reloads itself."""


Page = Callable[..., HttpResponse]


def with_progress(title: str = "") -> Callable[[Page], Page]:
    """Return a decorator for a page. Until the figures of the page are aggregated, the decorated page shows
    their progress instead.

    `title` is the title of the page. If it is empty, the title is that of the report that the page shows.
    """

    def decorate(page: Page) -> Page:
        @wraps(page)
        def page_or_progress(request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
            if request.method == "POST":
                return page(request, *args, **named)
            start, is_reload = monotonic(), request.headers.get("HX-Target") == LOOKS
            try:
                with time_budget(lambda: budget.cached > 0 and monotonic() - start > SLICE_SECONDS) as budget:
                    shown = page(request, *args, **named)
            except TimeBudgetExceeded as progress:
                context = {
                    "title": title or catalog.report(named["name"]).TITLE,
                    "address": request.get_full_path(),
                    "looks": LOOKS,
                    "progress": progress,
                }
                template = "reports/_adding.html" if is_reload else "reports/adding.html"
                return render(request, template, context, status=202)
            return HttpResponseClientRefresh() if is_reload else shown

        return page_or_progress

    return decorate
