"""Forms of the cage's pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import ValidationError

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


class CashForm(_MoneyForm):
    """The fields of a form about cash of one of the property's currencies. The submitted currency decides how
    the amount is read.
    """

    currency = TextField()

    def __init__(
        self, data: Any, currencies: Sequence[str], initial: Mapping[str, Any] | None = None
    ) -> None:
        chosen = data.get("currency", "") if data is not None else ""
        self.currencies = currencies
        super().__init__(data, chosen if chosen in currencies else currencies[0], initial)

    def clean_currency(self) -> str:
        """Return the currency. Raise ValidationError if the property does not have it."""
        currency = str(self.cleaned_data["currency"])
        if currency not in self.currencies:
            raise ValidationError(f"Currency: choose {' or '.join(self.currencies)}.")
        return currency


class DropReceivedForm(CashForm):
    """The form for counted cash that the cage receives."""

    of_day = TextField()
    second = SignatureField("Handed over by")


class DepositForm(CashForm):
    """The form for a deposit that is handed to a carrier."""

    deposit = IdentifierField()
    carrier = IdentifierField()
    second = SignatureField("Second signature")


class ConfirmationForm(_MoneyForm):
    """The form for the amount that the bank counted."""

    reference = IdentifierField()

    def __init__(self, data: Any, currency: str) -> None:
        super().__init__(data, currency)
        self.fields["amount"] = AmountField("amount", currency)


class DepositNumberForm(InputForm):
    """The number of a deposit. The URL can also contain it."""

    deposit = IdentifierField()


class BuyInForm(_MoneyForm):
    """The form for chips that a player bought at a spot."""

    spot = TextField()
    tender = TextField()
