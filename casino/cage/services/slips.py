"""Record fills and credits with five signatures, and voids of pending slips with two.

Signatures of a fill or credit are added one after another, each when its signer enters a password. With the
last signature, the slip becomes a fact. Requester, sender, carrier, receiver and verifier are five people.
Catwalk assigns the serial when the slip is recorded, on the gaming day on which it was requested.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from audit.queries import cage_facts
from casino.accounts.permissions import can
from casino.cage.services.checks import (
    clean_text,
    open_table,
    require_independent_witness,
    require_two_signers,
)
from casino.cage.services.numbering import record_numbered
from casino.cage.slips import pending
from casino.cage.slips.pending import PendingSlip, Signature
from casino.models import Person
from casino.presentation.amount_input import total_value
from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import code_label, day_label
from casino.web.property_turn import in_turn
from casino.web.recording import table_fact
from games.kit.events import TableOpened

ROLES: dict[str, dict[str, str]] = {
    "fill-sent": {
        "requested_by": "request-slip",
        "sent_by": "send-slip",
        "carried_by": "carry-slip",
        "received_by": "receive-slip",
        "verified_by": "verify-slip",
    },
    "credit-sent": {
        "requested_by": "request-slip",
        "sent_by": "receive-slip",
        "carried_by": "carry-slip",
        "received_by": "send-slip",
        "verified_by": "verify-slip",
    },
}
"""For each kind of slip: its signatures in order, with the right that each signer needs.

