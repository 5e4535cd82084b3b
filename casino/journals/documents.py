"""The documents of a journal: what a closed day posts, and how it is restated.

A document has a permanent number: `STREAM/VERSION`, or `STREAM/SHIFT/VERSION`. A day cannot be booked by
shift if its shifts have no win of their own. The journal by shift then contains one document for the whole
day. The journal by day contains the same document, so a number names the same document in every journal.

Version 1 is the day as it was closed, booked on its gaming day. Every adjustment of the day, in the order of
commit, reverses the previous version (its number followed by `R`) and posts the next one. Both are booked on
the gaming day on which the adjustment was made. So a document never changes, and a closed day gets no further
document. An entry that cannot be booked yet is held, with the reason.
"""

from __future__ import annotations

from base64 import b32encode
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from hashlib import sha256
from typing import NamedTuple

from audit.queries.adjustments import Adjustment
from audit.queries.table_day import TableDay, restate
from casino.journals.postings import WORDS, Line, OtherAmounts, lines, merged
from casino.journals.units import Place, Unit, Why, settled
from casino.reference.chart import OPTIONAL, Account, Chart
from casino.reports import overnight_boxes
from casino.reports.hold_figure import figure, missing_counts

ENTRY, REVERSAL, RESTATED, MONEY = "entry", "reversal", "restated", "money"
KINDS = (ENTRY, REVERSAL, RESTATED, MONEY)
"""The kinds of documents. MONEY: a document of a fact about money (`casino.journals.money`)."""
NOTHING = OtherAmounts()
SHIFT = "shift"
"""The code of the reason why a unit is booked by whole days in the journal by shift."""
MARK = 11
"""Length of the hash of a document number. QuickBooks accepts no more characters."""


class Posting(NamedTuple):
    """A line of a document: an amount in minor units, positive for a debit, on an account. The account is
    None if the chart of accounts names none for the purpose of the line.
    """

    what: str
    posted: str
    amount: int
    account: Account | None

    @property
    def text(self) -> str:
        return WORDS[self.what]


class Document(NamedTuple):
    """One journal entry.

    Attributes:
        day: its gaming day, or its month.
        booked: the gaming day on which it is booked.
        table: the table's code, or empty for a month.
        house: the property.
        reverses: the number of the document that it reverses.
        adjustments: the uids of the adjustments that caused it.
        position: the position in the ledger of the last fact that caused it.
    """

    number: str
    kind: str
    house: str
    table: str
    game: str
    day: str
    booked: date
    shift: str
    currency: str
    version: int
    text: str
    reverses: str
    adjustments: tuple[str, ...]
    position: int
    postings: tuple[Posting, ...]

    @property
    def unmapped(self) -> list[str]:
        """Return the purposes of the document's lines that have no account."""
        return sorted({posting.posted for posting in self.postings if posting.account is None})

    @property
    def order(self) -> tuple[date, str, str, str, str, int, int]:
        """Return the sort key of the document in a journal."""
        return (
            self.booked,
            self.table,
            self.day,
            self.currency,
            self.shift,
            self.version,
            KINDS.index(self.kind),
        )


class Held(NamedTuple):
    """An entry that cannot be booked. `about`: a code for the reason, which is open, order, box, pending,
    uncounted, shift, currency, month, or unmapped. `says`: the reason as a sentence.

    `posted`: the purposes that have no account. `day`: the gaming day, or the month. `fix_on`: the gaming day
    on which the problem can be fixed.
    """

    about: str
    house: str
    table: str
    game: str
    day: str
    says: str
    posted: tuple[str, ...] = ()
    fix_on: str = ""


Part = tuple[str, str]
"""A currency and a shift. Each combination of currency and shift has a document of its own."""


class Version(NamedTuple):
    """The lines that a unit (table days that are booked together) posts before its first adjustment, or after
    some of its adjustments.

    Attributes:
        why: why the unit cannot be posted in this version, or None if it can.
    """

    parts: Mapping[Part, list[Line]]
    why: Why | None = None


