"""Terminal output of commands: progress while they work, tables when they are done."""

from __future__ import annotations

import shutil
import sys
import time
import unicodedata
from argparse import ArgumentTypeError
from collections.abc import Sequence
from types import TracebackType

from audit.facts.input_parsing import whole

EVERY = 0.2
"""Seconds between two updates of the progress line."""


class Progress:
    """A line on stderr that counts; it is written to a terminal only, never to a pipe. Call the object with
    the number of items done since the last call.
    """

    def __init__(self, done: str, what: str, total: int | None = None) -> None:
        self.done, self.what, self.total = done, what, total
        self.count = 0
        self.shown = sys.stderr.isatty()
        self.begun = self.last = time.monotonic()

    def __enter__(self) -> Progress:
        return self

    def __call__(self, more: int) -> None:
        self.count += more
        now = time.monotonic()
        if self.shown and now - self.last >= EVERY:
            self.last = now
            of = f" of {self.total}" if self.total else ""
            sys.stderr.write(f"\r\x1b[K{self.done} {self.count}{of} {self.what}, {self.per_second():,.0f}/s")
            sys.stderr.flush()

    def per_second(self) -> float:
        """Return how many were counted per second since the start."""
        return self.count / max(time.monotonic() - self.begun, 1e-9)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def processes(text: str) -> int:
    """Parse the number of processes, an integer from 1 to 64. Raises argparse's ArgumentTypeError for
    anything else.
    """
    number = whole(text)
    if number is None or not 1 <= number <= 64:
        raise ArgumentTypeError(f"{text!r} is no number of processes from 1 to 64")
    return number


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], right: frozenset[int] = frozenset()) -> str:
    """Format a table in plain text: columns as wide as their longest cell, those in `right` right-aligned,
    the last one not padded.

    Control characters are shown as `?`, so that text from a feed cannot control the terminal.
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
