"""Prove the data of cases that is not in facts: files and texts. Also prove the chain of confidential
facts.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from audit import database
from audit.facts.chain import FIRST, leaf_of, link
from audit.proofs.registry import Fault, RowCount
from casino.cases.files import PIECE_BYTES
from casino.proofs import seals


def prove_files(count: RowCount) -> Iterator[Fault]:
    """Yield a fault for each file of a case whose bytes do not match its SHA-256 and its length."""
    query = "SELECT property, confidential, sha256, bytes FROM case_file ORDER BY 1, 2, 3"
    for property, confidential, digest, length in database.rows(query):
        hashed, size, place = sha256(), 0, 0
        query = """SELECT content FROM case_file_piece
            WHERE property = %s AND confidential = %s AND sha256 = %s AND place = %s"""
        while row := database.first_row(query, [property, confidential, digest, place]):
            content = row[0] or b""
            hashed.update(content)
            size, place = size + len(content), place + 1
        count.add("case_file_piece", place)
        if hashed.hexdigest() != digest or size != length:
            says = f"{size:,} bytes with SHA-256 {hashed.hexdigest()}; the added file has {length:,} bytes"
            yield Fault("case_file_piece", f"{property} file {digest}", "changed", says)
    for property, digest, place in database.rows(_UNKNOWN, [PIECE_BYTES]):
        says = f"piece {place} belongs to no file: the file was erased, or Catwalk did not insert this piece"
        yield Fault("case_file_piece", f"{property} file {digest}", "unknown", says)


_UNKNOWN = """SELECT p.property, p.sha256, p.place FROM case_file_piece p
    LEFT JOIN case_file f USING (property, confidential, sha256)
    WHERE f.sha256 IS NULL OR NOT p.place::numeric BETWEEN 0 AND (f.bytes::numeric - 1) / %s
    ORDER BY 1, 2, 3"""


def prove_words(count: RowCount) -> Iterator[Fault]:
    """Yield a fault for each text of a case that does not match the hash in its fact."""
    yield from seals.prove_table("case_words", count)
    for property, digest, salt, words in database.rows(
        "SELECT property, sha256, salt, words FROM case_words ORDER BY 1, 2"
    ):
        if sha256(f"{salt}{words}".encode()).hexdigest() != digest:
            says = "its salt and words do not have this SHA-256"
            yield Fault("case_words", f"{digest} {property}", "changed", says)


_BIGINT = range(2**63)


def prove_confidential(count: RowCount) -> Iterator[Fault]:
    """Yield a fault for each confidential fact that is not chained to the one before it."""
    yield from seals.prove_table("confidential_fact", count)
    query = "SELECT property, position, body, leaf, chain FROM confidential_fact ORDER BY 1, 2"
    of, last, chain = "", 0, FIRST
    for property, position, *hashed in database.stream_rows(query):
        body, leaf, stored = (bytes(value or b"") for value in hashed)
        if property != of:
            of, last, chain = property, 0, FIRST
        place = f"{property} position {position}"
        if position != last + 1:
            yield Fault("confidential_fact", place, "missing", f"the fact before it is {last}")
        last = position if position in _BIGINT else 0
        chain = link(chain, last, last, leaf_of(body))
        if leaf_of(body) != leaf or stored != chain:
            yield Fault("confidential_fact", place, "changed", "its hashes are not those of its bytes")
