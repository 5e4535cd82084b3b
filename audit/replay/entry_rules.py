"""The rules for register entries and the people who sign them. They are the same for pages, the command, the
REST API and files.

Pages, the command and the REST API reject an entry that breaks these rules, and replay reports it if it was
recorded. The rules for values are in `register_values.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from audit import facts as f
from audit.replay.devices import Problem
from audit.replay.duties import SIGNED, Signature, role_conflict, roles_for
from audit.replay.registers import roles_of
from games.kit.events import Event, kind_of
from games.kit.signatures import not_by_two, person_key

UNREAD = "entry-not-understood"
ONE_ENTRY = ("property", "day-begins", "profile")
"""Registers in which only one key may be in force at a time."""
COMPARED = (*ONE_ENTRY, "shifts", "accounts")
"""Registers whose entries are compared with one another."""
ADMINISTERS = roles_for("set-register")
"""Roles that may set a register."""


def rights_problem(register: str, key: str, value: Any, by: str, second: str) -> Problem | None:
    """Return why these two people may not set this entry, or why nobody may set it. Return None if the two
    may.
    """
    if second and not_by_two(by, second):
        return Problem("second", "The second person must be someone else.", "signed-once")
    if register != "people":
        return None
    if field := own_rights_signed(key, by, second):
        return Problem(
            field, "Nobody can enter or sign a change of their own rights: two other people must do it."
        )
    if reason := role_conflict(roles_of(value) or ()):
        return Problem("value.roles", f"Roles that are kept apart: {reason}.", "roles-not-apart")
    return None


def own_rights_signed(key: str, by: str, second: str) -> str:
    """Return the field (`by` or `second`) in which a person signed an entry about the person's own rights, or
    an empty text if that person did not sign. Different spellings of a name are treated as one.
    """
    person = person_key(key)
    return next(
        (field for field, name in (("by", by), ("second", second)) if person_key(name) == person != ""), ""
    )


def signer_problem(event: Event, staff: Mapping[str, frozenset[str] | None]) -> Problem | None:
    """Return why the people who signed a fact may not sign it, or None if they may.

    Args:
        staff: the roles of everyone in the register of people, or None for a person whose entry does not name
            roles.
    """
    for rule in SIGNED.get(kind_of(event), ()):
        wrong = _wrong(event, rule.of, staff)
        if wrong is not None and not rule.in_order:
            first, other = rule.of
            turned = (first._replace(roles=other.roles), other._replace(roles=first.roles))
            wrong = wrong if _wrong(event, turned, staff) is not None else None
        if wrong is not None:
            return wrong
    if {"by", "second"} <= set(event.__struct_fields__) and not isinstance(event, f.VerdictGiven):
        by, second = event.by, event.second  # type: ignore[attr-defined]
        if not second.strip():
            return Problem("second", "A second person must sign.", "signed-once")
        if not_by_two(by, second):
            return Problem("second", "The second person must be someone else.", "signed-once")
    return None


def _wrong(
    event: Event, signatures: Iterable[Signature], staff: Mapping[str, frozenset[str] | None]
) -> Problem | None:
    """Return the problem of the first signature that is not valid, or None if all are valid."""
    for signature in signatures:
        person = getattr(event, signature.field, None)
        if not person:
            continue
        if person not in staff:
            return Problem(
                signature.field, f"{person[:60]} is not in the register of people.", "person-unknown"
            )
        roles = staff[person]
        if roles is not None and not roles & signature.roles:
            takes = " or ".join(sorted(signature.roles))
            return Problem(
                signature.field, f"{person[:60]} may not sign here. This requires the role {takes}."
            )
    return None


def contradiction(
    register: str, key: str, value: Any, day: date, others: Iterable[tuple[str, Any]]
) -> Problem | None:
    """Return how an entry contradicts another one, or None if there is no contradiction.

    Args:
        others: key and value of the register's entries that are in force on `day`, the first day of the
            entry.
    """
    if register not in COMPARED:
        return None
    for other, other_value in others:
        if other == key:
            continue
        if register in ONE_ENTRY:
            return Problem(
                "key",
                f"{other} is in force on {day} too, and only one entry of this register may be in force",
                UNREAD,
            )
        if register == "shifts" and begins(other_value) == begins(value):
            return Problem("begins", f"the shift {other} begins at {begins(other_value)} too", UNREAD)
        if register == "accounts" and is_other_account(other_value, value):
            if other_value.get("number") == value["number"]:
                name = f"named “{other_value.get('name')}”, type {other_value.get('type')}"
                reason = f"the amount {other} is posted to the account {other_value['number']}, {name}"
                return Problem("number", f"{reason}: give the account the same name and type here", UNREAD)
            reason = f"the amount {other} is posted to {other_value.get('number')}, which has this name"
            return Problem("name", f"{reason}: each account needs a name of its own", UNREAD)
    return None


def begins(value: Any) -> Any:
    """Return the start of a shift as written in its entry."""
    return value.get("begins") if isinstance(value, dict) else None


def is_other_account(account: Any, other: Any) -> bool:
    """Return True if two accounts share a number or a name but are not identical."""
    if not isinstance(account, dict):
        return False
    if account.get("number") == other["number"]:
        return (account.get("name"), account.get("type")) != (other["name"], other["type"])
    return bool(account.get("name") == other["name"])
