"""The rights of each role. All pages, all endpoints and the admin check permissions with `can`."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied

from audit.replay.duties import DUTIES
from audit.replay.duties import role_conflict as role_conflict

SEES = frozenset(
    f"see-{subject}"
    for subject in (
        "queue",
        "hand",
        "hold",
        "facts",
        "findings",
        "registers",
        "people",
        "jobs",
        "views",
        "table",
        "certificate",
        "floor",
        "cage",
        "count",
        "alerts",
        "deliveries",
        "log",
        "video",
        "case",
    )
)
READS_ALL = SEES | {"enter-admin"}
WATCHES = (SEES - {"see-people", "see-jobs", "see-views"}) | {"keep-report", "enter-admin"}
READS: dict[str, frozenset[str]] = {
    "surveillance": WATCHES,
    "compliance": WATCHES | {"see-suspicion"},
    "table-games": frozenset(
        {
            "see-queue",
            "see-hand",
            "see-hold",
            "see-certificate",
            "see-registers",
            "see-table",
            "see-floor",
            "see-cage",
        }
    ),
    "dealer": frozenset(),
    "supervisor": frozenset({"see-floor", "see-cage"}),
    "cage": frozenset({"see-cage", "see-count"}),
    "security": frozenset(),
    "count": frozenset({"see-count"}),
    "accounting": (
        frozenset(
            {
                "see-hold",
                "see-certificate",
                "see-facts",
                "see-registers",
                "see-table",
                "see-floor",
                "see-cage",
                "see-count",
            }
        )
        | {"keep-report", "schedule-report", "enter-admin"}
    ),
    "internal-audit": READS_ALL,
    "regulator": READS_ALL,
    "administrator": frozenset(
        {
            "see-registers",
            "see-people",
            "see-jobs",
            "see-alerts",
            "see-deliveries",
            "revive-job",
            "enter-admin",
        }
    ),
    "device": frozenset({"see-table"}),
}
"""For each role: its rights to view data, and to do things that are not recorded as facts."""

RIGHTS: dict[str, frozenset[str]] = {role: READS[role] | DUTIES[role] for role in DUTIES}
"""For each role: all its rights. A user without a role cannot open any page and cannot have a token.

Surveillance writes its log, holds recordings and works on cases; internal audit and regulator read them. Only
compliance sees that there is a suspicion of money laundering, and works on it. Table games staff may annotate
findings but not decide them. Surveillance gives verdicts and does not move money. Accounting adjusts books,
writes off markers, and records no other facts. An administrator edits the registers, but a second person must
sign. Auditor and regulator may read everything and change nothing. Each signature of a slip or a count needs
its own role: the cage sends, security carries, the dealer receives, the floor requests and verifies. A dealer
counts the chips of a tray while the floor watches. The cage may recount boxes, because no report or fact that
it can open shows the first count.
"""

ACTS = frozenset().union(*RIGHTS.values())
GROUP_RIGHTS = frozenset().union(*READS.values())
"""The rights that a person can have in an installation that follows several properties. The other rights
record facts, which such an installation does not do. Pages show no form for them.
"""

OF_A_PERSON = {
    "flagged": "flag-hand",
    "log-written": "write-log",
    "camera-down": "write-log",
    "camera-up": "write-log",
    "hold-ordered": "hold-video",
    "hold-secured": "hold-video",
    "hold-released": "hold-video",
    "clip-exported": "hold-video",
    "paused": "pause-table",
    "resumed": "pause-table",
    "alarm-answered": "pause-table",
}
"""For each kind of fact that a person may post with a token: the right that is needed."""


def can(person: Any, act: str, property: str) -> bool:
    """Return True if a person, or a device that posts, has the right `act` at a property today.

    Raise ValueError if `act` is unknown.
    """
    if act not in ACTS:
        raise ValueError(f"no act {act}")
    if not _is_somebody(person) or (settings.GROUP and act not in GROUP_RIGHTS):
        return False
    return any(act in RIGHTS.get(role, ()) for role in person.roles_in(property))


def properties(person: Any, act: str) -> list[str]:
    """Return the properties where the person has the right `act` today, in alphabetical order."""
    return (
        sorted(property for property in person.roles if can(person, act, property))
        if _is_somebody(person)
        else []
    )


def require(person: Any, act: str, property: str) -> None:
    """Raise PermissionDenied if the person lacks the right `act` at the property today."""
    if not can(person, act, property):
        raise PermissionDenied(f"{act} at {property}")


def require_recording() -> None:
    """Raise PermissionDenied in an installation that follows several properties: it records no facts."""
    if settings.GROUP:
        raise PermissionDenied("this installation records nothing")


def _is_somebody(person: Any) -> bool:
    return bool(person is not None and person.is_authenticated and person.is_active)
