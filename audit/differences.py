"""Differences between the stored rows and the rows that a replay of the facts produces.

Values are compared as text, in the form in which Postgres prints them, because a stored value may be invalid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, NamedTuple, TypeVar

import msgspec

from audit import database

R = TypeVar("R")
Text = str | None
Texts = tuple[Text, ...]
"""The values of a row as text, in the order of the table's columns."""
LISTED = 200
"""The maximum number of differences of one table that are listed in full. Further differences are only
counted.
"""
JSON = frozenset({"found", "settings", "video", "still_open"})
"""Columns with JSON. Differences in spaces or in the order of keys are ignored in these columns."""


class StoredTable(NamedTuple):
    """A table whose rows can be computed again from the facts.

    Attributes:
        key: the key columns, without `property` and, in most tables, without `stream`.
        values: all other columns.
    """

    name: str
    key: tuple[str, ...]
    values: tuple[str, ...]
    bytes: str = ""
    """The column that contains bytes, if the table has one. The SHA-256 of its value is compared
    and shown.
    """

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the columns of a row, in the order of its values."""
        return (*self.key, *self.values)


NO_PROPERTY = "NOT EXISTS (SELECT FROM public.head h WHERE h.property = t.property)"
NO_STREAM = "NOT EXISTS (SELECT FROM public.stream s WHERE s.property = t.property AND s.name = t.stream)"


class Orphans(NamedTuple):
    """Rows of a table whose stream or property has no facts, so that replay does not produce them.

    Attributes:
        key: SQL for a text that names a row `t` within its property.
        where: the SQL condition for a row `t`.
    """

    table: str
    key: str = "''"
    where: str = NO_PROPERTY


class Difference(NamedTuple):
    """One difference: a column of a row, or the whole row if `column` is empty.

    `made` is the text from replay, or None if replay does not produce the row. `stored` is the stored text,
    or None if the row is missing. `explained` is True if earlier rules produced the row, so that today's
    rules may give another result.
    """

    table: str
    place: str
    column: str
    stored: Text
    made: Text
    explained: bool = False

    @property
    def kind(self) -> str:
        """Return `missing` if replay produces the row but it is not stored, `added` if the row is stored but
        replay does not produce it, and otherwise `changed`.
        """
        if self.column:
            return "changed"
        return "added" if self.made is None else "missing"


class Differences:
    """The differences of several tables. All of them are counted, and the first LISTED of each table are
    listed.
    """

    def __init__(self) -> None:
        self.listed: list[Difference] = []
        self.counts: Counter[tuple[str, bool]] = Counter()
        """For each (table, explained): the number of differences."""
        self.rows: Counter[str] = Counter()
        """For each table: the number of stored rows that were compared."""

    def add(self, differences: Iterable[Difference]) -> None:
        """Add differences."""
        for difference in differences:
            self.counts[difference.table, difference.explained] += 1
            if self.counts[difference.table, difference.explained] <= LISTED:
                self.listed.append(difference)

    def merge(self, other: Differences) -> None:
        """Add the differences of another object, such as those of another process."""
        listed = Counter((difference.table, difference.explained) for difference in self.listed)
        for difference in other.listed:
            if listed[difference.table, difference.explained] < LISTED:
                listed[difference.table, difference.explained] += 1
                self.listed.append(difference)
        self.counts.update(other.counts)
        self.rows.update(other.rows)

    def as_explained(self) -> Differences:
        """Return a copy in which all differences are marked as explained by earlier rules."""
        explained = Differences()
        explained.listed = [difference._replace(explained=True) for difference in self.listed]
        for (table, _), count in self.counts.items():
            explained.counts[table, True] += count
        explained.rows.update(self.rows)
        return explained

    def counted(self, table: str, rows: Iterable[R]) -> Iterator[R]:
        """Yield stored rows, and count each of them as compared."""
        for row in rows:
            self.rows[table] += 1
            yield row

    def by_table(self, *, explained: bool) -> dict[str, int]:
        """Return {table: number of differences}.

        Args:
            explained: True for differences that earlier rules explain, False for all others.
        """
        return {table: count for (table, known), count in sorted(self.counts.items()) if known == explained}

    def unlisted(self, *, explained: bool) -> dict[str, int]:
        """Return how many differences of each table were counted but not listed. A table is not in the result
        if all of its differences are listed.
        """
        listed = Counter(difference.table for difference in self.listed if difference.explained == explained)
        every = self.by_table(explained=explained).items()
        return {table: count - listed[table] for table, count in every if count > listed[table]}

    @property
    def unexplained(self) -> int:
        """Return the number of differences that a change of rules does not explain."""
        return sum(self.by_table(explained=False).values())

    def __len__(self) -> int:
        return self.counts.total()


def compare_rows(
    table: StoredTable, of: str, stored: Iterable[Texts], replayed: Mapping[Texts, Texts]
) -> Iterator[Difference]:
    """Yield the differences of one table.

    Args:
        table: the table.
        of: the property or stream of the rows. It is shown in front of the key.
        stored: the stored rows. Each has the key and then the values, as text.
        replayed: {key: values} of the rows that replay produces, as text.
    """
    width = len(table.key)
    missing = dict(replayed)
    for row in stored:
        key = row[:width]
        expected = missing.pop(key, None)
        if expected == row[width:]:
            continue
        place = place_of(table, of, key)
        if expected is None:
            yield Difference(table.name, place, "", values_in_words(table.values, row[width:]), None)
            continue
        for column, value, other in zip(table.values, row[width:], expected, strict=True):
            if value != other:
                yield Difference(table.name, place, column, value, other)
    for key, values in missing.items():
        yield Difference(
            table.name, place_of(table, of, key), "", None, values_in_words(table.values, values)
        )


def compare_orphans(orphans: Iterable[Orphans]) -> Differences:
    """Return a difference for each stored row of a stream or property that has no facts."""
    differences = Differences()
    for table, key, condition in orphans:
        query = f"SELECT t.property, {key} FROM public.{table} t WHERE {condition} ORDER BY 1, 2"
        differences.add(
            Difference(table, f"{property} {name}".rstrip(), "", "a row without facts", None)
            for property, name in database.stream_rows(query)
        )
    return differences


def delete_orphans(orphans: Iterable[Orphans]) -> None:
    """Delete the rows that `compare_orphans` returns."""
    for table, _, condition in orphans:
        database.execute(f"DELETE FROM public.{table} t WHERE {condition}")


def place_of(table: StoredTable, of: str, key: Texts) -> str:
    """Return a text that names a row, such as `aurora/EOU-01/2026-11-27 currency USD shift A`."""
    return " ".join([of, *(f"{name} {value}" for name, value in zip(table.key, key, strict=True))])


def values_in_words(columns: Sequence[str], values: Texts) -> str:
    """Return a text with the names and values of a row's columns, without null and empty values."""
    return ", ".join(f"{name} {value}" for name, value in zip(columns, values, strict=True) if value)


