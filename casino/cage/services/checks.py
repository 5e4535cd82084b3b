"""Checks before the cage's services record a fact."""

from __future__ import annotations

from typing import Any

from audit.facts import accepted_form
from audit.ledger import open_stream
from casino.accounts.permissions import can, require
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import code_label
from casino.web.recording import require_tray

MAX_LETTERS = {"reason": 500, "player": 100, "spot": 20}
"""For each field: the maximum length of its text, in characters."""


def open_table(property: str, table: str) -> dict[str, Any]:
    """Return the open stream of a table. Raise ActionRejected if the table is not open or has no tray."""
    opened = open_stream.of_table(property, table) if table else None
    if opened is None or opened["sealed"] or opened["settings"] is None:
        raise ActionRejected(
            f"{table or 'This table'} is not open. Open it on the floor page first.", "table"
        )
    require_tray(table, opened["game"])
    return opened


def clean_text(typed: str, name: str) -> str:
    """Return the normalized text of a field. Raise ActionRejected if the text is empty or too long."""
    text = typed.strip() if name == "reason" else accepted_form(typed)
    if not text or len(text) > MAX_LETTERS[name] or "\0" in text:
        raise ActionRejected(
            f"{code_label(name)}: at least one and at most {MAX_LETTERS[name]} characters.", name
        )
    return text


def require_positive(amount: int) -> None:
    """Raise ActionRejected if the amount, in minor units, is not greater than zero."""
    if amount < 1:
        raise ActionRejected("Amount must be greater than zero, for example 125.00.", "amount")


def require_two_signers(by: Person, second: Person, property: str) -> None:
    """Check that `by` may void slips, and that `second` is another person who may witness a void. Raise
    ActionRejected or PermissionDenied.
    """
    require(by, "void-slip", property)
    if second.id == by.id:
        raise ActionRejected("The witness must be someone other than you.", "second")
    if not can(second, "witness-void", property):
        raise ActionRejected(f"{second.id} may not witness a void here.", "second")


def require_independent_witness(second: Person, signers: list[str]) -> None:
    """Raise ActionRejected if the witness is one of the signers of the slip."""
    if second.id in signers:
        raise ActionRejected(
            f"{second.id} signed this slip. The witness must be someone who did not.", "second"
        )
