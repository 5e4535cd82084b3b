"""Create the users for the demo and the tests. Each role has one or two."""

from __future__ import annotations

from typing import NamedTuple

from casino.accounts.services import activate_user, issue_token
from casino.reference.entries import Entry
from casino.reference.recording import set_registers


class Login(NamedTuple):
    """The credentials of a demo user: a password for the pages, a token for the REST API."""

    id: str
    name: str
    role: str
    password: str
    token: str | None = None


DEMO_USERS = (
    ("v-101", "Dana", "surveillance"),
    ("v-102", "Dora", "surveillance"),
    ("t-101", "Boris", "table-games"),
    ("a-101", "Alma", "accounting"),
    ("a-102", "Alan", "accounting"),
    ("i-101", "Igor", "internal-audit"),
    ("r-101", "Rhea", "regulator"),
    ("m-101", "Mia", "administrator"),
    ("m-102", "Max", "administrator"),
    ("d-101", "Ada", "dealer"),
    ("d-102", "Abe", "dealer"),
    ("s-201", "Finn", "supervisor"),
    ("s-202", "Fay", "supervisor"),
    ("c-101", "Chi", "cage"),
    ("c-102", "Cleo", "cage"),
    ("g-101", "Gus", "security"),
    ("g-102", "Gia", "security"),
    ("n-101", "Nia", "count"),
    ("n-102", "Ned", "count"),
    ("n-103", "Nell", "count"),
    ("e-101", "Eve", ""),
)
ADMINISTRATORS = ("m-101", "m-102")
SAYS = {"supervisor": {"tables": 6}}
"""For some roles, more members of the register entry. An example is the number of tables that a supervisor
may watch at the same time.
"""
GATEWAY = "gateway-1"
"""The device that posts the facts from the sensors of all tables."""


def create_demo_users(property: str) -> list[Login]:
    """Create the demo users and the gateway at this property, and return their credentials.

    Existing users get new passwords, and an existing gateway gets a new token.
    """
    entries = [Entry("people", id, {"role": role} | SAYS.get(role, {})) for id, _, role in DEMO_USERS if role]
    entries.append(Entry("devices", GATEWAY, {"tables": ["*"], "people": True, "house": False}))
    administrators = [entry for entry in entries if entry.key in ADMINISTRATORS]
    set_registers(
        property, administrators, by="o-101", second="o-102"
    )  # people must not record or sign entries about their own rights
    by, second = ADMINISTRATORS
    set_registers(property, [entry for entry in entries if entry not in administrators], by=by, second=second)
    logins = [Login(id, name, role, activate_user(id, name)) for id, name, role in DEMO_USERS]
    return [
        *logins,
        Login(GATEWAY, "", "device", "", issue_token(made_by="m-101", property=property, device=GATEWAY)),
    ]
