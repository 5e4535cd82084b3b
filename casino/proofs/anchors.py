"""Anchor the logs once a day. The logs are outside the ledger. An anchor is a fact in the ledger that makes
it possible to detect later changes of the logs. Each anchor covers the new rows of all logs.

The fact `anchored` contains the SHA-256 of the ids and digests of these rows. The database table `anchor`
contains the ids and digests themselves. If a row is changed later, this table shows which row it is. Rows of
unfinished transactions and rows of the last seconds wait for the next anchor.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from types import MappingProxyType
from typing import Any, NamedTuple
from uuid import uuid4

from django.db import transaction
from django.utils import timezone
from msgspec import DecodeError, json

from audit import database
from audit.facts import Anchored, Batch, LedgerHead, canonical, decode
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.models import Head
from casino.reference.calendar import gaming_day
from casino.sealing import keys

LOGS: dict[str, tuple[str, tuple[str, ...]]] = {
    "viewing": ("at", ("id", "at", "person", "property", "stream", "hand", "address")),
    "seal": ("at", ("id", "at", "table", "key", "number", "digest", "reason", "key_id", "code")),
    "django_admin_log": (
        "action_time",
        (
            "id",
            "action_time",
            "object_id",
            "object_repr",
            "action_flag",
            "change_message",
            "content_type_id",
            "user_id",
        ),
    ),
}
"""For each log table: the name of its timestamp column, and the names of all its columns. Rows of these
tables are never changed or deleted.
"""
SENDER = "catwalk"
DAILY = timedelta(hours=20)
"""Maximum age of the oldest row without an anchor. If this row is older, a new anchor is due."""
SETTLED = timedelta(seconds=5)
"""Minimum age of the rows that an anchor covers. Younger rows wait, because a transaction that is still
running could add a row with a lower id.
"""
DIGEST_BYTES, ROW_BYTES = 16, 24
LOCK = 0x0CA7A4C8


class Anchor(NamedTuple):
    """A fact `anchored` and its position in the ledger."""

    property: str
    position: int
    number: int
    logs: dict[str, Batch]
    key_id: str
    code: str
    adopted: int = 0
    heads: Mapping[str, LedgerHead] = MappingProxyType({})


class Tail(NamedTuple):
    """The rows of a log that are not covered by an anchor: their number, and the time of the oldest one."""

    rows: int
    since: datetime | None


def anchors() -> list[Anchor]:
    """Return all facts `anchored` in the order of their anchor numbers. A fact that cannot be read gets the
    number 0.
    """
    query = "SELECT property, position, body FROM fact WHERE kind = 'anchored' ORDER BY property, position"
    result = []
    for property, position, body in database.rows(query):
        try:
            fact = decode(bytes(body))
        except (DecodeError, UnicodeDecodeError):
            fact = None
        if isinstance(fact, Anchored):
            fields = fact.number, fact.logs, fact.key_id, fact.code, fact.adopted, fact.heads
            result.append(Anchor(property, position, *fields))
        else:
            result.append(Anchor(property, position, 0, {}, "", ""))
    return sorted(result, key=lambda entry: (entry.number, entry.property))


def is_genuine(entry: Anchor) -> bool:
    """Return True if this installation recorded the anchor."""
    secret = keys.secret_of(entry.key_id)
    return (
        secret is not None
        and code_of(secret, entry.number, entry.logs, entry.adopted, entry.heads) == entry.code
    )


def code_of(
    secret: str, number: int, logs: dict[str, Batch], adopted: int, heads: Mapping[str, LedgerHead]
) -> str:
    """Return the message authentication code of an anchor with these values, made with this secret key."""
    return keys.code(secret, "anchor", number, logs, adopted, *([dict(heads)] if heads else [])).hex()


def heads_of_ledgers() -> dict[str, LedgerHead]:
    """Return the head of each property's ledger."""
    heads = database.rows("SELECT property, position, encode(chain, 'hex') FROM head ORDER BY property")
    return {property: LedgerHead(position=position, chain=chain) for property, position, chain in heads}