def number_hash(number: str) -> str:
    """Return a hash of a document number, in eleven letters and digits, for a system that accepts only short
    numbers. Equal numbers have equal hashes.
    """
    return b32encode(sha256(number.encode()).digest())[:MARK].decode()


def documents(
    unit: Unit, chart: Chart, *, by_shift: bool, whole_days: Callable[[], Unit] | None = None
) -> Iterator[Document | Held]:
    """Yield every document of a unit in order. If the unit cannot be posted at present, yield an entry that
    says why.

    Args:
        unit: the days that are booked together.
        chart: the chart of accounts.
        by_shift: whether the unit has a row for each shift.
        whole_days: returns the same unit by whole days, for versions that cannot be booked by shift.
    """
    if unit.waits is not None:
        yield _held(unit, unit.waits)
        return
    if not unit.adjustments:
        yield from _as_closed(unit, chart, by_shift=by_shift, whole_days=whole_days)
        return
    posted: dict[Part, Document] = {}
    posted_lines: dict[Part, list[Line]] = {}
    version = Version({})
    for place in range(len(unit.adjustments) + 1):
        version = _bookable(unit, place, by_shift=by_shift, whole_days=whole_days)
        maker = _Making(unit, chart, place + 1)
        for part in sorted({*version.parts, *posted_lines}):
            current = [] if version.why else version.parts.get(part, [])
            if current == posted_lines.get(part, []):
                continue
            posted_lines[part] = current
            before = posted.pop(part, None)
            if before is not None:
                yield maker.reversal(before)
            if current:
                posted[part] = maker.document(part, current)
                yield posted[part]
    if version.why is not None:
        yield _held(unit, version.why)


def _as_closed(
    unit: Unit, chart: Chart, *, by_shift: bool, whole_days: Callable[[], Unit] | None
) -> Iterator[Document | Held]:
    """Yield the documents of a unit that was not adjusted. Most units are of this kind."""
    version = _bookable(unit, 0, by_shift=by_shift, whole_days=whole_days)
    if version.why is not None:
        yield _held(unit, version.why)
        return
    maker = _Making(unit, chart, 1)
    for part, part_lines in sorted(version.parts.items()):
        if part_lines:
            yield maker.document(part, part_lines)


def _held(unit: Unit, reason: Why) -> Held:
    last = unit.last
    return Held(
        reason.about,
        last.property,
        last.table.partition("/")[2],
        last.game,
        str(last.day),
        reason.says,
        fix_on=reason.day or str(last.day),
    )


def _bookable(unit: Unit, place: int, *, by_shift: bool, whole_days: Callable[[], Unit] | None) -> Version:
    """Return the version of a unit after its first `place` adjustments. If the unit cannot be booked by
    shift, return its version by whole days.
    """
    version = _version(unit, unit.adjustments[:place], by_shift=by_shift)
    if whole_days is not None and version.why is not None and version.why.about == SHIFT:
        days = whole_days()
        return _version(days, days.adjustments[:place], by_shift=False)
    return version


def _version(unit: Unit, changes: Sequence[Adjustment], *, by_shift: bool) -> Version:
    rows: Sequence[TableDay] = restate(unit.rows, changes, by_shift=by_shift) if changes else unit.rows
    if reason := _why(unit, rows, by_shift=by_shift):
        return Version({}, reason)
    closed = {(row.stream, row.currency, row.shift): row for row in unit.rows}
    settlements = settled(unit, changes, by_shift=by_shift) if changes else {}
    parts: dict[Part, list[Line]] = defaultdict(list)
    for row in rows:
        if not (row.live_dealer or row.cage or row.adjusted):
            # Nothing was counted in this shift, so its win is included in the shifts that were counted.
            continue
        place: Place = (row.stream, row.currency, row.shift)
        amounts = unit.other_amounts.get(place, NOTHING)
        if place in settlements:
            amounts = amounts._replace(settled=settlements[place])
        parts[row.currency, row.shift] += lines(row, closed.get(place), amounts)
    return Version({part: merged(lines) for part, lines in parts.items()} if len(unit.streams) > 1 else parts)


