"""The database tables for surveillance officers: the queue, verdicts, flags, assignments, snoozes and
withdrawn findings. Only this module writes them. `rebuild` computes them again.

The row of a hand in the queue is computed from its findings, the officers' flags on it, the latest verdict on
each finding and flag, and the latest assignment and snooze of the hand. It is computed again when one of
these changes. `follow` reads the facts about flags, verdicts, assignments and snoozes once, in the order of
commit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from hashlib import sha256
from typing import Any
from zlib import crc32

from django.db import transaction

from audit import database
from audit import facts as f
from audit.facts import decode, decode_or_none
from audit.facts.vocabulary import WITHDRAWN
from audit.keyed_digest import is_valid, keyed_digest
from audit.ledger import store
from audit.ledger.currency import currency_at
from audit.replay.registers import Registers
from audit.replay.second_review import at_stake, second_from
from audit.review import case_tables, finding_tally, round_columns, verdict_columns
from games.kit.events import Event

GRADES = ("integrity", "money", "outcome", "procedure", "notice")
"""Grades from the gravest to the least grave. Notices are counted but not queued."""
CHIP_CODES = ("inventory-does-not-balance", "opener-differs", "count-differs", "drop-missing")
"""Codes of findings about a table's chips or box. Their amounts are chips that are missing or surplus: nobody
knows who lost or gained them.
"""
FOLLOWED = frozenset({"verdict-given", "flagged", "reexamined", "hand-assigned", "hand-snoozed"})
TABLES = ("queued", "finding_tally", "verdict", "flag", "assigned", "snoozed", "withdrawn", "followed")
"""The database tables that `rebuild` computes again, except the tables of cases."""
FLAGGED = "flagged"
"""The code in the queue for a flag that an officer has set. It has the gravest grade, because a person has
seen something that no rule can detect.
"""


def queue(property: str, hands: Iterable[tuple[str, str]]) -> None:
    """Compute the rows of these hands, given as (stream, hand), again in the caller's transaction. A hand
    without findings is removed from the queue.
    """
    by_stream: dict[str, set[str]] = {}
    for stream, hand in hands:
        by_stream.setdefault(stream, set()).add(hand)
    for stream in sorted(by_stream):
        # The lock makes the second of two transactions see what the first has written. Without it, a verdict
        # and a finding recorded at the same time could miss each other.
        lock_stream(stream)
        values = {"property": property, "stream": stream, "hands": sorted(by_stream[stream])}
        database.execute(_QUEUE, values)
        database.execute(_LEAVE, values)
        round_columns.refresh(property, stream, by_stream[stream])
        finding_tally.refresh(property, stream)


def queue_stream(property: str, stream: str) -> None:
    """Compute the rows of all hands of a stream again, in the caller's transaction."""
    lock_stream(stream)
    values = {"property": property, "stream": stream, "hands": None}
    database.execute(_QUEUE, values)
    database.execute(_LEAVE, values)
    round_columns.refresh(property, stream, None)
    finding_tally.refresh(property, stream)


def lock_stream(stream: str) -> None:
    """Lock a stream for this transaction. The caller may then write the stream's rows in the queue, and the
    columns of its rounds that depend on the queue.
    """
    database.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [_LOCK, stream])


def hand_of(round: str | None, number: int) -> str:
    """Return the name under which the queue lists the hand of a finding: its round, or the number of its fact
    if it has no round.
    """
    return round if round is not None else f"#{number}"


def follow(property: str) -> int:
    """Read the verdicts, flags, assignments, snoozes and withdrawals that were recorded since the last call.
    Return their number.

    If there are no new facts, nothing changes. Facts about cases are read by `case_tables.follow`.
    """
    case_tables.follow(property)
    with transaction.atomic():
        database.execute(_FOLLOW, [property, RULES, keyed_digest(_SEAL, property, RULES)])
        query = "SELECT position FROM followed WHERE property = %s FOR UPDATE"
        position: int = database.rows(query, [property])[0][0]
        news = [(place, decode(body)) for place, _, _, body in store.read_kinds(property, FOLLOWED, position)]
        if not news:
            return 0
        known = thresholds(property) if any(isinstance(event, f.VerdictGiven) for _, event in news) else []
        for place, event in news:
            threshold = 0
            if isinstance(event, f.VerdictGiven):
                threshold = second_from(Registers(entry for at, entry in known if at < place), event.day)
            _write(property, place, event, threshold)
        database.execute("UPDATE followed SET position = %s WHERE property = %s", [news[-1][0], property])
        named = [
            (f"{event.of_table}/{event.of_day}", event.round if isinstance(event, f.Flagged) else event.hand)
            for _, event in news
            if isinstance(event, f.Flagged | f.HandAssigned | f.HandSnoozed)
        ]
        judged = [event.finding for _, event in news if isinstance(event, f.VerdictGiven)]
        verdict_columns.refresh(property, judged)
        queue(property, [*named, *_hands_of(judged, property)])
    return len(news)


