"""Import the file of a count-room machine. Each line is one denomination in one count of one box.

Count 1 is the drop, count 2 its recount. Counts are recorded as sent, even if pieces and amount disagree, or
if the two counts differ. Such a difference becomes a finding, and no value is changed. Box ids are names and
keep their leading zeros. Different spellings of a name or a day are normalized, and lines are grouped by the
normalized texts. If a line cannot be read, its whole count is refused and the other counts are recorded.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import IO, NamedTuple

from audit.facts import BoxPulled, accepted_form, canonical
from audit.facts.input_parsing import day_of, whole
from audit.queries import cage_facts
from casino.importing import Fact, ImportOptions, Item, Refusal, UsageError
from casino.importing.clock import parse_timestamp
from casino.importing.delivery import meaning_differs
from casino.importing.line_reader import lines_of
from casino.importing.spelling import minor_units
from casino.presentation.amount_input import THOUSANDS
from casino.reference.derived_uid import uid_of
from casino.web.recording import has_tray
from games.kit.amounts import EXPONENT, decimal
from games.kit.events import TableOpened

STRICT = False
TAKES = frozenset({"property", "zone"})
SOURCE = "soft-count"
COLUMNS = (
    "gaming_day",
    "table_id",
    "shift",
    "box_id",
    "counter",
    "count_no",
    "currency",
    "denomination",
    "pieces",
    "amount",
    "counted_at",
)
KINDS = {"1": "drop-counted", "2": "count-verified"}
"""For each value of the column `count_no`: the kind of the fact that records the count."""


class Count(NamedTuple):
    """The fields that together identify one count of one box."""

    table: str
    day: date
    shift: str
    box: str
    counter: str
    number: str
    at: datetime


class Line(NamedTuple):
    """One denomination of a count. `denomination` and `amount` are in minor units."""

    line: int
    currency: str
    denomination: int
    pieces: int
    amount: int


def read(file: IO[bytes], options: ImportOptions) -> Iterator[Item]:
    """Yield the refusals, then a fact for each count, in the order in which the counts begin. Raise
    UsageError if no property is given.
    """
    if options.property is None:
        raise UsageError("soft_count needs --property: the machine's file does not name the property")
    lines = lines_of(file)
    columns = _cells(next(lines, (1, b""))[1]) or []
    if missing := [name for name in COLUMNS if name not in columns]:
        yield Refusal(
            1,
            f"the first line must name all columns, and {', '.join(missing)}"
            f" {'is' if len(missing) == 1 else 'are'} missing",
        )
        return
    counts: dict[Count, list[Line]] = {}
    names: dict[Count, tuple[str, ...]] = {}
    spoilt: set[tuple[str, ...]] = set()
    for number, text in lines:
        cells = _cells(text)
        row = {name: accepted_form(cell) for name, cell in zip(columns, cells or (), strict=False)}
        try:
            if cells is None or len(cells) != len(columns):
                raise ValueError(f"this line does not have the {len(columns)} columns of the first line")
            count, line = _line(number, row, options)
            names[count] = _name(row)
            _add(counts.setdefault(count, []), line)
        except ValueError as error:
            spoilt.add(_name(row))
            yield Refusal(number, str(error))
    days = _Days(options.property)
    for count, of in counts.items():
        yield _fact(count, of, days, spoilt=names[count] in spoilt)


def _cells(text: bytes) -> list[str] | None:
    try:
        return next(csv.reader([text.decode()], strict=True), None)
    except (UnicodeDecodeError, csv.Error):
        return None


def _name(row: dict[str, str]) -> tuple[str, ...]:
    """Return the values in a line that identify its count. If the line cannot be read, all lines with the
    same values are refused.
    """
    day, *fields = (row.get(name, "") for name in COLUMNS[:6])
    return str(day_of(day) or day), *fields


def _line(number: int, row: dict[str, str], options: ImportOptions) -> tuple[Count, Line]:
    """Parse one row. Raise ValueError with a sentence if it is invalid."""
    for name in COLUMNS:
        if not row[name]:
            raise ValueError(f"{name} is empty")
    if row["count_no"] not in KINDS:
        raise ValueError(f"count_no is {row['count_no']!r}: 1 is the count, 2 the recount")
    day = day_of(row["gaming_day"])
    if day is None:
        raise ValueError(f"gaming_day {row['gaming_day']!r} is not a date such as 2030-01-05")
    at = parse_timestamp(row["counted_at"], options.zone, options.notes)
    count = Count(
        f"{options.property}/{row['table_id']}",
        day,
        row["shift"],
        row["box_id"],
        row["counter"],
        row["count_no"],
        at,
    )
    denomination, amount = (
        minor_units(_decimal(row[name], name, row["currency"]), row["currency"])
        for name in ("denomination", "amount")
    )
    if denomination < 1 or amount < 0:
        raise ValueError("a denomination must be above 0, and an amount 0 or more")
    pieces = whole(row["pieces"], 12)
    if pieces is None:
        raise ValueError(f"pieces {row['pieces'][:20]!r} is not a whole number")
    return count, Line(number, row["currency"], denomination, pieces, amount)


_amount = re.compile(r"(-?[0-9]{1,15})(?:\.([0-9]{1,6}))?").fullmatch
"""Matches amounts as machines write them. `Decimal` would also accept `1_000`, `1E2` and digits of other
alphabets.
"""


def _decimal(text: str, name: str, currency: str) -> Decimal:
    match, digits = _amount(text), EXPONENT.get(currency, 2)
    if match is None:
        raise ValueError(f"{name} {text[:20]!r} is not an amount such as {decimal(10000, currency)}")
    if digits < THOUSANDS == len(match[2] or "") and match[2].endswith(
        "0"
    ):  # Any other last digit is not a whole number of coins.
        raise ValueError(
            f"{name} {text[:20]!r} is ambiguous, because its separator may be for thousands: write the"
            f" amount like {decimal(10000, currency)}"
        )
    return Decimal(text)


def _add(lines: list[Line], line: Line) -> None:
    lines.append(line)
    if lines[0].currency != line.currency:
        raise ValueError(
            f"this count has lines in {lines[0].currency} and in {line.currency}: a box holds one currency"
        )
    if line.denomination in {before.denomination for before in lines[:-1]}:
        raise ValueError("this denomination is in this count twice: remove one line, or add the two up")


def _fact(count: Count, lines: list[Line], days: _Days, *, spoilt: bool) -> Item:
    first = lines[0].line
    if spoilt:
        return Refusal(
            first,
            f"count {count.number} of box {count.box} is not recorded: another of its lines was refused",
        )
    opened = days.of(f"{count.table}/{count.day}")
    if opened is not None and opened.currency != lines[0].currency:
        says = f"and {count.table} dealt in {opened.currency} on {count.day}"
        return Refusal(first, f"box {count.box} was counted in {lines[0].currency}, {says}")
    if opened is not None and not has_tray(opened.game):
        return Refusal(
            first,
            f"{count.table} is a live-dealer table: it has no drop box, so box {count.box} belongs to"
            " another table",
        )
    shifts = days.shifts(f"{count.table}/{count.day}")
    if shifts and count.shift not in shifts:
        says = f"{count.table} has the shifts {', '.join(shifts)} on {count.day}, and no shift {count.shift}"
        return Refusal(first, f"box {count.box} is not recorded: {says}. Upper and lower case must match")
    counter = {"team": [count.counter]} if count.number == "1" else {"by": count.counter}
    envelope: dict[str, object] = {
        "uid": uid_of(count.at, SOURCE, *count[:-1]),
        "table": count.table,
        "day": count.day.isoformat(),
    }
    envelope |= {"kind": KINDS[count.number], "at": count.at.isoformat(timespec="seconds"), "source": SOURCE}
    envelope |= {"shift": count.shift, "box": count.box, "amount": sum(line.amount for line in lines)}
    if contradicts := _contradictions(lines):
        envelope["contradicts"] = contradicts
    body = canonical(envelope | counter | {"notes": {str(line.denomination): line.pieces for line in lines}})
    recorded = days.counts(f"{count.table}/{count.day}").get(str(envelope["uid"]))
    # The same instant in another time zone gives the same uid, so it is the same count.
    return Fact(first, recorded if recorded is not None and not meaning_differs(recorded, body) else body)


def _contradictions(lines: list[Line]) -> list[tuple[str, str, str]]:
    """Return a contradiction for each line whose number of pieces does not give its amount, if these
    differences cancel out in the whole count. If they do not cancel out, return no contradictions: replay
    then finds the difference in the count.
    """
    differ = [line for line in lines if line.pieces * line.denomination != line.amount]
    if sum(line.pieces * line.denomination - line.amount for line in differ):
        return []
    return [
        (
            f"the pieces of {decimal(line.denomination, line.currency)}",
            f"{line.pieces} pieces, {decimal(line.pieces * line.denomination, line.currency)}",
            f"amount {decimal(line.amount, line.currency)}",
        )
        for line in differ
    ]


class _Days:
    """The last opening, the shifts and the recorded counts of each table's day."""

    def __init__(self, property: str) -> None:
        self.property = property
        self.known: dict[str, tuple[TableOpened | None, list[str], dict[str, bytes]]] = {}

    def of(self, stream: str) -> TableOpened | None:
        """Return the last opening of a table's day, or None if the table has not been opened. In that case,
        validation refuses the count.
        """
        return self._read(stream)[0]

    def shifts(self, stream: str) -> list[str]:
        """Return the shifts that a count of this stream may name: those in the table's opening, and those in
        which its boxes were pulled. If the list is empty, a count may name any shift.
        """
        return self._read(stream)[1]

    def counts(self, stream: str) -> dict[str, bytes]:
        """Return the bodies of the recorded counts, by uid."""
        return self._read(stream)[2]

    def _read(self, stream: str) -> tuple[TableOpened | None, list[str], dict[str, bytes]]:
        if stream not in self.known:
            last: TableOpened | None = None
            shifts: list[str] = []
            counts: dict[str, bytes] = {}
            for fact in cage_facts.facts(
                self.property, [stream], {"table-opened", "box-pulled", *KINDS.values()}
            ):
                if isinstance(fact.event, TableOpened):
                    last = fact.event
                    shifts += sorted(last.shifts or {}, key=lambda name: (last.shifts or {})[name])
                elif isinstance(fact.event, BoxPulled):
                    shifts.append(fact.event.shift)
                else:
                    counts[fact.event.uid] = fact.body
            self.known[stream] = last, list(dict.fromkeys(shifts)), counts
        return self.known[stream]
