"""Who may send which facts. A device may send facts of the tables for which it is registered. In the
property's stream, it may send only the kinds that its register entry names. A person may send only facts that
one person may state alone, and only in their own name.

A fact that a second person must sign with a password (a verdict, a register entry, a slip) is recorded on
Catwalk's pages, where the password can be entered.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import json

from audit import facts as f
from audit.facts import Prepared, Refused
from audit.ledger.open_stream import has_counted
from audit.replay.devices import Problem, device_problem, foreign_table
from audit.replay.entry_rules import rights_problem, signer_problem
from audit.replay.registers import roles_of
from casino.accounts.permissions import OF_A_PERSON, RIGHTS, can
from casino.models import Device, Person
from casino.reference.registers import device as registered_device
from casino.reference.registers import values_on

SIGNERS = ("by", "second", "requested_by", "sent_by", "carried_by", "received_by", "verified_by", "team")
NAMING = frozenset(kind for kind, shape in f.KINDS.items() if set(SIGNERS) & set(shape.__struct_fields__))
"""The kinds of fact with a field that names a person who signed."""
HOUSE = f.HOUSE_KINDS


def check(sender: Person | Device, facts: Sequence[Prepared]) -> None:
    """Raise Refused for the first fact that this sender may not send."""
    if isinstance(sender, Device):
        _check_device(sender, facts)
    else:
        _check_person(sender, facts)


def _check_device(device: Device, facts: Sequence[Prepared]) -> None:
    """Raise Refused for the first fact that this device may not send.

    First, the tables and kinds of the whole post are compared with those that the device may send. Single
    facts are checked only if this comparison finds a table or kind that needs a check.
    """
    _check_sources(device, facts)
    kinds = {fact.kind for fact in facts}
    naming = NAMING if not device.get("people") else frozenset[str]()
    tables = device.tables
    streams = {fact.stream for fact in facts if fact.kind not in HOUSE}
    strange = (
        {stream for stream in streams if stream.split("/")[1] not in tables} if "*" not in tables else set()
    )
    if not strange and not kinds & (naming | HOUSE):
        return
    for index, fact in enumerate(facts):
        if fact.kind in HOUSE and (problem := _house_problem(device, fact)):
            raise _no_right(fact, index, problem.field, problem.why)
        if fact.stream in strange and fact.kind not in HOUSE:
            raise _no_right(
                fact, index, "table", f"{device.key} is not registered for {fact.stream.rpartition('/')[0]}"
            )
        if fact.kind in naming and (field := _names_somebody(fact)):
            raise _no_right(fact, index, field, f"{device.key} is not registered to name people")


def _check_sources(device: Device, facts: Sequence[Prepared]) -> None:
    """Raise Refused for the first fact that names another registered device as its source.

    Each registered device sends its own facts with its own credentials. If another device could send facts in
    its name, a false counter `n` could hide that a fact was lost. A sensor that is not in the register may
    send through any device.

    Nearly all facts name the device that sends them. This is checked on the bytes of the fact. Only the other
    facts are decoded.
    """
    own = b'"source":' + json.encode(device.key)
    others: dict[str, bool] = {device.key: False}
    for index, fact in enumerate(facts):
        if own in fact.body and fact.body.count(b'"source":') == 1:
            continue
        source: str = f.decode(fact.body).source
        if source not in others:
            others[source] = registered_device(fact.property, source) is not None
        if others[source]:
            reason = f"{source[:60]!r} is another registered device. Only that device may send its facts."
            raise _no_right(fact, index, "source", reason)


def _house_problem(device: Device, fact: Prepared) -> Problem | None:
    """Return why a device may not send this fact in the property's stream, or None if it may send the fact.
    The device must be registered for the kind of fact. If the device may name people, everybody whom the fact
    names must be allowed to sign it today.
    """
    if fact.property != device.property:
        return Problem("kind", f"{device.key} may not post {fact.kind} for {fact.property}")
    event = f.decode(fact.body)
    if isinstance(event, f.RegisterSet) and (
        problem := rights_problem(event.register, event.key, event.value, event.by, event.second)
    ):
        return problem
    if problem := device_problem(device.key, device.value, event) or _elsewhere(fact, event):
        return problem
    if event.source != device.key:
        return Problem("source", f"In the property's stream, {device.key} must name itself as the source.")
    if not device.get("people"):
        return None
    staff = {key: roles_of(value) for key, value in values_on(fact.property, "people").items()}
    return signer_problem(event, staff)


def _check_person(person: Person, facts: Sequence[Prepared]) -> None:
    for index, fact in enumerate(facts):
        act = OF_A_PERSON.get(fact.kind)
        if act is None or not can(person, act, fact.property):
            raise _no_right(fact, index, "kind", f"{person.pk} may not post {fact.kind} for {fact.property}")
        event: Any = f.decode(fact.body)
        if event.by != person.pk:
            reason = f"{event.by[:60]!r} is not the sender. `by` must be {person.pk}"
            raise _no_right(fact, index, "by", reason)
        if event.n is not None:
            reason = "A person's fact has no `n`: only a device counts its facts. Leave `n` out."
            raise _no_right(fact, index, "n", reason)
        if _is_device(event.source, fact):
            reason = (
                f"{event.source[:60]!r} is a device. A person cannot send facts in its name. Send another"
                " source, for example desk."
            )
            raise _no_right(fact, index, "source", reason)
        if problem := _elsewhere(fact, event):
            raise _no_right(fact, index, problem.field, problem.why)


def _elsewhere(fact: Prepared, event: Any) -> Problem | None:
    """Return the problem if a fact is about a table of another property, or None."""
    about = getattr(event, "of_table", None)
    return foreign_table(fact.property, about) if about else None


def _is_device(source: str, fact: Prepared) -> bool:
    """Return True if this source is a device in the property's register, or if it has numbered its facts in
    this stream.
    """
    return registered_device(fact.property, source) is not None or has_counted(
        fact.property, fact.stream, source
    )


def _names_somebody(fact: Prepared) -> str | None:
    """Return the first field in which a fact names a person who signed, or None if there is no such field."""
    event: Any = f.decode(fact.body)
    return next((field for field in SIGNERS if getattr(event, field, None)), None)


def _no_right(fact: Prepared, index: int, field: str, reason: str) -> Refused:
    return Refused("no-right", reason, field=field, uid=str(fact.uid), index=index)


def properties_of(sender: Person | Device) -> frozenset[str]:
    """Return the properties at which this sender may post anything."""
    acts = {"post-facts"} if isinstance(sender, Device) else set(OF_A_PERSON.values())
    return frozenset(
        property
        for property, roles in sender.roles.items()
        if any(acts & RIGHTS.get(role, frozenset()) for role in roles)
    )
