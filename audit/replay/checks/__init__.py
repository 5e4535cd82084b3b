"""House checks: one pure file each. A check of a stream is asked by the table fold, a check of what spans
tables by the ledger fold.

A check names its codes, its citation, and the kinds that it looks at; it keeps its own state between two
facts. Every file beside this one is found by its `CHECK` or its `CHECKS`; there is no list to edit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from importlib import import_module
from pkgutil import iter_modules
from typing import ClassVar, NamedTuple

from msgspec import Struct, json, msgpack

from audit.replay.registers import Registers
from audit.replay.results import Finding, Tally, plain
from audit.replay.table_days import TableDays
from audit.replay.tally import Slip
from games.kit.amounts import Exact, say
from games.kit.breach import Breach
from games.kit.codes import GRADE
from games.kit.events import Event

NO_TALLY = Tally()
"""For a caller that has no fold, such as the count room's page."""


class Seen(NamedTuple):
    """What the table fold tells a check besides the fact: what play has brought to the tray, the slips sent
    so far, the currency, and which kinds the table's equipment sees.
    """

    tray: int
    slips: dict[str, Slip]
    currency: str
    sees: frozenset[str] = frozenset()
    brought: Mapping[str, int] = {}
    """Currency to what the closed rounds, and corrections of them, have brought to the tray."""
    tally: Tally = NO_TALLY
    """The stream's sums so far, with this fact: closed rounds, and everything at the cage."""
    began: Mapping[str, str] = {}
    """Currency to when the first round of the stream in it was opened, by its clock."""
    has_tray: bool = True
    """False at a live-dealer table, which has no tray and no drop box."""

    def say(self, amount: int, currency: str | None = None) -> str:
        """Return an amount for a sentence, in the table's currency unless another is given."""
        return say(amount, self.currency if currency is None else currency)

    def played(self, currency: str) -> int:
        """Return what play has brought to the tray in a currency; in the table's own with the open round."""
        return self.tray if currency == self.currency else self.brought.get(currency, 0)

    def slipped(self, currency: str) -> int:
        """Return fills less credits in a currency, without those that were voided."""
        return sum(
            MOVES.get(slip.kind, 0) * slip.standing
            for slip in self.slips.values()
            if slip.currency == currency
        )

    def bought(self, currency: str) -> int:
        """Return the chips bought in a currency, less those that came back with a voided marker."""
        return sum(
            row.amount
            for (of, _, kind), row in self.tally.cage.items()
            if of == currency and kind == "chips-bought"
        )

    def moved(self, currency: str) -> int:
        """Return how far everything recorded so far has changed the tray in a currency, from the beginning of
        the stream.
        """
        return self.played(currency) + self.slipped(currency) - self.bought(currency)


CAGE, SEATED = "cage", "seated"
"""What a stream has: any fact of cage or count room; anybody seated as dealer, or equipment that reports it.
"""
MOVES = {"fill-sent": 1, "credit-sent": -1}
"""Slips by which chips come to the tray and leave it; a marker moves none, but for the chips that are bought
on it.
"""


class StreamCheck(ABC):
    """A check of one stream."""

    name: ClassVar[str]
    codes: ClassVar[tuple[str, ...]]
    cite: ClassVar[str]
    kinds: ClassVar[tuple[type[Event], ...]]
    needs: ClassVar[frozenset[str]] = frozenset()
    """The kinds that a table must see to be judged, besides those of cage and count room."""
    cites: ClassVar[Mapping[str, str]] = {}
    """Code to its citation, where that is not the check's own."""
    unless: ClassVar[str] = ""
    """What a stream must have besides to be judged, `CAGE` or `SEATED`; empty: nothing. The report `coverage`
    shows where it has not.
    """
    of_tray: ClassVar[bool] = True
    """False for a check of what live-dealer tables have too, which have neither tray nor box."""
    Kept: ClassVar[type[Struct]]
    """What it remembers from one fact to the next."""

    def __init__(self, kept: bytes | None = None) -> None:
        self.kept = self.Kept() if kept is None else msgpack.decode(kept, type=self.Kept)

    def keep(self) -> bytes:
        """Return the state of the check, for a later reading."""
        return msgpack.encode(self.kept)

    @abstractmethod
    def see(self, event: Event, seen: Seen) -> Iterable[Breach]:
        """Yield the rules that this fact breaks."""

    def breach(
        self,
        code: str,
        event: Event,
        says: str,
        *,
        cite: str = "",
        grade: str = "",
        owed: Exact | None = None,
        moved: Exact | None = None,
    ) -> Breach:
        """Return a finding of this check about the fact that is asked about.

        Args:
            cite: the citation, where it is not the code's or the check's own.
            grade: the grade, where it is not the code's.
            owed, moved: signed from the player's side, in minor units.
        """
        return Breach(
            code=code,
            event=event,
            says=says,
            cite=cite or self.cites.get(code, self.cite),
            grade=grade or GRADE[code],
            round=event.round,
            owed=owed,
            moved=moved,
        )


