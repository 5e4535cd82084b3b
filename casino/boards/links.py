"""Build URLs of the search for hands. Such a URL lists the hands that a number on a board counts."""

from __future__ import annotations

from datetime import date
from functools import cache
from urllib.parse import urlencode

from django.urls import reverse

from casino.surveillance.search_filters import join


def hands(property: str, begins: date, last: date, **filters: str | list[str]) -> str:
    """Return the URL of the search for hands on these gaming days. `filters` are further filters of the
    search.

    A filter with a list accepts a hand that has any value of the list. A filter with an empty value has no
    effect.
    """
    parameters = {
        name: join([values] if isinstance(values, str) else values)
        for name, values in filters.items()
        if values
    }
    days = {"property": property, "day_from": begins.isoformat(), "day_last": last.isoformat()}
    return f"{_address()}?{urlencode({**days, **parameters})}"


@cache
def _address() -> str:
    return reverse("hands")