def is_outdated(property: str) -> bool:
    """Return True if an earlier release computed the queue of this property."""
    row = database.first_row("SELECT rules FROM public.followed WHERE property = %s", [property])
    return row is not None and row[0] != RULES


def is_sealed(digest: bytes | None, property: str, rules: str) -> bool:
    """Return True if this installation computed the queue of the property by the present rules (RULES)."""
    return is_valid(digest, _SEAL, property, rules)


def _write(property: str, place: int, event: Event, threshold: int) -> None:
    """Write the rows of one fact. `threshold`: the amount from which a verdict needs a second reviewer."""
    if isinstance(event, f.VerdictGiven):
        database.execute(_VERDICT, verdict_row(property, place, event, threshold))
    elif isinstance(event, f.Flagged):
        database.execute(_FLAG, flag_row(property, place, event))
    elif isinstance(event, f.HandAssigned):
        database.execute(_ASSIGN, assigned_row(property, place, event))
    elif isinstance(event, f.HandSnoozed):
        database.execute(_SNOOZE, snoozed_row(property, place, event))
    elif isinstance(event, f.Reexamined):
        database.execute_many(_WITHDRAW, withdrawn_rows(property, place, event))
        database.execute(
            "DELETE FROM withdrawn WHERE property = %s AND finding = ANY(%s)", [property, event.gained]
        )


def rebuild(property: str) -> None:
    """Delete the rows of a property in the tables TABLES and in the tables of cases, and compute them again
    from the property's findings and facts.
    """
    with transaction.atomic():
        case_tables.rebuild(property)
        for table in TABLES:
            database.execute(f"DELETE FROM {table} WHERE property = %s", [property])
        round_columns.clear(property)
        query = "SELECT DISTINCT stream, round, number FROM finding WHERE property = %s"
        hands = [
            (stream, hand_of(round, number)) for stream, round, number in database.rows(query, [property])
        ]
        queue(property, hands)
        follow(property)


def second_reviewer_from(property: str, day: date) -> int:
    """Return the amount in minor units from which a verdict needs a second reviewer.

    `day`: the gaming day of the verdict. All register entries recorded so far are used.
    """
    return second_from(Registers(entry for _, entry in thresholds(property)), day)


def thresholds(property: str) -> list[tuple[int, f.RegisterSet]]:
    """Return every entry of the register `thresholds` with its position.

    A verdict is judged by the entries that were recorded before it, with their values on its gaming day.
    """
    entries = (
        (position, decode_or_none(body))
        for position, _, _, body in store.read_kinds(property, {"register-set"})
    )
    return [
        (position, entry)
        for position, entry in entries
        if isinstance(entry, f.RegisterSet) and entry.register == "thresholds"
    ]


def verdict_row(property: str, place: int, event: f.VerdictGiven, threshold: int) -> tuple[Any, ...]:
    """Return the row of the table `verdict`. `threshold`: the amount from which a second reviewer signs."""
    at = at_stake(event.owed, event.moved, event.savings, event.losses, event.recovered)
    owed, moved = (None if amount is None else str(amount) for amount in (event.owed, event.moved))
    return (
        property,
        place,
        event.finding,
        _uid(event.finding),
        event.code,
        event.says,
        owed,
        moved,
        event.verdict,
        event.disposition or "",
        event.by,
        event.second,
        at >= threshold and not event.second and event.verdict != WITHDRAWN,
        event.note_sha256,
        event.savings,
        event.losses,
        event.recovered,
        _utc(event),
        event.day,
    )


def withdrawn_rows(property: str, place: int, event: f.Reexamined) -> list[Sequence[Any]]:
    """Return the rows of the table `withdrawn`: one for each finding that is no longer made."""
    of = (place, _utc(event), event.rules, event.cause)
    return [(property, finding, _uid(finding), *of) for finding in event.lost]


def flag_row(property: str, place: int, event: f.Flagged) -> tuple[Any, ...]:
    """Return the row of the table `flag` for an officer's flag."""
    id = f"{event.uid}:{FLAGGED}::"
    return (
        property,
        place,
        id,
        f"{event.of_table}/{event.of_day}",
        event.round,
        event.why,
        event.by,
        _utc(event),
    )


def assigned_row(property: str, place: int, event: f.HandAssigned) -> tuple[Any, ...]:
    """Return the row of the table `assigned`. The owner in it is None if the hand was released."""
    stream = f"{event.of_table}/{event.of_day}"
    return (property, place, stream, event.hand, event.to, event.by, _utc(event))


