"""The page of large wins. The register `thresholds` (key `large-win`) has the amount from which a win is
large. For each win, the page shows the log entry that verifies it from the recording.
"""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction
from typing import NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from audit.queries import large_wins
from audit.queries.large_wins import LargeWin, Verified
from casino.accounts.permissions import can
from casino.reference.calendar import gaming_day
from casino.reference.registers import currency_of, threshold_amounts
from casino.web import request_params
from casino.web.request_params import encode_hand, hand_url
from games.kit.currencies import CURRENCIES

DAYS = 7
"""Number of gaming days that the page shows unless the address says otherwise."""
MOST_DAYS = 31
"""Maximum number of gaming days on the page."""
STATES = {"": "All", "open": "To verify", "verified": "Verified"}


class Row(NamedTuple):
    """A large win, with the URL of its hand. `verified` is the log entry that verifies the win, or None.
    `verify` is the URL of the form for such an entry.
    """

    win: LargeWin
    address: str
    verified: Verified | None
    verify: str

    def is_in(self, state: str) -> bool:
        """Return True if the page must list this win. `state` is the key of STATES that the user chose."""
        return state not in ("open", "verified") or (self.verified is not None) == (state == "verified")


class Wins(NamedTuple):
    """The large wins of some gaming days.

    Attributes:
        least: the smallest amount that counted as a large win on the last of these days, in minor units of
            the property's currency; None if the register has no such amount.
        is_cut: True if there are more wins than the page can show.
    """

    rows: list[Row]
    least: Fraction | None
    is_cut: bool = False


@require_safe
def wins(request: HttpRequest) -> HttpResponse:
    """Show the large wins of some gaming days, the latest first."""
    property = request_params.chosen_property(request, "see-log")
    first, last = request_params.day_range(request.GET, gaming_day(property), DAYS)
    first = max(first, last - timedelta(days=MOST_DAYS - 1))
    listed = wins_on(property, first, last)
    state = request.GET.get("state", "")
    waiting = sum(row.verified is None for row in listed.rows)
    context = {
        "property": property,
        "places": request_params.permitted_properties(request, "see-log"),
        "rows": [row for row in listed.rows if row.is_in(state)],
        "waiting": waiting,
        "verified": len(listed.rows) - waiting,
        "listed": listed,
        "most": large_wins.MOST,
        "currency": currency_of(property),
        "first": first,
        "last": last,
        "state": state,
        "states": STATES,
        "errors": list(request_params.day_errors(request.GET)),
        "query": urlencode({"property": property, "from": first.isoformat(), "to": last.isoformat()}),
        "zone": request_params.zone(property),
        "may_write": can(request.user, "write-log", property),
    }
    return render(request, "daily_log/large_wins.html", context)


def wins_on(property: str, first: date, last: date) -> Wins:
    """Return the large wins of the gaming days from `first` to `last`, inclusive."""
    amount = threshold_amounts(property, large_wins.TYPE)
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    minimums = {
        currency: min(amounts)
        for currency in CURRENCIES
        if (amounts := [minimum for day in days if (minimum := amount(day, currency)) is not None])
    }
    if not minimums:
        return Wins([], None)
    paid = large_wins.rounds(property, first, last, minimums)
    known = large_wins.verified(property, paid)
    rows = [
        _row(property, win, known.get((win.of.stream, win.of.round)))
        for win in large_wins.wins_of(property, paid[: large_wins.MOST])
        if (threshold := amount(win.of.day, win.of.currency)) is not None and win.amount >= threshold
    ]
    return Wins(rows, amount(last, currency_of(property)), len(paid) > large_wins.MOST)


def _row(property: str, win: LargeWin, verified: Verified | None) -> Row:
    stream, round = win.of.stream, win.of.round
    named = {"property": property, "stream": stream, "hand": encode_hand(round), "type": large_wins.TYPE}
    return Row(win, hand_url(stream, round), verified, f"{reverse('log_write')}?{urlencode(named)}")
