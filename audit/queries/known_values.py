"""The tables, dealers, shifts and wagers that the ledger of a property has on any day. Reports are limited to
such values.
"""

from __future__ import annotations

from audit import database
from audit import facts as f

_TABLES = """WITH RECURSIVE known (prefix) AS (
        (SELECT left(name, -10) FROM stream WHERE property = %(property)s ORDER BY name COLLATE "C" LIMIT 1)
        UNION ALL
        SELECT (SELECT left(name, -10) FROM stream WHERE property = %(property)s
            AND name COLLATE "C" > left(k.prefix, -1) || '0' ORDER BY name COLLATE "C" LIMIT 1)
        FROM known k WHERE k.prefix IS NOT NULL)
    SELECT left(prefix, -1) FROM known WHERE left(prefix, -1) <> %(house)s"""
"""One lookup in an index for each table. A stream's name has `/` after its table, and `0` follows `/`."""
_QUERIES = {
    "table": _TABLES,
    "dealer": "SELECT DISTINCT dealer FROM tally WHERE property = %(property)s"
    " UNION SELECT DISTINCT dealer FROM void_tally WHERE property = %(property)s",
    "shift": "SELECT shift FROM tally WHERE property = %(property)s"
    " UNION SELECT shift FROM cage_tally WHERE property = %(property)s",
    "wager": "SELECT DISTINCT wager FROM tally WHERE property = %(property)s",
}


def in_ledger(property: str, name: str) -> set[str]:
    """Return the values of this name in the ledger of a property: of `table`, `dealer`, `shift` or `wager`. A
    table has the name of its property. For any other name, return an empty set.
    """
    if name not in _QUERIES:
        return set()
    parameters = {"property": property, "house": f"{property}/{f.HOUSE}"}
    return {value for (value,) in database.rows(_QUERIES[name], parameters) if value}


def was_seated(property: str, dealer: str) -> bool:
    """Return True if the ledger of a property has a fact that seats the dealer, even if no round followed."""
    query = """SELECT EXISTS (SELECT FROM fact, LATERAL (SELECT convert_from(body, 'UTF8')::json ->> 'dealer'
        AS dealer OFFSET 0) seated WHERE property = %s AND kind = 'dealer-seated' AND seated.dealer = %s)"""
    ((is_seated,),) = database.rows(query, [property, dealer])
    return bool(is_seated)
