"""A large property for benchmarks. Its tallies are written directly to the database, and the few facts that
reports read themselves are posted through `audit.intake`.

`--tables` tables are open every day, and one in five of them is a live-dealer table. The others have
seats. A tenth as many further tables with seats are open on one day in seven. Dealers change every hour, and
every fiftieth row has an error. Each table with seats has openers, closers, a fill, a credit and a marker
every day. Of thirty markers, twenty are paid in full after ten days, and nine in two parts, on their day and
after ten days. One is paid only in part, because a casino collects most of its markers. Drops are counted
twice, and differ in one of a hundred shifts. In one of two hundred days a drop box stays at the table
overnight, and one of three hundred serials is used twice. The ledger has the opening of every table's day,
three adjustments of closed days every two days, and the log of reviews.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import count, islice
from typing import Any
from uuid import UUID

from games import GAMES

SELDOM = 7
"""Some tables are open only on one day in this number of days."""
AT_ONCE = 5000
"""The number of facts that are posted together."""

FILL = """
INSERT INTO examination (property, stream, "table", day, cursor, rules, game, live_dealer, closed, boxes,
    settings)
SELECT 'aurora', t || '/' || d, t, d, 1000, 'bench', g, g = 'andar_bahar', 1,
    CASE WHEN g <> 'andar_bahar' THEN CASE WHEN (n + (d - '2000-01-01'::date)) %% 200 = 0 THEN 0
    ELSE 4 END END,
    jsonb_build_array(jsonb_build_array(1, g, '["bet"]'::jsonb,
    CASE WHEN g = 'andar_bahar' THEN 'ezugi' ELSE '2010-02-05' END,
        CASE WHEN g = 'andar_bahar' THEN 1 ELSE 6 END, '{}'::jsonb))
FROM (SELECT n, 'aurora/T' || to_char(n, 'FM0000') AS t,
             CASE WHEN n %% 5 = 0 AND n <= %(tables)s THEN 'andar_bahar' ELSE 'easy_over_under' END AS g
      FROM generate_series(1, %(tables)s + %(tables)s / 10) n) x,
    LATERAL (SELECT i::date AS d FROM generate_series(%(begins)s::date, %(last)s::date, '1 day') i) y
WHERE n <= %(tables)s OR (n + (d - '2000-01-01'::date)) %% 7 = 0;
INSERT INTO tally (property, stream, currency, shift, hour, dealer, wager, pay_table, price_class, opening,
    rounds, bets, staked, paid, taken, returned, squared, decided, owed, choices, parts, voided, found)
SELECT property, stream, 'USD', CASE WHEN h < 5 THEN 'day' ELSE 'swing' END,
    day || 'T' || to_char(h + 10, 'FM00') || '-08:00',
    'd-' || (h * 37 + right("table", 4)::int * 3 + extract(doy FROM day)::int) %% 300, w.wager, '', '', 1,
    50 + h, 80 * w.bet, 400000 * w.bet, (180000 + h * 1000) * w.bet, (190000 + h * 1100) * w.bet, 0,
    2400000000::numeric * w.bet,
    400000 * w.bet, (10000 + h * 100) * 2 * w.bet, h * w.bet, 2,
    (h = 3)::int, CASE WHEN w.bet = 1 AND (h + extract(doy FROM day)::int) %% 50 = 0
        THEN '{"wrong-settlement": [2, "1500", "0"]}'::jsonb ELSE '{}'::jsonb END
FROM examination, generate_series(0, 9) h, LATERAL (
    SELECT * FROM (VALUES ('', 0), ('over', 1), ('under', 1), ('spread', 1)) e (wager, bet)
    WHERE NOT live_dealer
    UNION ALL SELECT * FROM (VALUES ('', 0), ('andar', 1), ('bahar', 1), ('1-5', 1)) a (wager, bet)
    WHERE live_dealer) w
WHERE day BETWEEN %(begins)s AND %(last)s;
INSERT INTO cage_tally (property, stream, currency, shift, kind, number, amount)
SELECT property, stream, 'USD', s, kind, 1, amount + extract(doy FROM day)::int * 7
    + CASE WHEN kind = 'count-verified' AND s = 'swing'
        AND (right("table", 4)::int + extract(doy FROM day)::int) %% 50 = 0
        THEN 500 ELSE 0 END
