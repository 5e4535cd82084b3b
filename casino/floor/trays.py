"""Record the counts of trays: openers and closers, signed by dealer and supervisor."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

from django.utils import timezone

from audit.queries import floor as queries
from audit.queries.floor import Now
from audit.replay.tally import shift_of
from casino.accounts.permissions import require
from casino.floor.services import in_turn_of_property, require_open
from casino.models import Person
from casino.presentation.amount_input import total_value
from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import money, of_stream
from casino.reference.calendar import gaming_day
from casino.reference.registers import threshold, threshold_amounts
from casino.web.recording import record, require_tray, table_fact

OPENER, CLOSER = "opener-counted", "closer-counted"


@dataclass(frozen=True)
class Difference:
    """The difference between an opener and the table's last closer, and what the property's controls require
    in this case.
    """

    last: queries.Closer
    amount: int
    duties: list[str]


def opener_difference(
    property: str, last: queries.Closer | None, amount: int, currency: str
) -> Difference | None:
    """Return the difference between an opener and the last closer. Return None if they are equal, or if there
    is no closer in the opener's currency.
    """
    if last is None or last.currency != currency or amount == last.counted.amount:
        return None
    difference = amount - last.counted.amount
    return Difference(last, difference, duties_of(property, abs(difference), currency))


def duties_of(property: str, difference: int, currency: str) -> list[str]:
    """Return what must be done about a difference. Every difference must be reported. If it reaches the
    amount in the register `thresholds`, key `opening-difference`, the duties in that entry are added.
    """
    duties = ["Tell the shift manager, security and surveillance, regardless of the amount."]
    entry = threshold(property, "opening-difference")
    limit = threshold_amounts(property, "opening-difference")(gaming_day(property), currency)
    if limit is not None and difference >= limit:
        duties.append(
            f"From {money(ceil(limit), currency)} {currency}:"
            f" {entry.said.get('duty') or 'a signed report is due'}."
        )
    return duties


class Tray(NamedTuple):
    """A counted tray: the pieces by denomination, the dealer who counts (`by`) and the supervisor who watches
    (`second`). Either may be the logged-in user.

    `difference_confirmed` is True if the opener was counted again and still differs from the last closer.
    """

    kind: str
    chips: dict[str, int]
    by: Person
    second: Person
    difference_confirmed: bool = False


@in_turn_of_property
def count_tray(by: Person, property: str, table: str, tray: Tray, uid: str) -> Difference | None:
    """Record the count of a tray: an opener or a closer. Two people sign it, and one of them is logged in.

    A closer may be counted again after the table is closed, in the same shift and until its day is closed.
    The last count applies.

    Args:
        by: who is logged in.
        property: the casino.
        table: the table.
        tray: what was counted, and by whom.
        uid: the uid for the fact.

    Returns:
        The difference between an opener and the last closer, or None.

    Raises:
        ActionRejected: a signature or the count is wrong, or a difference must be confirmed first.
        PermissionDenied: somebody lacks the permission.
    """
    require(by, "count-tray", property)
    require(tray.by, "count-chips", property)
    require(tray.second, "open-table", property)
    state = _closer_again(property, table) if tray.kind == CLOSER else None
    state = state or require_open(property, table)
    require_tray(table, state.opened.game)
    if by.id not in (tray.by.id, tray.second.id):
        raise ActionRejected(
            "One of the two signatures must be yours, because you count or watch.", "supervisor"
        )
    if tray.by.id == tray.second.id:
        raise ActionRejected("A tray must be signed by two people.", "supervisor")
    if not tray.chips:
        raise ActionRejected("Nothing was counted. Enter the pieces of each denomination.")
    amount, difference = total_value(tray.chips), None
    if tray.kind == OPENER:
        last = queries.last_closer(property, table, gaming_day(property), state.opened.currency)
        difference = opener_difference(property, last, amount, state.opened.currency)
        if difference is not None and not tray.difference_confirmed:
            raise ActionRejected(_differs(difference, state.opened.currency), "stands")
    counted = {"chips": tray.chips, "amount": amount, "by": tray.by.id, "second": tray.second.id}
    record(by, property, [table_fact(tray.kind, property, table, state.day, uid=uid, **counted)])
    return difference


def _closer_again(property: str, table: str) -> Now | None:
    """Return the state of a closed table if its closer may be counted again, or None if it may not.

    In a later shift, a count would not replace the closer but add a second one.
    """
    state = queries.table(property, table, gaming_day(property))
    if state is None or state.is_open or state.sealed or state.closer is None or not state.counted_since:
        return None
    if shift_of(state.opened, state.closer.at) != shift_of(state.opened, timezone.now()):
        raise ActionRejected(
            f"{table} is closed, and the shift of its closer is over. Correct the closer with an adjustment"
            " signed by two people."
        )
    return state


def _differs(difference: Difference, currency: str) -> str:
    direction = "more" if difference.amount > 0 else "less"
    amount = f"{money(abs(difference.amount), currency)} {currency}"
    day = of_stream(difference.last.stream, 1)
    differs = f"The opener is {amount} {direction} than the last closer, of gaming day {day}."
    return (
        f"{differs} Count again. If the difference remains, confirm it below, and both people sign."
        f" {' '.join(difference.duties)}"
    )
