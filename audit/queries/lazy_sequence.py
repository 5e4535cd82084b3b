"""A sequence that is read by place: a page of it costs what it shows, whatever the whole is made of."""

from __future__ import annotations

import builtins
from abc import abstractmethod
from collections.abc import Sequence
from typing import TypeVar, overload

One = TypeVar("One", covariant=True)


class LazySequence(Sequence[One]):
    """One says how to read from one place to another; and how many there are, and how to read all of them one
    after another.
    """

    @abstractmethod
    def slice(self, begins: int, ends: int) -> list[One]:
        """Those from one place to another (not in), both of them within the whole."""

    @overload
    def __getitem__(self, place: int) -> One: ...
    @overload
    def __getitem__(self, place: builtins.slice) -> list[One]: ...
    def __getitem__(self, place: int | builtins.slice) -> One | list[One]:
        if isinstance(place, int):
            at = range(len(self))[place]
            return self.slice(at, at + 1)[0]
        wanted = range(len(self))[place]
        if not wanted:
            return []
        first, last = min(wanted[0], wanted[-1]), max(wanted[0], wanted[-1])
        found = self.slice(first, last + 1)
        return [found[at - first] for at in wanted]