def snoozed_row(property: str, place: int, event: f.HandSnoozed) -> tuple[Any, ...]:
    """Return the row of the table `snoozed`. The end in it is None if the snooze was ended early."""
    stream = f"{event.of_table}/{event.of_day}"
    until = None if event.until is None else event.until.astimezone(UTC)
    return (property, place, stream, event.hand, until, event.by, _utc(event))


def _utc(event: Event) -> datetime:
    """Return the time of an event in UTC, because the database does not accept every UTC offset that a sender
    may use.
    """
    return event.at.astimezone(UTC)


def _uid(finding: str) -> str:
    return finding.partition(":")[0]


def _hands_of(findings: Sequence[str], property: str) -> list[tuple[str, str]]:
    query = """SELECT DISTINCT stream, round, number FROM finding
            WHERE property = %(property)s AND id = ANY(%(ids)s)
        UNION SELECT stream, round, 0 FROM flag WHERE property = %(property)s AND finding = ANY(%(ids)s)"""
    values = {"property": property, "ids": list(findings)}
    return [(stream, hand_of(round, number)) for stream, round, number in database.rows(query, values)]


_LOCK = crc32(b"catwalk queue") - 2**31
_CASES = " ".join(f"WHEN '{grade}' THEN {rank}" for rank, grade in enumerate(GRADES, 1))


def _exact(column: str) -> str:
    """Return SQL for the number in an amount that is stored as text, such as `25` or `25/2`."""
    return (
        f"(split_part({column}, '/', 1)::numeric / coalesce(nullif(split_part({column}, '/', 2), ''),"
        " '1')::numeric)"
    )


FIRST_FACT = """coalesce(
    (SELECT min(number) FROM fact WHERE property = %(property)s AND stream = %(stream)s AND round = g.round
        AND kind = 'round-opened'
        AND kind IN ('table-opened', 'dealer-seated', 'round-opened', 'corrected')),
    (SELECT min(number) FROM fact WHERE property = %(property)s AND stream = %(stream)s
        AND round = g.round))"""
"""SQL for the fact to which a flag `g` refers: the opening of its hand. If the table does not report
openings, it is the first fact that names the hand.

The property is a parameter and not a column of `g`, so that Postgres plans only for its partition. Planning
for a hundred partitions took longer than everything else.
"""

QUEUE_ROWS = f"""
WITH one AS (
    SELECT f.id, coalesce(f.round, '#' || f.number) AS hand, f.number, f.code, CASE f.grade {_CASES}
        ELSE 4 END AS rank,
           coalesce({_exact("f.moved")} - coalesce({_exact("f.owed")}, 0), 0) AS money
    FROM finding f WHERE f.property = %(property)s AND f.stream = %(stream)s
        AND (%(hands)s::text[] IS NULL OR coalesce(f.round, '#' || f.number) = ANY (%(hands)s))
    UNION ALL
    SELECT g.finding, g.round, {FIRST_FACT}, '{FLAGGED}', 1, 0
    FROM flag g WHERE g.property = %(property)s AND g.stream = %(stream)s
        AND (%(hands)s::text[] IS NULL OR g.round = ANY (%(hands)s))
), found AS (
    SELECT one.*, v.verdict, coalesce(v.lacks_second, false) AS lacks_second
    FROM one LEFT JOIN LATERAL (
        SELECT nullif(verdict, 'withdrawn') AS verdict, lacks_second FROM verdict v
            WHERE v.property = %(property)s AND v.finding = one.id
            ORDER BY position DESC LIMIT 1
    ) v ON true
    WHERE one.number IS NOT NULL
), hands AS (
    SELECT hand, min(number) AS number, min(rank) AS rank,
           coalesce(sum(money) FILTER (WHERE money > 0), 0) AS to_player,
               coalesce(-sum(money) FILTER (WHERE money < 0), 0) AS to_house,
           array_agg(code ORDER BY rank, code) AS codes, count(*) AS findings,
               count(*) FILTER (WHERE rank = 5) AS notices,
           count(verdict) AS decided,
           CASE WHEN count(verdict) < count(*) FILTER (WHERE rank < 5) OR count(verdict) = 0 THEN 'open'
                WHEN bool_or(lacks_second) THEN 'second'
                WHEN bool_or(verdict = 'escalated') THEN 'escalated' ELSE 'decided' END AS state
    FROM found GROUP BY hand
)
SELECT %(property)s AS property, %(stream)s AS stream, hand,
       regexp_replace(%(stream)s, '/[^/]*$', '') AS "table",
       right(%(stream)s, 10)::date AS day, number,
       (SELECT (regexp_replace(at, '([zZ]|[+-][0-9][0-9]:?[0-9][0-9])$',
           '')::timestamp - regexp_replace(coalesce(
            substring(at from '[+-][0-9][0-9]:?[0-9][0-9]$'), '+00:00'), ':?([0-9][0-9])$',
                ':\\1')::interval) AT TIME ZONE 'UTC'
        FROM fact, LATERAL (SELECT convert_from(body, 'UTF8')::json ->> 'at' AS at OFFSET 0) a
        WHERE property = %(property)s AND stream = %(stream)s AND fact.number = hands.number) AS at,
       rank, -(to_player + to_house) AS less, to_player, to_house,
       coalesce({currency_at("%(property)s", "%(stream)s", "hands.number")}, '') AS currency,
       codes, findings, notices, decided, state,
       coalesce((SELECT owner FROM assigned a WHERE a.property = %(property)s AND a.stream = %(stream)s
        AND a.hand = hands.hand ORDER BY a.position DESC LIMIT 1), '') AS owner,
       (SELECT until FROM snoozed s WHERE s.property = %(property)s AND s.stream = %(stream)s
        AND s.hand = hands.hand ORDER BY s.position DESC LIMIT 1) AS until
FROM hands ORDER BY hand"""
"""SQL for the rows of the queue of these hands of one stream, from findings, flags, verdicts, assignments and
snoozes. If the hands are null, all hands are included.
"""

