"""The home page of a floor supervisor: tables, pending slips, and how long dealers have been at their
tables.
"""

from __future__ import annotations

from collections.abc import Sequence

from casino.accounts.names import names_of
from casino.cage.slips import pending
from casino.floor.tables import Row, rows_of, shift_now
from casino.home import cage, surveillance
from casino.home.cards import Cell, Figure, FigureLine, Home, Line, Table, Viewer, first, head
from casino.presentation.formatting import distance


def home(viewer: Viewer) -> Home:
    """Return the home page of a floor supervisor."""
    rows = rows_of(viewer.property, viewer.today)
    slips = pending.of_property(viewer.property)
    figures = [tables(viewer, rows), surveillance.feeds(viewer, rows), cage.slips_figure(viewer, slips)]
    cards = [
        cage.slips_table(viewer, slips),
        surveillance.silent_and_late(viewer, rows),
        dealers(viewer, rows),
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


def dealers(viewer: Viewer, rows: Sequence[Row]) -> Table:
    """Return the card with the list of dealers at open tables. The dealer who has been at the table longest
    comes first.
    """
    seated = [
        (row, row.now.seated)
        for row in rows
        if row.is_open and row.now is not None and row.now.seated is not None
    ]
    seated.sort(key=lambda pair: pair[1].at)
    names = names_of(seat.dealer for _, seat in seated)
    lines = (
        Line(
            [
                Cell(row.code, "", viewer.link("see-floor", "floor_table", viewer.property, row.code)),
                Cell(names.get(seat.dealer, seat.dealer), seat.dealer if seat.dealer in names else ""),
                Cell(distance(max(viewer.now - seat.at, viewer.now - viewer.now)), is_number=True),
            ]
        )
        for row, seat in seated
    )
    return Table(
        "Dealers by time at the table",
        "the longest first",
        head("Table", "Dealer", ">At the table"),
        first(lines),
        "No dealer is at an open table.",
        viewer.link("see-floor", "floor"),
        "Floor",
        len(seated),
    )
