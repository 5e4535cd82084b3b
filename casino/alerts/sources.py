"""Create events from findings, facts, archived exports, and lasting conditions such as a silent table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.utils import timezone

from audit import database
from audit import facts as f
from audit.facts.vocabulary import BY_FACTS
from audit.queries import announce, feed_ages
from audit.queries.announce import NewFinding
from audit.review.projections import FLAGGED, GRADES
from casino.accounts import tokens
from casino.alerts.event_log import Draft
from casino.alerts.rules import InForce
from casino.models import Token
from casino.presentation.formatting import code_label
from casino.reference.calendar import gaming_day
from games.kit.codes import GRADE
from games.kit.events import Event

REFUSED_FOR = timedelta(hours=1)
"""How long the condition `token-refused` lasts after a token was used from a forbidden address. A later
refusal is a new event.
"""
GAINED, WITHDRAWN, LOST = "finding.gained", "finding.withdrawn", "finding.lost"
VERDICT, CLOSED, FLAG = "verdict.given", "day.closed", "hand.flagged"
EXPORT, SET_ASIDE = "export.finished", "job.set-aside"
NO_LONGER_MADE = (WITHDRAWN, LOST)
"""The types of events that end a finding."""


def of_finding(finding: NewFinding) -> Draft:
    """Return the event of a new finding."""
    table, day = finding.stream.split("/")[1:]
    data = {"id": finding.id, "table": table, "day": day} | finding._asdict()
    return Draft(GAINED, finding.id, data)


def of_facts(property: str, facts: Iterable[tuple[int, str, Event]]) -> list[Draft]:
    """Return the events of facts, given as (position, stream, fact), in their order."""
    drafts: list[Draft] = []
    for position, stream, fact in facts:
        if isinstance(fact, f.Reexamined):
            places = announce.places_of(property, _uids(fact.lost))
            drafts += [_no_longer_made(position, fact, id, places) for id in fact.lost]
        elif isinstance(fact, f.VerdictGiven):
            drafts.append(_verdict(position, fact))
        elif isinstance(fact, f.Flagged):
            drafts.append(_flag(position, fact))
        elif isinstance(fact, f.DayClosed):
            _, table, day = (*stream.split("/", 2), "", "")[:3]
            data = {"table": table, "day": day, "position": position, "uid": fact.uid, "by": fact.by}
            drafts.append(Draft(CLOSED, stream, data | {"at": fact.at.isoformat()}))
    return drafts


def _uids(ids: Iterable[str]) -> set[str]:
    uids = set()
    for id in ids:
        try:
            uids.add(str(UUID(id.partition(":")[0])))
        except ValueError:
            continue
    return uids


def _no_longer_made(
    position: int, fact: f.Reexamined, id: str, places: dict[str, tuple[str, int, str | None]]
) -> Draft:
    """Return the event of a finding that is no longer made. It is withdrawn if later facts ended it, and lost
    if changed rules or registers, or a check, did. Earlier versions of Catwalk recorded no cause and
    published all such events as withdrawn. They stay so, because events are never changed.
    """
    uid, code, spot, wager = (*id.split(":", 3), "", "", "")[:4]
    stream, number, round = places.get(uid.lower(), ("", None, None))
    _, table, day = (*stream.split("/", 2), "", "")[:3] if stream else ("", None, None)
    data: dict[str, Any] = {
        "id": id,
        "uid": uid,
        "code": code,
        "grade": GRADE.get(code),
        "spot": spot or None,
    }
    data |= {"wager": wager or None, "table": table, "day": day, "stream": stream or None, "number": number}
    data |= {"round": round, "position": position, "rules": fact.rules}
    if fact.cause is None:
        return Draft(WITHDRAWN, id, data)
    return Draft(WITHDRAWN if fact.cause == BY_FACTS else LOST, id, data | {"cause": fact.cause})


def _verdict(position: int, fact: f.VerdictGiven) -> Draft:
    data: dict[str, Any] = {
        "finding": fact.finding,
        "code": fact.code,
        "verdict": fact.verdict,
        "by": fact.by,
    }
    data |= {"disposition": fact.disposition, "second": fact.second, "position": position, "uid": fact.uid}
    data |= {"savings": fact.savings, "losses": fact.losses, "recovered": fact.recovered}
    return Draft(VERDICT, fact.finding, data | {"at": fact.at.isoformat()})


def _flag(position: int, fact: f.Flagged) -> Draft:
    """Return the event of an officer's flag on a hand. It has the code and the grade that the queue gives to
    flags. The officer's reason is not included, because events are also sent by mail and to webhooks.
    """
    id = f"{fact.uid}:{FLAGGED}::"
    data: dict[str, Any] = {"id": id, "uid": fact.uid, "code": FLAGGED, "grade": GRADES[0], "by": fact.by}
    data |= {"table": fact.of_table.partition("/")[2], "day": str(fact.of_day)}
    data |= {"stream": f"{fact.of_table}/{fact.of_day}", "round": fact.round, "position": position}
    return Draft(FLAG, id, data | {"at": fact.at.isoformat()})


def of_exports(property: str) -> list[Draft]:
    """Return an event for each archived export that has no event yet."""
    drafts = []
    for id, name, begins, ends, format, position, sha256, length, finished in database.rows(
        _EXPORTS, [property]
    ):
        data = {"id": id, "name": name, "begins": begins.isoformat(), "ends": ends.isoformat()}
        data |= {"format": format, "position": position, "sha256": sha256, "length": length}
        drafts.append(Draft(EXPORT, str(id), data | {"at": finished.isoformat()}))
    return drafts


class Condition(NamedTuple):
    """A state that lasts for some time: a table has been silent or late for some minutes, a job is set aside,
    or a token ends soon.
    """

    kind: str
    subject: str
    minutes: int


class Conditions(NamedTuple):
    """The conditions of a property.

    Attributes:
        changes: the events of conditions that have begun or ended since the last call.
        older: the conditions that had begun before the last call and still last. They have an event already.
    """

    changes: list[Draft]
    older: list[Draft]


def of_conditions(property: str, in_force: InForce) -> Conditions:
    """Return the conditions that have begun or ended since the last call, and those that still last. Store
    the present conditions.
    """
    lasting = _lasting(property, in_force)
    query = "SELECT kind, subject, minutes FROM condition WHERE property = %s"
    known = {Condition._make(row) for row in database.rows(query, [property])}
    started, ended = sorted(lasting.keys() - known), sorted(known - lasting.keys())
    database.execute_many(
        "INSERT INTO condition (property, kind, subject, minutes) VALUES (%s, %s, %s, %s)",
        [(property, *condition) for condition in started],
    )
    database.execute_many(
        "DELETE FROM condition WHERE property = %s AND kind = %s AND subject = %s AND minutes = %s",
        [(property, *condition) for condition in ended],
    )
    drafts = [lasting[condition] for condition in started]
    ends = [
        Draft(
            _ENDED[condition.kind],
            condition.subject,
            {"table": condition.subject, "minutes": condition.minutes},
        )
        for condition in ended
        if condition.kind in _ENDED
    ]
    return Conditions(drafts + ends, [lasting[condition] for condition in sorted(lasting.keys() & known)])


def _lasting(property: str, in_force: InForce) -> dict[Condition, Draft]:
    last_day = (gaming_day(property) + timedelta(days=2)).isoformat()
    ages = feed_ages.open_tables(property, last_day)
    checks: tuple[tuple[str, str, Callable[[feed_ages.FeedAge], timedelta]], ...] = (
        ("silent", "feed.silent", lambda feed: feed.age),
        ("late", "feed.late", lambda feed: feed.lag),
    )
    lasting: dict[Condition, Draft] = {}
    for kind, type, measure in checks:
        for minutes in sorted(in_force.minutes(kind)):
            for feed in ages:
                if measure(feed) > timedelta(minutes=minutes):
                    code = feed.table.partition("/")[2]
                    data = {"table": code, "day": feed.stream[-10:], "minutes": minutes}
                    data |= {"last_fact_at": feed.recorded_at.isoformat()}
                    data |= {"seconds": int(measure(feed).total_seconds())}
                    lasting[Condition(kind, code, minutes)] = Draft(type, code, data)
    return lasting | dict(_set_aside(property)) | dict(_tokens(property))


def _tokens(property: str) -> Iterator[tuple[Condition, Draft]]:
    """Yield the tokens of a property that end soon, and those that were used within the last hour from an
    address that they do not allow.
    """
    of_property = tokens.tokens_at([property])
    for token in tokens.ending_soon(of_property):
        data = _about(token) | {"expires_at": token.expires_at.isoformat()}
        ends = f"{token.prefix} {token.expires_at:%Y-%m-%dT%H:%M}"
        yield Condition("token-ending", ends, 0), Draft("token.ending", token.prefix, data)
    for token in tokens.refused_since(of_property, timezone.now() - REFUSED_FOR):
        assert token.refused_at is not None, "only refused tokens were selected"
        data = _about(token) | {"address": token.refused_from, "at": token.refused_at.isoformat()}
        subject = f"{token.prefix} {token.refused_from}"
        yield Condition("token-refused", subject, 0), Draft("token.refused", token.prefix, data)


def _about(token: Token) -> dict[str, Any]:
    return {"token": token.prefix, "holder": token.device or token.person_id, "label": token.label}


def _set_aside(property: str) -> Iterator[tuple[Condition, Draft]]:
    query = "SELECT id, kind, stream, error FROM job WHERE property = %s AND state = 'set-aside'"
    for id, kind, stream, error in database.rows(query, [property]):
        data = {"job": id, "kind": kind, "of": stream, "error": error[:200]}
        yield Condition("set-aside", str(id), 0), Draft(SET_ASIDE, str(id), data)


def sentence(type: str, data: dict[str, Any]) -> str:
    """Return a sentence about an event, for lists and mail."""
    table = data.get("table") or ""
    match type:
        case "finding.gained":
            return str(data.get("says") or code_label(str(data.get("code"))))
        case "finding.withdrawn" | "finding.lost":
            ended = type.partition(".")[2]
            return f"Finding {ended}: {code_label(str(data.get('code') or ''))}"
        case "hand.flagged":
            return f"{data.get('by')} flagged hand {data.get('round')} for review"
        case "feed.silent":
            return f"{table} has sent no facts for more than {data['minutes']} minutes"
        case "feed.late":
            return f"Facts of {table} arrive more than {data['minutes']} minutes late"
        case "job.set-aside":
            return f"Job {data['job']} ({data['kind']}) was set aside: {data['error']}"
        case "token.ending":
            return f"The token {data['token']}… of {data['holder']} ends on {data['expires_at'][:10]}"
        case "token.refused":
            address = data["address"] or "an unknown address"
            return f"The token {data['token']}… of {data['holder']} was refused at {address}"
    return type


def when(data: dict[str, Any], at: datetime) -> datetime:
    """Return the time at which an event happened. If its data has no time, return `at`, the time at which the
    event was published.
    """
    text = data.get("at") or data.get("last_fact_at")
    return datetime.fromisoformat(text) if isinstance(text, str) else at


_ENDED = {"silent": "feed.heard", "late": "feed.on-time"}
NO_EVENT = ("evidence", "suspicion-evidence")
"""Kinds of exports that create no event: evidence packs. A person who reads events may not be allowed to see
the case.
"""
_EXPORTS = f"""SELECT k.id, o.name, o.begins, o.ends, o.format, k.position, k.sha256, k.length, k.finished_at
    FROM kept_report k JOIN report_order o ON o.id = k.id JOIN event_stream s ON s.property = o.property
    WHERE o.property = %s AND o.name NOT IN {NO_EVENT}
        AND k.finished_at > greatest(s.checked_at, 'epoch') - interval '2 hours'
        AND NOT EXISTS (SELECT FROM event e WHERE e.property = o.property AND e.type = 'export.finished'
            AND e.subject = k.id::text)
    ORDER BY k.finished_at, k.id"""
