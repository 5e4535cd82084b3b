"""The error for a user's action that cannot be done."""

from __future__ import annotations


class ActionRejected(Exception):
    """The action cannot be done; `str()` says why and what to do. `field` is the name of the form's field to
    fix.
    """

    def __init__(self, says: str, field: str = "") -> None:
        super().__init__(says)
        self.field = field
