"""Internal-control checks, one pure file each. The table fold runs the checks of one stream. The ledger fold
runs the checks that span tables.

A check declares its codes, its citation and the kinds that it reads. It stores its own state between two
facts. Every file in this folder with a `CHECK` or `CHECKS` is loaded, so a new check needs no entry in a
list.
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
from audit.replay.slips import Slip
from audit.replay.table_days import TableDays
from games.kit.amounts import Exact, say
from games.kit.breach import Breach
from games.kit.codes import GRADE
from games.kit.events import Event

NO_TALLY = Tally()
"""An empty tally, for a caller without a fold, such as the count room's page."""


class Seen(NamedTuple):
    """The data that the table fold gives a check in addition to the fact: the net amount that play has added
    to the tray, the slips sent so far, the currency, and the kinds of fact that the table's equipment
    reports.
    """

    tray: int
    slips: dict[str, Slip]
    currency: str
    sees: frozenset[str] = frozenset()
    brought: Mapping[str, int] = {}
    """For each currency: the net amount that closed rounds and their corrections have added to the tray."""
    tally: Tally = NO_TALLY
    """The stream's sums up to and including this fact. They contain closed rounds and all cage facts."""
    began: Mapping[str, str] = {}
    """For each currency: the clock time at which the stream's first round in this currency was opened."""
    has_tray: bool = True
    """False at a live-dealer table, which has no tray and no drop box."""

    def say(self, amount: int, currency: str | None = None) -> str:
        """Return an amount as text for a sentence, in the table's currency unless another is given."""
        return say(amount, self.currency if currency is None else currency)

    def played(self, currency: str) -> int:
        """Return the net amount that play has added to the tray in a currency. In the table's own currency,
        the open round is included.
        """
        return self.tray if currency == self.currency else self.brought.get(currency, 0)

    def slipped(self, currency: str) -> int:
        """Return fills less credits in a currency, without voided slips."""
        return sum(
            MOVES.get(slip.kind, 0) * slip.standing
            for slip in self.slips.values()
            if slip.currency == currency
        )

    def bought(self, currency: str) -> int:
        """Return the chips bought in a currency, less chips that returned because their marker was voided."""
        return sum(
            row.amount
            for (of, _, kind), row in self.tally.cage.items()
            if of == currency and kind == "chips-bought"
        )

    def moved(self, currency: str) -> int:
        """Return how much the facts of the stream so far have changed the tray in a currency."""
        return self.played(currency) + self.slipped(currency) - self.bought(currency)


CAGE, SEATED = "cage", "seated"
"""Conditions on a stream. CAGE: it has a fact of the cage or the count room. SEATED: a dealer was seated, or
the equipment reports dealers.
"""
MOVES = {"fill-sent": 1, "credit-sent": -1}
"""Slips that add chips to the tray (1) or remove them (-1). A marker itself moves no chips. The chips that
are bought on it have a fact of their own.
"""


class StreamCheck(ABC):
    """A check of one stream."""

    name: ClassVar[str]
    codes: ClassVar[tuple[str, ...]]
    cite: ClassVar[str]
    kinds: ClassVar[tuple[type[Event], ...]]
    needs: ClassVar[frozenset[str]] = frozenset()
    """The kinds of fact that a table's equipment must report so that the check is applied. Kinds of the cage
    and the count room are not listed.
    """
    cites: ClassVar[Mapping[str, str]] = {}
    """{code: citation} of the codes whose citation is not that of the check."""
    unless: ClassVar[str] = ""
    """The condition, `CAGE` or `SEATED`, that a stream must meet so that the check is applied. If empty,
    there is no condition. The report `coverage` shows the streams to which the check is not applied.
    """
    of_tray: ClassVar[bool] = True
    """False for a check that also applies to live-dealer tables, which have neither tray nor box."""
    StateType: ClassVar[type[Struct]]
    """The type of the check's state between two facts."""

    def __init__(self, saved: bytes | None = None) -> None:
        self.state = self.StateType() if saved is None else msgpack.decode(saved, type=self.StateType)

    def keep(self) -> bytes:
        """Return the state of the check, for a later reading of the stream."""
        return msgpack.encode(self.state)

    @abstractmethod
    def see(self, event: Event, stream: Seen) -> Iterable[Breach]:
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
        """Return a breach of this check by this fact.

        Args:
            cite: the citation. Without it, the finding has the citation of the code or, if the code has none,
                of the check.
            grade: the grade. Without it, the finding has the grade of the code.
            owed, moved: in minor units, positive if the player receives the money.
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
    """Where a fact is recorded, so that a finding can point at it. A ledger check stores the place of a fact
    that a later fact may prove wrong.
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
    """What the ledger fold gives a check in addition to the fact: where the fact is recorded, the registers
    (as of any day), and the state of all tables' gaming days before this fact.
    """

    registers: Registers
    position: int
    place: Place
    days: TableDays

    @property
    def currency(self) -> str:
        """Return the currency in which the fact's table plays, or an empty text if it is not known."""
        return self.days.currency(self.place.stream)

    def say(self, amount: int) -> str:
        """Return an amount as text for a sentence, in the currency of the fact's table."""
        return say(amount, self.currency)


class LedgerCheck(ABC):
    """A check that compares several tables or needs a register. It gets the property's facts of its kinds in
    the order of commit.

    Only kinds of `facts.LEDGER_KINDS` can be read. The state is written with every examination, so it should
    contain only what may still lead to a finding.
    """

    name: ClassVar[str]
    codes: ClassVar[tuple[str, ...]]
    cite: ClassVar[str]
    kinds: ClassVar[tuple[type[Event], ...]]
    grades: ClassVar[Mapping[str, str]] = {}
    """The grades of codes that are not in `games/kit/codes.py`, because only this check has them. A
    property's own check can therefore be a single file.
    """
    rests_on: ClassVar[str] = ""
    """A register that the check depends on. If the register has no entries, the check is not run and its
    kinds need not be read. This saves time if the kinds are frequent.
    """
    StateType: ClassVar[type[Struct]]
    """The type of the check's state between two facts. The state is stored as JSON, so the keys of a mapping
    must be texts or integers.
    """

    def __init__(self, saved: bytes | None = None) -> None:
        self.state = self.StateType() if saved is None else json.decode(saved, type=self.StateType)

    def keep(self) -> bytes:
        """Return the state of the check, for a later reading of the ledger."""
        return json.encode(self.state)

    @abstractmethod
    def see(self, event: Event, ledger: Ledger) -> Iterable[Finding]:
        """Yield a finding for each rule that this fact breaks. Also yield a finding for an earlier fact, if
        this fact proves that the earlier one broke a rule.
        """

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
            at: the place of the fact at which the finding points: `ledger.place`, or the stored place of an
                earlier fact.
            cite: the citation. Without it, the finding has the citation of the check.
            owed, moved: in minor units, positive if the player receives the money.
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
    """Return a clock time, without fractions of a second, as text for a sentence. Stored states contain this
    text, because a stored instant loses its offset.
    """
    return at.isoformat(timespec="seconds")


class Nothing(Struct):
    """The state of a check that judges each fact by itself."""


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
"""All codes of the checks. Amounts in their findings are never attributed to a dealer's error."""
