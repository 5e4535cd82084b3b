"""Record chips that players buy at a table."""

from __future__ import annotations

from casino.accounts.permissions import require
from casino.cage.services.checks import clean_text, open_table, require_positive
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.web.recording import record, table_fact

TENDERS = ("cash", "voucher")
"""How a player may pay for chips. Markers are not included, because issuing a marker also records its chips.
"""


def record_buy_in(
    by: Person, property: str, table: str, spot: str, amount: int, tender: str, *, uid: str
) -> None:
    """Record that a player bought chips at a table with cash or a voucher. The cash or the voucher goes into
    the drop box.

    Args:
        by: who records it.
        property: the casino.
        table: the table, which must be open.
        spot: where the player sits.
        amount: in minor units of the table's currency.
        tender: one of `TENDERS`.
        uid: the uid for the fact.

    Raises:
        ActionRejected: a field is wrong, or the table is closed.
        PermissionDenied: the user may not record buy-ins.
    """
    require(by, "buy-chips", property)
    if tender not in TENDERS:
        raise ActionRejected(
            "Choose cash or a voucher. Chips for a marker are recorded when the marker is issued.", "tender"
        )
    open_table(property, table)
    require_positive(amount)
    fact = table_fact(
        "chips-bought", property, table, spot=clean_text(spot, "spot"), amount=amount, tender=tender, by=by.id
    )
    record(by, property, [fact | {"uid": uid}])
