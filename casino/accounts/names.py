"""The names of people by staff ID."""

from __future__ import annotations

from collections.abc import Iterable

from casino.models import Person


def names_of(ids: Iterable[str]) -> dict[str, str]:
    """Return {staff ID: name} for these staff IDs. A staff ID without a name is left out."""
    wanted = set(ids) - {""}
    if not wanted:
        return {}
    return dict(Person.objects.filter(pk__in=wanted).exclude(name="").values_list("pk", "name"))
