"""The decisions of one spot of High Side about its first and its second wager (HS Rules 5 and 9)."""

from __future__ import annotations

from games.kit.events import Event


class Choices:
    """The decisions of one spot about its first and its second wager."""

    __slots__ = ("after", "first", "owes", "second")

    def __init__(self) -> None:
        self.first: Event | None = None
        self.second: Event | None = None
        self.owes = False
        """True if the spot had not decided on its first wager when the second die was shown."""
        self.after = 0
        """If `owes` is True: the number of decisions since the second die was shown. The second wager needs
        only one decision. A further decision proves that the decision on the first wager was late.
        """
