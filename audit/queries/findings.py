"""Queries of findings, verdicts and the tally. The rows of each query have a unique order."""

from __future__ import annotations

from collections.abc import Sequence

from audit import database
from audit.ledger.currency import currency_at
from audit.queries.exported_rows import FINDING, TALLY, columns_as
from audit.queries.list_filters import (
    Query,
    Selection,
    Where,
    asks_of_streams,
    instant,
    limited,
    money,
    streams,
    within_streams,
)
from audit.queries.span import DAYS, day_values
from audit.review.verdict_columns import UID_PATTERN

MONEY = ("staked", "paid", "taken", "returned")


def findings(selection: Selection) -> Query:
    """Return a query of the current findings, with the columns of FINDING, in stream and number order.

    `owed` and `moved`: exact minor units, as text.
    """
    condition = _of_findings(selection)
    return Query(f"{_FINDINGS} WHERE {condition} {_IN_ORDER}{limited(selection)}", condition.values)


def _of_findings(selection: Selection) -> Where:
    condition = Where()
    if selection.span.property is not None:
        condition.add("f.property = %s", selection.span.property)
    for column, value in (("code", selection.code), ("grade", selection.grade)):
        if value is not None:
            condition.add(f"f.{column} = %s", value)
    if selection.after is not None:
        stream, number, code, spot, wager = selection.after
        key = "(f.property, f.stream, f.number, f.code, coalesce(f.spot, ''), coalesce(f.wager, ''))"
        condition.add(
            f"{key} > (%s, %s, %s, %s, %s, %s)",
            stream.partition("/")[0],
            stream,
            number,
            code,
            spot or "",
            wager or "",
        )
    within_streams(condition, "f.stream", selection)
    return condition


def finding(property: str, id: str) -> Query:
    """Return a query of the finding with this id, with the columns of FINDING. If the finding is not current,
    the query returns no rows.
    """
    return Query(f"{_FINDINGS} WHERE f.property = %s AND f.id = %s", [property, id])


def findings_of(property: str, stream: str, round: str) -> Query:
    """Return a query of the findings of one round, with the columns of FINDING."""
    return Query(
        f"{_FINDINGS} WHERE f.property = %s AND f.stream = %s AND f.round = %s {_IN_ORDER}",
        [property, stream, round],
    )


EXPORTED_FINDING = (
    "id",
    "stream",
    "number",
    "uid",
    "round",
    "code",
    "grade",
    "spot",
    "wager",
    "currency",
    "owed",
    "moved",
    "owed_exact",
    "moved_exact",
    "says",
    "cite",
    "slip",
)


def exported_findings(selection: Selection) -> Query:
    """Return a query of the current findings for files, with the columns of EXPORTED_FINDING.

    `owed` and `moved` are decimals in the finding's currency, rounded to the minor unit (halves away from
    zero). If the exact amount is not an integer number of minor units, `owed_exact` and `moved_exact` contain
    it as a fraction, such as `25/2`.
    """
    condition = _of_findings(selection)
    return Query(f"{_EXPORTED_FINDINGS} WHERE {condition} {_IN_ORDER}{limited(selection)}", condition.values)


def _minor(column: str) -> str:
    """Return SQL for an exact amount in whole minor units, or null if it is not an integer."""
    above, below = (f"split_part({column}, '/', {part})::numeric" for part in (1, 2))
    return f"""CASE WHEN {column} ~ '^-?[0-9]+$' THEN {column}::numeric
        WHEN {column} ~ '^-?[0-9]+/[1-9][0-9]*$' THEN round({above} / {below}) END"""


def _amounts(table: str, currency: str) -> dict[str, str]:
    """Return {column name in a file: SQL} for the exact amounts of a table."""
    exact = {
        f"{name}_exact": f"CASE WHEN {table}.{name} !~ '^-?[0-9]+$' THEN {table}.{name} END AS {name}_exact"
        for name in _EXACT
    }
    return {name: money(_minor(f"{table}.{name}"), currency, name) for name in _EXACT} | exact


_EXACT = ("owed", "moved")


def _currency_at(property: str, stream: str, number: str) -> str:
    """Return SQL that joins, as `t`, the currency of the fact with this number."""
    # Without OFFSET, the query planner would look up the currency again for each use of its column.
    return (
        f"LEFT JOIN LATERAL (SELECT {currency_at(property, stream, number)} AS currency OFFSET 0) t ON true"
    )


def currencies(property: str, places: Sequence[tuple[str, int]]) -> list[str | None]:
    """Return the currency of each of these facts, given as (stream, number), in the same order."""
    query = f"""SELECT {currency_at("%(property)s", "p.stream", "p.number")}
        FROM unnest(%(streams)s::text[], %(numbers)s::bigint[]) WITH ORDINALITY AS p (stream, number, place)
        ORDER BY p.place"""
    streams, numbers = [stream for stream, _ in places], [number for _, number in places]
    values = {"property": property, "streams": streams, "numbers": numbers}
    return [row[0] for row in database.rows(query, values)]


_COLUMNS = {name: f"f.{name}" for name in EXPORTED_FINDING} | {
    "uid": "f.uid::text AS uid",
    "currency": "t.currency",
}
_EXPORTED_FINDINGS = f"""SELECT {", ".join((_COLUMNS | _amounts("f", "t.currency")).values())}
    FROM finding f {_currency_at("f.property", "f.stream", "f.number")}"""
