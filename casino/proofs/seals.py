"""Prove sealed tables: compare each row with its latest entry in the journal of seals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial

from audit import database
from audit.proofs.registry import Fault, Prove, RowCount
from casino.proofs import logs
from casino.sealing import journal, keys
from casino.sealing.journal import Entry
from casino.sealing.tables import SEALED

ADOPT = (
    "set CATWALK_OLD_KEYS to the former key, or accept the rows as they are with `manage.py anchor --adopt`"
)


def prover(table: str) -> Prove:
    """Return a function that proves a sealed table."""
    return partial(prove_table, table)


def prove_table(table: str, count: RowCount) -> Iterator[Fault]:
    """Yield a fault for each row that was changed, inserted or deleted by anything other than Catwalk."""
    histories = _histories(table)
    unknown: Counter[str] = Counter()
    for key, content in journal.contents(table):
        count.add(table)
        history = histories.pop(key, [])
        last = history[-1] if history else None
        if last is None:
            yield Fault(table, key, "unknown", "Catwalk did not insert this row")
        elif last.digest is None:
            yield Fault(table, key, "unknown", "Catwalk had deleted this row")
        elif (secret := keys.secret_of(last.key_id)) is None:
            unknown[last.key_id] += 1
        elif last.digest != journal.digest_of(secret, table, key, content):
            yield Fault(table, key, "changed", _changed(table, key, content, history))
    for key, history in histories.items():
        if history[-1].digest is not None:
            yield Fault(table, key, "missing", "Catwalk did not delete this row")
    for id, number in unknown.items():
        says = f"{number:,} rows have a seal of key {id}, which this installation does not have: {ADOPT}"
        yield Fault(table, "", "key", says)


def prove_journal(count: RowCount) -> Iterator[Fault]:
    """Yield a fault for each entry of the journal of seals that Catwalk did not write, and for each missing
    entry.
    """
    covered = [anchor.logs["seal"] for anchor in logs.covered().batches if "seal" in anchor.logs]
    upto = max((batch.upto for batch in covered), default=0)
    before: Entry | None = None
    unknown: Counter[str] = Counter()
    for entry in _entries():
        expected = before.number + 1 if before is not None and before[1:3] == entry[1:3] else 1
        place = f"id {entry.id}"
        if entry.number != expected:
            says = f"entry {entry.number} about {entry.table} {entry.key} has no entry {expected} before it"
            yield Fault("seal", place, "missing", says)
        if entry.table not in SEALED:
            yield Fault("seal", place, "unknown", f"{entry.table} is not a sealed table")
        secret = keys.secret_of(entry.key_id)
        if secret is not None and journal.code_of(secret, entry) != entry.code:
            yield Fault("seal", place, "changed", f"was not written by Catwalk: {entry.table} {entry.key}")
        if secret is None and entry.id > upto:
            unknown[entry.key_id] += 1
        before = entry
    for id, number in unknown.items():
        says = f"{number:,} entries have key {id}, which this installation does not have: {ADOPT}"
        yield Fault("seal", "", "key", says)
    yield from logs.prove_log("seal", count)


def _entries(condition: str = "true", values: tuple[str, ...] = ()) -> Iterator[Entry]:
    query = f"""SELECT id, "table", key, number, digest, reason, key_id, code FROM seal
        WHERE {condition} ORDER BY "table", key, number"""
    for id, table, key, number, digest, reason, key_id, code in database.stream_rows(query, values):
        digest_bytes = None if digest is None else bytes(digest)
        yield Entry(id or 0, table, key, number or 0, digest_bytes, reason, key_id, bytes(code or b""))


def _histories(table: str) -> dict[str, list[Entry]]:
    """Return {key: entries} of the rows of a table. Entries that Catwalk did not write are left out."""
    histories: dict[str, list[Entry]] = {}
    for entry in _entries('"table" = %s', (table,)):
        secret = keys.secret_of(entry.key_id)
        if secret is None or journal.code_of(secret, entry) == entry.code:
            histories.setdefault(entry.key, []).append(entry)
    return histories


def latest(table: str) -> dict[str, Entry]:
    """Return {key of a row: its latest entry in the journal of seals}. Rows without an entry are left out."""
    return {key: history[-1] for key, history in _histories(table).items()}


def _changed(table: str, key: str, content: str, history: list[Entry]) -> str:
    for entry in history[-2::-1]:
        secret = keys.secret_of(entry.key_id)
        if secret is not None and entry.digest == journal.digest_of(secret, table, key, content):
            return f"has the content of change {entry.number}, and there were {len(history)} changes"
    return f"differs from what Catwalk wrote last (change {len(history)})"
