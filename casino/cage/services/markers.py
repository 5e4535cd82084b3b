"""Record markers: issued at a table, paid back at the cage, written off, and recovered after that."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple
from uuid import UUID, uuid5

from audit import facts as f
from audit.queries import cage_facts
from audit.queries.cage_facts import RecordedFact
from audit.queries.markers import Marker, owed, unpaid
from audit.queries.write_offs import RECOVERED, WRITTEN_OFF, WriteOff, write_offs
from casino.accounts.permissions import require
from casino.cage.services.checks import clean_text, open_table, require_positive
from casino.cage.services.numbering import record_numbered
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import money
from casino.web.property_turn import in_turn
from casino.web.recording import property_fact, record, reject_resubmission, table_fact
from games.kit.events import TableOpened

DAYS = 30
"""Lists contain only markers with activity in the last DAYS gaming days. Other markers can be opened by their
serial.
"""


def unpaid_markers(property: str, today: date) -> list[tuple[Marker, int]]:
    """Return the markers that are not fully paid, each with the amount owed. Only markers with activity in
    the last DAYS gaming days are included.
    """
    markers = unpaid(property, first_day(today))
    return [(marker, owed(marker)) for marker in markers]


def unpaid_of_player(property: str, today: date, player: str) -> list[tuple[Marker, int]]:
    """Return the markers of a player that are not fully paid, the oldest first, each with the amount owed.
    Only markers that were issued, or paid in part, in the last DAYS gaming days are included.
    """
    markers = {
        (f"{marker.table}/{marker.issued_on}", marker.slip): (marker, left)
        for marker, left in unpaid_markers(property, today)
    }
    streams = sorted({stream for stream, _ in markers})
    issued = cage_facts.facts(property, streams, ["marker-issued"]) if player else ()
    own = {
        (fact.stream, fact.event.slip)
        for fact in issued
        if isinstance(fact.event, f.MarkerIssued) and fact.event.player == player
    }
    of_player = [markers[key] for key in own & markers.keys()]
    return sorted(of_player, key=lambda pair: (pair[0].issued_on or today, pair[0].slip))


def first_day(today: date) -> date:
    """Return the first of the last DAYS gaming days."""
    return today - timedelta(days=DAYS - 1)


def issue_marker(
    by: Person, property: str, table: str, player: str, spot: str, amount: int, *, uid: str
) -> str:
    """Record that a player signed a marker for chips from the table's tray. Return its serial.

    Args:
        by: who issues it.
        property: the casino.
        table: the table, which must be open.
        player: who signs it.
        spot: where the player sits.
        amount: in minor units of the table's currency.
        uid: the uid for the marker's fact.

    Raises:
        ActionRejected: a field is wrong, or the table is closed.
        PermissionDenied: the user may not issue markers.
    """
    require(by, "issue-marker", property)
    open_table(property, table)
    player, spot = clean_text(player, "player"), clean_text(spot, "spot")
    require_positive(amount)
    issued = table_fact("marker-issued", property, table, player=player, amount=amount, by=by.id) | {
        "uid": uid
    }
    bought = table_fact("chips-bought", property, table, spot=spot, amount=amount, tender="marker", by=by.id)
    return record_numbered(
        by, property, "marker-issued", table, issued, bought | {"uid": str(uuid5(UUID(uid), "chips-bought"))}
    )


class MarkerBalance(NamedTuple):
    """An issued marker, its currency, and amounts in minor units: what is still owed, what was written off
    and recovered, and what was paid before.
    """

    issued: RecordedFact
    currency: str
    owed: int
    written_off: int = 0
    recovered: int = 0
    paid: int = 0

    @property
    def recoverable(self) -> int:
        """Return the amount that was written off and not recovered."""
        return self.written_off - self.recovered


def balance_of(property: str, slip: str) -> MarkerBalance | None:
    """Return the balance of the marker with this serial, or None if no marker was issued."""
    facts = cage_facts.of_slip(property, slip) if slip else []
    return marker_balance(facts, write_offs(property, slips=[slip])) if facts else None


def marker_balance(facts: list[RecordedFact], written_off: Sequence[WriteOff]) -> MarkerBalance | None:
    """Return the balance of a marker from the facts with its serial, or None if no marker was issued.

    If one serial was used in several currencies, each currency counts as a separate marker. The first of them
    that is not fully paid is returned.

    Args:
        facts: the facts with the serial of the marker.
        written_off: its write-offs and recoveries.
    """
    with_currency = [(fact, currency_of(fact)) for fact in facts]
    balances = []
    for fact, currency in with_currency:
        if isinstance(fact.event, f.MarkerIssued):
            of_marker = [
                other
                for other, its_currency in with_currency
                if its_currency == currency or isinstance(other.event, f.SlipVoided)
            ]
            lost, back = (
                sum(part.amount for part in written_off if (part.kind, part.currency) == (kind, currency))
                for kind in (WRITTEN_OFF, RECOVERED)
            )
            left = _amount_owed(of_marker)
            left = max(left - lost, 0) if lost else left
            balances.append(MarkerBalance(fact, currency, left, lost, back, _amount_paid(of_marker)))
    owing = (
        balance for balance in balances if balance.owed > 0 and not cage_facts.is_void(balance.issued, facts)
    )
    return next(owing, next(iter(balances), None))


def _amount_owed(facts: list[RecordedFact]) -> int:
    issued = [
        (fact.event.amount, cage_facts.is_void(fact, facts))
        for fact in facts
        if isinstance(fact.event, f.MarkerIssued)
    ]
    if issued and all(void for _, void in issued):
        return 0
    valid = sum(amount for amount, void in issued if not void)
    return valid - _amount_paid(facts)


def _amount_paid(facts: list[RecordedFact]) -> int:
    return sum(fact.event.amount for fact in facts if isinstance(fact.event, f.MarkerPaid))


def currency_of(slip: RecordedFact) -> str:
    """Return the currency in which the slip's table was open when the slip was recorded. The table may have
    been opened in another currency since then.
    """
    currency = ""
    for fact in cage_facts.facts(slip.event.table.partition("/")[0], [slip.stream], ["table-opened"]):
        if fact.number < slip.number:
            assert isinstance(fact.event, TableOpened)
            currency = fact.event.currency
    return currency


def take_payment(by: Person, property: str, slip: str, amount: int, *, uid: str, table: str = "") -> int:
    """Record that a player paid a marker back at the cage, in full or in part. Return what is still owed.

    Args:
        by: who takes the payment, but not the person who issued the marker.
        property: the casino.
        slip: the marker's serial.
        amount: in minor units of the marker's currency.
        uid: the uid for the fact.
        table: an open table in whose stream it is recorded; by default the table that issued the marker.
            It must have the marker's currency.

    Raises:
        ActionRejected: a field is wrong, or the table is closed.
        PermissionDenied: the user may not take payments.
    """
    require(by, "pay-marker", property)
    with in_turn(property):
        balance = _known_balance(property, slip)
        issued, currency, left = balance[:3]
        assert isinstance(issued.event, f.MarkerIssued)
        _require_other_cashier(by, issued.event)
        require_positive(amount)
        table = table or issued.stream.split("/", 2)[1]
        plays_in = open_table(property, table)["settings"]["currency"]
        if plays_in != currency:
            raise ActionRejected(
                f"{slip} is owed in {currency}, and {table} plays in {plays_in}. Name an open table that"
                f" plays in {currency}.",
                "table",
            )
        if amount > left:
            raise ActionRejected(
                f"Only {money(left, currency)} is still owed on {slip}. Enter at most that amount.", "amount"
            )
        fact = table_fact(
            "marker-paid", property, table, slip=slip, player=issued.event.player, amount=amount, by=by.id
        )
        record(by, property, [fact | {"uid": uid}])
        return left - amount


def take_recovery(by: Person, property: str, slip: str, amount: int, *, uid: str) -> int:
    """Record that a player paid a marker, or a part of it, that was written off. Return what is still
    written off.

    Args:
        by: who takes the payment, but not the person who issued the marker.
        property: the casino.
        slip: the marker's serial.
        amount: in minor units of the marker's currency.
        uid: the uid for the fact.

    Raises:
        ActionRejected: a field is wrong, or the amount was not written off.
        PermissionDenied: the user may not take payments.
    """
    require(by, "pay-marker", property)
    with in_turn(property):
        reject_resubmission(property, uid)
        balance = _known_balance(property, slip)
        issued = balance.issued.event
        assert isinstance(issued, f.MarkerIssued)
        _require_other_cashier(by, issued)
        require_positive(amount)
        if amount > balance.recoverable:
            raise ActionRejected(
                f"Only {money(balance.recoverable, balance.currency)} of {slip} was written off and not"
                " recovered. Enter at most that amount.",
                "amount",
            )
        fields = {"slip": slip, "player": issued.player, "currency": balance.currency, "amount": amount}
        record(by, property, [property_fact(RECOVERED, by, property, **fields) | {"uid": uid}])
        return balance.recoverable - amount


def write_off(
    by: Person, second: Person, property: str, slip: str, amount: int, reason: str, *, uid: str
) -> int:
    """Record that a marker, or the part of it that is not paid, is written off. Return what is still owed.

    Args:
        by: the first signer.
        second: the second signer. Neither of them issued the marker.
        property: the casino.
        slip: the marker's serial.
        amount: in minor units of the marker's currency, at most what is owed.
        reason: why the casino no longer expects the money.
        uid: the uid for the fact.

    Raises:
        ActionRejected: a field is wrong, a signer issued the marker, or less is owed.
        PermissionDenied: a signer may not sign write-offs.
    """
    require(by, "write-off-marker", property)
    require(second, "sign-write-off", property)
    with in_turn(property):
        reject_resubmission(property, uid)
        balance = _known_balance(property, slip)
        issued = balance.issued.event
        assert isinstance(issued, f.MarkerIssued)
        if by.id == second.id:
            raise ActionRejected("Someone else must give the second signature of a write-off.", "second")
        if issued.by in (by.id, second.id):
            raise ActionRejected(f"{issued.by} issued this marker. Two other people must sign its write-off.")
        require_positive(amount)
        if amount > balance.owed:
            raise ActionRejected(
                f"Only {money(balance.owed, balance.currency)} is owed on {slip}. Enter at most that amount.",
                "amount",
            )
        fields = {
            "slip": slip,
            "player": issued.player,
            "currency": balance.currency,
            "amount": amount,
            "reason": clean_text(reason, "reason"),
            "second": second.id,
        }
        record(by, property, [property_fact(WRITTEN_OFF, by, property, **fields) | {"uid": uid}])
        return balance.owed - amount


def _known_balance(property: str, slip: str) -> MarkerBalance:
    """Return the balance of a marker. Raise ActionRejected if no such marker was issued."""
    balance = balance_of(property, slip)
    if balance is None:
        raise ActionRejected(f"No marker {slip} is recorded here.", "slip")
    return balance


def _require_other_cashier(by: Person, issued: f.MarkerIssued) -> None:
    if issued.by == by.id:
        raise ActionRejected("You issued this marker. A colleague of the cage must take its payment.")
