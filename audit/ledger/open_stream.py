"""The state of a table before new facts are recorded: its latest gaming day, and the round in play."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec import json, to_builtins

from audit import facts as f
from audit.database import first_row

SETTINGS = (
    "pay_tables",
    "decks",
    "spots",
    "limits",
    "currency",
    "chip",
    "readings",
    "sees",
    "shifts",
    "continues",
)

# Sorted by code point like the index stream_of_table, in which the days of a table follow one another and the
# latest is last.
_DAY = """SELECT name, number, sealed FROM stream WHERE property = %s AND name COLLATE "C" > %s
    AND name COLLATE "C" < %s
    ORDER BY name COLLATE "C" DESC LIMIT 1"""
_LAST = (
    "SELECT body FROM fact WHERE property = %s AND stream = %s AND kind = ANY (%s) ORDER BY number DESC"
    " LIMIT 1"
)


_COUNTED = """SELECT 1 FROM fact WHERE property = %s AND stream = %s AND position(%s::bytea IN body) > 0
    AND position('"n":'::bytea IN body) > 0 LIMIT 1"""


def has_counted(property: str, stream: str, source: str) -> bool:
    """Return True if a fact of this source in the stream has the counter `n`, which the source itself
    increments.
    """
    return first_row(_COUNTED, (property, stream, b'"source":' + json.encode(source))) is not None


_HIGHEST = """SELECT max((convert_from(body, 'UTF8')::jsonb ->> 'n')::numeric) FROM fact
    WHERE property = %s AND stream = %s AND position(%s::bytea IN body) > 0 AND position('"n":' IN body) > 0
        AND convert_from(body, 'UTF8')::jsonb ->> 'source' = %s"""


def highest_count(property: str, stream: str, source: str) -> int | None:
    """Return the highest counter `n` that this source has sent in the stream, or None if it has sent none."""
    parameters = (property, stream, b'"source":' + json.encode(source), source)
    row = first_row(_HIGHEST, parameters)
    return None if row is None or row[0] is None else int(row[0])


def of_table(property: str, table: str) -> dict[str, Any] | None:
    """Return the table's latest stream as {stream, table, day, number, sealed, round, game, edition,
    settings}, or None if the table has no stream.

    `number`: the number of the stream's last fact. `round`: the open round, or None. A sealed stream accepts
    no more facts.
    """
    if "\0" in property + table:
        return None
    prefix = f"{property}/{table}/"
    limit = datetime.now(UTC).date() + timedelta(days=3)
    row = first_row(_DAY, (property, prefix, f"{prefix}{limit}")) or first_row(
        _DAY, (property, prefix, f"{prefix}~")
    )
    if row is None:
        return None
    stream, number, sealed = row
    opened, played = (
        _last(property, stream, "table-opened"),
        _last(property, stream, "round-opened", "round-closed"),
    )
    rules: dict[str, Any] = {"game": None, "edition": None, "settings": None}
    if isinstance(opened, f.TableOpened):
        settings = {name: to_builtins(getattr(opened, name)) for name in SETTINGS}
        rules = {"game": opened.game, "edition": opened.edition, "settings": settings}
    return {
        "stream": stream,
        "table": f"{property}/{table}",
        "day": stream[-10:],
        "number": number,
        "sealed": sealed,
        "round": played.round if isinstance(played, f.RoundOpened) else None,
        **rules,
    }


def _last(property: str, stream: str, *kinds: str) -> f.Event | None:
    row = first_row(_LAST, (property, stream, list(kinds)))
    return None if row is None else f.decode(bytes(row[0]))
