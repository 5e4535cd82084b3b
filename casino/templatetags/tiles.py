"""Template tags for the tiles of the live wall and of the floor's map: cells, and the bars of a tray."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString

from casino.cage.par_levels import ParLine, TrayAtPar
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
        _element("small", "line-of-its-own warn", cell.more),
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
def par_bars(tray: TrayAtPar) -> SafeString:
    """Return the bars of a tray against its par levels."""
    return _bars(tuple(tray.labels))


@lru_cache(maxsize=2_000)
def _bars(lines: tuple[tuple[str, ParLine], ...]) -> SafeString:
    """Return the bars of these lines as HTML. The map shows the bars of every table every few seconds, but a
    tray changes only with a count or a slip. The HTML is therefore cached.
    """
    return render_to_string("floor/_par_bars.html", {"lines": lines})
