"""Find rows with NULL in a column in which this release allows none. Only a superuser can write such a row.

This check runs before the functions that compare the rows of a table (its provers), and names the rows with
such a NULL. So no prover has to know which columns may be NULL.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from audit import database
from audit.proofs import schema
from audit.proofs.registry import STRUCTURE, Fault, Proof, RowCount

MOST = 1000
"""Maximum number of rows of one table that are listed."""
OTHER_READER = frozenset({"fact", "head", "stream", STRUCTURE})
"""Lines of the list that this module leaves out: the tables in which `audit/ledger/stored.py` finds NULL, and
the structure of the database.
"""
_COLUMN = re.compile(r"column public\.(\w+) (\w+)")
_KEY = re.compile(r"PRIMARY KEY \(([^)]+)\)")


class Required(NamedTuple):
    """The columns of a table that may not be NULL, and those of its primary key."""

    columns: tuple[str, ...]
    key: tuple[str, ...]


@cache
def required() -> dict[str, Required]:
    """Return {table: columns that may not be NULL in this release}."""
    columns: defaultdict[str, list[str]] = defaultdict(list)
    keys: dict[str, tuple[str, ...]] = {}
    for name, text in schema.release().items():
        if (column := _COLUMN.fullmatch(name)) and " not null" in text:
            columns[column[1]].append(column[2])
        elif name.startswith("constraint public.") and (key := _KEY.match(text)):
            keys[name.split()[1].removeprefix("public.")] = tuple(key[1].replace('"', "").split(", "))
    return {table: Required(tuple(names), keys.get(table, ())) for table, names in columns.items()}


def prove(tables: Iterable[str], count: RowCount) -> Iterator[Fault]:
    """Yield a fault for each row of these tables with NULL in a column in which this release allows none.

    The query calls the function `num_nulls`, because Postgres trusts a NOT NULL constraint and does not
    evaluate IS NULL. Rows are counted by the prover of their table.
    """
    del count
    for table in tables:
        if (of := required().get(table)) is None:
            continue
        values = ", ".join(f'"{name}"' for name in of.columns)
        key = ", ".join(f"coalesce(\"{name}\"::text, 'NULL')" for name in of.key) or "ctid::text"
        texts_of = ", ".join(f'"{name}"::text' for name in of.columns)
        query = f"""SELECT concat_ws(' ', {key}), ARRAY[{texts_of}] FROM public.{table}
            WHERE num_nulls({values}) > 0 ORDER BY 1 LIMIT {MOST}"""
        for place, texts in database.rows(query):
            names = [name for name, text in zip(of.columns, texts, strict=True) if text is None]
            says = f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} NULL, which is not possible"
            yield Fault(table, place, "impossible", says)


def checked(lines: Iterable[Proof]) -> frozenset[str]:
    """Return the tables of these proofs that this module checks."""
    return frozenset(line.table for line in lines) - OTHER_READER
