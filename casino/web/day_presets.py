"""The ranges of gaming days that pages offer with one click."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import NamedTuple

DAYS = 30
"""Number of gaming days of the last preset."""


class Preset(NamedTuple):
    """A range of gaming days with a name. Both days are included."""

    name: str
    begins: date
    last: date


def presets(today: date) -> Iterator[Preset]:
    """Yield the presets for this gaming day, such as the current week."""
    yesterday, first = today - timedelta(days=1), today.replace(day=1)
    last_month = first - timedelta(days=1)
    yield Preset("Today", today, today)
    yield Preset("Yesterday", yesterday, yesterday)
    yield Preset("This week", today - timedelta(days=today.weekday()), today)
    yield Preset("This month", first, today)
    yield Preset("Last month", last_month.replace(day=1), last_month)
    yield Preset(f"{DAYS} days", today - timedelta(days=DAYS - 1), today)


class PresetLink(NamedTuple):
    """The link to a preset.

    Attributes:
        is_current: True if the page shows these days and no earlier preset has the same days. On the last day
            of a month of 30 days, for example, `This month` and `30 days` have the same days.
    """

    name: str
    address: str
    is_current: bool


def preset_links(
    today: date, begins: date, last: date, address: Callable[[str, str], str]
) -> list[PresetLink]:
    """Return the links to all presets for a page that shows the days from `begins` to `last`.

    Args:
        today: the current gaming day.
        begins: the first day that the page shows.
        last: the last day that the page shows.
        address: returns the URL of the page for a first and a last day.
    """
    current = next(
        (preset.name for preset in presets(today) if (preset.begins, preset.last) == (begins, last)), ""
    )
    return [
        PresetLink(
            preset.name,
            address(preset.begins.isoformat(), preset.last.isoformat()),
            preset.name == current,
        )
        for preset in presets(today)
    ]
