"""The columns of `round_tally` that come from the officers' queue: grade, codes, money, state, verdicts and
officers. Finished hands can be searched by these columns.
"""

from __future__ import annotations

from collections.abc import Collection

from audit import database

_VALUES = {
    "rank": "coalesce(q.rank, 0)",
    "codes": "coalesce(q.codes, '{}')",
    "state": "coalesce(q.state, '')",
    "to_player": "coalesce(q.to_player, 0)",
    "to_house": "coalesce(q.to_house, 0)",
    "verdicts": "coalesce(j.verdicts, '{}')",
    "officers": "coalesce(j.officers, '{}')",
}
REVIEWED = tuple(_VALUES)
"""The columns that depend on findings, flags and verdicts. All other columns depend on play alone."""
COLUMNS = ", ".join(f"{value} AS {name}" for name, value in _VALUES.items())
"""SQL for the values of REVIEWED, in a query that contains `JOINS`."""
JOINS = """LEFT JOIN queued q ON q.property = %(property)s AND q.stream = %(stream)s AND q.hand = r.round
    LEFT JOIN LATERAL (
        SELECT array_agg(DISTINCT given.verdict) FILTER (WHERE given.place = 1) AS verdicts,
               array_agg(DISTINCT person.id) AS officers
        FROM (
            SELECT v.verdict, v.by, v.second,
                   row_number() OVER (PARTITION BY v.finding ORDER BY v.position DESC) AS place
            FROM (
                SELECT f.id FROM finding f
                WHERE f.property = %(property)s AND f.stream = %(stream)s AND f.round = r.round
                UNION ALL
                SELECT g.finding FROM flag g
                WHERE g.property = %(property)s AND g.stream = %(stream)s AND g.round = r.round
            ) one JOIN verdict v ON v.property = %(property)s AND v.finding = one.id
        ) given, LATERAL unnest(array_remove(ARRAY[given.by, given.second], NULL)) AS person (id)
        WHERE q.decided > 0
    ) j ON true"""
"""SQL that is joined to rounds `r` of one stream. It adds the row of each round in the queue, and the
verdicts on its findings. Only the last verdict on each finding counts.
"""
ROWS = f"""SELECT r.number, {COLUMNS} FROM round_tally r {JOINS}
    WHERE r.property = %(property)s AND r.stream = %(stream)s
        AND (%(hands)s::text[] IS NULL OR r.round = ANY (%(hands)s))"""
"""SQL for the correct values of these rounds of a stream. If the hands are null, all rounds of the stream are
included.
"""
OUTDATED = f"""{ROWS}
        AND ({", ".join(f"r.{name}" for name in _VALUES)}) IS DISTINCT FROM ({", ".join(_VALUES.values())})"""
"""SQL for the rounds whose stored values differ from `ROWS`. It does not use a join: with a join, Postgres
compared every round of a stream with every other round.
"""
_UPDATE = f"""UPDATE round_tally t SET {", ".join(f"{name} = m.{name}" for name in REVIEWED)}
    FROM ({OUTDATED}) m WHERE t.property = %(property)s AND t.stream = %(stream)s AND t.number = m.number"""


def refresh(property: str, stream: str, hands: Collection[str] | None) -> None:
    """Recompute the columns REVIEWED for some rounds of a stream, or for all of its rounds if `hands` is
    None. The caller must have locked the stream with `projections.lock_stream`.
    """
    values = {
        "property": property,
        "stream": stream,
        "hands": None if hands is None else sorted(hands),
    }
    database.execute(_UPDATE, values)


def clear(property: str) -> None:
    """Set the columns REVIEWED of all rounds of a property to the values of a round without findings."""
    database.execute(_CLEAR, [property])


_CLEAR = f"""UPDATE round_tally SET {", ".join(f"{name} = DEFAULT" for name in REVIEWED)}
    WHERE property = %s AND NOT (rank = 0 AND state = '' AND to_player = 0 AND to_house = 0
        AND codes = '{{}}' AND verdicts = '{{}}' AND officers = '{{}}')"""
