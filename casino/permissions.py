"""Who may do what, as one table. Every page, every endpoint and the admin ask `may`, and nothing else decides."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.core.exceptions import PermissionDenied

SEES = frozenset(
    f"see-{what}"
    for what in (
        "queue", "hand", "hold", "facts", "findings", "registers", "people", "jobs", "views", "table", "certificate",
        "floor", "cage", "count",
    )
)  # fmt: skip
READS_ALL = SEES | {"enter-admin"}
ON_THE_FLOOR = frozenset(
    {"open-table", "seat-dealer", "set-limits", "count-tray", "request-slip", "verify-slip", "buy-chips", "issue-marker"}
)

RIGHTS: dict[str, frozenset[str]] = {
    "surveillance": (SEES - {"see-people", "see-jobs", "see-views"})
    | {"give-verdict", "review-verdict", "annotate", "flag-hand", "write-log", "investigate", "keep-report", "enter-admin"},
    "table-games": ON_THE_FLOOR
    | {"see-queue", "see-hand", "see-hold", "see-certificate", "see-registers", "see-table", "annotate", "pause-table"}
    | {"see-floor", "see-cage"},
    "dealer": frozenset({"count-tray", "count-chips", "receive-slip", "buy-chips"}),
    "supervisor": ON_THE_FLOOR | {"see-floor", "see-cage", "pull-box", "witness-void"},
    "cage": frozenset({"see-cage", "send-slip", "void-slip", "pay-marker", "verify-count", "see-count"}),
    "security": frozenset({"carry-slip", "pull-box", "witness-void"}),
    "count": frozenset({"see-count", "count-drop"}),
    "accounting": frozenset({"see-hold", "see-certificate", "see-facts", "see-registers", "see-table", "sign-register", "enter-admin"})
    | {"see-floor", "see-cage", "see-count", "witness-void", "close-day", "adjust", "sign-adjustment"}
    | {"keep-report", "schedule-report", "investigate"},
    "internal-audit": READS_ALL,
    "regulator": READS_ALL,
    "administrator": frozenset({"see-registers", "see-people", "see-jobs", "set-register", "sign-register", "issue-token", "enter-admin"}),
    "device": frozenset({"post-facts", "see-table"}),
}
"""Role to acts. Whoever has none of them has no screen and no token.

Table games may annotate and never dispose; surveillance gives verdicts and moves no money; accounting adjusts books and no facts; an
administrator keeps the registers but a second person signs; auditor and regulator read all and change nothing. Whoever signs a slip
or a count has a role for that one signature: the cage sends, security carries, the dealer receives, the floor asks and verifies; of a tray
a dealer counts the chips and the floor watches. The cage recounts a box, since it reads no report and no fact: a first count stands there.
"""

HANDS = frozenset({"table-games", "dealer", "supervisor", "floor", "cage", "security", "count"})
"""Who has chips, cash, boxes or the games in hand."""
APART: tuple[tuple[str, frozenset[str], str], ...] = (
    ("accounting", HANDS, "who keeps the books takes no part in drops, counts, fills and the cage"),
    ("surveillance", HANDS | {"accounting"}, "who judges moves no money and runs no game"),
    ("count", frozenset({"cage"}), "who recounts a box has not counted it"),
    ("internal-audit", HANDS | frozenset(RIGHTS), "who audits does nothing that is audited"),
    ("regulator", HANDS | frozenset(RIGHTS), "the regulator reads and does nothing"),
)
"""Roles that are never one person's (domain.md section 2), and why."""

ACTS = frozenset().union(*RIGHTS.values())


def kept_apart(roles: Collection[str]) -> str:
    """Why these are not the roles of one person, in a sentence; empty where they may be."""
    for role, others, why in APART:
        if role in roles and (both := sorted(others.intersection(roles) - {role})):
            return f"{role} and {both[0]} are never one person's: {why}"
    return ""


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
