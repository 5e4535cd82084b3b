"""The types of entries that a property uses: the defaults, and its register `log-types`."""

from __future__ import annotations

from audit.facts.vocabulary import HAND_OVER as HAND_OVER
from audit.facts.vocabulary import LOG_TYPES
from casino.presentation.formatting import code_label
from casino.reference.registers import values_on


def titles(property: str) -> dict[str, str]:
    """Return {type: title} of the types that users can choose today, default types first."""
    return {name: title for name, (title, used) in _known(property).items() if used}


def title_of(property: str, type: str) -> str:
    """Return the title of a type. This also works for a type that can no longer be chosen, or that is not in
    the register.
    """
    return _known(property).get(type, (code_label(type), False))[0]


def all_titles(property: str) -> dict[str, str]:
    """Return {type: title} of all types, including types that can no longer be chosen."""
    return {name: title for name, (title, _) in _known(property).items()}


def _known(property: str) -> dict[str, tuple[str, bool]]:
    known = {name: (code_label(name), True) for name in LOG_TYPES}
    for name, value in values_on(property, "log-types").items():
        entry = value if isinstance(value, dict) else {}
        title = entry.get("title")
        default = known.get(name, (code_label(name), True))[0]
        known[name] = (
            title if isinstance(title, str) and title.strip() else default,
            bool(entry.get("used", True)),
        )
    return known
