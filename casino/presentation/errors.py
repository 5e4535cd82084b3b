"""The error that a user's action raises when it cannot be done."""

from __future__ import annotations


class ActionRejected(Exception):
    """An action that cannot be done; `str()` says why and what to do. `field` names the field of the form."""

    def __init__(self, says: str, field: str = "") -> None:
        super().__init__(says)
        self.field = field
