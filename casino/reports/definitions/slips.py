"""Fills and credits by serial: sent, voided, used twice, and the serials that are missing from a sequence.

A slip that was spoilt before it was sent is listed as `voided` too. It may be either a fill or a credit,
because no fact says which.

A serial that was recorded more than once, in one stream or in several, is `twice`. A missing serial is shown
for all days until it is recorded, because the day on which it was used is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from audit.findings.duplicate_serials import SLIP
from audit.queries import cage_lists as queries
from audit.queries.cache.aggregates import Aggregate
from audit.queries.cache.lists import CachedList, cached_list
from audit.queries.cage_lists import Serial
from audit.queries.span import Span
from audit.replay.tally import SPOILT
from casino.reports.columns import Absent, Column, Row, Rows, Sheet
from casino.reports.grouping import name_of_sums
from casino.reports.limits import Limits, chosen, totals_of_list
from games.kit.amounts import decimal

TITLE = "Fills and credits"
DEPARTMENT = "Cage and count room"
NEEDED = "Each day, to see that no slip number is missing or used twice."
BY: tuple[str, ...] = ()
DEFAULT_BY: tuple[str, ...] = ()
CHART = "amount"
LEADS = ("slip", "currency", "amount", "kind", "state")
LIMITED_BY = ("table", "day", "shift")
KEY = ("property", "slip", "day", "table", "kind", "shift", "currency", "valid")
"""The names of the values in the key of a row."""
KINDS = {"fill-sent": "fill", "credit-sent": "credit"}
NOTHING = Absent("n/a")
SERIES = 8
"""Number of leading characters of a serial by which the cached list is divided into parts."""
VALID = "valid"


class SlipFigures(NamedTuple):
    """The number of slips with one serial, and their amount in minor units."""

    number: int
    amount: int


SlipRow = Aggregate[SlipFigures]


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """Return one row for each slip, then one row for each group of consecutive missing serials. Totals are by
    kind and currency, and leave out voided slips.
    """
    every = _list(span)
    return _sheet(every, every.totals, list(_missing(span.property)))


def limited(span: Span, limits: Limits) -> Sheet:
    """Return the report limited to the slips of some values. Missing serials have no table and no day, so the
    limited report does not name them.
    """
    rows = chosen(_list(span), limits, lambda row, name: row.key[KEY.index(name)])
    return _sheet(rows, totals_of_list(rows, _total), [])


def _list(span: Span) -> CachedList[SlipFigures]:
    """Return the slips of the span and their totals."""
    return cached_list(name_of_sums("slips", (), None), span, _slips, SlipFigures, _series, _total)


def _sheet(every: Sequence[SlipRow], all_totals: Sequence[SlipRow], missing: list[Row]) -> Sheet:
    columns = (
        Column("slip", "slip"),
        Column("kind", "kind"),
        Column("state", "state"),
        Column("table", "table"),
        Column("day", "day", "day"),
        Column("shift", "shift"),
        Column("currency", "currency"),
        Column("times", "times", "count"),
        Column("amount", "amount", "money"),
        Column("note", "note"),
    )
    slips = every
    if any(total.key == (SPOILT,) for total in all_totals):
        slips = _without_sent(every)
    totals = [
        (
            "total",
            kind,
            "",
            "",
            "",
            "",
            currency,
            figures.number,
            decimal(figures.amount, currency),
            "voided slips left out",
        )
        for (kind, currency), figures in (
            (total.key, total.figures) for total in all_totals if len(total.key) > 1
        )
    ]
    rows = Rows.together(slips, _Formatter().rows, missing)
    return Sheet(TITLE, columns, rows, tuple(totals), has_absent=True, leads=LEADS)


def _slips(span: Span) -> Iterator[SlipRow]:
    for slip in queries.slips(span, (*KINDS, SPOILT)):
        key = (
            slip.property,
            slip.slip,
            str(slip.day),
            slip.table,
            slip.kind,
            slip.shift,
            slip.currency,
            VALID if slip.stands else "",
        )
        yield Aggregate(key, SlipFigures(slip.number, slip.amount))


def _series(key: tuple[str, ...]) -> str:
    """Return the property and the first characters of a serial, as one text. Rows of the cached list with the
    same text are cached together. The texts sort in the same order as the serials.
    """
    return f"{key[0]}\0{key[1][:SERIES]}"


def _total(row: SlipRow) -> tuple[str, ...] | None:
    kind, _, currency, valid = row.key[4:]
    return (SPOILT,) if kind == SPOILT else (KINDS[kind], currency) if valid else None


def _without_sent(slips: Sequence[SlipRow]) -> list[SlipRow]:
    """Return these slips without some voids. If a slip was spoilt before it was sent, its void is a row of
    its own. This row is left out if a slip with the same serial was sent after all.
    """
    sent = {
        slip
        for slip, kinds in queries.streams_of({row.key[:2] for row in slips if row.key[4] == SPOILT}).items()
        if {*kinds} - {SPOILT}
    }
    return [row for row in slips if row.key[4] != SPOILT or row.key[:2] not in sent]


class _Formatter:
    """Formats slips. It reads the serials that are possibly recorded more than once only one time for each
    property, because a file formats its slips in many batches.
    """

    def __init__(self) -> None:
        self._noted: dict[str, tuple[str, set[str]]] = {}

    def rows(self, slips: Sequence[SlipRow]) -> Iterator[Row]:
        """Yield the sheet's rows for these slips. All other records of their serials are found with one
        query.
        """
        streams = queries.streams_of(self._possible_duplicates(slips))
        for slip in slips:
            kinds = streams.get(slip.key[:2], {})
            other_count = sum(number for kind, number in kinds.items() if kind in KINDS)
            yield _row(slip, max(other_count - 1, 0))

    def _possible_duplicates(self, slips: Sequence[SlipRow]) -> set[Serial]:
        """Return the serials of these slips that are possibly recorded more than once."""
        of_properties = groupby(slips, key=lambda slip: slip.key[0])
        return {
            (property, serial)
            for property, of_property in of_properties
            for serial in self._of_property(property, {slip.key[1] for slip in of_property})
        }

    def _of_property(self, property: str, serials: set[str]) -> set[str]:
        lowest = min(serials)
        begins, noted = self._noted.get(property, ("", None))
        if noted is None or lowest < begins:
            noted = queries.noted_duplicates(property, SLIP, lowest)
            self._noted[property] = lowest, noted
        return noted & serials


def _row(row: SlipRow, other_count: int) -> Row:
    _, slip, day, table, kind, shift, currency, valid = row.key
    place = (table, day, shift, currency)
    if kind == SPOILT:
        return (slip, "", "voided", *place, NOTHING, NOTHING, "never sent: its number was voided")
    number, amount = row.figures
    is_duplicate = number + other_count > 1
    state = (
        " and ".join(word for word, is_so in (("twice", is_duplicate), ("voided", not valid)) if is_so)
        or "sent"
    )
    note = f"also in {other_count} other record{'s' if other_count > 1 else ''}" if other_count else ""
    return slip, KINDS[kind], state, *place, number, decimal(amount, currency), note


def _missing(property: str | None) -> Iterator[Row]:
    for jump in queries.missing_slips(property):
        number = jump.last - jump.first + 1
        note = f"{number} number{'s' if number > 1 else ''} of the series at {jump.property} not recorded"
        yield (jump.says(), "", "missing", "", "", "", "", NOTHING, NOTHING, note)
