"""The gaming days on which a table has facts."""

from __future__ import annotations

from datetime import date

from audit import database


def last_days(property: str, table: str, last: date, limit: int) -> list[date]:
    """Return the latest gaming days on record at a table up to the day `last`, at most `limit`, the latest
    first.
    """
    query = """SELECT name FROM stream WHERE property = %s AND name > %s AND name <= %s
        ORDER BY name DESC LIMIT %s"""
    rows = database.rows(query, [property, f"{table}/", f"{table}/{last}", limit])
    return [date.fromisoformat(name.rpartition("/")[2]) for (name,) in rows]
