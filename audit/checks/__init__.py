"""House checks: one pure file each. A check of a stream is asked by the table fold, a check of what spans tables by the ledger fold.

A check names its codes, where they stand, and the kinds that it looks at; it keeps its own state between two facts.
Every file beside this one is found; there is no list to edit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import ClassVar, NamedTuple

from msgspec import Struct, msgpack

from audit.tallying import Slip
from games.kit.amounts import say
from games.kit.breach import Breach
from games.kit.codes import GRADE
from games.kit.events import Event


class Seen(NamedTuple):
    """What the table fold tells a check besides the fact: what play has brought to the tray, the slips sent so far, the currency, and
    which kinds the table's equipment sees."""

    tray: int
    slips: dict[str, Slip]
    currency: str
    sees: frozenset[str] = frozenset()

    def say(self, amount: int) -> str:
        """An amount for a sentence."""
        return say(amount, self.currency)


class StreamCheck(ABC):
    """A check of one stream."""

    name: ClassVar[str]
    codes: ClassVar[tuple[str, ...]]
    cite: ClassVar[str]
    kinds: ClassVar[tuple[type[Event], ...]]
    needs: ClassVar[frozenset[str]] = frozenset()
    """The kinds that a table must see to be judged, besides those of cage and count room."""
    Kept: ClassVar[type[Struct]]
    """What it remembers from one fact to the next."""

    def __init__(self, kept: bytes | None = None) -> None:
        self.kept = self.Kept() if kept is None else msgpack.decode(kept, type=self.Kept)

    def keep(self) -> bytes:
        """What it remembers, for a later reading."""
        return msgpack.encode(self.kept)

    @abstractmethod
    def see(self, event: Event, seen: Seen) -> Iterable[Breach]:
        """What this fact breaks."""

    def breach(self, code: str, event: Event, says: str) -> Breach:
        """A finding of this check."""
        return Breach(code=code, event=event, says=says, cite=self.cite, grade=GRADE[code], round=event.round)


class Nothing(Struct):
    """For a check that judges each fact by itself."""


def _found() -> Iterator[type[StreamCheck]]:
    for file in iter_modules(__path__):
        check = getattr(import_module(f"{__name__}.{file.name}"), "CHECK", None)
        if isinstance(check, type) and issubclass(check, StreamCheck):
            yield check


STREAM_CHECKS: tuple[type[StreamCheck], ...] = tuple(_found())