FROM examination, (VALUES ('day'), ('swing')) f (s),
    (VALUES ('opener-counted', 5000000), ('closer-counted', 4800000),
    ('fill-sent', 200000), ('credit-sent', 100000), ('box-pulled', 0),
    ('drop-counted', 900000), ('count-verified', 900000),
    ('chips-bought', 890000), ('marker-issued', 200000)) k (kind, amount)
WHERE NOT live_dealer AND day BETWEEN %(begins)s AND %(last)s AND (kind <> 'marker-issued' OR s = 'day')
    AND (boxes > 0 OR kind NOT IN ('box-pulled', 'drop-counted', 'count-verified'));
INSERT INTO tray_tally (property, stream, place, kind, currency, shift, amount)
SELECT property, stream, place, kind, 'USD', 'day', 5000000
    + CASE WHEN place = 1
        AND (right("table", 4)::int + extract(doy FROM day)::int) %% 100 = 0 THEN 2500 ELSE 0 END
FROM examination, (VALUES (1, 'opener-counted'), (2, 'closer-counted')) k (place, kind)
WHERE NOT live_dealer AND day BETWEEN %(begins)s AND %(last)s;
INSERT INTO slip_tally (property, stream, kind, slip, currency, shift, number, amount, "stands")
SELECT property, stream, kind, letter || right("table", 5) || '-' || to_char(day, 'YYYYMMDD'),
    'USD', 'day', 1, 200000, true
FROM examination, (VALUES ('fill-sent', 'F'), ('credit-sent', 'C'), ('marker-issued', 'M')) k (kind, letter)
WHERE NOT live_dealer AND day BETWEEN %(begins)s AND %(last)s;
INSERT INTO slip_tally (property, stream, kind, slip, currency, shift, number, amount, "stands")
SELECT e.property, e.stream, 'marker-paid', 'M' || right(e."table", 5) || '-' ||
    to_char(e.day - later, 'YYYYMMDD'),
    'USD', 'swing',
    1, CASE WHEN (right(e."table", 4)::int + (e.day - later - '2000-01-01'::date)) %% 30 = 0 THEN 50000
    WHEN (right(e."table", 4)::int + (e.day - later - '2000-01-01'::date)) %% 3 > 0 THEN 200000
    ELSE 50000 + later * 10000 END, true
FROM examination e, (VALUES (0), (10)) p (later)
WHERE NOT e.live_dealer AND e.day BETWEEN %(begins)s AND %(last)s
    AND (later = 10 OR (right(e."table", 4)::int + (e.day - '2000-01-01'::date)) %% 3 = 0)
    AND (later = 0 OR right(e."table", 4)::int <= %(tables)s);
INSERT INTO slip_tally (property, stream, kind, slip, currency, shift, number, amount, "stands")
SELECT property, stream, kind, letter || right("table", 5) || '-' || to_char(day - ago, 'YYYYMMDD'),
    'USD', 'swing', 1, 150000, true
FROM examination, (VALUES ('fill-sent', 'F', 1), ('marker-issued', 'M', 40)) k (kind, letter, ago)
WHERE NOT live_dealer AND day BETWEEN %(begins)s AND %(last)s
    AND (right("table", 4)::int + extract(doy FROM day)::int) %% 300 = 0;
INSERT INTO finding (property, id, reader, stream, number, uid, code, grade, says, cite)
SELECT property, md5(stream), 'table', stream, 9, gen_random_uuid(), 'count-differs',
    'money', 'Count 1 and count 2 differ.', 'IC'
FROM examination WHERE NOT live_dealer AND boxes > 0 AND day BETWEEN %(begins)s AND %(last)s
    AND (right("table", 4)::int + extract(doy FROM day)::int) %% 50 = 0;
