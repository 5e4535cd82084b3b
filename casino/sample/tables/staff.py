"""The staff of the sample property's month: dealers and their error rates, supervisors, cashiers, guards, and
the count team.

The users of the demo are among them with the same ids: Ada d-101, Finn s-201, Chi c-101, Gus g-101, Nia n-101
and the others.
"""

from __future__ import annotations

from typing import Any

from casino.sample.tables.play import DEALERS, SUPERVISORS

FLOOR_STAFF = {"pit-1": ("s-201", "s-202", "s-111", "s-112"), "pit-2": ("s-202", "s-113", "s-114")}
CASHIERS = ("c-101", "c-102", "c-103", "c-104")
GUARDS = ("g-101", "g-102", "g-103", "g-104")
COUNTERS = ("n-101", "n-102", "n-103", "n-104", "n-105")
ACCOUNTANTS = ("a-101", "a-102")
"""The accountants: either one closes a day, and both sign a later adjustment."""
ADMINISTRATORS = ("m-101", "m-102")
"""The administrators, who enter the registers: one sets an entry and the other signs it."""
INSTALLERS = ("o-101", "o-102")
"""The people who entered the administrators, because nobody enters or signs an entry about their own
rights.
"""
HANDS = range(1, 10)
"""The numbers of the cashiers, guards and counters of the present day: `c-1`, `g-1`, `n-1`."""
TABLES = 6
"""The number of tables that one supervisor may have at the same time."""

USUAL = 0.008
"""The probability that a dealer with an ordinary error rate makes an error in a round."""
ERRS = {
    "d-103": 0.02,
    "d-107": 0.05,
    "d-110": 0.07,
    "d-118": 0.05,
    "d-122": 0.03,
    "d-127": 0.03,
    "d-135": 0.06,
    "d-142": 0.04,
}
"""For each dealer who makes more errors than others: the probability of an error in a round."""
GIVES = ("d-110", "d-135")
"""Dealers who make errors only in favor of the players. Surveillance should notice them."""

ROLES: dict[str, str] = {
    **dict.fromkeys(DEALERS, "dealer"),
    **dict.fromkeys((*SUPERVISORS, "s-201", "s-202"), "supervisor"),
    **dict.fromkeys((*CASHIERS, *(f"c-{number}" for number in HANDS)), "cage"),
    **dict.fromkeys((*GUARDS, *(f"g-{number}" for number in HANDS)), "security"),
    **dict.fromkeys((*COUNTERS, *(f"n-{number}" for number in HANDS)), "count"),
    **dict.fromkeys(ACCOUNTANTS, "accounting"),
    **dict.fromkeys(ADMINISTRATORS, "administrator"),
}
"""The role of each person who signs anything, in the month and on the present day."""


def entry_of(person: str) -> dict[str, Any]:
    """Return a person's entry in the register of people."""
    role = ROLES[person]
    return {"role": role} | ({"tables": TABLES} if role == "supervisor" else {})


def error_rate(dealer: str) -> float:
    """Return the dealer's probability of an error in a round."""
    return ERRS.get(dealer, USUAL)
