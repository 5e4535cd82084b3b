"""The texts, notes and links of a table's tile on the floor's map.

They are computed here and not in the templates, because a template needs several times as long for each
value. The map has many tiles and is requested every few seconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import tzinfo
from typing import Any, NamedTuple
from urllib.parse import quote

from django.urls import reverse

from audit.queries.floor import Now
from casino.floor.pit_map import DealerTime, MapTile, PitMap, SlipOnTheWay
from casino.floor.tables import Pit
from casino.floor.tile_words import WARN, Cell, head_of, pace_cell, win_cell
from casino.presentation.formatting import date_time, distance, grouped
from casino.presentation.formatting import money as amount_label


class Note(NamedTuple):
    """A line of a tile. `kind` is its CSS class. If it has an address, its text is a link. If it has a grade,
    the sign of the grade is shown before the text.
    """

    kind: str
    text: str
    address: str = ""
    grade: str = ""


class TileLink(NamedTuple):
    """A link to a form or page of a table. `of` completes the text for screen readers. `is_first` marks the
    link that the table needs now.
    """

    id: str
    address: str
    text: str
    of: str
    is_first: bool = False


class Viewer(NamedTuple):
    """What a user may see and do on the map of a property."""

    property: str
    with_money: bool
    may_slip: bool
    may_cage: bool
    may_seat: bool
    may_queue: bool


class PitWords(NamedTuple):
    """A pit with the words of its tiles in rows of `columns` places. A place without a table is None."""

    pit: Pit
    columns: int
    places: list[dict[str, Any] | None]


def words_of_maps(
    maps: Sequence[PitMap], names: Mapping[str, str], zone: tzinfo, viewer: Viewer
) -> list[PitWords]:
    """Return the maps with the words of their tiles.

    Args:
        maps: the maps of the pits.
        names: {staff ID: name}.
        zone: the time zone of the property.
        viewer: what the user may see and do.
    """
    return [
        PitWords(
            pit_map.pit,
            pit_map.columns,
            [None if place is None else _words(place, names, zone, viewer) for place in pit_map.places],
        )
        for pit_map in maps
    ]


def _words(place: MapTile, names: Mapping[str, str], zone: tzinfo, viewer: Viewer) -> dict[str, Any]:
    """Return the context of one tile."""
    row = place.tile.row
    words = {"kind": place.tile.state, "head": head_of(place.tile), "row": row, "table": row.now}
    if row.now is None or not row.is_open:
        return words
    return words | {
        "is_open": True,
        "cells": _cells(place, row.now, names, with_money=viewer.with_money),
        "tray": place.tray,
        "notes": list(_notes(place, row.now, zone, viewer)),
        "links": list(_links(place, row.now, viewer)),
    }


def _cells(place: MapTile, state: Now, names: Mapping[str, str], *, with_money: bool) -> list[Cell]:
    cells = [_dealer(place, state, names), _supervisor(state, names), _limits(state), pace_cell(place.tile)]
    if with_money:
        cells.insert(1, win_cell(place.tile))
    return cells


def _dealer(place: MapTile, state: Now, names: Mapping[str, str]) -> Cell:
    if state.seated is None:
        return Cell("Dealer", "nobody", WARN)
    name, time = names.get(state.seated.dealer, state.seated.dealer), place.dealer_time
    if place.tile.is_alarm:
        return Cell("Dealer", name, note="at the last fact; break not known")
    if time is None:
        return Cell("Dealer", name)
    at_table, to_break = f"{distance(time.at_table)} at the table", break_label(time)
    if time.is_due:
        return Cell("Dealer", name, note=at_table, more=to_break)
    return Cell("Dealer", name, note=at_table, more=to_break, more_kind="")


def break_label(time: DealerTime) -> str:
    """Return the time until a dealer's break, or since it was due, in words. Return empty text if the
    register has no time for breaks.
    """
    if time.is_due:
        return f"◐ break due for {distance(time.overdue)}"
    return f"break in {distance(time.until_break)}" if time.until_break is not None else ""


def _supervisor(state: Now, names: Mapping[str, str]) -> Cell:
    if state.seated is None:
        return Cell("Supervisor", "nobody", WARN)
    supervisor = state.seated.supervisor
    return Cell("Supervisor", names.get(supervisor, supervisor))


def _limits(state: Now) -> Cell:
    return Cell(f"Limits, {state.opened.currency}", limits_label(state))


def limits_label(state: Now) -> str:
    """Return the limits of a table: those for all wagers together, or those of its only wager. The text is
    empty if each wager has its own limits.
    """
    currency, limits = state.opened.currency, state.opened.limits
    ranges = (
        f"{amount_label(minimum, currency)} to {amount_label(maximum, currency)}"
        for wager, (minimum, maximum) in limits.items()
        if wager == "*" or len(limits) == 1
    )
    return " ".join(ranges)


def _notes(place: MapTile, state: Now, zone: tzinfo, viewer: Viewer) -> Iterator[Note]:
    """Yield what must be done at the table: a fill, slips to sign, boxes to count and hands to review."""
    tray, currency, of_par = place.tray, state.opened.currency, "tile-note-par"
    if tray is not None:
        counted = f"tray counted {distance(place.since_count)} ago"
        if tray.fill:
            kind, says = (f"{of_par} warn", "◐ Low tray") if tray.is_low else (of_par, "To par")
            yield Note(kind, f"{says}: fill of {amount_label(tray.fill, currency)} {currency}, {counted}")
        elif tray.credit:
            amount = f"{amount_label(tray.credit, currency)} {currency}"
            yield Note(of_par, f"Above par: credit of {amount}, {counted}")
        else:
            yield Note(of_par, f"At par, {counted}")
    elif state.opened.spots and state.counted is None:
        yield Note(f"{of_par} warn", "◐ Opener not counted")
    if viewer.may_cage:
        yield from (_slip(viewer.property, on_the_way) for on_the_way in place.slips)
    if state.boxes:
        yield Note(f"{of_par} warn", f"◐ {state.boxes} box{'es' if state.boxes != 1 else ''} not counted")
    if state.flags:
        address = f"{reverse('queue')}?table={quote(state.table)}" if viewer.may_queue else ""
        hands = f"{grouped(state.flags)} hand{'s' if state.flags != 1 else ''} to review"
        yield Note("tile-finding", hands, address, place.tile.row.grade)
    last = place.tile.row.last
    if place.tile.is_old and last is not None:
        yield Note("tile-note", f"No facts since {date_time(last.at, zone)}")


def _slip(property: str, on_the_way: SlipOnTheWay) -> Note:
    slip, kind = on_the_way.slip, "Fill" if on_the_way.slip.kind == "fill-sent" else "Credit"
    text = f"{kind} {amount_label(slip.amount, slip.currency)} pending for {distance(on_the_way.age)}"
    return Note("", text, reverse("cage_slip", args=[property, slip.uid]))


def _links(place: MapTile, state: Now, viewer: Viewer) -> Iterator[TileLink]:
    """Yield the links to the forms of a table, and to its page."""
    code, links, tray = place.tile.row.code, place.links, place.tray
    if viewer.may_slip and viewer.may_cage and state.opened.spots:
        for kind, address, is_proposed, of in (
            ("fill", links.fill, tray is not None and tray.fill, code),
            ("credit", links.credit, tray is not None and tray.credit, f"of {code}"),
        ):
            proposed = "?proposed=1" if is_proposed else ""
            yield TileLink(f"{kind}-{code}", f"{address}{proposed}", kind.capitalize(), of)
    if viewer.may_seat:
        is_due = place.dealer_time is not None and place.dealer_time.is_due
        yield TileLink(f"seat-{code}", links.seat, "Dealer", f"of {code}", is_due)
    yield TileLink(f"more-{code}", place.tile.address, "More", f"about {code}")
