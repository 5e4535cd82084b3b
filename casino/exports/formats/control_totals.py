"""Control totals of an export: the number of rows, and the exact sum of every column of money and of counts,
by currency.

If the database copies a sheet's rows, the database also computes the sums, with the same query in the same
snapshot. Otherwise, each row is added to the sums when it is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Context, Decimal
from typing import Any, NamedTuple

from audit.queries import copy_rows
from audit.queries.copy_rows import RowProgress
from casino.reports.columns import Absent, Row, Sheet

SUMMED = ("money", "count")
EVERY = 1000
"""Number of rows written between two reports of progress."""
_EXACT = Context(prec=10_000)


class Total(NamedTuple):
    """The number of rows in one currency, and the sum of each column as text with all its digits. The
    currency is empty if no column contains one.
    """

    currency: str
    rows: int
    sums: dict[str, str]


class Counting:
    """Counts the rows of a sheet and adds up its columns while the sheet is written."""

    def __init__(self, sheet: Sheet, on_progress: RowProgress) -> None:
        self.rows = 0
        self._on_progress = on_progress
        keys = [column.key for column in sheet.columns]
        self._summed = [
            (place, column.key) for place, column in enumerate(sheet.columns) if column.type in SUMMED
        ]
        self._currency = keys.index("currency") if "currency" in keys else None
        self._found: dict[str, tuple[list[int], list[Decimal]]] = {}
        self._without_figure: dict[str, list[int]] = {}
        self._query = sheet.query
        self.sheet = sheet._replace(rows=self._taken(sheet))

    def totals(self) -> list[Total]:
        """Return the control totals. They are complete only after all rows are written."""
        names = [name for _, name in self._summed]
        if self._query is not None:
            currency = None if self._currency is None else self.sheet.columns[self._currency].key
            of_type = [(name, self.sheet.columns[place].type) for place, name in self._summed]
            added = copy_rows.sums(self._query, of_type, currency)
        else:
            added = [
                (of, count[0], tuple(map(str, sums))) for of, (count, sums) in sorted(self._found.items())
            ]
        return [Total(of, rows, dict(zip(names, sums, strict=True))) for of, rows, sums in added]

    def without_figure(self, currency: str) -> dict[str, int]:
        """Return the number of rows in a currency that have a word such as `pending` in place of a figure.
        Each column that has such rows has its own number. If the database adds up the rows, the result is
        empty.
        """
        counts = self._without_figure.get(currency, ())
        return {name: count for (_, name), count in zip(self._summed, counts, strict=False) if count}

    def tell(self, rows: int) -> None:
        """Report the number of rows that were written so far."""
        self.rows = rows
        self._on_progress(rows)

    def _taken(self, sheet: Sheet) -> Iterator[Row]:
        for row in sheet.rows:
            self.rows += 1
            if self._query is None:
                self._add(row)
            if self.rows % EVERY == 0:
                self._on_progress(self.rows)
            yield row
        self._on_progress(self.rows)

    def _add(self, row: Sequence[Any]) -> None:
        currency = "" if self._currency is None else str(row[self._currency] or "")
        if currency not in self._found:
            self._found[currency] = ([0], [Decimal(0)] * len(self._summed))
            self._without_figure[currency] = [0] * len(self._summed)
        count, sums = self._found[currency]
        count[0] += 1
        for index, (place, _) in enumerate(self._summed):
            cell = row[place]
            if isinstance(cell, Absent) and cell:
                self._without_figure[currency][index] += 1
            elif not (cell is None or cell == ""):
                sums[index] = _EXACT.add(sums[index], Decimal(str(cell)))
