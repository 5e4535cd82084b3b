"""Forms of the count room's pages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms

from casino.count_room.services import PAPERS
from casino.presentation.errors import ActionRejected
from casino.web.action_form import (
    ActionForm,
    AmountField,
    IdentifierField,
    PiecesForm,
    SignatureField,
    TextField,
)


class PullForm(ActionForm):
    """The form for a pulled box: its table and day as `TABLE|DAY`, its number, and the shift to which its
    contents belong.
    """

    table = TextField()
    shift = IdentifierField()
    box = IdentifierField()
    second = SignatureField("Second person")


class BoxCountForm(PiecesForm):
    """The form for the contents of a box: notes by denomination, and the amount of each kind of paper."""

    prefix_of_pieces = "notes"
    empty = forms.BooleanField(required=False)

    def __init__(self, data: Any, denominations: Iterable[int], currency: str) -> None:
        super().__init__(data, denominations, currency)
        for name in PAPERS:
            self.fields[f"{name}s"] = AmountField(f"{name}s", currency)

    def papers(self) -> list[forms.BoundField]:
        """Return the fields for the amounts of papers."""
        return [self[f"{name}s"] for name in PAPERS]

    def accepted(self) -> dict[str, Any]:
        """Return `notes`, `papers` and `uid`. Raise ActionRejected if nothing was counted and `empty` is not
        set.
        """
        values = super().accepted()
        papers = {name: values[f"{name}s"] for name in PAPERS if values[f"{name}s"]}
        if not values["pieces"] and not papers and not values["empty"]:
            raise ActionRejected("Nothing was counted. If the box is empty, confirm it below.", "empty")
        return {"notes": values["pieces"], "papers": papers, "uid": values["uid"]}
