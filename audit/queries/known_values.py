"""The tables, dealers, shifts and wagers that the ledger of a property has on any day. Reports are limited to
such values.
"""

from __future__ import annotations

from audit import database
from audit import facts as f

_QUERIES = {
    "table": "SELECT DISTINCT left(name, -11) FROM stream WHERE property = %(property)s"
    " AND left(name, -11) <> %(house)s",
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