_FINDINGS = f"SELECT {columns_as(FINDING, uid='uid::text AS uid')} FROM finding f"
_IN_ORDER = "ORDER BY f.property, f.stream, f.number, f.code, coalesce(f.spot, ''), coalesce(f.wager, '')"


KEY = (
    "property",
    "stream",
    "currency",
    "shift",
    "hour",
    "dealer",
    "wager",
    "pay_table",
    "price_class",
    "opening",
)
"""The columns of the tally's key."""


def tally(selection: Selection) -> Query:
    """Return a query of the rows of the tally, with the columns of TALLY, by their key. Amounts are decimals
    of their currency.
    """
    columns = columns_as(
        TALLY,
        day="day::text AS day",
        found="found::text AS found",
        squared="squared::text AS squared",
        **{name: f"{name}::bigint AS {name}" for name in ("rounds", "bets", "voided")},
        **{name: money(name, "currency", name) for name in MONEY},
    )
    condition = Where()
    condition.values.extend(day_values(selection.span))
    for column, value in (('"table"', selection.table), ("game", selection.game)):
        if value is not None:
            condition.add(f"{column} = %s", value)
    if selection.after is not None:
        condition.add(f"({', '.join(KEY)}) > ({', '.join(['%s'] * len(KEY))})", *selection.after)
    rows = f"FROM tally JOIN ({DAYS}) AS days USING (property, stream) WHERE {condition}"
    is_complete = selection.limit is None
    return Query(
        f"SELECT {columns} {rows} ORDER BY {', '.join(KEY)}{limited(selection)}",
        condition.values,
        f"SELECT tally.* {rows}" if is_complete else "",
    )


VERDICT = (
    "property",
    "position",
    "day",
    "at",
    "table",
    "of_day",
    "stream",
    "number",
    "round",
    "finding",
    "code",
    "says",
    "currency",
    "owed",
    "moved",
    "verdict",
    "disposition",
    "savings",
    "losses",
    "recovered",
    "by",
    "second",
    "lacks_second",
    "note_sha256",
    "uid",
)
EXPORTED_VERDICT = tuple(
    column
    for name in VERDICT
    for column in ((name, "owed_exact", "moved_exact") if name == "moved" else (name,))
)
_VERDICT_COLUMNS = {
    **{name: f"v.{name}" for name in VERDICT},
    "day": "right(g.stream, 10) AS day",
    "at": instant("v.at", "at"),
    "table": 'left(o.stream, -11) AS "table"',
    "of_day": "right(o.stream, 10) AS of_day",
    **{name: f"o.{name}" for name in ("stream", "number", "round")},
    "currency": "t.currency",
    **{name: money(f"v.{name}", "t.currency", name) for name in ("savings", "losses", "recovered")},
    "lacks_second": "CASE WHEN v.lacks_second THEN 'yes' ELSE '' END AS lacks_second",
    "uid": "g.uid::text AS uid",
}
_FROM_VERDICTS = f"""FROM verdict v JOIN fact g ON g.property = v.property AND g.position = v.position
    LEFT JOIN fact o ON o.property = v.property AND o.uid = CASE WHEN v.uid ~* {UID_PATTERN}
        THEN v.uid::uuid END
    {_currency_at("o.property", "o.stream", "o.number")}"""
_VERDICTS = f"SELECT {', '.join(_VERDICT_COLUMNS.values())} {_FROM_VERDICTS}"
_EXPORTED = _VERDICT_COLUMNS | _amounts("v", "t.currency")
_EXPORTED_VERDICTS = f"SELECT {', '.join(_EXPORTED[name] for name in EXPORTED_VERDICT)} {_FROM_VERDICTS}"


def verdicts(selection: Selection) -> Query:
    """Return a query of all verdicts with the columns of VERDICT, in the order of commit.

    `day` is the gaming day of the verdict, and `of_day` the gaming day of the hand.
    """
    condition = _of_verdicts(selection)
    return Query(
        f"{_VERDICTS} WHERE {condition} ORDER BY v.property, v.position{limited(selection)}", condition.values
    )


def exported_verdicts(selection: Selection) -> Query:
    """Return a query of all verdicts for files, with the columns of EXPORTED_VERDICT. For `owed` and `moved`
    see `exported_findings`.
    """
    condition = _of_verdicts(selection)
    return Query(
        f"{_EXPORTED_VERDICTS} WHERE {condition} ORDER BY v.property, v.position{limited(selection)}",
        condition.values,
    )


def _of_verdicts(selection: Selection) -> Where:
    condition = Where()
    if selection.span.property is not None:
        condition.add("v.property = %s", selection.span.property)
    if selection.after is not None:
        condition.add("(v.property, v.position) > (%s, %s)", *selection.after)
    if selection.until is not None:
        condition.add("v.position <= %s", selection.until)
    if selection.code is not None:
        condition.add("v.code = %s", selection.code)
    condition.within("g.stream", selection)
    of = selection._replace(span=selection.span._replace(begins=None, ends=None))
    if asks_of_streams(of):
        from_streams, values = streams(of)
        condition.add(f"o.stream IN (SELECT s.name {from_streams})", *values)
    return condition


def verdicts_on(property: str, finding: str) -> Query:
    """Return a query of all verdicts on one finding with the columns of VERDICT, in the order of commit. The
    last verdict counts.
    """
    return Query(
        f"{_VERDICTS} WHERE v.property = %s AND v.finding = %s ORDER BY v.property, v.position",
        [property, finding],
    )