"""


def fill(tables: int, begins: date, last: date) -> None:
    """Write the tallies and facts of the days from `begins` to `last`. The database may already have earlier
    or later days.
    """
    from django.db import connection, connections

    from audit.findings import duplicate_serials, unpaid_markers

    with connection.cursor() as cursor:
        for statement in FILL.split(";\n"):
            if statement.strip():
                cursor.execute(statement, {"tables": tables, "begins": begins, "last": last})
        cursor.execute(
            "SELECT DISTINCT slip FROM slip_tally WHERE right(stream, 10)::date BETWEEN %s AND %s",
            [begins, last],
        )
        duplicate_serials.note("aurora", [slip for (slip,) in cursor.fetchall()])
    unpaid_markers.refresh("aurora", None)
    _record(tables, begins, last)
    with connections["owner"].cursor() as cursor:  # the application's role owns no table, so it may not
        cursor.execute("VACUUM ANALYZE")  # as autovacuum would have done over the years


def size() -> dict[str, int]:
    """Return the number of rows in each database table."""
    from django.db import connection

    with connection.cursor() as cursor:
        counts = {}
        for table in ("examination", "tally", "cage_tally", "tray_tally", "slip_tally", "fact"):
            cursor.execute(f"SELECT count(*) FROM {table}")
            counts[table] = cursor.fetchone()[0]
        cursor.execute("SELECT count(*) FROM examination WHERE \"table\" <> property || '/house'")
        counts["examination"] = cursor.fetchone()[0]  # days of tables, without the property stream
    return counts


def _record(tables: int, begins: date, last: date) -> None:
    """Post the facts that reports read from the ledger. The streams of tables are marked as examined, because
    the results of examining them were written directly.
    """
    from django.db import connection

    from audit.findings import examine
    from audit.ledger import intake
    from audit.ledger.intake import Sender

    facts = (
        fact for day in range((last - begins).days + 1) for fact in _day(tables, begins + timedelta(days=day))
    )
    while batch := list(islice(facts, AT_ONCE)):
        intake.post([json.dumps(fact).encode() for fact in batch], Sender("bench"))
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE examination x SET cursor = s.number FROM stream s WHERE s.property = x.property AND"
            " s.name = x.stream"
        )
        cursor.execute(
            "SELECT name FROM stream WHERE name LIKE 'aurora/house/%%' AND right(name, 10)::date BETWEEN %s"
            " AND %s",
            [begins, last],
        )
        house = [name for (name,) in cursor.fetchall()]
    for stream in house:
        examine.examine_stream("aurora", stream)
    examine.examine_ledger("aurora")


def _day(tables: int, day: date) -> Iterator[dict[str, Any]]:
    """Yield the facts of one gaming day."""
    number = (day - date(2000, 1, 1)).days
    places = count()

    def fact(table: str, kind: str, **fields: Any) -> dict[str, Any]:
        # The uids depend on the day alone, so that every run builds the same property.
        uid = UUID(int=number << 80 | 7 << 76 | 2 << 62 | next(places))
        clock = {"at": f"{day}T10:00:00-08:00", "source": "bench"}
        return {"uid": str(uid), "table": f"aurora/{table}", "day": str(day), "kind": kind, **clock, **fields}

    for table in range(1, tables + tables // 10 + 1):
        if table <= tables or (table + number) % SELDOM == 0:
            yield fact(
                f"T{table:04}",
                **(LIVE if table % 5 == 0 and table <= tables else FELT),
                shifts={"day": f"{day}T10:00:00-08:00", "swing": f"{day}T15:00:00-08:00"},
            )
    for place in range(1 + number % 2):
        of = {
            "of_table": f"aurora/T{1 + (number * 7 + place) % tables:04}",
            "of_day": str(day - timedelta(days=2 + number % 40)),
        }
        entry = ("drop", "fill", "closer", "opener", "settlement")[number % 5]
        yield fact(
            "house",
            "adjusted",
            **of,
            what=entry,
            amount=150_000 * (1 + number % 3),
            reason="found later",
            by="a-1",
            second="a-2",
        )
    if number % 2:
        yield fact(
            "house",
            "log-written",
            by="a-1",
            about="statistical review: statistics",
            state="chance",
            words_sha256="0" * 64,
            report="statistics",
            days={"from": str(day), "to": str(day)},
            by_what=["table"],
            key=["aurora/T0001", "USD"],
            figures={"z": "2.1", "verdict": "outside 95 %"},
            head={"position": 1, "chain": ""},
        )


def _opened(game: str, edition: str, pay_table: str, decks: int) -> dict[str, Any]:
    fields = {
        "spots": 6,
        "limits": {"*": [1000, 50000]},
        "currency": "USD",
        "chip": 100,
        "readings": {},
        "sees": ["bet"],
    }
    tables = dict.fromkeys(GAMES[game].pay_tables, pay_table)
    return {
        "kind": "table-opened",
        "game": game,
        "edition": edition,
        "decks": decks,
        "pay_tables": tables,
        **fields,
    }


FELT, LIVE = _opened("easy_over_under", "2010-02-05", "B", 6), _opened("andar_bahar", "ezugi", "ezugi", 1)
