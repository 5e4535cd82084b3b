"""Pages of the floor: a board of all tables now, and one table with its facts of the day."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta, tzinfo
from itertools import groupby
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from audit.queries import cage_facts
from audit.queries import floor as queries
from audit.queries.floor import Now
from audit.review.projections import GRADES
from casino.accounts.permissions import can, require
from casino.cage.slips.document import SEEN_BY
from casino.count_room import queries as count_room
from casino.models import Person
from casino.presentation.fact_descriptions import sentence
from casino.reference import calendar
from casino.reference.calendar import gaming_day
from casino.reference.registers import values_on
from casino.reports.grouping import Pits
from casino.web import request_params
from games.kit.events import kind_of

HANDS = 12
"""Number of rounds to which a table's page links."""
ACTS = 60
"""Maximum number of facts in the list on a table's page."""


LATE, SILENT = timedelta(minutes=10), timedelta(minutes=30)
"""Time since the last fact of an open table. From the first value on, the board shows the table as late; from
the second value on, as silent.
"""


class Row(NamedTuple):
    """One table on the board. `now`: its current state, or None if it was never opened."""

    code: str
    pit: str
    now: Now | None
    today: date
    registered_game: str

    @property
    def state(self) -> str:
        """Return `open`, `behind` (open on an earlier gaming day), `closed` or `day-closed`."""
        if self.now is None:
            return "closed"
        if self.now.is_open:
            return "open" if self.of_today else "behind"
        return "day-closed" if self.now.sealed and self.of_today else "closed"

    @property
    def of_today(self) -> bool:
        """Return True if the table's last gaming day is the property's current one or a later one. It may be
        later if a feed is ahead of the property's calendar.
        """
        return self.now is not None and self.now.day >= self.today

    @property
    def is_open(self) -> bool:
        """Return True if the table is open, on any gaming day."""
        return self.state in ("open", "behind")

    @property
    def game(self) -> str:
        """Return the game of the table: the one that is dealt now, or the one that would be dealt if the
        table were opened now.
        """
        return (
            self.now.opened.game
            if self.now is not None and self.is_open
            else self.registered_game or self.last_game
        )

    @property
    def last_game(self) -> str:
        """Return the game of the last opening; empty if it was never opened."""
        return self.now.opened.game if self.now is not None else ""

    @property
    def grade(self) -> str:
        """Return the gravest grade among the table's hands in the queue, or empty text if there are no such
        hands.
        """
        return GRADES[self.now.rank - 1] if self.now is not None and self.now.rank else ""

    @property
    def age(self) -> timedelta:
        """Return the time since the last fact of the table, or 0 if the clock of the fact's sender is
        ahead.
        """
        return max(timezone.now() - self.now.last.at, timedelta()) if self.now is not None else timedelta()

    @property
    def lateness(self) -> str:
        """Return `late` or `silent` if the equipment of an open table has not reported for some time.
        Otherwise, return empty text.
        """
        if self.now is None or not self.is_open or not self.now.opened.sees:
            return ""
        return "silent" if self.age >= SILENT else "late" if self.age >= LATE else ""

    @property
    def last_kind(self) -> str:
        """Return the kind of the table's last fact, or empty text if the table was never opened."""
        return kind_of(type(self.now.last)) if self.now is not None else ""


class Pit(NamedTuple):
    """The tables of one pit."""

    name: str
    title: str
    rows: list[Row]


@require_safe
def board(request: HttpRequest) -> HttpResponse:
    """Show every table of a property, by pit."""
    return render(request, "floor/board.html", _board(request))


@require_safe
def news(request: HttpRequest) -> HttpResponse:
    """Return the current rows of the board, which replace those on the page."""
    return render(request, "floor/_board.html", _board(request))


def _board(request: HttpRequest) -> dict[str, Any]:
    places, property = (
        request_params.permitted_properties(request, "see-floor"),
        request_params.chosen_property(request, "see-floor"),
    )
    today, only = gaming_day(property), request_params.clean_text(request.GET.get("pit"))
    rows = rows_of(property, today)
    pits = list(_pits(property, today, rows))
    shown = [pit for pit in pits if not only or pit.name == only]
    if request.GET.get("show") == "open":
        shown = [pit._replace(rows=[row for row in pit.rows if row.is_open]) for pit in shown]
    shown = [pit for pit in shown if pit.rows]
    seen = [row for pit in shown for row in pit.rows]
    open_tables = [row.now for row in seen if row.now is not None and row.is_open]
    return {
        "property": property,
        "places": places,
        "today": today,
        "pits": shown,
        "every_pit": pits,
        "pit": only,
        "shift": shift_now(property, today),
        "only_open": request.GET.get("show") == "open",
        "open": len(open_tables),
        "tables": len(seen),
        "currencies": len({row.now.opened.currency for row in seen if row.now is not None}) > 1,
        "in_play": sum(bool(now.round) for now in open_tables),
        "waiting": sum(row.now.flags for row in seen if row.now is not None),
        "names": names_of(now.seated for now in open_tables),
        "zone": calendar.zone(property),
        "now": timezone.now(),
        "may_open": can(request.user, "open-table", property),
        "may_seat": can(request.user, "seat-dealer", property),
        "may_queue": can(request.user, "see-queue", property),
        "query": request.GET.urlencode(),
    }


