"""Prove the logs: compare the rows of the logs with the digests of the anchors, and the anchors with their
facts.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import pairwise
from typing import NamedTuple

from audit import database
from audit.proofs.registry import Fault, RowCount
from casino.proofs import anchors
from casino.proofs.anchors import LOGS, ROW_BYTES, Anchor

COMMAND = "manage.py anchor"


class Covered(NamedTuple):
    """The anchors with which the logs can be proved, and the faults that were found in other anchors."""

    batches: list[Anchor]
    faults: list[Fault]


def covered() -> Covered:
    """Return the anchors that this installation can check, and a fault for each anchor that it cannot check.
    If an anchor covers all logs from their first rows, earlier anchors are not needed and are left out.
    """
    known = anchors.anchors()
    genuine = {anchor.number: anchor for anchor in known if anchors.is_genuine(anchor)}
    first_number = max((anchor.number for anchor in genuine.values() if _is_whole(anchor)), default=0)
    faults = []
    for anchor in known:
        if anchors.is_genuine(anchor) or anchor.number < first_number:
            continue
        faults.append(
            Fault(
                "anchor",
                f"{anchor.property} position {anchor.position}",
                "unknown",
                f"anchor {anchor.number} was not made with a key of this installation (its key is"
                f" {anchor.key_id}); if the secret key was changed, set CATWALK_OLD_KEYS",
            )
        )
    batches = [genuine[number] for number in sorted(genuine) if number >= first_number]
    for before, after in pairwise(batches):
        for number in range(before.number + 1, after.number):
            faults.append(Fault("anchor", f"number {number}", "missing", "no ledger has this anchor"))
    return Covered(batches, faults)


def prove_log(log: str, count: RowCount) -> Iterator[Fault]:
    """Yield a fault for each row of a log that was changed, deleted or inserted after an anchor covered it.
    If there are newer rows, which no anchor covers, add to `count` their number and a note that changes of
    them are not detected.
    """
    known = covered().batches
    for anchor in known:
        if log in anchor.logs:
            yield from _prove_batch(log, anchor, count)
    ((strange,),) = database.rows(f"SELECT count(*) FROM {log} WHERE id <= 0")
    if strange:
        yield Fault(log, "", "unknown", f"{strange:,} rows have an id that the database never assigns")
    tail = anchors.tails(known)[log]
    if tail.rows:
        count.add(log, tail.rows)
        since = f"{tail.rows:,} rows since {str(tail.since)[:16]} UTC are not covered by an anchor yet"
        count.note(log, f"{since}: {_risk(log)}. `{COMMAND}` covers them")


def prove_anchors(count: RowCount) -> Iterator[Fault]:
    """Yield a fault for each anchor that cannot be checked, and for each row of the table `anchor` that
    differs from its fact.
    """
    known = covered()
    yield from known.faults
    yield from _prove_heads(known.batches)
    expected = {(anchor.number, log): batch for anchor in known.batches for log, batch in anchor.logs.items()}
    first = min((anchor.number for anchor in known.batches), default=0)
    query = "SELECT number, log, encode(sha256(digests), 'hex') FROM anchor WHERE number >= %s"
    stored = {(number, log): digest for number, log, digest in database.rows(query, [first])}
    count.add("anchor", len(stored))
    for key in sorted({*stored, *expected}, key=repr):
        place = f"number {key[0]} {key[1]}"
        if key not in expected:
            yield Fault("anchor", place, "unknown", "no fact has this anchor")
        elif key not in stored:
            yield Fault("anchor", place, "missing", "the digests of this anchor are missing")
        elif stored[key] != expected[key].sha256:
            says = f"its digests have SHA-256 {stored[key]}, the fact says {expected[key].sha256}"
            yield Fault("anchor", place, "changed", says)


def _prove_heads(batches: list[Anchor]) -> Iterator[Fault]:
    """Yield a fault for each head of a ledger that an anchor names, if the ledger does not contain it any
    more.
    """
    heads = {
        (property, head.position): (anchor.number, head.chain)
        for anchor in batches
        for property, head in anchor.heads.items()
    }
    query = """SELECT property, position, encode(f.chain, 'hex') FROM unnest(%s::text[], %s::bigint[])
        AS wanted (property, position) JOIN public.fact f USING (property, position)"""
    names, positions = [name for name, _ in heads], [position for _, position in heads]
    stored = {(name, position): chain for name, position, chain in database.rows(query, [names, positions])}
    for (name, position), (number, chain) in heads.items():
        place, stored_chain = f"{name} position {position}", stored.get((name, position))
        if stored_chain is None:
            yield Fault("head", place, "missing", f"was the head of the ledger when anchor {number} was made")
        elif stored_chain != chain:
            says = f"has chain {stored_chain}, at anchor {number} it was {chain}: the ledger was rewritten"
            yield Fault("head", place, "changed", says)


def _risk(log: str) -> str:
    """Return a sentence that says what somebody could do to rows that no anchor covers yet, without being
    detected.
    """
    if log == "seal":
        return (
            "if somebody deletes the latest entries and restores the earlier rows, verify does not detect it"
        )
    return "if somebody changes, deletes or inserts one of them, verify does not detect it"


def _is_whole(anchor: Anchor) -> bool:
    """Return True if an anchor covers all logs from their first rows on."""
    return set(anchor.logs) == set(LOGS) and all(batch.after == 0 for batch in anchor.logs.values())


def _prove_batch(log: str, anchor: Anchor, count: RowCount) -> Iterator[Fault]:
    batch = anchor.logs[log]
    digests = b"".join(anchors.digests_of(log, batch.after, batch.upto))
    count.add(log, len(digests) // ROW_BYTES)
    if sha256(digests).hexdigest() == batch.sha256:
        return
    row = database.first_row(
        "SELECT digests FROM anchor WHERE number = %s AND log = %s", [anchor.number, log]
    )
    place = f"{anchor.property} position {anchor.position}"
    if row is None or sha256(row[0]).hexdigest() != batch.sha256:
        says = (
            f"ids {batch.after + 1} to {batch.upto} differ from the anchor; it is not known which rows differ"
        )
        yield Fault(log, place, "changed", says)
        return
    old_rows, new_rows = _by_id(bytes(row[0])), _by_id(digests)
    for id in sorted({*old_rows, *new_rows}):
        if id not in new_rows:
            yield Fault(log, f"id {id}", "missing", f"existed when anchor {anchor.number} was made")
        elif id not in old_rows:
            yield Fault(log, f"id {id}", "unknown", f"was inserted after anchor {anchor.number} was made")
        elif old_rows[id] != new_rows[id]:
            yield Fault(log, f"id {id}", "changed", f"differs from its content at anchor {anchor.number}")


def _by_id(digests: bytes) -> dict[int, bytes]:
    pieces = (digests[at : at + ROW_BYTES] for at in range(0, len(digests), ROW_BYTES))
    return {int.from_bytes(piece[:8], "big"): piece[8:] for piece in pieces}
