"""A sequence that reads items by position. A page reads only the items that it shows, even if the sequence is
long.
"""

from __future__ import annotations

import builtins
from abc import abstractmethod
from collections.abc import Sequence
from typing import TypeVar, overload

One = TypeVar("One", covariant=True)


class LazySequence(Sequence[One]):
    """A sequence whose items are read by a subclass. The subclass must return the length and slices. It may
    also yield all items one after another.
    """

    @abstractmethod
    def slice(self, begins: int, ends: int) -> list[One]:
        """Return the items from position `begins` to `ends` (exclusive), both within the sequence."""

    @overload
    def __getitem__(self, place: int) -> One: ...
    @overload
    def __getitem__(self, place: builtins.slice) -> list[One]: ...
    def __getitem__(self, place: int | builtins.slice) -> One | list[One]:
        if isinstance(place, int):
            position = range(len(self))[place]
            return self.slice(position, position + 1)[0]
        positions = range(len(self))[place]
        if not positions:
            return []
        first, last = min(positions[0], positions[-1]), max(positions[0], positions[-1])
        items = self.slice(first, last + 1)
        return [items[position - first] for position in positions]
