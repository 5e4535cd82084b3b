"""Record adjustments. An adjustment changes a closed day, or settles two counts that differ. Two people sign
it.
"""

from __future__ import annotations

from datetime import date
from typing import NamedTuple
from uuid import UUID

from audit import facts as f
from audit.queries import cage_facts
from audit.queries.adjustments import restating
from audit.queries.span import Span
from casino.accounts.permissions import require
from casino.cage.services.markers import currency_of as slip_currency
from casino.count_room import queries as count_room
from casino.day_close.queries import WHAT, TableDay, tables
from casino.day_close.services import REASON
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import day_label, money
from casino.web.property_turn import in_turn
from casino.web.recording import property_fact, record, reject_resubmission


class Change(NamedTuple):
    """The content of an adjustment. A positive `amount` increases the win. `of` is the uid of the fact that
    is adjusted.
    """

    table: str
    day: date
    what: str
    amount: int
    reason: str
    of: str = ""


def currency_of(table_day: TableDay, of: str) -> str:
    """Return the currency of an adjustment of this day. If the adjustment names a fact, it is the currency of
    the fact or of its box. Otherwise, it is the last currency of the day.
    """
    property, stream = table_day.table.partition("/")[0], f"{table_day.table}/{table_day.day}"
    try:
        named = cage_facts.fact(property, UUID(of))
    except ValueError:
        return table_day.currency
    if named is None or named.stream != stream:
        return table_day.currency
    currencies = cage_facts.currencies(cage_facts.facts(property, [stream]))
    return currencies.get(named.event.uid) or slip_currency(named) or table_day.currency


def adjust(by: Person, second: Person, property: str, change: Change, *, uid: str) -> None:
    """Record an adjustment of a closed day, or of two counts that differ.

    Args:
        by: the first signer.
        second: the second signer, another person.
        property: the casino.
        change: the adjustment.
        uid: the uid for the fact.

    Raises:
        ActionRejected: a field is wrong, or this adjustment of the day is not allowed.
        PermissionDenied: a signer may not sign adjustments.
    """
    require(by, "adjust", property)
    require(second, "sign-adjustment", property)
    with in_turn(property):
        reject_resubmission(property, uid)
        _adjust(by, second, property, change, uid)


def _adjust(by: Person, second: Person, property: str, change: Change, uid: str) -> None:
    if by.id == second.id:
        raise ActionRejected(
            "An adjustment must be signed by two people: someone else must give the second signature.",
            "second",
        )
    if change.what not in WHAT:
        raise ActionRejected(f"Choose what is adjusted: {', '.join(WHAT.values()).lower()}.", "what")
    if change.amount == 0:
        raise ActionRejected("Amount must not be zero.", "amount")
    reason = change.reason.strip()
    if not reason or len(reason) > REASON or "\0" in reason:
        raise ActionRejected(
            f"Give the reason in at most {REASON} characters. The month's list of adjustments shows it.",
            "reason",
        )
    fields = {
        "of_table": change.table,
        "of_day": change.day.isoformat(),
        "what": change.what,
        "amount": change.amount,
        "reason": reason,
    }
    about = _adjusted_fact(property, change)
    record(
        by,
        property,
        [property_fact("adjusted", by, property, second=second.id, **fields, **about) | {"uid": uid}],
    )


def _adjusted_fact(property: str, change: Change) -> dict[str, str]:
    """Return {"of": uid} of the adjusted fact, or {} if the adjustment names no fact. Raise ActionRejected if
    that fact or table cannot be adjusted.

    These rules are checked here. On an open day, an adjustment may only settle two counts that differ.
    Everything else must be corrected at the table. A late count may be recorded only once, even if two people
    submit it at the same time.
    """
    code = change.table.partition("/")[2]
    table_day = next(
        (table_day for table_day in tables(property, change.day) if table_day.code == code), None
    )
    if table_day is None or change.table.partition("/")[0] != property:
        raise ActionRejected(
            f"{code or 'This table'} was not open on {day_label(change.day)}. There is nothing to adjust.",
            "table",
        )
    if change.what not in table_day.adjusts and table_day.live_dealer:
        raise ActionRejected(
            f"{code} is a live-dealer table and has no drop and no tray. Adjust its settlement of wagers"
            " instead.",
            "what",
        )
    try:
        named = cage_facts.fact(property, UUID(change.of)) if change.of else None
    except ValueError:
        raise ActionRejected("Fact: choose it from the list, or choose none.", "of") from None
    if change.of and (named is None or named.stream != f"{change.table}/{change.day}"):
        raise ActionRejected(
            f"Fact: this fact does not belong to the day of {code} on {day_label(change.day)}. Choose"
            " another fact, or none.",
            "of",
        )
    if not table_day.closed and (
        change.what not in table_day.adjusts or change.of not in table_day.disputed_counts
    ):
        says = "On an open day only the drop can be adjusted, if two counts differ and are not settled yet."
        raise ActionRejected(
            f"The day of {code} is still open. Correct it at the table, cage or count room. {says}", "table"
        )
    if change.what == "drop" and named is not None and isinstance(named.event, f.BoxPulled):
        _require_late(property, named)
    return {"of": change.of} if change.of else {}


def _require_late(property: str, pull: cage_facts.RecordedFact) -> None:
    """Raise ActionRejected if the box of this pull has already been counted: on its gaming day, or later as
    an adjustment.
    """
    box = count_room.box_of(property, UUID(pull.event.uid))
    if box.counted is not None:
        raise ActionRejected(
            f"Box {box.box} was counted on its day. Choose that count, or no fact.",
            "of",
        )
    for adjustment in restating(Span(property=property), [pull.stream]):
        if adjustment.of == pull.event.uid and adjustment.what == "drop":
            amount = f"{money(adjustment.amount, box.currency)} {box.currency}"
            late = f"{amount}, signed by {adjustment.by} and {adjustment.second}"
            raise ActionRejected(
                f"The late count of box {box.box} is recorded: {late}. To correct it, choose no fact.",
                "of",
            )
