"""Prove archived exports: their bytes, their manifests, and the ledger positions that they refer to."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from msgspec import DecodeError, json

from audit import database
from audit.proofs.registry import Fault, RowCount
from casino.exports.archive.blobs import CHUNK_BYTES
from casino.proofs import seals


def prove_exports(count: RowCount) -> Iterator[Fault]:
    """Yield a fault for each archived export that was changed, or that contradicts its manifest or the
    ledger.
    """
    yield from seals.prove_table("kept_report", count)
    query = """SELECT k.id, o.property, k.position, k.chain, f.chain, k.sha256, k.manifest, k.length
        FROM kept_report k LEFT JOIN report_order o ON o.id = k.id
        LEFT JOIN fact f ON f.property = o.property AND f.position = k.position ORDER BY k.id"""
    for id, property, position, chain, recorded, digest, manifest, length in database.rows(query):
        place = f"id {id}"
        if property is None:
            yield Fault("kept_report", place, "unknown", "nobody ordered this export")
        elif position and (recorded is None or bytes(recorded) != bytes(chain or b"")):
            says = f"its chain hash is not the one of {property} position {position}"
            yield Fault("kept_report", place, "changed", says)
        if manifest and (says := _manifest_error(manifest, digest, length)):
            yield Fault("kept_report", place, "changed", says)


def prove_pieces(count: RowCount) -> Iterator[Fault]:
    """Yield a fault for each archived export whose bytes do not match the SHA-256 and the length of
    its export.
    """
    exports = {
        id: (digest, length)
        for id, digest, length in database.rows("SELECT id, sha256, length FROM kept_report")
    }
    query = "SELECT kept, array_agg(place ORDER BY place) FROM kept_piece GROUP BY kept"
    places: dict[int, list[int]] = dict(database.rows(query))
    for id in sorted({*exports, *places}, key=repr):
        if id not in exports:
            yield Fault("kept_piece", f"kept {id}", "unknown", "these bytes belong to no export")
            continue
        pieces = places.get(id, [])
        count.add("kept_piece", len(pieces))
        if pieces != list(range(len(pieces))) or not pieces:
            yield Fault("kept_piece", f"kept {id}", "missing", f"the stored pieces are: {pieces or 'none'}")
            continue
        yield from _prove_bytes(id, pieces, *exports[id])


def _prove_bytes(id: int, pieces: list[int], digest: str, length: int) -> Iterator[Fault]:
    hashed, size = sha256(), 0
    for place in pieces:
        query = "SELECT content FROM kept_piece WHERE kept = %s AND place = %s"
        content = database.rows(query, [id, place])[0][0] or b""
        if len(content) != CHUNK_BYTES and place != pieces[-1]:
            yield Fault("kept_piece", f"kept {id} place {place}", "changed", f"has {len(content):,} bytes")
        hashed.update(content)
        size += len(content)
    if hashed.hexdigest() != digest or size != length:
        says = (
            f"{size:,} bytes with SHA-256 {hashed.hexdigest()}; the archived export has {length:,}"
            f" bytes with {digest}"
        )
        yield Fault("kept_piece", f"kept {id}", "changed", says)


def _manifest_error(manifest: str, digest: str, length: int) -> str:
    """Return a text that says how a manifest contradicts its export, or an empty text if it does not."""
    try:
        document = json.decode(manifest)
    except DecodeError:
        return "its manifest is not JSON"
    stated = document if isinstance(document, dict) else {}
    for name, label, value in (("sha256", "SHA-256", digest), ("bytes", "length", length)):
        if (stated_value := stated.get(name)) != value:
            return f"its manifest says {label} {stated_value}, the export has {value}"
    return ""
