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
        """True if the second die was shown and the spot had not decided on its first wager."""
        self.after = 0
        """The decisions since then, while it owes one. One more than the second window needs proves that the
        first was late.
        """
