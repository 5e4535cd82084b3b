"""The error for a user's action that is rejected."""

from __future__ import annotations


class ActionRejected(Exception):
    """Raised if an action of a user is rejected. The text says why and what to do.

    Attributes:
        field: the name of the form field to correct.
    """

    def __init__(self, says: str, field: str = "") -> None:
        super().__init__(says)
        self.field = field
