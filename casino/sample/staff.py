"""Who works in the sample house's month: dealers and how often each errs, supervisors, cashiers, guards, and the count team.

Whoever logs in at the demo is among them by the same id: Ada d-101, Finn s-201, Chi c-101, Gus g-101, Nia n-101 and the others.
"""

from __future__ import annotations

from .play import DEALERS, SUPERVISORS

FLOOR_STAFF = {"pit-1": ("s-201", "s-202", "s-111", "s-112"), "pit-2": ("s-202", "s-113", "s-114")}
CASHIERS = ("c-101", "c-102", "c-103", "c-104")
GUARDS = ("g-101", "g-102", "g-103", "g-104")
COUNTERS = ("n-101", "n-102", "n-103", "n-104", "n-105")
ACCOUNTANTS = ("a-101", "a-102")
"""Who close a day, and who both sign for what is adjusted later."""

USUAL = 0.008
"""How often in a round a dealer errs who is as good as most."""
ERRS = {"d-103": 0.02, "d-107": 0.05, "d-110": 0.07, "d-118": 0.05, "d-122": 0.03, "d-127": 0.03, "d-135": 0.06, "d-142": 0.04}
"""Those who err oftener."""
GIVES = ("d-110", "d-135")
"""Whose mistakes all go to the players: worth a second look."""

ROLES: dict[str, str] = {
    **dict.fromkeys(DEALERS, "dealer"),
    **dict.fromkeys((*SUPERVISORS, "s-201", "s-202"), "supervisor"),
    **dict.fromkeys(CASHIERS, "cage"),
    **dict.fromkeys(GUARDS, "security"),
    **dict.fromkeys(COUNTERS, "count"),
}


def errs(dealer: str) -> float:
    """How often in a round this dealer errs."""
    return ERRS.get(dealer, USUAL)
