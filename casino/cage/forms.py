"""Forms of the cage's pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from casino.web.action_form import (
    ActionForm,
    AmountField,
    IdentifierField,
    InputForm,
    PiecesForm,
    SignatureField,
    TextField,
)


class SlipRequestForm(PiecesForm):
    """The form for the chips of a fill or a credit, with the signatures of those who are present."""


class PendingSlipVoidForm(InputForm):
    """The form for the reason why a pending slip is voided. The fact of the void gets the uid of the slip."""

    reason = TextField()
    second = SignatureField("Witness")


class SlipVoidForm(ActionForm):
    """The form for the reason why a recorded slip is voided."""

    reason = TextField()
    second = SignatureField("Witness")


class NumberVoidForm(ActionForm):
    """The form for voiding a missing serial: the serial, the table for which its paper slip was made, and the
    reason.
    """

    slip = IdentifierField()
    table = IdentifierField()
    reason = TextField()
    second = SignatureField("Witness")


class SerialForm(InputForm):
    """The serial of a slip. The URL can also contain it."""

    slip = IdentifierField()


class _MoneyForm(ActionForm):
    def __init__(self, data: Any, currency: str, initial: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, initial)
        self.fields["amount"] = AmountField("amount", currency, minimum=1)
        self.order_fields(["amount"])


class MarkerForm(_MoneyForm):
    """The form for a marker that a player signs at a spot."""

    player = TextField()
    spot = TextField()


class PaymentForm(_MoneyForm):
    """The form for a payment of a marker, which is recorded at a table."""

    table = IdentifierField()


class RecoveryForm(_MoneyForm):
    """The form for a payment of a marker that was written off."""


class WriteOffForm(_MoneyForm):
    """The form for the amount and the reason of a marker's write-off."""

    reason = TextField()
    second = SignatureField("Second signature")


class BuyInForm(_MoneyForm):
    """The form for chips that a player bought at a spot."""

    spot = TextField()
    tender = TextField()