def _why(unit: Unit, rows: Sequence[TableDay], *, by_shift: bool) -> Why | None:
    """Return the reason why a unit with these rows cannot be posted yet. Return None if it can be posted."""
    if any(not row.currency for row in rows):
        return Why("currency", "nothing was counted, so the currency is not known")
    is_joint = len(unit.streams) > 1
    words = [missing_counts(row) if is_joint or unit.late else figure(row).pending for row in rows]
    if by_shift:
        if is_joint or any(overnight_boxes.box_not_pulled(row) for row in rows):
            return Why(
                SHIFT,
                "the box was on the table over several days: no shift has a win of its own, so the day is"
                " booked as a whole",
            )
        if len({row.shift == "" for row in rows}) > 1:
            return Why(SHIFT, "some facts of the day belong to no shift: the day is booked as a whole")
        if reason := next(filter(None, words), ""):
            return Why(
                SHIFT, f"the win of each shift is not known ({reason}), so the day is booked as a whole"
            )
        return None
    reason = ", ".join(dict.fromkeys(filter(None, words)))
    return Why("pending", reason) if reason else None


class _Making:
    """Builds the documents of one version of a unit."""

    def __init__(self, unit: Unit, chart: Chart, version: int) -> None:
        self.unit, self.chart, self.version, self.last = unit, chart, version, unit.last
        self.change = unit.adjustments[version - 2] if version > 1 else None
        self.several = len(unit.rows) > 1 and len({row.currency for row in unit.rows}) > 1
        self.booked = max(self.last.day, self.change.day) if self.change is not None else self.last.day
        self.position = max(unit.position, self.change.position) if self.change is not None else unit.position

    def document(self, part: Part, lines: Sequence[Line]) -> Document:
        currency, shift = part
        code, game = self.last.table.partition("/")[2], self.last.game
        kind = ENTRY if self.version == 1 else RESTATED
        accounts = self.chart.accounts(game, code, self.booked, self.position)
        absent = {posted for posted in OPTIONAL if accounts[posted] is None}
        postings = tuple(
            [
                Posting(category, posted, amount, account.at(game, code) if account is not None else None)
                for category, posted, amount in lines
                if category not in absent
                for account in [accounts[posted]]
            ]
        )
        number = "/".join(
            filter(None, (self.last.name, shift, f"{self.version}{f'.{currency}' if self.several else ''}"))
        )
        return Document(
            number,
            kind,
            self.last.property,
            code,
            game,
            str(self.last.day),
            self.booked,
            shift,
            currency,
            self.version,
            self._text(code, shift),
            "",
            self._uids(),
            self.position,
            postings,
        )

    def reversal(self, of: Document) -> Document:
        """Return the document that reverses `of`: the same amounts on the same accounts, with debits and
        credits exchanged.
        """
        return of._replace(
            number=f"{of.number}R",
            kind=REVERSAL,
            booked=self.booked,
            text=f"Reversal of {of.number}, which is restated",
            reverses=of.number,
            adjustments=self._uids(),
            position=self.position,
            postings=tuple(posting._replace(amount=-posting.amount) for posting in of.postings),
        )

    def _uids(self) -> tuple[str, ...]:
        return (self.change.uid,) if self.change is not None else ()

    def _text(self, code: str, shift: str) -> str:
        days = " and ".join(str(stream.day) for stream in self.unit.streams)
        words = [
            f"{code}, gaming day {days}",
            f"shift {shift}" if shift else "",
            "restated" if self.version > 1 else "",
        ]
        return ", ".join(filter(None, words))
