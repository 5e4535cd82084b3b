"""The map of the floor: the pits with their tables as the register `pits` places them, and what a tile shows
about its table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from django.urls import reverse

from audit.facts.pit_map import MOST_COLUMNS
from audit.queries.floor import Now
from audit.queries.seats import Work, works
from casino.cage.par_levels import TrayAtPar, trays_at_par
from casino.cage.slips import pending
from casino.cage.slips.pending import PendingSlip
from casino.floor.tables import Pit
from casino.floor.tiles import LATE, LIVE, SILENT, Tile, tiles
from casino.reference.registers import threshold, values_on

USUAL_COLUMNS = 3
"""Number of columns of a pit's map if the register does not say where its tables are."""


class DealerTime(NamedTuple):
    """How long a dealer has been at the table, and the time until the dealer's break. The second time is
    negative if the break is overdue. It is None if the register has no time for breaks.
    """

    at_table: timedelta
    until_break: timedelta | None

    @property
    def is_due(self) -> bool:
        """Return True if the break is due."""
        return self.until_break is not None and self.until_break <= timedelta()

    @property
    def overdue(self) -> timedelta:
        """Return for how long the break has been due."""
        return -self.until_break if self.until_break is not None else timedelta()


class SlipOnTheWay(NamedTuple):
    """A slip that does not have all signatures yet, and the time since it was requested."""

    slip: PendingSlip
    age: timedelta


class Links(NamedTuple):
    """The URLs of the forms to which the tile or row of a table leads, and of the page of the table."""

    fill: str
    credit: str
    seat: str
    open: str
    table: str


@lru_cache(maxsize=2_000)
def links_of(property: str, code: str) -> Links:
    """Return the links of a table. They never change. They are cached, because a page shows the links of all
    tables.
    """
    fill, credit = (reverse("cage_ask", args=[property, code, kind]) for kind in ("fill", "credit"))
    seat, opening, table = (
        reverse(f"floor_{name}", args=[property, code]) for name in ("seat", "open", "table")
    )
    return Links(fill, credit, seat, opening, table)


class MapTile(NamedTuple):
    """One table on the map.

    Attributes:
        dealer_time: the time of its dealer. It is None at a silent table, because nobody knows who is there.
        since_count: the time since the last count of its tray.
    """

    tile: Tile
    links: Links
    tray: TrayAtPar | None
    dealer_time: DealerTime | None
    slips: list[SlipOnTheWay]
    since_count: timedelta


class PitMap(NamedTuple):
    """A pit with its tiles in rows of `columns` places. A place of the map without a table is None."""

    pit: Pit
    columns: int
    places: list[MapTile | None]


def pit_maps(
    property: str, today: date, pits: Sequence[Pit], moment: datetime, *, with_money: bool
) -> list[PitMap]:
    """Return the maps of these pits.

    Args:
        property: the casino.
        today: its gaming day.
        pits: the pits with the tables that are shown.
        moment: the present moment.
        with_money: True if the user may see the win.
    """
    rows = [row for pit in pits for row in pit.rows]
    shown = {
        tile.row.code: MapTile(tile, links_of(property, tile.row.code), None, None, [], timedelta())
        for tile in tiles(property, today, rows, with_money=with_money)
    }
    states = [row.now for row in rows if row.now is not None and row.is_open]
    times = dealer_times(property, today, states, moment)
    trays, slips = trays_at_par(property, today, states), pending.of_property(property)
    for state in states:
        code = state.table.partition("/")[2]
        shown[code] = shown[code]._replace(
            tray=trays.get(code),
            dealer_time=None if shown[code].tile.is_alarm else times.get(state.table),
            slips=[SlipOnTheWay(slip, _since(slip.begun, moment)) for slip in slips if slip.table == code],
            since_count=_since(state.counted.at, moment) if state.counted is not None else timedelta(),
        )
    placed = values_on(property, "pits", today)
    return [_arranged(pit, placed.get(pit.name), shown) for pit in pits]


def has_break_times(times: Iterable[DealerTime]) -> bool:
    """Return False if the register has no time after which these dealers have a break."""
    return all(time.until_break is not None for time in times)


def counts(maps: Sequence[PitMap]) -> dict[str, Any]:
    """Return the figures above the map: how many tables are live, late and silent, each with its CSS class,
    and which need a break, a fill or a signature.
    """
    places = [place for pit in maps for place in pit.places if place is not None]
    return {
        "states": [
            (state, sum(place.tile.state == state for place in places), kind)
            for state, kind in ((LIVE, ""), (LATE, "warn"), (SILENT, "alarm"))
        ],
        "breaks": [place for place in places if place.dealer_time is not None and place.dealer_time.is_due],
        "breaks_unknown": sum(place.tile.is_alarm for place in places),
        "has_dealers": any(place.dealer_time is not None for place in places),
        "has_break_times": has_break_times(
            place.dealer_time for place in places if place.dealer_time is not None
        ),
        "under_par": [place for place in places if place.tray is not None and place.tray.is_low],
        "pending": sum(len(place.slips) for place in places),
    }


def dealer_times(
    property: str, today: date, states: Sequence[Now], moment: datetime
) -> dict[str, DealerTime]:
    """Return {table: how long its present dealer has been there, and the time until the break}.

    Args:
        states: the present states of the open tables.
        moment: the present moment.
    """
    work = works(property, [state.stream for state in states])
    minutes = threshold(property, "dealer-break", today).whole("minutes")
    return {
        state.table: _dealer_time(own, minutes, moment)
        for state in states
        if (own := work.get(state.table)) is not None
        and state.seated is not None
        and own.dealer == state.seated.dealer
    }


def _dealer_time(work: Work, minutes: int | None, moment: datetime) -> DealerTime:
    until_break = work.at_work + timedelta(minutes=minutes) - moment if minutes else None
    return DealerTime(_since(work.at_table, moment), until_break)


def _since(at: datetime, moment: datetime) -> timedelta:
    """Return the time from an instant to the present moment, or 0 if the clock of its sender is ahead."""
    return max(moment - at, timedelta())


def _arranged(pit: Pit, entry: Any, shown: dict[str, MapTile]) -> PitMap:
    """Return the map of a pit. Each table is in the place that the register entry of the pit gives it. Tables
    that are not in the entry follow in rows of their own. The place of a table that is not shown stays empty.
    """
    rows = _rows_of(entry)
    codes = {row.code for row in pit.rows}
    columns = max((len(row) for row in rows), default=USUAL_COLUMNS)
    places: list[MapTile | None] = []
    for row in rows:
        tiles_of_row = [shown[code] if code in codes else None for code in row]
        if any(tiles_of_row):
            places += [*tiles_of_row, *[None] * (columns - len(row))]
    on_map = {code for row in rows for code in row}
    places += [shown[row.code] for row in pit.rows if row.code not in on_map]
    return PitMap(pit, columns, places)


def _rows_of(entry: Any) -> list[list[str | None]]:
    """Return the rows of the map in a register entry; empty if it has none."""
    rows = entry.get("map") if isinstance(entry, dict) else None
    if not isinstance(rows, list):
        return []
    return [row[:MOST_COLUMNS] for row in rows if isinstance(row, list) and row]
