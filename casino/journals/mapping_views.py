"""The page of the journal's accounts. For each kind of amount that is posted, it shows the account and the
categories in the accounting program. Entries for one game or one table are below that row.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from audit.replay.accounts import account_of_value
from casino.accounts.permissions import can
from casino.journals.views import ACT, CHART
from casino.presentation.formatting import game_title
from casino.reference.calendar import gaming_day
from casino.reference.chart import OPTIONAL, POSTED, REGISTER, Account, is_account
from casino.reference.registers import values_on
from casino.web import request_params
from games import GAMES


class MappingRow(NamedTuple):
    """A row of the page: one entry of the chart of accounts.

    Attributes:
        part: the game or the table to which the entry applies, or empty if it applies to all.
        account: None if the chart of accounts does not name one.
    """

    key: str
    posted: str
    part: str
    meaning: str
    account: Account | None

    @property
    def otherwise(self) -> str:
        """Return the posting whose account is used if this posting has none, or empty text."""
        return OPTIONAL.get(self.posted, "")

    @property
    def part_label(self) -> str:
        """Return the title of the game, or the code of the table, to which the entry applies."""
        return game_title(self.part) if self.part in GAMES else self.part

    @property
    def name(self) -> str:
        """Return the name of the account, for people."""
        return self.account.name.replace(":", " › ") if self.account is not None else ""


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show the accounts and categories that are in force on a gaming day, by default today."""
    property = request_params.chosen_property(request, ACT)
    today = gaming_day(property)
    wrong = list(request_params.day_errors(request.GET))
    day, _ = request_params.day_range(request.GET, today, 1)
    rows = list(_rows(property, day))
    shown = {
        "places": request_params.permitted_properties(request, ACT),
        "house": property,
        "day": day,
        "wrong": wrong,
        "rows": rows,
        "missing": [row.posted for row in rows if row.account is None and not row.otherwise],
        "has_categories": any(row.account is not None and any(row.account[3:]) for row in rows),
        "may_set": can(request.user, "set-register", property),
        "chart": CHART,
    }
    return render(request, "journal/accounts.html", shown, status=400 if wrong else 200)


def _rows(property: str, day: date) -> Iterator[MappingRow]:
    """Yield the row of each amount that is posted. It is followed by the rows of its entries for single games
    and tables.
    """
    entries: dict[str, Any] = {
        key: value for key, value in values_on(property, REGISTER, day).items() if is_account(key, value)
    }
    for posted, meaning in POSTED.items():
        for key in (posted, *sorted(key for key in entries if key.startswith(f"{posted}/"))):
            account = account_of_value(entries[key]) if key in entries else None
            yield MappingRow(key, posted, key[len(posted) + 1 :], "" if key != posted else meaning, account)
