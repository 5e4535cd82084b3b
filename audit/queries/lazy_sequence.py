"""A sequence that is read by position: a page of it costs what it shows, however long the whole is."""

from __future__ import annotations

import builtins
from abc import abstractmethod
from collections.abc import Sequence
from typing import TypeVar, overload

One = TypeVar("One", covariant=True)


class LazySequence(Sequence[One]):
    """A sequence whose subclass reads a slice of it; the subclass also gives its length, and may read all
    items one after another.
    """

    @abstractmethod
    def slice(self, begins: int, ends: int) -> list[One]:
        """Return the items from one position to another (exclusive), both within the whole."""

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
