"""The entry of a variable in the table of environment variables, and the check of a port."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Meta

from audit.facts.input_parsing import whole


def about(
    meaning: str,
    *,
    unset: str = "",
    expected: str = "",
    secret: bool = False,
    unit: str = "",
    may_be_empty: bool = False,
    check: Callable[[str], object] | None = None,
) -> Meta:
    """Return the entry of a variable in the table of docs/operations.md.

    Args:
        meaning: The text of docs/operations.md, in Markdown.
        unset: The text in the column of defaults, if there is no fixed default value.
        expected: The accepted values, for the sentence of a refusal; only for texts and lists.
        secret: True if a refusal must not repeat the value.
        unit: The unit of a number.
        may_be_empty: True if an empty value is an empty list. Otherwise, an empty value means that the
            variable is not set.
        check: Raises ValueError for a value, or an item of a list, that must be refused although the pattern
            allows it.
    """
    extra: dict[str, Any] = {"unset": unset, "expected": expected, "secret": secret, "unit": unit}
    extra |= {"may_be_empty": may_be_empty, "check": check}
    return Meta(description=meaning, extra=extra)


def check_port(address: str) -> None:
    """Raise ValueError for an address with a port that does not exist."""
    port = address.rpartition(":")[2]
    if not address.startswith("unix:") and whole(port) is not None and int(port) > 65_535:
        raise ValueError(port)
