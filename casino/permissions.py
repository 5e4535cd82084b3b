"""Who may do what, as one table. Every page, every endpoint and the admin ask `may`, and nothing else decides."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied

SEES = frozenset(
    f"see-{what}" for what in ("queue", "hand", "hold", "facts", "findings", "registers", "people", "jobs", "views", "table", "certificate")
)  # fmt: skip
READS_ALL = SEES | {"enter-admin"}

RIGHTS: dict[str, frozenset[str]] = {
    "surveillance": (SEES - {"see-people", "see-jobs", "see-views"})
    | {"give-verdict", "review-verdict", "annotate", "flag-hand", "write-log", "enter-admin"},
    "table-games": frozenset(
        {"see-queue", "see-hand", "see-hold", "see-certificate", "see-registers", "see-table", "annotate", "pause-table"}
    ),
    "accounting": frozenset({"see-hold", "see-certificate", "see-facts", "see-registers", "see-table", "sign-register", "enter-admin"}),
    "internal-audit": READS_ALL,
    "regulator": READS_ALL,
    "administrator": frozenset({"see-registers", "see-people", "see-jobs", "set-register", "sign-register", "issue-token", "enter-admin"}),
    "device": frozenset({"post-facts", "see-table"}),
}
"""Role to acts. Whoever is not named here (dealer, supervisor, floor, cage) has no screen and no token.

Table games may annotate and never dispose; surveillance gives verdicts and moves no money; accounting adjusts books and no facts; an
administrator keeps the registers but a second person signs; auditor and regulator read all and change nothing.
"""

ACTS = frozenset().union(*RIGHTS.values())


def may(person: Any, act: str, property: str) -> bool:
    """Whether a person, or a device that posts, may do this at a property today. Raises ValueError for an act that nobody has."""
    if act not in ACTS:
        raise ValueError(f"no act {act}")
    if not _is_somebody(person):
        return False
    return any(act in RIGHTS.get(role, ()) for role in person.roles_in(property))


def properties(person: Any, act: str) -> list[str]:
    """Where the person may do this, in the order of the alphabet."""
    return sorted(property for property in person.roles if may(person, act, property)) if _is_somebody(person) else []


def demand(person: Any, act: str, property: str) -> None:
    """Raises PermissionDenied where the person may not."""
    if not may(person, act, property):
        raise PermissionDenied(f"{act} at {property}")


def _is_somebody(person: Any) -> bool:
    return bool(person is not None and person.is_authenticated and person.is_active)