RULES = sha256("".join((QUEUE_ROWS, finding_tally.ROWS, verdict_columns.ROWS)).encode()).hexdigest()
"""The fingerprint of the rules by which the queue, its sums and the columns of verdicts are computed."""
_SEAL = "rules of the queue"
_FOLLOW = """INSERT INTO followed (property, position, rules, seal) VALUES (%s, 0, %s, %s)
    ON CONFLICT DO NOTHING"""

_QUEUE = f"""INSERT INTO queued AS q (property, stream, hand, "table", day, number, at, rank, less, to_player,
    to_house, currency, codes, findings, notices, decided, state, owner, until)
{QUEUE_ROWS}
ON CONFLICT (property, stream, hand) DO UPDATE SET
    number = excluded.number, at = excluded.at, rank = excluded.rank, less = excluded.less,
        to_player = excluded.to_player,
    to_house = excluded.to_house, currency = excluded.currency, codes = excluded.codes,
        findings = excluded.findings,
    notices = excluded.notices, decided = excluded.decided, state = excluded.state,
        owner = excluded.owner, until = excluded.until, touched = pg_current_xact_id()
WHERE (q.number, q.rank, q.less, q.to_player, q.codes, q.findings, q.decided, q.state, q.owner, q.until)
    IS DISTINCT FROM (excluded.number, excluded.rank, excluded.less, excluded.to_player, excluded.codes,
        excluded.findings, excluded.decided, excluded.state, excluded.owner, excluded.until)"""

_LEAVE = """DELETE FROM queued q USING (
    SELECT hand FROM queued WHERE property = %(property)s AND stream = %(stream)s
        AND (%(hands)s::text[] IS NULL OR hand = ANY (%(hands)s))
    EXCEPT SELECT coalesce(f.round, '#' || f.number) FROM finding f WHERE f.property = %(property)s
        AND f.stream = %(stream)s
    EXCEPT SELECT g.round FROM flag g WHERE g.property = %(property)s AND g.stream = %(stream)s
) gone WHERE q.property = %(property)s AND q.stream = %(stream)s AND q.hand = gone.hand"""
"""SQL that deletes rows whose hand has neither findings nor flags. It uses EXCEPT, which is executed with a
sort or a hash. With NOT EXISTS, the query was executed as a nested loop, which took 90 seconds for 20,000
findings and hands.
"""

_VERDICT = """INSERT INTO verdict (property, position, finding, uid, code, says, owed, moved, verdict,
    disposition, by, second,
        lacks_second, note_sha256, savings, losses, recovered, at, day)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
    ON CONFLICT DO NOTHING"""

_FLAG = """INSERT INTO flag (property, position, finding, stream, round, why, by, at) VALUES (%s, %s, %s, %s,
    %s, %s, %s, %s)
    ON CONFLICT DO NOTHING"""

_ASSIGN = """INSERT INTO assigned (property, position, stream, hand, owner, by, at)
    VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING"""

_SNOOZE = """INSERT INTO snoozed (property, position, stream, hand, until, by, at)
    VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING"""

_WITHDRAW = """INSERT INTO withdrawn (property, finding, uid, position, at, rules, cause)
    VALUES (%s, %s, %s, %s, %s, %s, %s)
    ON CONFLICT (property, finding) DO UPDATE SET position = excluded.position, at = excluded.at,
        rules = excluded.rules, cause = excluded.cause"""
