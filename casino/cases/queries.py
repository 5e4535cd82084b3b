"""Read what the pages of cases list: the cases of a property, the cases that contain a hand, watched and
banned people, and the hands of a case with their findings.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any, NamedTuple

from audit import database
from audit.queries.tray_equation import CHIP_CODES
from audit.review.case_fold import CLOSED, Case, Part
from casino.accounts.permissions import can
from casino.cases.access import SEE_ALL, SEE_SUSPICION
from casino.models import Person
from casino.sealing import journal

PAGE = 50


class CaseRow(NamedTuple):
    """A case in a list."""

    property: str
    confidential: bool
    case: str
    concerns: str
    status: str
    outcome: str
    title_sha256: str
    owner: str
    due: date | None
    opened_at: datetime
    changed_at: datetime
    hands: int
    notes: int
    files: int
    subjects: int


class Wanted(NamedTuple):
    """The filters of a list of cases.

    Attributes:
        state: `open`, `closed` or `all`.
        mine: the staff ID of the owner, or empty for all owners.
    """

    property: str
    state: str = "open"
    mine: str = ""
    concerns: str = ""
    offset: int = 0


class CaseKey(NamedTuple):
    """The place of a case in a list: its state, due day, time of the last change, and number."""

    is_closed: bool
    due: date | None
    changed_at: datetime
    case: str


class HandSum(NamedTuple):
    """The amounts of the hands of a case in one currency. If the findings are about chips, `to_player` is
    missing chips and `to_house` is surplus chips.
    """

    currency: str
    is_of_chips: bool
    to_player: Decimal
    to_house: Decimal


class HandRow(NamedTuple):
    """A hand of a case, or a fact that belongs to no hand. Without findings, `codes` is None.

    Attributes:
        at: the time at which the hand was opened. It is None while the hand is in play. For a fact that
            belongs to no hand, it is the time of the fact, or None if the fact has no findings.
    """

    stream: str
    hand: str
    position: int
    at: datetime | None
    codes: list[str] | None
    to_player: Decimal | None
    to_house: Decimal | None
    currency: str | None
    state: str | None

    @property
    def money(self) -> Decimal:
        """Return what players received too much in this hand, minus what they received too little. If the
        finding is about chips, return the missing chips minus the surplus chips.
        """
        return (self.to_player or Decimal(0)) - (self.to_house or Decimal(0))

    @property
    def is_of_chips(self) -> bool:
        """Return True if the amount is missing or surplus chips, not a player's win or loss."""
        return self.codes is not None and self.codes[0] in CHIP_CODES


class WatchedSubject(NamedTuple):
    """A subject with a watch or a ban."""

    case: str
    subject: int
    role: str
    id: str | None
    description_sha256: str
    measure: str
    begins: date | None
    ends: date | None


class Pack(NamedTuple):
    """An ordered evidence pack of a case."""

    id: int
    asked_by: str
    asked_at: datetime
    is_done: bool


def _visible(person: Person, property: str) -> tuple[str, list[Any]]:
    """Return a condition in SQL that selects the cases that a person may see at a property, and the values of
    its parameters.
    """
    all_seen = can(person, SEE_ALL, property)
    named = "(seen_by = '{}' OR %s OR %s IN (owner, opened_by) OR %s = ANY (seen_by))"
    hidden = can(person, SEE_SUSPICION, property)
    return f"((NOT confidential AND {named}) OR (confidential AND %s))", [
        all_seen,
        person.pk,
        person.pk,
        hidden,
    ]


def cases(
    person: Person, wanted: Wanted, limit: int = PAGE + 1, after: CaseKey | None = None
) -> list[CaseRow]:
    """Return a page of the cases that a person may see. Open cases come before closed ones, and each group
    begins with the earliest due day. By default, return one more than a page holds if there are further
    cases.

    Args:
        person: The person who views the list.
        wanted: The filters.
        limit: The maximum number of cases.
        after: The place of the last case of the previous page.
    """
    visible, values = _visible(person, wanted.property)
    conditions = [f"property = %s AND {visible}"]
    values = [wanted.property, *values]
    if wanted.state != "all":
        conditions.append(f"status {'=' if wanted.state == CLOSED else '<>'} '{CLOSED}'")
    for column, value in (("owner", wanted.mine), ("concerns", wanted.concerns)):
        if value:
            conditions.append(f"{column} = %s")
            values.append(value)
    if after is not None:
        place, last = (
            f"(status = '{CLOSED}', coalesce(due, 'infinity'))",
            "(%s, coalesce(%s::date, 'infinity'))",
        )
        conditions.append(f'({place} > {last} OR {place} = {last} AND (changed_at, "case") < (%s, %s))')
        values += [after.is_closed, after.due, *after]
    query = f"""SELECT * FROM case_state WHERE {" AND ".join(conditions)}
        ORDER BY status = '{CLOSED}', due NULLS LAST, changed_at DESC, "case" DESC
        LIMIT %s OFFSET %s"""
    return database.records(CaseRow, query, [*values, limit, wanted.offset])


def key_of(row: CaseRow) -> list[Any]:
    """Return the place of a case in the list, as values of JSON."""
    due = row.due.isoformat() if row.due else None
    return [row.status == CLOSED, due, row.changed_at.isoformat(), row.case]


def parse_key(key: Sequence[Any]) -> CaseKey:
    """Return the place that `key_of` has written."""
    is_closed, due, changed_at, case = key
    return CaseKey(
        is_closed, date.fromisoformat(due) if due else None, datetime.fromisoformat(changed_at), case
    )


