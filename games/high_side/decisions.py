"""What one spot of High Side has decided about its first and its second wager (HS Rules 5 and 9)."""

from __future__ import annotations

from games.kit.events import Event


class Choices:
    """What one spot has decided (HS Rules 5 and 9)."""

    __slots__ = ("after", "first", "owes", "second")

    def __init__(self) -> None:
        self.first: Event | None = None
        self.second: Event | None = None
        self.owes = False
        """The second die was shown and the spot had not decided on its first wager."""
        self.after = 0
        """Decisions since then, as long as it owes one: one more than the second window asks for, and the
        first was late.
        """
