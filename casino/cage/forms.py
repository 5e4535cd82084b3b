"""Forms of the cage's pages."""

from __future__ import annotations

from typing import Any

from casino.web.action_form import (
    ActionForm,
    AmountField,
    IdentifierField,
    InputForm,
    PiecesForm,
    TextField,
)


class SlipRequestForm(PiecesForm):
    """The chips of a fill or a credit."""


class PendingSlipVoidForm(InputForm):
    """Why a pending slip is void; its own uid becomes that of the fact."""

    reason = TextField()


class SlipVoidForm(ActionForm):
    """Why a recorded slip is void."""

    reason = TextField()


class NumberVoidForm(ActionForm):
    """A missing number, the table whose paper it was, and why it is void."""

    slip = IdentifierField()
    table = IdentifierField()
    reason = TextField()


class _MoneyForm(ActionForm):
    def __init__(self, data: Any, currency: str) -> None:
        super().__init__(data)
        self.fields["amount"] = AmountField("amount", currency, least=1)
        self.order_fields(["amount"])


class MarkerForm(_MoneyForm):
    """A marker of a player at a spot."""

    player = TextField()
    spot = TextField()


class PaymentForm(_MoneyForm):
    """A payment of a marker, recorded at a table."""

    table = IdentifierField()


class BuyInForm(_MoneyForm):
    """Chips that a player bought at a spot."""

    spot = TextField()
    tender = TextField()
