"""Template tags for the tiles of the live wall and of the floor's map, and for rows of the floor's board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from html import escape as escape_text
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from casino.cage.par_levels import ParLine
from casino.floor.board_words import Badge, BoardCell, BoardRow, Review
from casino.floor.map_words import Note, TileLink
from casino.floor.pit_map import MapTile
from casino.floor.tile_words import Cell

register = template.Library()
escape = lru_cache(maxsize=20_000)(escape_text)
"""Escape a text for HTML. The results are cached, because hundreds of tiles are made every few seconds, and
most of their texts have not changed.
"""


@register.simple_tag
def tile_cells(cells: Iterable[Cell]) -> SafeString:
    """Return the cells of a tile as HTML. No template is used, because it would take several times as long
    and the wall has hundreds of cells.
    """
    return SafeString("".join(map(_cell, cells)))


def _cell(cell: Cell) -> str:
    parts = [
        _element("span", cell.kind, cell.text) if cell.kind else escape(cell.text),
        _element("small", "", cell.unit),
        _element("small", f"line-of-its-own {cell.note_kind}".strip(), cell.note),
        _element("small", f"line-of-its-own {cell.more_kind}".strip(), cell.more),
    ]
    mark = f'<span class="warn" aria-hidden="true">{escape(cell.mark)}</span>' if cell.mark else ""
    figure = " ".join(filter(None, (mark, *parts)))
    return f"<div><dt>{escape(cell.label)}</dt><dd>{figure}</dd></div>"


def _element(name: str, kind: str, text: str) -> str:
    """Return an element with this text, or an empty text if there is nothing to show."""
    if not text:
        return ""
    return f'<{name} class="{kind}">{escape(text)}</{name}>' if kind else f"<{name}>{escape(text)}</{name}>"


@register.simple_tag
def tile_head(head: Mapping[str, str]) -> SafeString:
    """Return the head of a tile as HTML: the table, its game, its state and the age of its last fact."""
    address, code, game, mark, state = (
        escape(head[name]) for name in ("address", "code", "game", "mark", "state")
    )
    return SafeString(
        f'<div class="tile-head"><h2><a href="{address}">{code}</a> <small>{game}</small></h2>'
        f'<p class="tile-state"><span aria-hidden="true">{mark}</span> {state}'
        f" {_element('b', '', head['age'])}</p></div>"
    )


@register.simple_tag
def map_tile(words: Mapping[str, Any]) -> SafeString:
    """Return the tile of an open table on the map as HTML: its head, cells, tray, notes and links."""
    tray = words["tray"]
    return SafeString(
        f'{tile_head(words["head"])}<dl class="tile-facts">{tile_cells(words["cells"])}</dl>'
        f"{_bars(tuple(tray.labels)) if tray is not None else ''}{''.join(map(_note, words['notes']))}"
        f'<ul class="deskacts">{"".join(map(_link, words["links"]))}</ul>'
    )


@register.simple_tag
def places_with_break(places: Iterable[MapTile]) -> SafeString:
    """Return links to the tiles whose dealer is due for a break, with the dealer's staff ID as text."""
    states = ((place.tile.row.code, place.tile.row.now) for place in places)
    return _place_links((code, state.seated.dealer) for code, state in states if state and state.seated)


@register.simple_tag
def places_under_par(places: Iterable[MapTile]) -> SafeString:
    """Return links to the tiles whose tray is low, with the table's code as text."""
    return _place_links((place.tile.row.code, place.tile.row.code) for place in places)


def _place_links(links: Iterable[tuple[str, str]]) -> SafeString:
    return SafeString(
        "".join(f'<small><a href="#map-{escape(code)}">{escape(text)}</a></small> ' for code, text in links)
    )


def _note(note: Note) -> str:
    shape = (
        f'<span class="grade-shape {escape(note.grade)}" aria-hidden="true"></span> ' if note.grade else ""
    )
    text = escape(note.text)
    linked = f'<a href="{escape(note.address)}">{text}</a>' if note.address else text
    return f"<p{_attribute('class', note.kind)}>{shape}{linked}</p>"


def _link(link: TileLink) -> str:
    kind = _attribute("class", "first" if link.is_first else "")
    return (
        f'<li><a id="{escape(link.id)}"{kind} href="{escape(link.address)}">{escape(link.text)}'
        f'<span class="unseen"> {escape(link.of)}</span></a></li>'
    )


@register.simple_tag
def board_row(words: BoardRow) -> SafeString:
    """Return the row of a table on the board as HTML. No template is used, because it would take several
    times as long and the board has a hundred rows.
    """
    code, review, act = escape(words.row.code), words.review, words.act
    return SafeString(
        f'<tr{_attribute("class", "" if words.row.is_open else "inactive")}><th scope="row">'
        f'<a class="cell" id="at-{code}" href="{escape(words.address)}">'
        f"{code}<small>{escape(words.game)}</small></a></th>"
        f'{"".join(map(_board_cell, words.cells))}<td class="w">{_review(review) if review else ""}</td>'
        f'<td class="act">{f"""<ul class="deskacts">{_link(act)}</ul>""" if act else ""}</td></tr>'
    )


def _board_cell(cell: BoardCell) -> str:
    badges = tuple(map(_badge, cell.badges))
    label = _phone_label(cell.label) if cell.text or badges else ""
    note = f"<small>{_phone_label(cell.note_label)}{escape(cell.note)}</small>" if cell.note else ""
    parts = filter(None, (label, *badges, escape(cell.text), note))
    return f"<td{_attribute('class', cell.kind)}>{' '.join(parts)}</td>"


def _phone_label(label: str) -> str:
    """Return the heading of a column, which a phone does not show, as part of a cell."""
    return f'<span class="narrow-only">{escape(label)} </span>' if label else ""


def _badge(badge: Badge) -> str:
    return _element("span", f"badge {badge.kind}".strip(), badge.text)


_TO_REVIEW = '<span class="narrow-only" aria-hidden="true">to review </span>'
"""The heading of the column, which a phone does not show."""


def _review(review: Review) -> str:
    number = f"{escape(review.hands)}{_element('span', 'unseen', review.says)}"
    says = f"{number} {_TO_REVIEW}{_badge(review.badge)}"
    if not review.address:
        return says
    return f'<a class="cell review" id="{escape(review.id)}" href="{escape(review.address)}">{says}</a>'


def _attribute(name: str, value: str) -> str:
    """Return an attribute of an element, or an empty text if it has no value."""
    return f' {name}="{escape(value)}"' if value else ""


@lru_cache(maxsize=2_000)
def _bars(lines: tuple[tuple[str, ParLine], ...]) -> SafeString:
    """Return the bars of these lines as HTML. The map shows the bars of every table every few seconds, but a
    tray changes only with a count or a slip. The HTML is therefore cached.
    """
    return render_to_string("floor/_par_bars.html", {"lines": lines})
