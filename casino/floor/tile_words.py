"""The texts of a tile of the live wall and of the floor's map.

They are computed here and not in the templates, because a template needs several times as long for each
value. The wall has many tiles and is requested every few seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import tzinfo
from typing import Any, NamedTuple

from casino.floor.tiles import BEHIND, CLOSED, LATE, LIVE, NO_FEED, SILENT, Money, Tile
from casino.presentation.formatting import cents, clock, code_label, day_label, distance, game_title, grouped
from casino.presentation.formatting import money as amount_label

MARKS = {SILENT: "✕", LATE: "◐", BEHIND: "◐", NO_FEED: "–", LIVE: "◉", CLOSED: "○"}
STATES = {SILENT: "silent", LATE: "late", NO_FEED: "open, no feed", LIVE: "live", CLOSED: "closed"}
MUTED, WARN = "muted", "warn"


class Cell(NamedTuple):
    """A figure of a tile with its label. `kind` and `note_kind` are CSS classes: `muted`, `warn` or empty.

    `mark`: a sign that is shown before the figure. `unit`: a text that is shown after the figure. `note` and
    `more`: lines that are shown below the figure. `more_kind` is the CSS class of `more`.
    """

    label: str
    text: str
    kind: str = ""
    mark: str = ""
    unit: str = ""
    note: str = ""
    note_kind: str = ""
    more: str = ""
    more_kind: str = WARN


def head_of(tile: Tile) -> dict[str, str]:
    """Return the texts of the head of a tile: the table, its game, its state, and the age of its last fact.
    The age is empty for a table that is closed.
    """
    row, state = tile.row, STATES.get(tile.state, "")
    if tile.state == BEHIND:
        state = f"open since {day_label(row.now.day)}" if row.now is not None else "open"
    elif row.state == "day-closed":
        state = "day closed"
    return {
        "address": tile.address,
        "code": row.code,
        "game": game_title(row.game),
        "mark": MARKS[tile.state],
        "state": state,
        "age": distance(row.age) if tile.state != CLOSED else "",
    }


def cells_of(tile: Tile, names: Mapping[str, str], *, with_money: bool) -> list[Cell]:
    """Return the cells of a tile of the wall.

    Args:
        names: {staff ID: name}.
    """
    cells = [_dealer(tile, names), pace_cell(tile)]
    if with_money:
        money = tile.money or Money(None, None, None, None, None)
        cells += [win_cell(tile), _tray(tile, money), _box(tile, money)]
    return cells


def _dealer(tile: Tile, names: Mapping[str, str]) -> Cell:
    seated = tile.row.now.seated if tile.row.now is not None else None
    return (
        Cell("Dealer", "nobody", WARN)
        if seated is None
        else Cell("Dealer", names.get(seated.dealer) or seated.dealer)
    )


def pace_cell(tile: Tile) -> Cell:
    """Return the cell with the hands an hour of a tile."""
    per_hour = tile.pace.per_hour if tile.pace is not None else None
    if per_hour is None:
        return Cell("Pace", "no pace yet", MUTED)
    return Cell("Pace", f"{_was(tile)}{grouped(per_hour)}", unit="hands an hour")


def _was(tile: Tile) -> str:
    """Return `was ` to put before an outdated figure, if the table's feed is late or silent. Otherwise,
    return empty text.
    """
    return "was " if tile.is_old else ""


def win_cell(tile: Tile) -> Cell:
    """Return the cell of the estimated win of a tile."""
    label, win = "Win, estimated", tile.money.win if tile.money is not None else None
    if tile.is_alarm:
        return Cell(label, "not known", MUTED)
    if win is None:
        return Cell(label, "no play", MUTED)
    currency = _currency(tile)
    return Cell(
        label,
        cents(win.amount, currency),
        mark="▲" if win.is_outside else "",
        unit=currency,
        note=f"{cents(win.low, currency)} to {cents(win.high, currency)}"
        + (": outside" if win.is_outside else ""),
        note_kind=WARN if win.is_outside else "",
    )


def _tray(tile: Tile, money: Money) -> Cell:
    label, currency, table = "Tray", _currency(tile), tile.row.now
    if money.tray is not None and money.tray < 0:
        return Cell(label, f"below zero by {cents(money.tray, currency)}", WARN, unit=currency)
    if money.tray is not None:
        opener = table.opener.amount if table is not None and table.opener is not None else None
        opened = "" if opener is None else f"; opener {amount_label(opener, currency)}"
        return Cell(
            label, f"{_was(tile)}{cents(money.tray, currency)}", unit=currency, note=f"expected{opened}"
        )
    if money.unexplained:
        says = "unexplained at the closer"
        return Cell(label, cents(money.unexplained, currency), WARN, unit=currency, note=says, note_kind=WARN)
    if money.unexplained is not None:
        return Cell(label, "balanced", note="at the closer")
    return Cell(label, "not counted" if table is not None and table.opened.spots else "none", MUTED)


def _box(tile: Tile, money: Money) -> Cell:
    label, currency, boxes = "Box", _currency(tile), tile.row.now.boxes if tile.row.now is not None else 0
    uncounted = f"{boxes} not counted" if boxes else ""
    if money.box_difference is not None:
        bought = f"counted, less chips bought ({cents(money.box, currency)})" if money.box is not None else ""
        kind = WARN if money.box_difference else ""
        return Cell(
            label, cents(money.box_difference, currency), kind, unit=currency, note=bought, more=uncounted
        )
    if money.box is not None:
        return Cell(
            label,
            f"{_was(tile)}{cents(money.box, currency)}",
            unit=currency,
            note="expected: chips bought",
            more=uncounted,
        )
    return Cell(label, "nothing bought", MUTED, more=uncounted)


def _currency(tile: Tile) -> str:
    return tile.row.now.opened.currency if tile.row.now is not None else ""


def last_finding(tile: Tile) -> dict[str, str] | None:
    """Return the grade and the text of the last finding of a table, or None if it has no finding."""
    finding = tile.pace.finding if tile.pace is not None else None
    if finding is None:
        return None
    return {"grade": finding.grade, "text": f"last: {code_label(finding.code)}"}


def last_fact(tile: Tile, zone: tzinfo) -> str:
    """Return the time of the last fact of a table whose feed is late or silent, otherwise empty text."""
    return clock(tile.row.last.at, zone) if tile.is_old and tile.row.last is not None else ""


def words_of(tile: Tile, names: Mapping[str, str], zone: tzinfo, *, with_money: bool) -> dict[str, Any]:
    """Return the context of the tile of an open table on the wall.

    Args:
        names: {staff ID: name}.
    """
    return {
        "kind": tile.state,
        "head": head_of(tile),
        "cells": cells_of(tile, names, with_money=with_money),
        "finding": last_finding(tile),
        "nothing_since": last_fact(tile, zone),
        "table": tile.row.now.table if tile.row.now is not None else "",
        "day": str(tile.row.now.day) if tile.row.now is not None else "",
        "flags": tile.row.now.flags if tile.row.now is not None else 0,
    }
