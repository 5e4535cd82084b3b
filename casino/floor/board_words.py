"""The texts in the list of tables on the floor's board. They are not made in the template, because Python is
faster: the board has a hundred rows and is loaded every few seconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import tzinfo
from typing import NamedTuple
from urllib.parse import quote

from django.urls import reverse

from audit.queries.floor import Now
from casino.floor.map_words import TileLink
from casino.floor.pit_map import links_of
from casino.floor.tables import Pit, Row
from casino.floor.tiles import LATE, SILENT
from casino.presentation.formatting import (
    code_label,
    date_time,
    day_label,
    distance,
    game_title,
    money,
)

NUMBER = "n"
"""The CSS class of a cell with an amount."""
ORDER = (SILENT, LATE, "")
"""The values of a table's lateness in the order of the rows."""
GRADE_BADGES = {"integrity": "bad", "money": "warn"}


class Badge(NamedTuple):
    """A badge. `kind` is its CSS class."""

    kind: str
    text: str


class BoardCell(NamedTuple):
    """A cell of the list: badges, a text, and a note in small print below it. `kind` is its CSS class. A
    phone does not show the headings of the columns. It shows `label` before the text and `note_label` before
    the note.
    """

    kind: str = ""
    badges: tuple[Badge, ...] = ()
    text: str = ""
    note: str = ""
    label: str = ""
    note_label: str = ""


class Review(NamedTuple):
    """The number of hands to review at a table, and their gravest grade. `says` is the text for screen
    readers. The address is empty if the user may not see the queue.
    """

    id: str
    address: str
    hands: str
    says: str
    badge: Badge


class BoardRow(NamedTuple):
    """The texts in the row of a table.

    Attributes:
        act: the link for seating a dealer or opening the table, or None if the user may do neither.
    """

    row: Row
    address: str
    game: str
    cells: tuple[BoardCell, ...]
    review: Review | None
    act: TileLink | None


class BoardPit(NamedTuple):
    """A pit with the texts of its rows."""

    title: str
    rows: list[BoardRow]


class BoardViewer(NamedTuple):
    """What a user may do on the list of a property's tables. `zone` is the time zone of the property."""

    property: str
    zone: tzinfo
    may_queue: bool
    may_seat: bool
    may_open: bool


def words_of_pits(pits: list[Pit], names: Mapping[str, str], viewer: BoardViewer) -> list[BoardPit]:
    """Return the pits with the texts of their rows.

    Args:
        pits: the pits.
        names: {staff ID: name}.
        viewer: what the user may do.
    """
    currencies = {row.now.opened.currency for pit in pits for row in pit.rows if row.now is not None}
    with_currency = len(currencies) > 1
    return [
        BoardPit(
            pit.title, [_words(row, names, viewer, with_currency=with_currency) for row in _in_order(pit)]
        )
        for pit in pits
    ]


def _in_order(pit: Pit) -> list[Row]:
    """Return the tables of a pit: silent tables first, then late ones, and the others by name."""
    return sorted(pit.rows, key=lambda row: ORDER.index(row.lateness))


def _words(row: Row, names: Mapping[str, str], viewer: BoardViewer, *, with_currency: bool) -> BoardRow:
    cells = (
        _state(row),
        _dealer(row, names),
        _trays(row, with_currency=with_currency),
        _slips(row),
        _last(row, viewer.zone),
    )
    links = links_of(viewer.property, row.code)
    return BoardRow(row, links.table, game_title(row.game), cells, _review(row, viewer), _act(row, viewer))


def _state(row: Row) -> BoardCell:
    return BoardCell(badges=tuple(_state_badges(row)), note=_state_note(row))


def _state_badges(row: Row) -> Iterator[Badge]:
    lateness = row.lateness
    if row.state == "open":
        yield Badge("full" if lateness else "full good", "open")
    elif row.state == "behind" and row.now is not None:
        yield Badge("warn", f"open since {day_label(row.now.day)}")
    else:
        yield Badge("", "day closed" if row.state == "day-closed" else "closed")
    if lateness:
        age, silent = distance(row.age), lateness == "silent"
        yield Badge("bad", f"✕ silent for {age}") if silent else Badge("warn", f"◐ late by {age}")


def _state_note(row: Row) -> str:
    state = row.now
    if state is None:
        return "never opened"
    boxes = f" · {state.boxes} box{'es' if state.boxes != 1 else ''} uncounted" if state.boxes else ""
    if not row.is_open:
        return f"last open {day_label(state.day)}{boxes}"
    was = "was " if row.lateness == SILENT else ""  # nobody knows what was played since the last fact
    play = f"hand {state.round} {was}in play" if state.round else f"{was}between hands"
    return f"{play}{boxes}"


def _dealer(row: Row, names: Mapping[str, str]) -> BoardCell:
    if row.now is None or not row.is_open:
        return BoardCell()
    seated = row.now.seated
    if seated is None:
        return BoardCell(badges=(Badge("bad", "nobody"),))
    return BoardCell(
        text=names.get(seated.dealer, seated.dealer), note=names.get(seated.supervisor, seated.supervisor)
    )


def _trays(row: Row, *, with_currency: bool) -> BoardCell:
    """Return the cell with the last opener of a table, and the closer that was counted after it."""
    state = row.now
    if state is None:
        return BoardCell(NUMBER)
    currency = state.opened.currency
    unit = f" {currency}" if with_currency else ""
    is_shown = row.of_today or row.is_open
    opener = f"{money(state.opener.amount, currency)}{unit}" if state.opener is not None and is_shown else ""
    missing = (Badge("warn", "not counted"),) if not opener and row.is_open and state.opened.spots else ()
    closer = (
        f"{money(state.closer.amount, currency)}{unit}"
        if state.closer is not None and state.counted_since
        else ""
    )
    return BoardCell(NUMBER, missing, opener, closer, f"Opener, {currency}", f"Closer, {currency}")


def _slips(row: Row) -> BoardCell:
    state = row.now
    if state is None or not (row.of_today or row.is_open):
        return BoardCell(NUMBER)
    fills, credits = (
        money(amount, state.opened.currency) if amount else "" for amount in (state.fills, state.credits)
    )
    currency = state.opened.currency
    return BoardCell(NUMBER, (), fills, credits, f"Fills, {currency}", f"Credits, {currency}")


def _last(row: Row, zone: tzinfo) -> BoardCell:
    if row.last is None or not row.is_open:
        return BoardCell("spare")
    note = f"{distance(row.age)} ago, {date_time(row.last.at, zone)}"
    return BoardCell("spare", (), code_label(row.last_kind), note, "Last fact")


def _review(row: Row, viewer: BoardViewer) -> Review | None:
    state: Now | None = row.now
    if state is None or not state.flags:
        return None
    address = f"{reverse('queue')}?table={quote(state.table)}" if viewer.may_queue else ""
    says = f" hands of {row.code} to review, "
    badge = Badge(GRADE_BADGES.get(row.grade, ""), row.grade)
    return Review(f"review-{row.code}", address, str(state.flags), says, badge)


def _act(row: Row, viewer: BoardViewer) -> TileLink | None:
    links = links_of(viewer.property, row.code)
    if row.is_open and viewer.may_seat:
        return TileLink(f"seat-{row.code}", links.seat, "Seats", f"of {row.code}")
    if viewer.may_open and row.state == "closed":
        return TileLink(f"open-{row.code}", links.open, "Open", row.code)
    return None
