"""The names of people by staff ID."""

from __future__ import annotations

from collections.abc import Iterable

from audit import database


def names_of(ids: Iterable[str]) -> dict[str, str]:
    """Return {staff ID: name} for these staff IDs. A staff ID without a name is left out."""
    wanted = set(ids) - {""}
    if not wanted:
        return {}
    return dict(database.prepared_rows(_NAMES, [list(wanted)]))


_NAMES = "SELECT id, name FROM casino_person WHERE id = ANY (%s) AND name <> ''"