A fill is sent by the cage and received by the dealer. A credit is sent by the dealer and received by the
cage. For a credit, the rights of sender and receiver are therefore exchanged.
"""
NAMES = {"fill-sent": "fill", "credit-sent": "credit", "marker-issued": "marker"}
"""For each kind of slip: its name in messages."""


def can_handle_slips(person: Any, property: str) -> bool:
    """Return True if the person may sign slips in any role. Such a user may also submit the signatures of
    other people.
    """
    return any(can(person, act, property) for act in ROLES["fill-sent"].values())


def _new_slip(property: str, table: str, kind: str, chips: Mapping[str, int], uid: str) -> PendingSlip:
    """Return a new slip without signatures, for the open gaming day of its table."""
    opened = open_table(property, table)
    currency, day = opened["settings"]["currency"], date.fromisoformat(opened["day"])
    total = total_value(chips)
    return PendingSlip(
        UUID(uid), property, table, kind, currency, dict(chips), total, (), timezone.now(), day
    )


def request_slip(
    by: Person,
    property: str,
    table: str,
    kind: str,
    chips: Mapping[str, int],
    signers: Mapping[str, Person],
    *,
    uid: str,
) -> str:
    """Request a fill or a credit for a table, with the signatures given so far.

    Args:
        by: who enters the request.
        property: the casino.
        table: the table, which must be open.
        kind: a key of `ROLES`.
        chips: the number of pieces of each denomination, which is in minor units.
        signers: for each role, the person who has signed; at least `requested_by`.
        uid: the uid for the fact.

    Returns:
        The serial if all signatures were given at once. Otherwise, an empty text: the slip is pending.

    Raises:
        ActionRejected: a field or a signature is wrong, or the table is closed.
        PermissionDenied: the user may not sign slips in any role.
    """
    _require_slip_role(by, property)
    if kind not in ROLES:
        raise ActionRejected("Choose a fill or a credit.", "kind")
    if not chips:
        raise ActionRejected("Enter the pieces of at least one denomination.", "chips")
    with in_turn(property):  # so that the day cannot be closed between the check and the slip
        slip = _new_slip(property, table, kind, chips, uid)
        if "requested_by" not in signers:
            raise ActionRejected("The requester on the floor signs first.", "requested_by")
        if cage_facts.fact(property, slip.uid) is not None or not pending.insert(slip):
            raise ActionRejected(
                "This form was already submitted. Check the list. Reload the page to request another slip."
            )
        return _sign(by, slip, signers)


def sign_slip(by: Person, property: str, uid: UUID, signers: Mapping[str, Person]) -> str:
    """Add the next signatures of a pending slip. If they were the last ones, return the slip's serial.
    Otherwise, return empty text.

    Raise ActionRejected if a signature is wrong, or PermissionDenied if the user may not sign slips in any
    role.
    """
    _require_slip_role(by, property)
    with transaction.atomic():
        return _sign(by, _lock(property, uid), signers)


def withdraw_slip(by: Person, property: str, uid: UUID) -> None:
    """Delete a pending slip without recording a fact. Its chips must not have been handed out."""
    _require_slip_role(by, property)
    with transaction.atomic():
        slip = _lock(property, uid)
        if "sent_by" in pending.signatures_by_role(slip):
            raise ActionRejected(
                "The chips of this slip have been handed out. Void the slip with a witness, or collect the"
                " missing signatures."
            )
        pending.remove(slip)


def void_pending_slip(by: Person, second: Person, property: str, uid: UUID, reason: str) -> str:
    """Void a pending slip. Its chips were handed out, and must have been returned. Return the serial that is
    recorded as void.
    """
    require_two_signers(by, second, property)
    with transaction.atomic():
        slip = _lock(property, uid)
        require_independent_witness(second, [signature.id for signature in slip.signatures])
        day = None if _is_day_closed(slip) else slip.day
        fact = table_fact(
            "slip-voided",
            property,
            slip.table,
            day,
            reason=clean_text(reason, "reason"),
            by=by.id,
            second=second.id,
        )
        serial = record_numbered(
            by, property, slip.kind, slip.table, fact | {"uid": str(uid), "of": _request_of(slip)}
        )
        pending.remove(slip)
        return serial


def _sign(by: Person, slip: PendingSlip, signers: Mapping[str, Person]) -> str:
    _require_open_day(slip)
    signatures = list(slip.signatures)
    for role, act in ROLES[slip.kind].items():
        signer = signers.get(role)
        if signer is None or role in pending.signatures_by_role(slip):
            continue
        _check_signer(slip, signatures, role, act, signer)
        signatures.append(Signature(role, signer.id, timezone.now()))
    if len(signatures) == len(slip.signatures):
        raise ActionRejected("No missing signature was entered. Enter at least one.")
    if len(signatures) < len(ROLES[slip.kind]):
        pending.save_signatures(slip, signatures)
        return ""
    signed_at = {signature.role: signature.at.isoformat(timespec="seconds") for signature in signatures}
    ids = {signature.role: signature.id for signature in signatures}
    if _table_currency(slip) != slip.currency:
        raise ActionRejected(
            f"The table no longer plays in {slip.currency}. Void this slip and request another."
        )
    fact = table_fact(
        slip.kind,
        slip.property,
        slip.table,
        slip.day,
        chips=slip.chips,
        amount=slip.amount,
        signed_at=signed_at,
    )
    serial = record_numbered(by, slip.property, slip.kind, slip.table, fact | ids | {"uid": str(slip.uid)})
    pending.remove(slip)
    return serial


def _require_open_day(slip: PendingSlip) -> None:
    """Raise ActionRejected if the gaming day on which a slip was requested is closed.

    A slip can be recorded only on the gaming day on which it was requested.
    """
    if _is_day_closed(slip):
        slip_name, day = NAMES[slip.kind], day_label(slip.day)
        if "sent_by" not in pending.signatures_by_role(slip):
            raise ActionRejected(
                f"This {slip_name} belongs to the gaming day {day}, which is closed. Withdraw it below and"
                " request another."
            )
        raise ActionRejected(
            f"This {slip_name} belongs to the gaming day {day}, which is closed, and cannot be recorded in a"
            " later one. Return its chips, void it below and request another. If they cannot be returned,"
            f" accounting signs an adjustment of {day}."
        )


def _is_day_closed(slip: PendingSlip) -> bool:
    return any(
        state.stream == pending.stream_of(slip) and state.sealed
        for state in cage_facts.streams(slip.property, slip.day)
    )


def _table_currency(slip: PendingSlip) -> str:
    """Return the currency in which the table was last opened on the slip's gaming day."""
    currency = ""
    for fact in cage_facts.facts(slip.property, [pending.stream_of(slip)], ["table-opened"]):
        assert isinstance(fact.event, TableOpened)
        currency = fact.event.currency
    return currency


def _check_signer(
    slip: PendingSlip, signatures: list[Signature], role: str, act: str, signer: Person
) -> None:
    order = list(ROLES[slip.kind])
    if len(signatures) != order.index(role):
        missing = order[len(signatures)]
        raise ActionRejected(
            f"{code_label(role)}: this person signs after the signature “{code_label(missing).lower()}”.",
            missing,
        )
    if not can(signer, act, slip.property):
        raise ActionRejected(f"{code_label(role)}: {signer.id} may not sign here.", role)
    if any(signature.id == signer.id for signature in signatures):
        raise ActionRejected(
            f"{code_label(role)}: {signer.id} has already signed this slip. Another person must sign here.",
            role,
        )


def _lock(property: str, uid: UUID) -> PendingSlip:
    slip = pending.lock(property, uid)
    if slip is None:
        raise ActionRejected("This slip is no longer pending. Check the list.")
    return slip


def _request_of(slip: PendingSlip) -> dict[str, Any]:
    """Return the chips of a voided slip and the people who had signed it. The fact of the void records them
    as evidence.
    """
    signed = {signature.role: signature.id for signature in slip.signatures}
    return {"kind": slip.kind, "chips": slip.chips, "amount": slip.amount, "signed": signed}


def _require_slip_role(by: Person, property: str) -> None:
    if not can_handle_slips(by, property):
        raise PermissionDenied(f"slips at {property}")