def stored_rows(table: StoredTable, condition: str, values: Sequence[Any]) -> Iterator[Texts]:
    """Yield the stored rows of a table as text.

    Args:
        condition: the SQL condition for the rows to read.
    """
    columns = ", ".join(
        f"encode(sha256({name}), 'hex')" if name == table.bytes else f'"{name}"::text'
        for name in table.columns
    )
    json = [place for place, name in enumerate(table.columns) if name in JSON]
    query = f"SELECT {columns} FROM public.{table.name} WHERE {condition}"
    for row in database.rows(query, values):
        if json:
            row = tuple(_same_json(value) if place in json else value for place, value in enumerate(row))
        yield row


def count_if_same(
    table: StoredTable, condition: str, values: Sequence[Any], rows: Sequence[Sequence[Any]]
) -> int | None:
    """Let Postgres compare the stored rows of a table with the rows from replay, as text. Return the number
    of stored rows if all are the same. Return None if a row differs; `compare_rows` then names it.

    Args:
        condition: the SQL condition for the stored rows.
        values: the values of its placeholders.
    """
    replayed = ", ".join(
        f"(j -> {place})::text" if name in JSON else f"j ->> {place}"
        for place, name in enumerate(table.columns)
    )
    stored = ", ".join(f'"{name}"::text' for name in table.columns)
    query = f"""WITH made AS (SELECT {replayed} FROM jsonb_array_elements(%s::jsonb) AS j),
        stored AS (SELECT {stored} FROM public.{table.name} WHERE {condition})
        SELECT NOT EXISTS (TABLE made EXCEPT ALL TABLE stored)
            AND (SELECT count(*) FROM made) = (SELECT count(*) FROM stored), (SELECT count(*) FROM stored)"""
    encoded = msgspec.json.encode(rows).decode()
    ((is_same, count),) = database.rows(query, [encoded, *values])
    return int(count) if is_same else None


def text_of(column: str, value: Any) -> Text:
    """Return a value from replay as text, in the form in which Postgres prints a value of this column."""
    if value is None:
        return None
    if column in JSON:
        return _same_json(value if isinstance(value, str) else msgspec.json.encode(value).decode())
    if isinstance(value, bytes | memoryview):
        return sha256(value).hexdigest()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        seconds = value.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat(sep=" ")
        return seconds + f".{value.microsecond:06}".rstrip("0").rstrip(".") + "+00"
    return str(value)


def texts_of(table: StoredTable, row: Sequence[Any]) -> Texts:
    """Return the values of a row from replay as text."""
    return tuple(text_of(name, value) for name, value in zip(table.columns, row, strict=True))


def keyed(table: StoredTable, rows: Iterable[Sequence[Any]]) -> dict[Texts, Texts]:
    """Return {key: values} of the rows from replay, as text."""
    width = len(table.key)
    texts = (texts_of(table, row) for row in rows)
    return {row[:width]: row[width:] for row in texts}


def _same_json(text: Text) -> Text:
    """Return JSON in canonical form: equal values give the same text."""
    if text is None:
        return None
    return msgspec.json.encode(msgspec.json.decode(text), order="sorted").decode()
