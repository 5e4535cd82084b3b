"""Fills and credits by serial: sent, voided, used twice, and the numbers of a series that are missing.

A number that was voided and never sent, its paper spoilt, is `voided` too: of any series, since nothing says what it would have been.

A serial that came more than once, in one stream or in several, is `twice`; a missing number is shown until it comes, whatever the days
asked for, because nobody knows on which day it was used.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit.queries import Span
from audit.queries import cage as queries
from audit.queries.cage import Slip
from audit.queries.summed import Sum, merged
from audit.tallying import SPOILT
from casino.reports import Absent, Column, Row, Sheet
from games.kit.amounts import decimal

TITLE = "Fills and credits"
BY: tuple[str, ...] = ()
DEFAULT_BY: tuple[str, ...] = ()
CHART = "amount"
KINDS = {"fill-sent": "fill", "credit-sent": "credit"}
NOTHING = Absent("n/a")


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each slip, then one for each run of missing numbers; a total of what stands for each kind and currency."""
    columns = (
        Column("slip", "slip"), Column("kind", "kind"), Column("state", "state"), Column("table", "table"), Column("day", "day", "day"),
        Column("shift", "shift"), Column("currency", "currency"), Column("times", "times", "count"), Column("amount", "amount", "money"),
        Column("note", "note"),
    )  # fmt: skip
    slips = list(queries.slips(span, tuple(KINDS)))
    stand = merged(Sum((KINDS[slip.kind], slip.currency), (slip.number, slip.amount)) for slip in slips if slip.stands)
    totals = [
        ("total", kind, "", "", "", "", currency, number, decimal(int(amount), currency), "voided slips left out")
        for (kind, currency), (number, amount), _ in stand
    ]
    return Sheet(TITLE, columns, [*map(_row, slips), *_missing(span.property)], tuple(totals))


def _row(slip: Slip) -> Row:
    place = (slip.table, slip.day.isoformat(), slip.shift, slip.currency)
    if slip.kind == SPOILT:
        return (slip.slip, "", "voided", *place, NOTHING, NOTHING, "never sent: its number was voided")
    twice = slip.number + slip.elsewhere > 1
    state = " and ".join(word for word, is_so in (("twice", twice), ("voided", not slip.stands)) if is_so) or "sent"
    note = f"also in {slip.elsewhere} other place{'s' if slip.elsewhere > 1 else ''}" if slip.elsewhere else ""
    amount = decimal(slip.amount, slip.currency)
    return slip.slip, KINDS[slip.kind], state, *place, slip.number, amount, note


def _missing(property: str | None) -> Iterator[Row]:
    for jump in queries.missing_slips(property):
        many = jump.last - jump.first + 1
        name = f"{jump.series}-{jump.first}" + (f" to {jump.last}" if many > 1 else "")
        note = f"{many} number{'s' if many > 1 else ''} of the series at {jump.property} never came"
        yield (name, "", "missing", "", "", "", "", NOTHING, NOTHING, note)