class Place(Struct, frozen=True):
    """What a finding needs to point at a fact. A check of the ledger keeps it of a fact that a later one may
    prove wrong.
    """

    stream: str
    number: int
    uid: str
    round: str | None = None

    @property
    def table(self) -> str:
        """Return the table of the stream, `property/table`."""
        return self.stream.rpartition("/")[0]

    @property
    def day(self) -> date:
        """Return the gaming day of the stream."""
        return date.fromisoformat(self.stream.rpartition("/")[2])


class Ledger(NamedTuple):
    """What the ledger fold gives a check besides the fact: where the fact is recorded, the registers, to be
    asked as of a day, and the gaming days of all tables as they were before this fact.
    """

    registers: Registers
    position: int
    place: Place
    days: TableDays

    @property
    def currency(self) -> str:
        """Return the currency in which the fact's table plays; empty text if that is not known."""
        return self.days.currency(self.place.stream)

    def say(self, amount: int) -> str:
        """Return an amount of the fact's table for a sentence."""
        return say(amount, self.currency)


class LedgerCheck(ABC):
    """A check of what spans tables or needs a register. It is asked about a property's facts of its kinds in
    the order of commit.

    Only kinds of `facts.LEDGER_KINDS` can be read. What it keeps is written with every examination: keep what
    is open, not what is done.
    """

    name: ClassVar[str]
    codes: ClassVar[tuple[str, ...]]
    cite: ClassVar[str]
    kinds: ClassVar[tuple[type[Event], ...]]
    grades: ClassVar[Mapping[str, str]] = {}
    """Grades of codes that are the check's own and not in `games/kit/codes.py`: a property's own check is one
    file.
    """
    rests_on: ClassVar[str] = ""
    """The register without any entry of which the check is not asked, so that a kind of which there are many
    is read only then.
    """
    Kept: ClassVar[type[Struct]]
    """What it remembers from one fact to the next, as JSON: the keys of a mapping are text or whole numbers.
    """

    def __init__(self, kept: bytes | None = None) -> None:
        self.kept = self.Kept() if kept is None else json.decode(kept, type=self.Kept)

    def keep(self) -> bytes:
        """Return what it remembers, for a later reading."""
        return json.encode(self.kept)

    @abstractmethod
    def see(self, event: Event, ledger: Ledger) -> Iterable[Finding]:
        """Yield what this fact breaks, or proves broken by an earlier one."""

    def finding(
        self,
        code: str,
        at: Place,
        says: str,
        *,
        cite: str = "",
        spot: str = "",
        wager: str = "",
        owed: Exact | None = None,
        moved: Exact | None = None,
    ) -> Finding:
        """Return a finding of this check.

        Args:
            at: the fact that it points at: `ledger.place`, or the kept place of an earlier one.
            cite: the citation, where it is not the check's own.
            owed, moved: signed from the player's side, in minor units.
        """
        return Finding(
            id=f"{at.uid}:{code}:{spot}:{wager}",
            stream=at.stream,
            number=at.number,
            uid=at.uid,
            round=at.round,
            code=code,
            grade=self.grades.get(code) or GRADE[code],
            spot=spot or None,
            wager=wager or None,
            owed=plain(owed),
            moved=plain(moved),
            says=says,
            cite=cite or self.cite,
            slip=None,
        )


def clock(at: datetime) -> str:
    """Return a clock to the second as a sentence writes it. A kept state holds this text: of an instant it
    loses the offset.
    """
    return at.isoformat(timespec="seconds")


class Nothing(Struct):
    """For a check that judges each fact by itself."""


def _found() -> Iterator[object]:
    for file in iter_modules(__path__):
        module = import_module(f"{__name__}.{file.name}")
        yield from getattr(module, "CHECKS", ())
        yield getattr(module, "CHECK", None)


_CHECKS = [check for check in _found() if isinstance(check, type)]
STREAM_CHECKS: tuple[type[StreamCheck], ...] = tuple(
    check for check in _CHECKS if issubclass(check, StreamCheck)
)
LEDGER_CHECKS: tuple[type[LedgerCheck], ...] = tuple(
    check for check in _CHECKS if issubclass(check, LedgerCheck)
)
CODES = frozenset(code for check in STREAM_CHECKS for code in check.codes) | {
    code for check in LEDGER_CHECKS for code in check.codes
}
"""All that the checks can find; of money none is an error of a dealer."""
