"""What the value of a register entry must look like, where the house itself reads it: people and approvals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from audit import approvals
from casino.permissions import RIGHTS

ROLES = (*RIGHTS, "floor")
"""Every role there is; `floor` has no right of its own."""


def check(register: str, value: Any) -> None:
    """Raises ValueError, `field: why`, for a value that could only be a mistake. Null strikes an entry out, in every register."""
    if value is not None and register in CHECKS:
        CHECKS[register](value)


def _person(value: Any) -> None:
    if not isinstance(value, dict):
        raise ValueError('it: a person is an object {"role": …} or {"roles": [ … ]}')
    for field, roles in (("role", [value.get("role", "dealer")]), ("roles", value.get("roles", []))):
        if not isinstance(roles, list):
            raise ValueError(f"{field}: a list of roles is needed")
        for role in roles:
            if role not in ROLES:
                raise ValueError(f"{field}: there is no role {role!r}; there are {', '.join(ROLES)}")


def _approval(value: Any) -> None:
    if isinstance(value, dict) and not str(value.get("letter") or "").strip():
        raise ValueError("letter: a text is needed, the name of the regulator's letter")
    if strange := approvals.unknown(approvals.read(value)):
        raise ValueError(strange)


CHECKS: dict[str, Callable[[Any], None]] = {"people": _person, "approvals": _approval}
"""The registers whose values are read by the house itself."""
