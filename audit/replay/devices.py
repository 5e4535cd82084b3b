"""The rules for facts that a device sends to the property's own stream. They depend on its entry in the
register `devices`. Pure.

The REST API rejects a fact that breaks these rules. Replay reports such a fact if it was recorded.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from audit import facts as f
from audit.facts.vocabulary import DEVICE_KINDS
from games.kit.events import Event, kind_of

RIGHTS = frozenset({"people", "devices"})
"""Registers that say what people and devices may do. A device must not set entries of these registers."""
NOT_ENTITLED = "signer-not-entitled"
ONE_TIME_PASSWORDS = ("thresholds", "one-time-passwords")
EVERY_TABLE = "*"


class Problem(NamedTuple):
    """Why a fact is wrong: the field at fault, the reason, and the code of the finding with which replay
    reports it.
    """

    field: str
    why: str
    code: str = NOT_ENTITLED


def device_problem(device: str, value: Any, event: Event, *, earlier: bool = False) -> Problem | None:
    """Return why a device may not send this fact of the property's stream, or None if it may.

    Args:
        device: The key of the device in the register.
        value: The value of its entry.
        event: A fact of the property's stream.
        earlier: True for a recorded fact. An entry without the field `kinds`, as earlier releases wrote it,
            then allows all kinds.
    """
    entry = value if isinstance(value, dict) else {}
    kind = kind_of(event)
    kinds = entry.get("kinds")
    named = isinstance(kinds, list) and kind in kinds
    if kind not in DEVICE_KINDS:
        return Problem("kind", f"{device} may not post {kind}: no device may.")
    if entry.get("house") is not True or not (named or (earlier and kinds is None)):
        return Problem(
            "kind",
            f"{device} may not post {kind}: its entry in the register devices must have `house` true and name"
            " the kind in `kinds`.",
        )
    if isinstance(event, f.RegisterSet) and (
        event.register in RIGHTS or (event.register, event.key) == ONE_TIME_PASSWORDS
    ):
        return Problem(
            "register",
            f"{device} may not set the register {event.register}: rights are set on the page of the register,"
            " where two people sign.",
        )
    return _table_problem(device, entry.get("tables"), event)


def foreign_table(
    property: str, about: str, field: str = "of_table", code: str = NOT_ENTITLED
) -> Problem | None:
    """Return a problem if a table belongs to another property. Return None if it belongs to this property.

    Args:
        property: the property whose stream has the fact.
        about: the table, as PROPERTY/TABLE.
        field: the field that names the table.
        code: the code of the finding.
    """
    if about.startswith(f"{property}/"):
        return None
    return Problem(field, f"{about[:60]} is not a table of {property}.", code)


def _table_problem(device: str, tables: Any, event: Event) -> Problem | None:
    """Return the problem if the fact is about a table for which the device is not registered. Return None if
    the device is registered for this table or for every table of the property.
    """
    property = event.table.partition("/")[0]
    own = tables if isinstance(tables, list) else []
    field, about, code = "kind", "", NOT_ENTITLED
    if isinstance(event, f.Adjusted | f.Flagged):
        field, about = "of_table", event.of_table
        code = "adjusted-elsewhere" if isinstance(event, f.Adjusted) else NOT_ENTITLED
    elif isinstance(event, f.RegisterSet) and event.register == "tables":
        field, about = "key", f"{property}/{event.key}"
    if about and (problem := foreign_table(property, about, field, code)):
        return problem
    table = about.partition("/")[2]
    if EVERY_TABLE in own or (about and table in own):
        return None
    subject = about[:60] or f"every table, which {kind_of(event)} needs"
    return Problem(field, f"{device} is not registered for {subject}.", code)
