"""Prove the registers: compare entries, the values in force, and properties with the facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from audit.models import Head
from audit.proofs.registry import Fault, RowCount
from casino.models import Entry, Property, Standing
from casino.proofs.differences import difference
from casino.reference import projection

ENTRY = ("property", "position", "uid", "register", "key", "value", "begins", "ends", "by", "second")
STANDING = ("property", "register", "key", "begins", "value", "ends", "uid", "by", "second")
Rows = dict[tuple[Any, ...], tuple[Any, ...]]


def prove_entries(count: RowCount) -> Iterator[Fault]:
    """Yield a fault for each register entry that is missing, differs from its fact, or has no fact."""
    expected = [
        entry for property, upto in _read().items() for entry in projection.entries_until(property, upto)
    ]
    yield from _compare(count, "casino_entry", ENTRY, 2, Entry.objects.all(), expected)


def prove_standing(count: RowCount) -> Iterator[Fault]:
    """Compare the periods of register values, such as the roles of a person, with the register entries. Yield
    a fault for each period that is missing, differs from the entries, or comes from no entry.
    """
    expected: list[Standing] = []
    for property, upto in _read().items():
        entries: dict[tuple[str, str], list[Entry]] = {}
        for entry in projection.entries_until(property, upto):
            entries.setdefault((entry.register, entry.key), []).append(entry)
        expected += (row for of in entries.values() for row in projection.periods_in_force(of))
    yield from _compare(count, "casino_standing", STANDING, 4, Standing.objects.all(), expected)


def prove_properties(count: RowCount) -> Iterator[Fault]:
    """Yield a fault for each property that has no ledger, or whose name differs from the name in its
    register. Also yield a fault if its registers were read up to a position after the end of its ledger.
    """
    heads = dict(Head.objects.values_list("property", "position"))
    for row in Property.objects.order_by("code"):
        count.add("casino_property")
        if row.code not in heads:
            yield Fault("casino_property", row.code, "unknown", "has no ledger")
            continue
        if (row.position or 0) > heads[row.code]:
            says = f"its registers were read up to {row.position}, and its ledger ends at {heads[row.code]}"
            yield Fault("casino_property", row.code, "changed", says)
        name = ""
        for entry in projection.entries_until(row.code, row.position or 0):
            name = name if (new_name := projection.name_in(entry)) is None else new_name
        if row.name != name:
            yield Fault(
                "casino_property", row.code, "changed", f"is named {row.name!r}, its register says {name!r}"
            )


def _read() -> dict[str, int]:
    """Return {property: ledger position up to which its registers were read}. Later entries are not in the
    tables yet. The next request reads them.
    """
    return {code: position or 0 for code, position in Property.objects.values_list("code", "position")}


def _compare(
    count: RowCount,
    table: str,
    columns: tuple[str, ...],
    keys: int,
    stored: Iterable[Any],
    expected: Iterable[Any],
) -> Iterator[Fault]:
    """Compare rows by their first `keys` columns, and yield a fault for each difference."""
    have, must = _by_key(columns, keys, stored), _by_key(columns, keys, expected)
    count.add(table, len(have))
    for key in sorted({*have, *must}, key=repr):
        place = " ".join(map(str, key))
        if key not in have:
            yield Fault(table, place, "missing", "the facts give this row, but it is missing")
        elif key not in must:
            yield Fault(
                table,
                place,
                "unknown",
                f"no fact gives this row: {dict(zip(columns, have[key], strict=True))}",
            )
        elif have[key] != must[key]:
            yield Fault(table, place, "changed", difference(columns, have[key], must[key]))


def _by_key(columns: tuple[str, ...], keys: int, rows: Iterable[Any]) -> Rows:
    values = (
        tuple(str(v) if name == "uid" else v for name in columns for v in [getattr(row, name)])
        for row in rows
    )
    return {row[:keys]: row for row in values}