def digests_of(log: str, after: int, upto: int) -> Iterator[bytes]:
    """Yield the id and the digest of each row of a log, together 24 bytes per row, in the order of ids."""
    _, columns = LOGS[log]
    pairs = ", ".join(f'"{name}"' for name in columns)
    query = f"SELECT id, jsonb_build_array({pairs})::text FROM {log} WHERE id > %s AND id <= %s ORDER BY id"
    for id, content in database.stream_rows(query, [after, upto]):
        yield id.to_bytes(8, "big") + sha256(content.encode()).digest()[:DIGEST_BYTES]


def upto_by_log(known: list[Anchor]) -> dict[str, int]:
    """Return {log: last id that a genuine anchor covers}."""
    covered = dict.fromkeys(LOGS, 0)
    for entry in filter(is_genuine, known):
        for name, batch in entry.logs.items():
            if name in covered:
                covered[name] = max(covered[name], batch.upto)
    return covered


def tails(known: list[Anchor]) -> dict[str, Tail]:
    """Return {log: number and age of the rows that no anchor covers}."""
    covered = upto_by_log(known)
    return {
        name: Tail(
            *database.rows(f"SELECT count(*), min({at}) FROM {name} WHERE id > %s", [covered[name]])[0]
        )
        for name, (at, _) in LOGS.items()
    }


def is_due(instant: datetime | None = None) -> bool:
    """Return True if a new anchor is due, because the oldest row without an anchor is older than DAILY."""
    since = [tail.since for tail in tails(anchors()).values() if tail.since is not None]
    return bool(since) and min(since) < (instant or timezone.now()) - DAILY


def anchor(*, adopted: int = 0, from_first: bool = False) -> int | None:
    """Make an anchor of all new rows of the logs, and record it in every ledger. Return the number of the
    anchor, or None if there is no ledger or no new row.

    Args:
        adopted: The number of rows that were accepted as they are. The fact contains this number.
        from_first: True if the anchor must also cover the rows that earlier anchors cover.
    """
    properties = sorted(Head.objects.values_list("property", flat=True))
    with transaction.atomic():
        database.rows("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        known = anchors()
        covered = dict.fromkeys(LOGS, 0) if from_first else upto_by_log(known)
        batches = {name: _batch(name, after) for name, after in covered.items()}
        logs = {name: batch for name, (batch, _) in batches.items() if batch.rows or from_first}
        if not properties or not logs:
            return None
        ((last,),) = database.rows("SELECT coalesce(max(number), 0) FROM anchor")
        number: int = max([last, *(entry.number for entry in known if is_genuine(entry))]) + 1
        for name in logs:
            query = "INSERT INTO anchor (number, log, digests) VALUES (%s, %s, %s)"
            database.execute(query, [number, name, batches[name][1]])
        heads = heads_of_ledgers()
        facts = [_fact(property, number, logs, adopted, heads) for property in properties]
        intake.post([canonical(fact) for fact in facts], Sender(SENDER, frozenset(properties)))
    return number


def _batch(log: str, after: int) -> tuple[Batch, bytes]:
    """Return the batch of a log: all its rows after an id, with their digests. Newer rows are left out if an
    unfinished transaction could still add rows before them.
    """
    at, _ = LOGS[log]
    query = f"""SELECT max(id) FROM {log} WHERE id > %s AND {at} < (
        SELECT least(min(xact_start), clock_timestamp()) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()) - %s"""
    ((last,),) = database.rows(query, [after, SETTLED])
    upto = after if last is None else last
    digests = b"".join(digests_of(log, after, upto))
    return Batch(
        after=after, upto=upto, rows=len(digests) // ROW_BYTES, sha256=sha256(digests).hexdigest()
    ), digests


def _fact(
    property: str, number: int, logs: dict[str, Batch], adopted: int, heads: dict[str, LedgerHead]
) -> dict[str, Any]:
    secret = keys.secrets()[0]
    fact: dict[str, Any] = {
        "uid": str(uuid4()),
        "table": f"{property}/house",
        "day": gaming_day(property).isoformat(),
        "kind": "anchored",
        "at": timezone.now().isoformat(timespec="milliseconds"),
        "source": SENDER,
        "number": number,
        "logs": {name: json.decode(json.encode(batch)) for name, batch in logs.items()},
        "key_id": keys.key_id(secret),
        "code": code_of(secret, number, logs, adopted, heads),
        "heads": json.decode(json.encode(heads)),
    }
    return fact | {"adopted": adopted} if adopted else fact
