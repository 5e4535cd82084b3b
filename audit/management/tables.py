"""Tables in plain text for the output of commands."""

from __future__ import annotations

import shutil
import unicodedata
from collections.abc import Sequence


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], right: frozenset[int] = frozenset()) -> str:
    """Format a table in plain text. Each column is as wide as its longest cell.

    Columns in `right` are right-aligned. The last column is not padded. Control characters are shown as `?`,
    so that text from a feed cannot control the terminal.
    """
    clean = [[_plain(cell) for cell in row] for row in (headings, *rows)]
    widths = [max(len(row[place]) for row in clean) for place in range(len(headings))]
    lines = []
    for number, row in enumerate(clean):
        cells = [
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
        if number == 0:
            lines.append(
                "  ".join("-" * width for width in widths[:-1])
                + "  "
                + "-" * min(widths[-1], shutil.get_terminal_size((120, 24)).columns)
            )
    return "\n".join(lines)


def _plain(cell: str) -> str:
    return "".join(
        "?" if unicodedata.category(letter) in ("Cc", "Cf", "Zl", "Zp") else letter for letter in cell
    )
