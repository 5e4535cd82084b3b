"""The database tables of cases: their states, items and subjects. Only this module writes these tables. It
computes them from the facts of the cases, and compares them with these facts.

`follow` reads each fact about a case once, and computes the rows of its case again. The facts of suspicions
have a table of their own. The code that records them calls `refresh`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from django.db import transaction

from audit import database
from audit.differences import (
    Difference,
    Differences,
    Orphans,
    StoredTable,
    Texts,
    compare_rows,
    keyed,
    stored_rows,
)
from audit.facts import decode
from audit.jobs import leases
from audit.review import case_fold
from audit.review.case_fold import OF_CASES, Case, CaseFact

STATE = StoredTable(
    "case_state",
    ("confidential", "case"),
    (
        *("concerns", "status", "outcome", "title_sha256", "owner", "due", "seen_by", "opened_by"),
        *("opened_at", "changed_at", "closed_at", "position", "hands", "notes", "files", "subjects"),
    ),
)
PART = StoredTable("case_part", ("confidential", "case", "what", "stream", "of"), ("position",))
SUBJECT = StoredTable(
    "case_subject",
    ("confidential", "case", "subject"),
    (
        *("role", "id", "description_sha256", "reason_sha256", "measure", "begins", "ends"),
        *("photo_sha256", "position"),
    ),
)
COMPUTED = (STATE, PART, SUBJECT)
FOLLOWED = "case_followed"
TABLES = (*(table.name for table in COMPUTED), FOLLOWED)
"""All database tables of cases."""
ORPHANS = tuple(map(Orphans, TABLES))

_NEWS = f"""SELECT position, body FROM fact WHERE property = %s AND position > %s AND {OF_CASES}
    ORDER BY position"""
"""SQL for the facts about cases after a position. They have an index of their own."""
Rows = dict[str, list[tuple[Any, ...]]]
"""{database table: its rows}. The values of a row are in the order of the columns."""


def follow(property: str) -> int:
    """Read the facts about cases that were recorded since the last call. Return their number."""
    with transaction.atomic():
        database.execute("INSERT INTO case_followed VALUES (%s, 0) ON CONFLICT DO NOTHING", [property])
        query = "SELECT position FROM case_followed WHERE property = %s FOR UPDATE"
        position: int = database.rows(query, [property])[0][0]
        news = database.rows(_NEWS, [property, position])
        if not news:
            return 0
        for case in dict.fromkeys(getattr(decode(bytes(body)), "case", "") for _, body in news):
            refresh(property, case, confidential=False)
        query = "UPDATE case_followed SET position = %s WHERE property = %s"
        database.execute(query, [news[-1][0], property])
    return len(news)


def refresh(property: str, case: str, *, confidential: bool) -> None:
    """Compute the rows of one case again from its facts, in the caller's transaction."""
    rows = rows_of(case_fold.case_of(property, case, confidential=confidential), confidential=confidential)
    for table in COMPUTED:
        query = f'DELETE FROM {table.name} WHERE property = %s AND confidential = %s AND "case" = %s'
        database.execute(query, [property, confidential, case])
        columns = ", ".join(f'"{name}"' for name in table.columns)
        places = ", ".join(["%s"] * (len(table.columns) + 1))
        query = f"INSERT INTO {table.name} (property, {columns}) VALUES ({places})"
        database.execute_many(query, [(property, *row) for row in rows[table.name]])


def rebuild(property: str) -> None:
    """Delete the rows of a property in the tables of cases, and compute them again from the facts."""
    with transaction.atomic():
        for table in TABLES:
            database.execute(f"DELETE FROM {table} WHERE property = %s", [property])
        query = 'SELECT DISTINCT "case" FROM confidential_fact WHERE property = %s'
        for (case,) in database.rows(query, [property]):
            refresh(property, case, confidential=True)
        follow(property)


def rows_of(case: Case | None, *, confidential: bool) -> Rows:
    """Return the rows of a case in each database table. Return no rows if the case was never opened."""
    if case is None:
        return {table.name: [] for table in COMPUTED}
    key = (confidential, case.case)
    state = (
        *key,
        case.concerns,
        case.status,
        case.outcome,
        case.title_sha256,
        case.owner,
        case.due,
        list(case.seen_by),
        case.opened_by,
        _utc(case.opened_at),
        _utc(case.changed_at),
        case.closed_at and _utc(case.closed_at),
        case.position,
        len(case.hands()),
        case.notes,
        len(case.files),
        len(case.subjects),
    )
    subjects = [
        (
            *key,
            subject.number,
            subject.role,
            subject.id,
            subject.description_sha256,
            subject.reason_sha256,
            subject.measure,
            subject.begins,
            subject.ends,
            subject.photo_sha256,
            subject.position,
        )
        for subject in case.subjects
    ]
    return {
        STATE.name: [state],
        PART.name: [(*key, part.what, part.stream, part.of, at) for part, at in case.parts.items()],
        SUBJECT.name: subjects,
    }


def compare(property: str) -> Differences:
    """Compare the tables of cases of a property with its facts. Return the differences."""
    differences = Differences()
    row = database.first_row("SELECT position FROM public.case_followed WHERE property = %s", [property])
    position = (row[0] or 0) if row is not None else 0
    differences.add(_unread(property, position))
    computed: Rows = {table.name: [] for table in COMPUTED}
    ordinary = case_fold.read(case_fold.EVERY_ORDINARY, [property, position], is_whole=False)
    confidential = case_fold.read(case_fold.EVERY_CONFIDENTIAL, [property], is_whole=False)
    for facts, hidden in ((ordinary, False), (confidential, True)):
        for case in _by_case(facts):
            for name, rows in rows_of(case, confidential=hidden).items():
                computed[name] += rows
    for table in COMPUTED:
        stored = differences.counted(table.name, stored_rows(table, "property = %s", [property]))
        differences.add(compare_rows(table, property, stored, _keyed(table, computed[table.name])))
    return differences


def _by_case(facts: Iterable[CaseFact]) -> Iterator[Case]:
    """Yield the cases that result from these facts."""
    by_case: dict[str, list[CaseFact]] = {}
    for fact in facts:
        by_case.setdefault(getattr(fact.event, "case", ""), []).append(fact)
    for of_one in by_case.values():
        if (case := case_fold.fold(of_one)) is not None:
            yield case


def _keyed(table: StoredTable, rows: list[tuple[Any, ...]]) -> dict[Texts, Texts]:
    """Return {key: values} of the computed rows as text. Postgres prints a list as an array literal."""
    return keyed(table, [tuple(map(_printed, row)) for row in rows])


def _printed(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    query = "SELECT %s::text[]::text"
    return database.rows(query, [value])[0][0] if value else "{}"


def _unread(property: str, position: int) -> Iterator[Difference]:
    """Yield a difference if the position up to which the facts of cases were read is wrong. Also yield a
    difference if there are facts after this position and no job waits to read them.
    """
    after = position - 1 if position > 0 else 0
    places = [place for place, _ in database.rows(_NEWS, [property, after])]
    if position > 0 and places[:1] != [position]:
        expected = str(places[0]) if places else None
        yield Difference(FOLLOWED, property, "position", str(position), expected)
    elif places[position > 0 :] and not leases.is_waiting(leases.LEDGER, property, ""):
        yield Difference(FOLLOWED, property, "position", str(position), str(places[-1]))


def _utc(at: datetime) -> datetime:
    return at.astimezone(UTC)
