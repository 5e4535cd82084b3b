"""A property with a large ledger for benchmarks of pages: many gaming days at many tables, with findings and
verdicts.

One gaming day of each of GAMES is recorded and examined: a whole day with its cage and its count, and the
first hours of a day at an open table. All other days are copies of these two. The facts of a copy have their
own table, date, dealers, serials and uids, and are recorded by the ledger's own function, which numbers and
chains them. The rows that an examination stored are copied with the same changes instead of being replayed,
because a replay of 10,000,000 facts takes an hour. Afterwards, verdicts on half of the findings are posted,
and the ledger and the verdicts are read as usual.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

GAMES = ("easy_over_under", "high_side", "casino_over_under")
HANDS, HANDS_NOW = 300, 120
"""The number of hands of a whole day, and of a day at an open table."""
POST = 500
OFFICERS = tuple(f"v-{number}" for number in range(101, 107))
RECORDED = date(2026, 11, 27)
"""The gaming day of the days that are recorded and then copied."""
CODES = ("late-bet:new", "settled-twice:paid", "no-such-bet:paid", "void-not-returned:half")
BUILT = "large_ledger.json"
"""The file in a kept folder that describes the installation."""
UID = re.compile(r"([0-9a-f]{8}-[0-9a-f]{4}-)7([0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{7})[0-9a-f]{5}")
"""Pattern of a uid in a recorded day. In copies, the version 7 of the uid is replaced by 8, so that the uids
of copies differ from those of the recorded days.
"""
NOT_COPIED = ("stream", "fact_json", "bench_row")


class Size(NamedTuple):
    """The size of a ledger: at least this number of facts, about this number of findings, at this number of
    tables.
    """

    facts: int
    findings: int
    tables: int


class Source(NamedTuple):
    """A recorded day: its table, the kinds and rounds of its facts, and their bytes as one text."""

    table: str
    heads: list[tuple[str, str | None]]
    bodies: str
    verdicts: list[str]
    """The ids of the findings that get a verdict."""


class Copy(NamedTuple):
    """A copy of a recorded day, with another table and date.

    Attributes:
        place: the number of this copy among all copies.
    """

    table: str
    day: date
    place: int

    def change(self, text: str, source: Source) -> str:
        """Return a text of the recorded day in which the dates, tables, people and numbers are those of this
        copy.
        """
        back = (self.day - RECORDED).days
        # If the day is later, the later date must be changed first, or it would be changed twice.
        for place in (2, 1, 0) if back > 0 else (0, 1, 2):
            text = text.replace(str(RECORDED + timedelta(days=place)), str(self.day + timedelta(days=place)))
        text = text.replace(source.table, self.table)
        text = text.replace(
            source.table.replace("-", ""), f"{self.table[:-4].replace('-', '')}{self.place:06d}"
        )
        for staff in "ds":  # dealers and supervisors work at one table only
            text = text.replace(f'"{staff}-1', f'"{staff}-{10 + int(self.table[-4:])}')
        return UID.sub(rf"\g<1>8\g<2>{self.place:05x}", text)


def day_of(game: str, table: str, hands: int, faults: int, *, complete: bool) -> Iterator[list[bytes]]:
    """Yield the facts of one table's day as lines, grouped as they are posted.

    Args:
        complete: True to close the day.
    """
    from casino.sample import FAULTS
    from casino.sample.tables.day import Day
    from casino.sample.tables.table import TABLES

    exact = TABLES[game].exact | {"currency": "USD"}
    day = Day(game, f"large {table}", table=table, house=True, **exact)
    acts = [name for name in FAULTS[game] if name in CODES or name.endswith((":overpaid", ":underpaid"))]
    day.open()
    for place in range(hands):
        if faults and (place * faults) // hands != ((place + 1) * faults) // hands:
            FAULTS[game][acts[place % len(acts)]].act(day)
        else:
            day.honest(1)
    if complete:
        day.close()
    lines = [json.dumps(fact).encode() for fact in day.facts()]
    for start in range(0, len(lines), POST):
        yield lines[start : start + POST]


def record(game: str, table: str, hands: int, faults: int, *, complete: bool) -> Source:
    """Record and examine one day, if that was not done before. Return the recorded day, which can be copied.
    The rows that the examination writes are stored for the copies.
    """
    from django.db import connection

    from audit.facts import check
    from audit.findings.examine import examine_stream
    from audit.ledger import intake
    from audit.ledger.intake import Sender

    stream = f"aurora/{table}/{RECORDED}"
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM bench_row WHERE source = %s", [table])
        if not cursor.fetchone()[0]:
            for post in day_of(game, table, hands, faults, complete=complete):
                intake.post_prepared([check(line) for line in post], Sender("bench"))
            examine_stream("aurora", stream)
            _keep_rows(table, stream)
        cursor.execute(
            "SELECT kind, round, body FROM fact WHERE property = 'aurora' AND stream = %s ORDER BY number",
            [stream],
        )
        rows = cursor.fetchall()
    bodies = "\n".join(bytes(body).decode() for *_, body in rows)
    uids = [json.loads(bytes(body))["uid"][:-5] for *_, body in rows]
    assert len(uids) == len(set(uids)), "copies of these uids would be equal"
    return Source(table, [(kind, round) for kind, round, _ in rows], bodies, _judged(stream))


def _keep_rows(table: str, stream: str) -> None:
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        for name, columns in copied_tables().items():
            cursor.execute(
                f"""INSERT INTO bench_row SELECT %s, %s, coalesce(jsonb_agg(to_jsonb(r)), '[]')::text
                    FROM (SELECT {columns} FROM {name} WHERE property = 'aurora' AND stream = %s) r""",
                [name, table, stream],
            )


def _judged(stream: str) -> list[str]:
    from django.db import connection

    query = """SELECT id FROM finding WHERE property = 'aurora' AND stream = %s AND grade <> 'notice'
        ORDER BY number, id"""
    with connection.cursor() as cursor:
        cursor.execute(query, [stream])
        return [id for (id,) in cursor.fetchall()][::2]


def copied_tables() -> dict[str, str]:
    """Return {table: columns} of the database tables that an examination writes. Columns whose values the
    database computes itself are not included.
    """
    from django.db import connection

    query = """SELECT table_name, string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position)
        FROM information_schema.columns c
        WHERE table_schema = 'public' AND is_generated = 'NEVER' AND NOT table_name LIKE 'fact%%'
            AND table_name <> ALL (%s) AND column_name NOT IN ('touched', 'state_', 'announced')
            AND NOT (table_name = 'examination' AND column_name IN ('state', 'closed', 'seal'))
            AND table_name IN (SELECT table_name FROM information_schema.columns
                WHERE table_schema = 'public' AND column_name = 'stream')
            AND table_name IN (SELECT table_name FROM information_schema.columns
                WHERE table_schema = 'public' AND column_name = 'property')
            AND table_name NOT IN ('flag', 'assigned', 'snoozed', 'job', 'event', 'alert')
        GROUP BY 1"""
    with connection.cursor() as cursor:
        cursor.execute(query, [list(NOT_COPIED)])
        return dict(cursor.fetchall())


def write(copy: Copy, source: Source, stored: dict[str, str], columns: dict[str, str]) -> None:
    """Record the facts of a copy, and write the rows that an examination of them would write."""
    from django.db import connection, transaction

    from audit.facts import Prepared
    from audit.facts.chain import leaf_of
    from audit.findings.save import seal
    from audit.ledger import store

    stream = f"aurora/{copy.table}/{copy.day}"
    bodies = copy.change(source.bodies, source).encode().split(b"\n")
    facts = []
    for (kind, round), body in zip(source.heads, bodies, strict=True):
        at = body.index(b'"uid":"') + 7
        uid = UUID(body[at : at + 36].decode())
        facts.append(Prepared(uid, "aurora", stream, kind, round, body, leaf_of(body)))
    with transaction.atomic(), connection.cursor() as cursor:
        last = store.append(store.pack(facts))[-1].position
        for name, rows in stored.items():
            if rows != "[]":
                cursor.execute(
                    f"""INSERT INTO {name} ({columns[name]}) SELECT {columns[name]}
                        FROM jsonb_populate_recordset(NULL::{name}, %s::jsonb)""",
                    [copy.change(rows, source)],
                )
        cursor.execute("SELECT rules FROM examination WHERE property = 'aurora' AND stream = %s", [stream])
        rules = cursor.fetchone()[0]
        cursor.execute(
            """UPDATE examination SET seal = %s, closed = CASE WHEN %s THEN %s::bigint END
                WHERE property = 'aurora' AND stream = %s""",
            [seal("aurora", stream, rules), source.heads[-1][0] == "day-closed", last, stream],
        )


def judge(copy: Copy, source: Source) -> None:
    """Post verdicts on the findings of a copy, each at the end of its gaming day."""
    from django.db import connection

    from audit.facts import check
    from audit.ledger import intake
    from audit.ledger.intake import Sender

    ids = copy.change(json.dumps(source.verdicts), source)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, code, says, owed, moved FROM finding WHERE property = 'aurora' AND id = ANY (%s)",
            [json.loads(ids)],
        )
        rows = cursor.fetchall()
    at = datetime(copy.day.year, copy.day.month, copy.day.day, 12, tzinfo=UTC) + timedelta(hours=20)
    lines = []
    for place, (id, code, says, owed, moved) in enumerate(rows):
        by = OFFICERS[(copy.place + place) % len(OFFICERS)]
        fact = {"finding": id, "code": code, "says": says, "owed": _money(owed), "moved": _money(moved)}
        fact |= {"verdict": "dismissed" if place % 3 else "confirmed", "by": by, "note_sha256": None}
        fact |= {"savings": 0, "losses": 0, "recovered": 0, "video": [], "kind": "verdict-given"}
        fact |= {"table": "aurora/house", "day": str(copy.day), "source": "bench", "n": place + 1}
        uid = f"01a3{copy.place:04x}-{place:04x}-7000-8000-{place:012x}"
        lines.append(json.dumps(fact | {"uid": uid, "at": at.isoformat()}).encode())
    if lines:
        intake.post_prepared([check(line) for line in lines], Sender("bench"))


def _money(amount: str | None) -> int | str | None:
    return int(amount) if amount is not None and "/" not in amount else amount


def today() -> date:
    """Return the gaming day whose tables are still open. It is yesterday, because the recorded hands begin at
    noon.
    """
    return datetime.now(UTC).date() - timedelta(days=1)


def build(size: Size, folder: Path) -> dict[str, Any]:
    """Build the ledger in this installation and return its description. If it was built before, only return
    the description.
    """
    from django.db import connection, connections

    file = folder / BUILT
    if file.exists():
        built: dict[str, Any] = json.loads(file.read_text())
        if built["asked"] != list(size):
            raise SystemExit(f"{folder} has a ledger of another size: {built['asked']}")
        return built
    with connections["owner"].cursor() as cursor:
        cursor.execute("CREATE TABLE IF NOT EXISTS bench_row (name text, source text, rows text)")
        cursor.execute("GRANT ALL ON bench_row TO PUBLIC")
    sources = _sources(size)
    copied = _copy(size, sources)
    _finish()
    with connection.cursor() as cursor:
        cursor.execute("SELECT (SELECT count(*) FROM finding), (SELECT count(*) FROM queued)")
        findings, hands = cursor.fetchone()
        cursor.execute("SELECT position FROM head WHERE property = 'aurora'")
        facts = cursor.fetchone()[0]
    built = {"asked": list(size), "facts": facts, "findings": findings, "hands": hands} | copied
    file.write_text(json.dumps(built))
    return built


def _sources(size: Size) -> dict[str, tuple[Source, Source]]:
    """Record two days of each game: a complete day, and the first hours of a day at an open table. Return
    both days of each game, by the letters with which its tables begin.
    """
    from casino.sample.tables.table import TABLES

    share = size.findings * 25 / size.facts  # the number of findings of a hand of 25 facts
    sources = {}
    for game in GAMES:
        letters = TABLES[game].letters
        sources[letters] = (
            record(game, f"{letters}-0000", HANDS, min(HANDS, int(HANDS * share)), complete=True),
            record(
                game, f"{letters}-9999", HANDS_NOW, min(HANDS_NOW, int(HANDS_NOW * share)), complete=False
            ),
        )
    return sources


def _copy(size: Size, sources: dict[str, tuple[Source, Source]]) -> dict[str, Any]:
    """Write copies of the recorded days until the ledger has the wanted number of facts. Begin with the
    latest gaming day and go back day by day. Return the number of days and of tables, and the latest day.
    """
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT name, source, rows FROM bench_row")
        stored: dict[str, dict[str, str]] = {}
        for name, source, rows in cursor.fetchall():
            stored.setdefault(source, {})[name] = rows
        cursor.execute("SELECT stream FROM examination WHERE property = 'aurora'")
        known = {stream for (stream,) in cursor.fetchall()}
    columns, letters, last = copied_tables(), list(sources), today()
    facts = place = 0
    copies: list[tuple[Copy, Source]] = []
    days = 0
    while facts < size.facts:
        for table in range(size.tables):
            of = letters[table % len(letters)]
            source = sources[of][days == 0]
            copy = Copy(f"{of}-{table + 1:04d}", last - timedelta(days=days), place := place + 1)
            if (
                f"aurora/{copy.table}/{copy.day}" not in known
            ):  # an earlier run may have been interrupted after writing some copies
                write(copy, source, stored[source.table], columns)
            facts += len(source.heads)
            copies.append((copy, source))
            if sys.stderr.isatty() or place % 50 == 0:
                print(f"{facts:,} facts recorded", file=sys.stderr, flush=True)
        days += 1
    for copy, source in copies:
        judge(copy, source)
    return {"days": days, "tables": size.tables, "last": str(last)}


def _finish() -> None:
    """Examine everything that was posted and not examined yet, such as the verdicts. Let the database gather
    its statistics.
    """
    from django.db import connection, connections

    from audit.findings import duplicate_serials
    from audit.findings import examine as findings

    print("verdicts recorded; reading the ledger", file=sys.stderr, flush=True)
    findings.examine()
    with connection.cursor() as cursor:
        cursor.execute("SELECT DISTINCT slip FROM slip_tally")
        duplicate_serials.note("aurora", [slip for (slip,) in cursor.fetchall()])
    with connections["owner"].cursor() as cursor:  # the application's role owns no table, so it may not
        cursor.execute("VACUUM ANALYZE")
