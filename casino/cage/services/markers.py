"""Record markers: issued at a table and paid back at the cage."""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple
from uuid import UUID, uuid5

from audit import facts as f
from audit.queries import cage_facts
from audit.queries.cage_facts import RecordedFact
from audit.queries.markers import Marker, unpaid
from casino.accounts.permissions import require
from casino.cage.services.checks import clean_text, open_table, require_positive
from casino.cage.services.numbering import record_numbered
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import money
from casino.web.property_turn import in_turn
from casino.web.recording import record, table_fact
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
    return [(marker, marker.issued - marker.paid) for marker in markers]


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
    """An issued marker, its currency, and the amount still owed in minor units."""

    issued: RecordedFact
    currency: str
    owed: int


def marker_balance(facts: list[RecordedFact]) -> MarkerBalance | None:
    """Return the balance of a marker from the facts with its serial, or None if no marker was issued.

    If one serial was used in several currencies, each currency counts as a separate marker. The first of them
    that is not fully paid is returned.
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
            balances.append(MarkerBalance(fact, currency, _amount_owed(of_marker)))
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
    return valid - sum(fact.event.amount for fact in facts if isinstance(fact.event, f.MarkerPaid))


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
        balance = marker_balance(cage_facts.of_slip(property, slip))
        if balance is None:
            raise ActionRejected(f"No marker {slip} is recorded here.", "slip")
        issued, currency, owed = balance
        assert isinstance(issued.event, f.MarkerIssued)
        if issued.event.by == by.id:
            raise ActionRejected("You issued this marker. A colleague of the cage must take its payment.")
        require_positive(amount)
        table = table or issued.stream.split("/", 2)[1]
        plays_in = open_table(property, table)["settings"]["currency"]
        if plays_in != currency:
            raise ActionRejected(
                f"{slip} is owed in {currency}, and {table} plays in {plays_in}. Name an open table that"
                f" plays in {currency}.",
                "table",
            )
        if amount > owed:
            raise ActionRejected(
                f"Only {money(owed, currency)} is still owed on {slip}. Enter at most that amount.", "amount"
            )
        fact = table_fact(
            "marker-paid", property, table, slip=slip, player=issued.event.player, amount=amount, by=by.id
        )
        record(by, property, [fact | {"uid": uid}])
        return owed - amount
