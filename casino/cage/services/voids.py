"""Void recorded slips and missing serial numbers. Each void is signed by the cage and a witness."""

from __future__ import annotations

from audit.queries import cage_facts
from audit.queries.cage_facts import RecordedFact
from audit.queries.cage_lists import missing_slips
from audit.queries.write_offs import write_offs
from casino.cage.services.checks import (
    clean_text,
    open_table,
    require_independent_witness,
    require_two_signers,
)
from casino.cage.services.slips import NAMES, ROLES
from casino.cage.slips import serials
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.web.property_turn import in_turn
from casino.web.recording import record, table_fact


def void_slip(by: Person, second: Person, property: str, slip: str, reason: str, *, uid: str) -> None:
    """Void a recorded slip, with a witness who did not sign it.

    Args:
        by: who voids it, at the cage.
        second: the witness.
        property: the casino.
        slip: the serial.
        reason: why it is void.
        uid: the uid for the fact.

    Raises:
        ActionRejected: no such slip is recorded, it is void, it has been paid, or a signature is wrong.
        PermissionDenied: the user may not void slips.
    """
    require_two_signers(by, second, property)
    with in_turn(property):
        facts = cage_facts.of_slip(property, slip)
        slips = [fact for fact in facts if fact.kind in NAMES]
        if not slips:
            raise ActionRejected(f"No fill, credit or marker {slip} is recorded here.", "slip")
        valid = next((fact for fact in slips if not cage_facts.is_void(fact, facts)), None)
        if valid is None:
            raise ActionRejected(f"{slip} is already void.")
        if any(fact.kind == "marker-paid" for fact in facts):
            raise ActionRejected(f"{slip} has a payment against it and cannot be voided.")
        if write_offs(property, slips=[slip]):
            raise ActionRejected(f"{slip} was written off and cannot be voided.")
        require_independent_witness(second, signers_of(valid))
        table = valid.stream.split("/", 2)[1]
        fact = table_fact(
            "slip-voided",
            property,
            table,
            valid.event.day,
            slip=slip,
            reason=clean_text(reason, "reason"),
            by=by.id,
            second=second.id,
        )
        record(by, property, [fact | {"uid": uid}])


def void_missing_number(
    by: Person, second: Person, property: str, table: str, slip: str, reason: str, *, uid: str
) -> None:
    """Void a serial number that was skipped because its paper was spoiled or lost.

    Args:
        by: who voids it, at the cage.
        second: the witness.
        property: the casino.
        table: the table whose paper it was; it must be open.
        slip: the missing serial, as the list of gaps shows it.
        reason: why it is void.
        uid: the uid for the fact.

    Raises:
        ActionRejected: the number is not missing, the table is closed, or a signature is wrong.
        PermissionDenied: the user may not void slips.
    """
    require_two_signers(by, second, property)
    series, number = serials.split_serial(slip)
    with in_turn(property):
        if cage_facts.of_slip(property, slip):
            raise ActionRejected(f"{slip} is recorded. Void it on its own page.", "slip")
        gaps = [
            gap
            for gap in missing_slips(property)
            if gap.series == series and number and gap.first <= number <= gap.last
        ]
        if number is None or not gaps:
            raise ActionRejected(
                f"{slip or 'This number'} is not missing here. Type the serial as it is in the list of"
                " missing numbers.",
                "slip",
            )
        open_table(property, table)
        # add the leading zeros of its series, if it was typed without them
        serial = gaps[0].serial(number)
        fact = table_fact(
            "slip-voided",
            property,
            table,
            slip=serial,
            reason=clean_text(reason, "reason"),
            by=by.id,
            second=second.id,
        )
        record(by, property, [fact | {"uid": uid}])


def signers_of(slip: RecordedFact) -> list[str]:
    """Return the staff IDs of all who signed a recorded slip."""
    names = (*ROLES["fill-sent"], "by")
    return [id for name in names if (id := getattr(slip.event, name, None)) is not None]