def count_open(person: Person, property: str) -> int:
    """Return the number of open cases that a person may see."""
    visible, values = _visible(person, property)
    query = f"SELECT count(*) FROM case_state WHERE property = %s AND status <> '{CLOSED}' AND {visible}"
    ((count,),) = database.rows(query, [property, *values])
    return int(count)


def cases_joining(person: Person, property: str, parts: Sequence[Part]) -> list[tuple[Part, CaseRow]]:
    """Return (item, case) pairs: each case that contains one of these items and that the person may see."""
    if not parts:
        return []
    visible, values = _visible(person, property)
    columns = [list(column) for column in zip(*parts, strict=True)]
    names = ", ".join(f'c."{name}"' for name in CaseRow._fields)
    query = f"""SELECT p.what, p.stream, p.of, {names}
        FROM unnest(%s::text[], %s::text[], %s::text[]) AS w (what, stream, of)
        JOIN case_part p ON p.property = %s AND (p.what, p.stream, p.of) = (w.what, w.stream, w.of)
        JOIN (SELECT * FROM case_state WHERE property = %s AND {visible}) c
            ON (c.confidential, c."case") = (p.confidential, p."case")
        ORDER BY c.changed_at DESC, c."case", p.what, p.of LIMIT 200"""
    rows = database.rows(query, [*columns, property, property, *values])
    return [(Part(*row[:3]), CaseRow(*row[3:])) for row in rows]


def hand_rows(property: str, case: Case, limit: int, offset: int = 0) -> list[HandRow]:
    """Return the hands of a case, largest amounts first. Each has its amounts, codes and state from the
    queue.
    """
    query = """SELECT h.stream, h.hand, h.position, h.codes, h.to_player, h.to_house, h.currency, h.state,
            CASE WHEN h.hand LIKE '#%%' THEN h.at ELSE (SELECT r.opened_at FROM round_tally r
                WHERE r.property = %s AND r.stream = h.stream AND r.round = h.hand
                ORDER BY r.number LIMIT 1) END AS at
        FROM (SELECT p.stream, p.of AS hand, p.position, q.at, q.codes, q.to_player, q.to_house, q.currency,
                q.state, coalesce(q.to_player + q.to_house, -1) AS money
            FROM unnest(%s::text[], %s::text[], %s::bigint[]) AS p (stream, of, position)
            LEFT JOIN queued q ON q.property = %s AND q.stream = p.stream AND q.hand = p.of
            ORDER BY money DESC, p.stream, p.of LIMIT %s OFFSET %s) h
        ORDER BY h.money DESC, h.stream, h.hand"""
    hands = case.hands()
    columns = [
        [hand.stream for hand in hands],
        [hand.of for hand in hands],
        [case.parts[hand] for hand in hands],
    ]
    return database.records(HandRow, query, [property, *columns, property, limit, offset])


def hand_sums(property: str, case: Case) -> list[HandSum]:
    """Return the sums of the amounts of all hands of a case."""
    query = """SELECT coalesce(q.currency, ''), coalesce(q.codes[1] = ANY (%s), false), sum(q.to_player),
            sum(q.to_house)
        FROM unnest(%s::text[], %s::text[]) AS p (stream, of)
        JOIN queued q ON q.property = %s AND q.stream = p.stream AND q.hand = p.of
        GROUP BY 1, 2 ORDER BY 1, 2"""
    hands = case.hands()
    names = [[hand.stream for hand in hands], [hand.of for hand in hands]]
    return [HandSum(*row) for row in database.rows(query, [sorted(CHIP_CODES), *names, property])]


def watched(person: Person, property: str, day: date) -> list[WatchedSubject]:
    """Return subjects of the cases that the person may see. A subject is included if a watch or a ban of this
    subject is in force on the gaming day.
    """
    visible, values = _visible(person, property)
    names = ", ".join(f's."{name}"' for name in WatchedSubject._fields)
    query = f"""SELECT {names} FROM case_subject s
        JOIN (SELECT * FROM case_state WHERE property = %s AND {visible}) c
            ON (c.confidential, c."case") = (s.confidential, s."case")
        WHERE s.property = %s AND s.measure <> 'none' AND coalesce(s.begins, '-infinity') <= %s
            AND coalesce(s.ends, 'infinity') > %s
        ORDER BY s.measure, s.ends NULLS LAST, s."case", s.subject LIMIT 200"""
    return database.records(WatchedSubject, query, [property, *values, property, day, day])


def packs_of(property: str, case: str) -> list[Pack]:
    """Return the evidence packs that were ordered for a case, the latest first."""
    query = """SELECT o.id, o.asked_by, o.asked_at, k.id IS NOT NULL AS is_done
        FROM report_order o LEFT JOIN kept_report k ON k.id = o.id
        WHERE o.property = %s AND o.filters ? 'case' AND o.filters ->> 'case' = %s
        ORDER BY o.id DESC LIMIT 20"""
    return database.records(Pack, query, [property, case])


def record_viewing(person: Person, property: str, case: str) -> None:
    """Record that a person views a suspicion, in a log that only compliance can read."""
    from_journal = 'INSERT INTO confidential_viewing AS t (person, property, "case") VALUES (%s, %s, %s)'
    journal.insert("confidential_viewing", from_journal, [person.pk, property, case])


def viewing_count(property: str, case: str, *, confidential: bool) -> int:
    """Return how often a case was viewed."""
    query = (
        'SELECT count(*) FROM confidential_viewing WHERE property = %s AND "case" = %s'
        if confidential
        else "SELECT count(*) FROM viewing WHERE property = %s AND stream = '' AND hand = %s"
    )
    named = case if confidential else f"case {case}"
    ((count,),) = database.rows(query, [property, named])
    return int(count)
