"""What a person prefers on the pages of reports: favourites, the day on which each report was last used, and
the columns and row height of its table.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any, NamedTuple

from casino.accounts import preferences
from casino.models import Person

KIND = "report"
DENSITIES = {"comfortable": "Comfortable", "compact": "Compact"}
EXACT = "_exact"
"""The suffix of the keys of columns with exact minor units. These columns are hidden until a person shows
them.
"""


class ReportPreference(NamedTuple):
    """What a person prefers for one report.

    Attributes:
        hidden: the keys of columns that are not shown, or None if the person has not chosen any.
        used: the day on which the person last opened the report.
    """

    favourite: bool = False
    used: date | None = None
    hidden: frozenset[str] | None = None
    density: str = "comfortable"

    def hides(self, key: str) -> bool:
        """Return True if the column with this key is not shown."""
        return key.endswith(EXACT) if self.hidden is None else key in self.hidden


def preference(person: Person, report: str) -> ReportPreference:
    """Return what a person prefers for a report."""
    return _read(preferences.preference_of(person.id, KIND, report))


def all_preferences(person: Person) -> dict[str, ReportPreference]:
    """Return {report: what the person prefers} of all reports that the person has used or marked as a
    favourite.
    """
    return {name: _read(value) for name, value in preferences.preferences_of(person.id, KIND).items()}


def mark_used(person: Person, report: str, known: ReportPreference, today: date) -> None:
    """Record that a person used a report today. Only the first use on a day is written."""
    if known.used != today:
        preferences.set_preference(person.id, KIND, report, {"used": today.isoformat()})


def set_favourite(person: Person, report: str, *, favourite: bool) -> None:
    """Mark a report as a favourite of a person, or remove the mark."""
    preferences.set_preference(person.id, KIND, report, {"favourite": favourite})


def set_table(person: Person, report: str, shown: Iterable[str], keys: Iterable[str], density: str) -> None:
    """Store the columns that a person wants to see, and the row height.

    Args:
        person: the person who uses the report.
        report: the name of the report.
        shown: the keys of the chosen columns.
        keys: the keys of all columns among which the person chose.
        density: a key of DENSITIES. Any other text means comfortable.
    """
    hidden = sorted(set(keys) - set(shown))
    known = density if density in DENSITIES else "comfortable"
    preferences.set_preference(person.id, KIND, report, {"hidden": hidden, "density": known})


def _read(value: dict[str, Any]) -> ReportPreference:
    hidden, used = value.get("hidden"), value.get("used")
    return ReportPreference(
        bool(value.get("favourite")),
        date.fromisoformat(used) if used else None,
        None if hidden is None else frozenset(hidden),
        value.get("density", "comfortable"),
    )
