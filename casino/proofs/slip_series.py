"""Prove the stored last number of each series of slips. It was read from the facts up to a position of the
ledger, which is stored too. It must be at least the highest number in the facts up to this position, and at
most the highest number in all facts.

The tables `slips_read` and `slip_series` are caches. To replace a wrong row, empty both tables.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit import database
from audit.facts import decode_or_none
from audit.ledger import store
from audit.proofs.registry import Fault, RowCount
from casino.cage.slips.serials import KINDS, split_serial

READ, SERIES = "slips_read", "slip_series"


def prove(count: RowCount) -> Iterator[Fault]:
    """Compare the last numbers of all properties with the facts, and yield a fault for each contradiction."""
    heads = dict(database.rows("SELECT property, position FROM public.head"))
    read = dict(database.rows("SELECT property, position FROM public.slips_read ORDER BY property"))
    for property, position in read.items():
        count.add(READ)
        if position is None or not 0 <= position <= heads.get(property, 0):
            says = f"position is stored as {position}, the ledger ends at {heads.get(property, 0)}"
            yield Fault(READ, property, "changed", says)
    query = "SELECT property, series, last FROM public.slip_series ORDER BY property, series"
    stored: dict[str, dict[str, int]] = {}
    for property, series, last in database.rows(query):
        count.add(SERIES)
        stored.setdefault(property, {})[series] = last
    for property in sorted(stored.keys() | read.keys(), key=repr):
        yield from _compare(property, stored.get(property, {}), read.get(property) or 0)


def _compare(property: str, stored: dict[str, int], position: int) -> Iterator[Fault]:
    """Yield a fault for each series of slips whose stored last number contradicts the facts.

    Args:
        position: the ledger position up to which the facts were read when the number was stored.
    """
    read_numbers, all_numbers = _last_numbers(property, position)
    for series in sorted(stored.keys() | read_numbers.keys(), key=repr):
        last, low, high = stored.get(series), read_numbers.get(series, 0), all_numbers.get(series, 0)
        place = f"{property} series {series}"
        if last is None:
            yield Fault(SERIES, place, "missing", f"the highest number in the facts that were read is {low}")
        elif not low <= last <= high:
            says = f"last is stored as {last}, the highest number in the facts is {high}"
            yield Fault(SERIES, place, "changed", says)


def _last_numbers(property: str, position: int) -> tuple[dict[str, int], dict[str, int]]:
    """Return the highest number of each series of slips, as {series: number}, twice: in the facts up to a
    position, and in all facts.
    """
    read_numbers: dict[str, int] = {}
    all_numbers: dict[str, int] = {}
    for place, _, _, body in store.read_kinds(property, KINDS):
        series, number = split_serial(getattr(decode_or_none(body), "slip", None) or "")
        if number is not None:
            all_numbers[series] = max(all_numbers.get(series, 0), number)
            if place <= position:
                read_numbers[series] = max(read_numbers.get(series, 0), number)
    return read_numbers, all_numbers
