"""Who may send which fact. A device may send facts of its tables. A person may send only facts that one
person may state alone, and only in their own name.

A fact that a second person must sign with a password (a verdict, a register entry, a slip) is recorded on
Catwalk's pages, where the password can be entered.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from audit import facts as f
from audit.facts import Prepared, Refused
from casino.accounts.permissions import OF_A_PERSON, RIGHTS, can
from casino.models import Device, Person
from casino.reference.entry_facts import self_approval_error

NEVER_POSTED = frozenset({"verdict-given", "reexamined"})
"""Kinds that no sender may post. Verdicts are given on a page, and reexaminations are recorded by Catwalk
itself.
"""
SIGNERS = ("by", "second", "requested_by", "sent_by", "carried_by", "received_by", "verified_by", "team")
NAMING = frozenset(kind for kind, shape in f.KINDS.items() if set(SIGNERS) & set(shape.__struct_fields__))
"""The kinds with a field that names a person who signed."""
HOUSE = f.HOUSE_KINDS


def check(who: Person | Device, facts: Sequence[Prepared]) -> None:
    """Raise Refused for the first fact that this sender may not send."""
    if isinstance(who, Device):
        _check_device(who, facts)
    else:
        _check_person(who, facts)


def _check_device(device: Device, facts: Sequence[Prepared]) -> None:
    """Raise Refused if a fact may not come from this device. Sets are compared first, because nearly all
    posts are from one table and of kinds that any sensor may send.
    """
    kinds = {fact.kind for fact in facts}
    bad = set(NEVER_POSTED)
    if not device.get("house"):
        bad |= HOUSE
    if not device.get("people"):
        bad |= NAMING
    tables = device.tables
    streams = {fact.stream for fact in facts if fact.kind not in HOUSE}
    strange = (
        {stream for stream in streams if stream.split("/")[1] not in tables} if "*" not in tables else set()
    )
    if not strange and not kinds & (bad | {"register-set"}):
        return
    for index, fact in enumerate(facts):
        if fact.kind in NEVER_POSTED or (fact.kind in HOUSE and not device.get("house")):
            raise _no_right(fact, index, "kind", f"{device.key} may not post {fact.kind}")
        if fact.stream in strange and fact.kind not in HOUSE:
            raise _no_right(
                fact, index, "table", f"{device.key} is not registered for {fact.stream.rpartition('/')[0]}"
            )
        if fact.kind in bad and (field := _names_somebody(fact)):
            raise _no_right(fact, index, field, f"{device.key} is not registered to name people")
        if fact.kind == "register-set" and (says := _own_rights_error(fact)):
            field, _, why = says.partition(": ")
            raise _no_right(fact, index, field, why)


def _check_person(person: Person, facts: Sequence[Prepared]) -> None:
    for index, fact in enumerate(facts):
        act = OF_A_PERSON.get(fact.kind)
        if act is None or not can(person, act, fact.property):
            raise _no_right(fact, index, "kind", f"{person.pk} may not post {fact.kind} for {fact.property}")
        if (by := getattr(f.decode(fact.body), "by", None)) != person.pk:
            raise _no_right(
                fact,
                index,
                "by",
                f"{str(by)[:60]!r} is not who sends: a person speaks for nobody but {person.pk}",
            )


def _names_somebody(fact: Prepared) -> str | None:
    """Return the first field in which a fact names a person who signed; None if it names nobody."""
    event: Any = f.decode(fact.body)
    return next((field for field in SIGNERS if getattr(event, field, None)), None)


def _own_rights_error(fact: Prepared) -> str:
    """Return why these two people may not sign an entry of a register; empty text if they may. Nobody
    approves a change of their own rights, with any client.
    """
    entry: Any = f.decode(fact.body)
    return self_approval_error(entry.register, entry.key, entry.by, entry.second)


def _no_right(fact: Prepared, index: int, field: str, why: str) -> Refused:
    return Refused("no-right", why, field=field, uid=str(fact.uid), index=index)


def properties_of(who: Person | Device) -> frozenset[str]:
    """Return the properties at which this sender may post anything."""
    acts = {"post-facts"} if isinstance(who, Device) else set(OF_A_PERSON.values())
    return frozenset(
        property
        for property, roles in who.roles.items()
        if any(acts & RIGHTS.get(role, frozenset()) for role in roles)
    )
