"""Template tag for the cells of a tile of the live wall and of the floor's map."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString

from casino.floor.tile_words import Cell

register = template.Library()


@register.simple_tag
def tile_cells(cells: Iterable[Cell]) -> SafeString:
    """Return the cells of a tile. A template would take several times as long, and the wall has hundreds."""
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