def rows_of(property: str, today: date) -> list[Row]:
    """Return every table that is in the register, is open or was open today, sorted by name."""
    known = {now.table.partition("/")[2]: now for now in queries.board(property, today)}
    registered = values_on(property, "tables", today)
    pits = Pits()
    here = registered.keys() | {
        code for code, now in known.items() if not registered or now.is_open or now.day >= today
    }
    return [
        Row(code, pits.pit(f"{property}/{code}", today), known.get(code), today, _game(registered.get(code)))
        for code in sorted(here)
    ]


def _game(value: Any) -> str:
    game = value.get("game") if isinstance(value, dict) else None
    return game if isinstance(game, str) else ""


def _pits(property: str, today: date, rows: list[Row]) -> Iterable[Pit]:
    for name, inside in groupby(
        sorted(rows, key=lambda row: (row.pit == "", row.pit, row.code)), key=lambda row: row.pit
    ):
        yield Pit(name, title_of(property, today, name) if name else "No pit", list(inside))


def title_of(property: str, today: date, pit: str) -> str:
    """Return the title of a pit from the register `pits`. If there is no title, return the name of the
    pit.
    """
    entry = values_on(property, "pits", today).get(pit)
    title = entry.get("title") if isinstance(entry, dict) else None
    return str(title or pit)


def shift_now(property: str, today: date) -> str:
    """Return the current shift; empty if the day has no shifts."""
    begun = [name for name, begins in calendar.shifts(property, today).items() if begins <= timezone.now()]
    return begun[-1] if begun else ""


def names_of(seats: Iterable[Any]) -> dict[str, str]:
    """Return {staff ID: name} for dealers and supervisors."""
    ids = {id for seat in seats if seat is not None for id in (seat.dealer, seat.supervisor)}
    return dict(Person.objects.filter(pk__in=ids).exclude(name="").values_list("id", "name"))


class Done(NamedTuple):
    """A fact in the list on a table's page."""

    number: int
    at: datetime
    says: str
    uid: str
    printed: bool


@require_safe
def table(request: HttpRequest, property: str, table: str) -> HttpResponse:
    """Show a table's current state, its settings, and the facts of its last gaming day, newest first."""
    return render(request, "floor/table.html", table_now(request, property, table))


def table_now(request: HttpRequest, property: str, table: str) -> dict[str, Any]:
    """Return the context of all pages about one table: its state, and what the user may do there. Raise
    Http404 if the table is unknown.
    """
    require(request.user, "see-floor", property)
    today = gaming_day(property)
    now = queries.table(property, table, today)
    registered = values_on(property, "tables", today)
    if now is None and table not in registered:
        raise Http404(f"{property} has no table {table}")
    row = Row(table, Pits().pit(f"{property}/{table}", today), now, today, _game(registered.get(table)))
    zone: tzinfo = calendar.zone(property, today)
    shown: dict[str, Any] = {
        "property": property,
        "table": table,
        "row": row,
        "now": now,
        "today": today,
        "zone": zone,
    }
    shown |= {f"may_{act}": can(request.user, right, property) for act, right in MAY.items()}
    shown["pit_title"] = title_of(property, today, row.pit) if row.pit else ""
    if now is not None:
        shown["currency"] = now.opened.currency
        shown["done"] = _done(property, now, request.user)
        shown["hands"] = [
            (hand, request_params.hand_url(now.stream, hand))
            for hand in queries.hands(property, now.stream, HANDS)
        ]
        shown["names"] = names_of([now.seated])
        shown["last_closer"] = queries.last_closer(property, table, today, now.opened.currency)
    return shown


MAY = {
    "open": "open-table",
    "seat": "seat-dealer",
    "limits": "set-limits",
    "tray": "count-tray",
    "hand": "see-hand",
    "queue": "see-queue",
    "slip": "request-slip",
    "print": "see-cage",
    "marker": "issue-marker",
    "chips": "buy-chips",
    "pull": "pull-box",
}
PRINTED = {"opener-counted", "closer-counted", "fill-sent", "credit-sent", "marker-issued", "drop-counted"}
"""Kinds of facts that can be printed as a slip. For users with the right, the page links to the printed
slip.
"""


def _done(property: str, now: Now, person: Any) -> list[Done]:
    facts = list(cage_facts.facts(property, [now.stream]))
    shown = [fact for fact in facts[: -ACTS - 1 : -1] if not count_room.is_hidden(property, fact)]
    currencies = cage_facts.currencies(facts)
    printed = {kind for kind in PRINTED if can(person, SEEN_BY.get(kind, "see-cage"), property)}
    return [
        Done(
            fact.number,
            fact.event.at,
            sentence(fact.event, currencies[fact.event.uid]),
            fact.event.uid,
            fact.kind in printed,
        )
        for fact in shown
    ]
