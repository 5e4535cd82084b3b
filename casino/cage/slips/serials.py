"""Assign serial numbers to slips, without gaps even if many cashiers submit slips at once.

A series is named after the kind of slip, its table and the calendar year of the gaming day, such as
`F-EOU02-2026`, and begins at 1. The next number follows the highest in the ledger, from any source. It is
assigned in the transaction that records the slip, so a slip that is not recorded uses no number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.db import transaction

from audit import database
from audit import facts as f
from audit.facts.input_parsing import whole
from audit.ledger import store
from audit.models import Head
from audit.replay.serials import SERIALS
from casino.presentation.errors import ActionRejected
from casino.web.property_turn import take_turn
from games.kit.events import kind_of

LETTERS = {"fill-sent": "F", "credit-sent": "C", "marker-issued": "M"}
"""For each kind of slip: the first letter of its series."""
KINDS = frozenset(map(kind_of, SERIALS))
DIGITS = 6
TRIES = 5
"""Maximum number of serials to try if another system uses serials of the same series at the same time."""
Answer = TypeVar("Answer")


def series_of(kind: str, table: str, day: str) -> str:
    """Return the name of the series for this kind, table and gaming day (`2026-11-27`)."""
    return f"{LETTERS[kind]}-{table.replace('-', '')}-{day[:4]}"


def split_serial(slip: str) -> tuple[str, int | None]:
    """Return the series and the number of a serial. If the serial does not end in a number, or if the number
    is too long, return the whole serial and None.
    """
    series, _, digits = slip.rpartition("-")
    number = whole(digits)
    return (slip, None) if number is None else (series, number)


def numbered(property: str, series: str, record: Callable[[str], Answer]) -> Answer:
    """Call `record` with the next serial of the series, and return its result. The slip and its number are
    committed together.

    `record` posts the slip. If another system has used the number in the meantime, the transaction is rolled
    back and `record` is called with the next number. Raise ActionRejected after TRIES attempts. Errors that
    `record` raises are not caught.
    """
    for _ in range(TRIES):
        with transaction.atomic():
            read = _read_on(property)
            number = _next(property, series)
            answer = record(f"{series}-{number:0{DIGITS}d}")
            # The post locks the ledger's head until the commit, so any fact that is not visible now will come
            # later.
            if sum(split_serial(slip) == (series, number) for slip in _serials(property, read)) == 1:
                return answer
            transaction.set_rollback(True)
    raise ActionRejected(f"Another user is numbering slips of the series {series}. Submit the form again.")


def _read_on(property: str) -> int:
    """Lock the property, and update the last number of each series from new facts in the ledger. Return the
    position up to which the ledger was read.
    """
    before = take_turn(property)
    read = Head.objects.filter(property=property).values_list("position", flat=True).first() or 0
    last: dict[str, int] = {}
    for slip in _serials(property, before):
        series, number = split_serial(slip)
        if number is not None:
            last[series] = max(last.get(series, 0), number)
    database.execute_many(
        """INSERT INTO slip_series AS s VALUES (%s, %s, %s)
            ON CONFLICT (property, series) DO UPDATE SET last = greatest(s.last, excluded.last)""",
        [(property, series, number) for series, number in last.items()],
    )
    database.execute("UPDATE slips_read SET position = %s WHERE property = %s", [read, property])
    return int(read)


def _serials(property: str, after: int) -> list[str]:
    """Return the serials of all slips, and of all voided numbers, recorded after this position."""
    facts = (f.decode(body) for _, _, _, body in store.read_kinds(property, KINDS, after))
    return [
        event.slip
        for event in facts
        if isinstance(event, f.FillSent | f.CreditSent | f.MarkerIssued | f.SlipVoided)
    ]


def _next(property: str, series: str) -> int:
    query = """INSERT INTO slip_series AS s VALUES (%s, %s, 1)
        ON CONFLICT (property, series) DO UPDATE SET last = s.last + 1 RETURNING last"""
    ((last,),) = database.rows(query, [property, series])
    return int(last)
