"""The limits in the address of a report's page: reading them, and the links that remove them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from casino.presentation.formatting import display
from casino.reports import limits
from casino.reports.catalog import Report
from casino.web.request_params import clean_text

Pairs = tuple[tuple[str, str], ...]
"""Limits as pairs of a name and a value, in the order of `limits.NAMES`."""


class ShownLimit(NamedTuple):
    """One limit of a report, as the page shows it. `address` is the page without this limit."""

    name: str
    text: str
    address: str


def read(sent: Mapping[str, str], property: str) -> Pairs:
    """Return the limits in these parameters. A table without a property is a table of `property`."""
    pairs = ((name, clean_text(sent.get(name))) for name in limits.NAMES)
    return tuple(
        (name, f"{property}/{value}" if name == "table" and "/" not in value else value)
        for name, value in pairs
        if value
    )


def error(report: Report, sent: Iterable[str]) -> str:
    """Return a sentence about parameters by which the report cannot be limited, or empty text."""
    names = set(sent)
    return limits.error(report, [name for name in limits.NAMES if name in names])


def shown(pairs: Pairs, address: Callable[[Pairs], str]) -> list[ShownLimit]:
    """Return the limits for display. `address` returns the address of the page with the given limits."""
    return [
        ShownLimit(name, display(name, value), address(tuple(pair for pair in pairs if pair[0] != name)))
        for name, value in pairs
    ]
