"""The keys of a property's registers, as the page of reference data lists and searches them."""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

from casino.accounts.permissions import properties
from casino.models import Person, Standing, roles_of
from casino.presentation.formatting import day_label


class ListedKey(NamedTuple):
    """A key with an entry that is in force now or from a later day.

    Attributes:
        words: name and roles of a person; for all other keys an empty text.
        begins: the text `from DATE` if the entry applies only from a later day, otherwise an empty text.
    """

    key: str
    words: str
    begins: str

    def matches(self, term: str) -> bool:
        """Return True if the key or its words contain a term, in upper or lower case."""
        return term.casefold() in f"{self.key} {self.words}".casefold()


def _names(user: Any) -> dict[str, str]:
    """Return {staff ID: name} of all people, or an empty dictionary for a user who may not see people."""
    if not properties(user, "see-people"):
        return {}
    return dict(Person.objects.exclude(name="").values_list("id", "name"))


def keys_by_register(property: str, day: date, user: Any) -> dict[str, list[ListedKey]]:
    """Return {register: keys} for all entries that are in force now or from a later day. People have their
    names if this user may see them.
    """
    names = _names(user)
    rows = (
        Standing.objects.filter(property=property, ends__gt=day)
        .order_by("key", "begins")
        .values_list("register", "key", "begins", "value")
    )
    first: dict[tuple[str, str], tuple[date, Any]] = {}
    for register, key, begins, value in rows:
        first.setdefault((register, key), (begins, value))
    keys: dict[str, list[ListedKey]] = {}
    for (register, key), (begins, value) in first.items():
        roles = sorted(roles_of(value)) if register == "people" else []
        words = ", ".join((*filter(None, (names.get(key) if roles else "",)), *roles))
        later = f"from {day_label(begins)}" if begins > day else ""
        keys.setdefault(register, []).append(ListedKey(key, words, later))
    return keys
