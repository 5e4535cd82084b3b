"""The home page of a floor supervisor: tables with their staffing and limits, breaks that are due, pending
slips, and silent feeds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from audit.queries.floor import Now
from casino.cage.slips import pending
from casino.floor.map_words import limits_label
from casino.floor.pit_map import DealerTime, dealer_times
from casino.floor.tables import Row, names_at, rows_of, shift_now
from casino.home import cage, surveillance
from casino.home.cards import Cell, Figure, FigureLine, Home, Line, Table, Viewer, head
from casino.presentation.formatting import cut_property, distance

TABLES = 10
"""Maximum number of open tables in the list, so that the page fits on one screen."""
NAMED = 3
"""Number of tables that the card of breaks names."""


def home(viewer: Viewer) -> Home:
    """Return the home page of a floor supervisor."""
    rows = rows_of(viewer.property, viewer.today)
    states = [row.now for row in rows if row.is_open and row.now is not None]
    times = dealer_times(viewer.property, viewer.today, states, viewer.now)
    slips = pending.of_property(viewer.property)
    figures = [
        tables(viewer, rows),
        surveillance.feeds(viewer, rows),
        breaks(viewer, times),
        *cage.slips_figures(viewer, slips),
    ]
    cards = [
        staffing(viewer, rows, times),
        cage.slips_table(viewer, slips),
        surveillance.silent_and_late(viewer, rows),
    ]
    return Home("Floor", figures, cards)


def tables(viewer: Viewer, rows: Sequence[Row]) -> Figure:
    """Return the card with the number of open tables."""
    behind = sum(row.state == "behind" for row in rows)
    boxes = sum(row.now.boxes for row in rows if row.now is not None)
    facts = [
        FigureLine("shift", shift_now(viewer.property, viewer.today) or "none"),
        FigureLine("open since an earlier day", f"{behind}", kind="warn" if behind else ""),
        FigureLine("boxes pulled, not counted", f"{boxes}", viewer.link("see-count", "count")),
    ]
    number = sum(row.is_open for row in rows)
    return Figure("Tables open", f"{number}", f"of {len(rows)}", viewer.link("see-floor", "floor"), facts)


def breaks(viewer: Viewer, times: Mapping[str, DealerTime]) -> Figure:
    """Return the card with the number of dealers whose break is due."""
    due = [(table, time) for table, time in times.items() if time.is_due]
    due.sort(key=lambda pair: -pair[1].overdue)
    facts = [
        FigureLine(cut_property(table), f"due for {distance(time.overdue)}", _table(viewer, table), "warn")
        for table, time in due[:NAMED]
    ]
    address = viewer.link("see-floor", "floor", view="map")
    if all(time.until_break is None for time in times.values()):
        says = "the register has no time for breaks" if times else "no dealer is at an open table"
        return Figure("Breaks due", "not known" if times else "0", says, address)
    says = f"of {len(times)} dealer{'s' if len(times) != 1 else ''} at tables"
    return Figure("Breaks due", f"{len(due)}", says, address, facts, "warn" if due else "")


def _table(viewer: Viewer, table: str) -> str:
    return viewer.link("see-floor", "floor_table", viewer.property, cut_property(table))


def staffing(viewer: Viewer, rows: Sequence[Row], times: Mapping[str, DealerTime]) -> Table:
    """Return the card with the list of open tables: dealer, supervisor, limits, and how long the dealer has
    been there. Tables without a dealer come first, then the dealer who has been at the table longest.
    """
    states = [row.now for row in rows if row.is_open and row.now is not None]
    states.sort(key=lambda state: (state.seated is not None, -_at_table(times, state.table), state.table))
    names = names_at(state.seated for state in states)
    return Table(
        "Open tables: staffing and limits",
        "the longest at the table first",
        head("Table", "Dealer", "Supervisor", ">Limits", ">At the table"),
        [
            _staffing_line(viewer, state, times.get(state.table), names)
            for _, state in zip(range(TABLES), states, strict=False)
        ],
        "No table is open.",
        viewer.link("see-floor", "floor"),
        "Floor",
        len(states),
        is_wide=True,
    )


def _at_table(times: Mapping[str, DealerTime], table: str) -> timedelta:
    return times[table].at_table if table in times else timedelta()


def _staffing_line(viewer: Viewer, state: Now, time: DealerTime | None, names: Mapping[str, str]) -> Line:
    seat, currency, limits = state.seated, state.opened.currency, limits_label(state)
    dealer, supervisor = (
        Cell(names.get(person, person)) if person else Cell("nobody", kind="alarm")
        for person in ((seat.dealer, seat.supervisor) if seat is not None else ("", ""))
    )
    is_due = time is not None and time.is_due
    age = "not known" if time is None else distance(time.at_table)
    return Line(
        [
            Cell(cut_property(state.table), "", _table(viewer, state.table)),
            dealer,
            supervisor,
            Cell(f"{limits} {currency}" if limits else "by wager", is_number=True),
            Cell(f"{age}, break due" if is_due else age, kind="warn" if is_due else "", is_number=True),
        ]
    )
