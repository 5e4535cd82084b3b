"""The table `unpaid_marker`: the markers of which more or less was paid than issued, with the amounts that
were issued and paid under their serials at any table and on any day.

It is updated when slips are stored, in the same transaction.
"""

from __future__ import annotations

from collections.abc import Collection

from audit import database
from audit.differences import StoredTable
from audit.findings import duplicate_serials

UNPAID = StoredTable(
    "unpaid_marker",
    ("slip", "currency"),
    ("table", "issued_on", "issued", "paid_on", "paid", "last_on"),
)
_OF = "property = %(property)s AND (%(slips)s::text[] IS NULL OR slip = ANY (%(slips)s))"
ROWS = f"""SELECT property, slip, currency, "table", issued_on, issued, paid_on, paid, last_on FROM (
    SELECT property, slip, currency,
        coalesce(min(left(stream, -11) COLLATE "C") FILTER (WHERE kind = 'marker-issued'),
            min(left(stream, -11) COLLATE "C")) AS "table",
        min(right(stream, 10)::date) FILTER (WHERE kind = 'marker-issued') AS issued_on,
        coalesce(sum(amount) FILTER (WHERE kind = 'marker-issued' AND s.stands), 0) AS issued,
        max(right(stream, 10)::date) FILTER (WHERE kind = 'marker-paid') AS paid_on,
        coalesce(sum(amount) FILTER (WHERE kind = 'marker-paid'), 0) AS paid,
        max(right(stream, 10)::date) AS last_on
    FROM slip_tally s WHERE {_OF} AND kind IN ('marker-issued', 'marker-paid')
    GROUP BY property, slip, currency) m WHERE issued <> paid"""
"""SQL for the rows of the serials in the parameter `slips`, or of all serials if it is null. If two markers
with one serial have different currencies, each has its own row.
"""
_COLUMNS = ", ".join(f'"{name}"' for name in ("property", *UNPAID.columns))
_REFRESH = f"""WITH made AS ({ROWS}), gone AS (
    DELETE FROM unpaid_marker u WHERE {_OF}
        AND NOT EXISTS (SELECT FROM made m WHERE m.slip = u.slip AND m.currency = u.currency))
INSERT INTO unpaid_marker ({_COLUMNS}) SELECT {_COLUMNS} FROM made
ON CONFLICT (property, slip, currency) DO UPDATE
    SET {", ".join(f'"{name}" = excluded."{name}"' for name in UNPAID.values)}"""


def refresh(property: str, serials: Collection[str] | None, *, others_wait: bool = True) -> None:
    """Recompute the rows of these serials, or of all serials if they are None. Call it after the slips have
    been stored.

    Only one transaction at a time can do this for a property. A second one waits for the first, so that it
    sees the slips of the first. Pass `others_wait=False` if the transaction will be rolled back.
    """
    if serials is None or serials:
        if others_wait:
            duplicate_serials.lock(property)
        slips = None if serials is None else sorted(serials)
        database.execute(_REFRESH, {"property": property, "slips": slips})
