"""The home page of a floor supervisor: tables with their staffing and limits, breaks that are due, pending
slips, and silent feeds.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta

from audit.queries.floor import Now
from casino.cage.slips import pending
from casino.cage.slips.pending import PendingSlip
from casino.floor.limits import TableLimit, table_limits, with_change
from casino.floor.map_words import limits_label
from casino.floor.pit_map import DealerTime, dealer_times
from casino.floor.tables import Row, names_at, rows_of, shift_now
from casino.floor.tiles import SILENT
from casino.home import cage, surveillance
from casino.home.cards import Cell, Figure, FigureLine, Home, Line, Table, Viewer, head
from casino.home.surveillance import on_floor
from casino.presentation.formatting import clock, cut_property, distance, money
from casino.reference import calendar

TABLES = 10
"""Maximum number of open tables in the list, so that the page fits on one screen."""
NAMED = 3
"""Number of tables that the card of breaks names."""


def home(viewer: Viewer) -> Home:
    """Return the home page of a floor supervisor."""
    rows = rows_of(viewer.property, viewer.today, with_slips=False)
    states = [row.now for row in rows if row.is_open and row.now is not None]
    silent = {row.now.table for row in rows if row.now is not None and row.lateness == SILENT}
    times = {
        table: time
        for table, time in dealer_times(viewer.property, viewer.today, states, viewer.now).items()
        if table not in silent  # nobody knows who is there now
    }
    slips = pending.of_property(viewer.property)
    limits = table_limits(viewer.property, viewer.today, rows)
    figures = [
        tables(viewer, rows, limits),
        surveillance.feeds(viewer, rows),
        breaks(viewer, times, len(silent)),
        fills(viewer, slips),
        *cage.slips_figures(viewer, slips),
    ]
    cards = [
        staffing(viewer, rows, times, {limit.row.code for limit in with_change(limits)}),
        cage.slips_table(viewer, slips),
        surveillance.silent_and_late(viewer, rows),
    ]
    return Home("Floor", figures, cards)


def tables(viewer: Viewer, rows: Sequence[Row], limits: Sequence[TableLimit]) -> Figure:
    """Return the card with the number of open tables. Lines below it give the shift, and numbers of tables,
    boxes and limits that need attention.
    """
    behind = sum(row.state == "behind" for row in rows)
    boxes = sum(row.now.boxes for row in rows if row.now is not None)
    shift = shift_now(viewer.property, viewer.today) or "none"
    facts = [
        FigureLine("shift", shift, viewer.link("see-floor", "floor")),
        FigureLine(
            "open since an earlier day", f"{behind}", on_floor(viewer, "behind"), "warn" if behind else ""
        ),
        FigureLine("boxes pulled, not counted", f"{boxes}", on_floor(viewer, "boxes")),
        FigureLine("changes of limits due", f"{len(with_change(limits))}", _limits(viewer, changes="1")),
    ]
    number = sum(row.is_open for row in rows)
    return Figure("Tables open", f"{number}", f"of {len(rows)}", on_floor(viewer, "open"), facts)


def _limits(viewer: Viewer, **filters: str) -> str:
    """Return the URL of the list of the limits of open tables."""
    return viewer.link("see-floor", "floor", view="limits", **filters)


def fills(viewer: Viewer, slips: Sequence[PendingSlip]) -> Figure:
    """Return the card with the number of fills on the way: requested, and not yet received at the table.
    Lines below it give their amount in each currency, the late fills, and the age of the oldest fill.
    """
    on_the_way = [slip for slip in slips if slip.kind == "fill-sent"]
    amounts: dict[str, int] = {}
    for slip in on_the_way:
        amounts[slip.currency] = amounts.get(slip.currency, 0) + slip.amount
    facts = [
        FigureLine(
            "amount",
            f"{money(amount, currency)} {currency}",
            cage.of_slips(viewer, state="pending", kind="fill", currency=currency),
        )
        for currency, amount in sorted(amounts.items())
    ]
    facts += cage.late_and_oldest(viewer, on_the_way, cage.of_slips(viewer, state="late", kind="fill"))
    kind = "alarm" if cage.late_slips(viewer, on_the_way) else ""
    address = cage.of_slips(viewer, state="pending", kind="fill")
    return Figure("Fills on the way", f"{len(on_the_way)}", "", address, facts, kind)


def breaks(viewer: Viewer, times: Mapping[str, DealerTime], silent: int) -> Figure:
    """Return the card with the number of dealers whose break is due.

    Args:
        times: the times of the dealers who are not at a silent table.
        silent: the number of silent tables, whose dealers are not known.
    """
    due = [(table, time) for table, time in times.items() if time.is_due]
    due.sort(key=lambda pair: -pair[1].overdue)
    facts = [
        FigureLine(cut_property(table), f"due for {distance(time.overdue)}", _table(viewer, table), "warn")
        for table, time in due[:NAMED]
    ]
    if silent:
        facts.append(FigureLine("not known at silent tables", f"{silent}", on_floor(viewer, SILENT), "warn"))
    address = viewer.link("see-floor", "floor", view="map")
    if all(time.until_break is None for time in times.values()):
        of_tables = "a table that reports facts" if silent else "an open table"
        says = "the register has no time for breaks" if times else f"no dealer is at {of_tables}"
        return Figure("Breaks due", "not known" if times or silent else "0", says, address, facts)
    of_tables = "tables that report facts" if silent else "tables"
    says = f"of {len(times)} dealer{'s' if len(times) != 1 else ''} at {of_tables}"
    return Figure("Breaks due", f"{len(due)}", says, address, facts, "warn" if due else "")


def _table(viewer: Viewer, table: str) -> str:
    return viewer.link("see-floor", "floor_table", viewer.property, cut_property(table))


def staffing(
    viewer: Viewer, rows: Sequence[Row], times: Mapping[str, DealerTime], changing: Collection[str]
) -> Table:
    """Return the card with the list of open tables: dealer, supervisor, limits, and how long the dealer has
    been there. Tables without a dealer come first, then the dealer who has been at the table longest.

    Args:
        changing: the tables whose limits will change.
    """
    states = [row.now for row in rows if row.is_open and row.now is not None]
    states.sort(key=lambda state: (state.seated is not None, -_at_table(times, state.table), state.table))
    names = names_at(state.seated for state in states)
    return Table(
        "Open tables: staffing and limits",
        "the longest at the table first",
        head("Table", "Dealer", "Supervisor", ">At the table", ">Limits"),
        [
            _staffing_line(
                viewer,
                state,
                times.get(state.table),
                names,
                has_change=cut_property(state.table) in changing,
            )
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


def _staffing_line(
    viewer: Viewer, state: Now, time: DealerTime | None, names: Mapping[str, str], *, has_change: bool
) -> Line:
    seat, currency, limits = state.seated, state.opened.currency, limits_label(state)
    dealer, supervisor = (
        Cell(names.get(person, person)) if person else Cell("nobody", kind="alarm")
        for person in ((seat.dealer, seat.supervisor) if seat is not None else ("", ""))
    )
    return Line(
        [
            Cell(cut_property(state.table), "", _table(viewer, state.table)),
            dealer,
            supervisor,
            _time_cell(viewer, state, time),
            _limits_cell(viewer, f"{limits} {currency}" if limits else "by wager", has_change=has_change),
        ]
    )


def _time_cell(viewer: Viewer, state: Now, time: DealerTime | None) -> Cell:
    """Return the cell with the time of a dealer at a table. If it is not known, the cell has the time of the
    table's last fact.
    """
    if time is None:
        last = clock(state.last_report.at, calendar.zone(viewer.property, viewer.today))
        return Cell("not known", f"last fact {last}", kind="muted", is_number=True)
    says, kind = ("break due", "warn") if time.is_due else ("", "")
    return Cell(distance(time.at_table), says, kind=kind, is_number=True)


def _limits_cell(viewer: Viewer, limits: str, *, has_change: bool) -> Cell:
    """Return the cell with the limits of a table, marked if they will change."""
    if has_change:
        return Cell(limits, "change due", _limits(viewer, changes="1"), "warn", is_number=True)
    return Cell(limits, "", _limits(viewer), is_number=True)
