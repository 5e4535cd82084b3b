"""Build the facts of the round that one case of the computed settlements describes."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

from games.kit.events import Event

AT = datetime(2026, 11, 27, 20, tzinfo=UTC)


def fact(shape: type[Event], **fields: Any) -> Event:
    """Return a fact of this class with the common fields of the round."""
    return shape(uid="u", table="aurora/T", day=date(2026, 11, 27), at=AT, source="s", round="r", **fields)
