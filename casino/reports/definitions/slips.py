"""Fills and credits by serial: sent, voided, used twice, and the numbers of a series that are missing.

A number that was voided and never sent, its paper spoilt, is `voided` too: of any series, since nothing says
what it would have been.

A serial that came more than once, in one stream or in several, is `twice`; a missing number is shown until it
comes, whatever the days asked for, because nobody knows on which day it was used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from audit.findings.duplicate_serials import SLIP
from audit.queries import cage_lists as queries
from audit.queries.cache.aggregates import Aggregate
from audit.queries.cache.lists import CachedList, cached_list
from audit.queries.cage_lists import Serial
from audit.queries.tallies import Span
from audit.replay.tally import SPOILT
from casino.reports.columns import Absent, Column, Row, Rows, Sheet
from casino.reports.grouping import name_of_sums
from games.kit.amounts import decimal

TITLE = "Fills and credits"
BY: tuple[str, ...] = ()
DEFAULT_BY: tuple[str, ...] = ()
CHART = "amount"
KINDS = {"fill-sent": "fill", "credit-sent": "credit"}
NOTHING = Absent("n/a")
SERIES = 8
"""Letters of a serial by which the list is kept in parts."""
STANDS = "stands"


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each slip, then one for each run of missing numbers; a total of what stands for each kind
    and currency.
    """
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
    found = cached_list(name_of_sums("slips", (), None), span, _slips, _series, _total)
    slips: Sequence[Aggregate] = found
    if any(total.key == (SPOILT,) for total in found.totals):
        slips = _never_sent(found)
    totals = [
        (
            "total",
            kind,
            "",
            "",
            "",
            "",
            currency,
            int(number),
            decimal(int(amount), currency),
            "voided slips left out",
        )
        for (kind, currency), (number, amount) in (
            (each.key, each.numbers) for each in found.totals if len(each.key) > 1
        )
    ]
    missing = list(_missing(span.property))
    return Sheet(TITLE, columns, Rows.together(slips, _rows, missing), tuple(totals))


def _slips(span: Span) -> Iterator[Aggregate]:
    for slip in queries.slips(span, (*KINDS, SPOILT)):
        key = (
            slip.property,
            slip.slip,
            str(slip.day),
            slip.table,
            slip.kind,
            slip.shift,
            slip.currency,
            STANDS if slip.stands else "",
        )
        yield Aggregate(key, (slip.number, slip.amount))


def _series(key: tuple[str, ...]) -> str:
    """Whatever a serial looks like, in its order."""
    return f"{key[0]}\0{key[1][:SERIES]}"


def _total(row: Aggregate) -> tuple[str, ...] | None:
    kind, _, currency, stands = row.key[4:]
    return (SPOILT,) if kind == SPOILT else (KINDS[kind], currency) if stands else None


def _never_sent(found: CachedList) -> list[Aggregate]:
    """The list without numbers that were voided at one table and sent at another."""
    sent = {
        slip
        for slip, kinds in queries.streams_of({row.key[:2] for row in found if row.key[4] == SPOILT}).items()
        if {*kinds} - {SPOILT}
    }
    return [row for row in found if row.key[4] != SPOILT or row.key[:2] not in sent]


def _rows(slips: Sequence[Aggregate]) -> Iterator[Row]:
    """Some of them, as many as are read at once: where else their numbers came is asked for all of these
    together.
    """
    streams = queries.streams_of(_again(slips))
    for slip in slips:
        elsewhere = sum(number for kind, number in streams.get(slip.key[:2], {}).items() if kind in KINDS)
        yield _row(slip, max(elsewhere - 1, 0))


def _again(slips: Sequence[Aggregate]) -> set[Serial]:
    """The serials of these under which something may have come elsewhere too."""
    of_properties = groupby(slips, key=lambda slip: slip.key[0])
    return {
        (property, serial)
        for property, of in of_properties
        for serial in queries.again(property, SLIP, {slip.key[1] for slip in of})
    }


def _row(row: Aggregate, elsewhere: int) -> Row:
    _, slip, day, table, kind, shift, currency, stands = row.key
    place = (table, day, shift, currency)
    if kind == SPOILT:
        return (slip, "", "voided", *place, NOTHING, NOTHING, "never sent: its number was voided")
    number, amount = map(int, row.numbers)
    twice = number + elsewhere > 1
    state = (
        " and ".join(word for word, is_so in (("twice", twice), ("voided", not stands)) if is_so) or "sent"
    )
    note = f"also in {elsewhere} other place{'s' if elsewhere > 1 else ''}" if elsewhere else ""
    return slip, KINDS[kind], state, *place, number, decimal(amount, currency), note


def _missing(property: str | None) -> Iterator[Row]:
    for jump in queries.missing_slips(property):
        many = jump.last - jump.first + 1
        note = f"{many} number{'s' if many > 1 else ''} of the series at {jump.property} never came"
        yield (jump.says(), "", "missing", "", "", "", "", NOTHING, NOTHING, note)
