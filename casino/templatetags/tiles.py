"""Template tags for the tiles of the live wall and of the floor's map: cells, and the bars of a tray."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from html import escape

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from casino.cage.par_levels import ParLine, TrayAtPar
from casino.floor.map_words import Note, TileLink
from casino.floor.tile_words import Cell

register = template.Library()


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
def tile_notes(notes: Iterable[Note]) -> SafeString:
    """Return the notes of a tile as paragraphs."""
    return SafeString("".join(map(_note, notes)))


def _note(note: Note) -> str:
    shape = (
        f'<span class="grade-shape {escape(note.grade)}" aria-hidden="true"></span> ' if note.grade else ""
    )
    text = escape(note.text)
    linked = f'<a href="{escape(note.address)}">{text}</a>' if note.address else text
    return f"<p{_attribute('class', note.kind)}>{shape}{linked}</p>"


@register.simple_tag
def tile_links(links: Iterable[TileLink]) -> SafeString:
    """Return the links of a tile as items of a list."""
    return SafeString("".join(map(_link, links)))


def _link(link: TileLink) -> str:
    kind = _attribute("class", "first" if link.is_first else "")
    return (
        f'<li><a id="{escape(link.id)}"{kind} href="{escape(link.address)}">{escape(link.text)}'
        f'<span class="unseen"> {escape(link.of)}</span></a></li>'
    )


def _attribute(name: str, value: str) -> str:
    """Return an attribute of an element, or an empty text if it has no value."""
    return f' {name}="{escape(value)}"' if value else ""


@register.simple_tag
def par_bars(tray: TrayAtPar) -> SafeString:
    """Return the bars of a tray against its par levels."""
    return _bars(tuple(tray.labels))


@lru_cache(maxsize=2_000)
def _bars(lines: tuple[tuple[str, ParLine], ...]) -> SafeString:
    """Return the bars of these lines as HTML. The map shows the bars of every table every few seconds, but a
    tray changes only with a count or a slip. The HTML is therefore cached.
    """
    return render_to_string("floor/_par_bars.html", {"lines": lines})
