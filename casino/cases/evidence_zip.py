"""Write an evidence pack: one ZIP that `verify_export.py` checks without Catwalk. The same evidence always
gives the same bytes, because the file contains no time other than those of the facts.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import IO, Any, NamedTuple

from msgspec import json

from casino.cases import files
from casino.cases.evidence import Evidence, PackFact
from casino.cases.evidence_pdf import render_pdf
from casino.cases.packs import FORMAT, SUSPICION_EVIDENCE, TITLE

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of every file in the ZIP, because the format requires one."""
MANIFEST = "manifest.json"
README = """Evidence pack of Catwalk

evidence.pdf    what happened, for people
facts.ndjson    the facts, one a line, byte for byte as they are in the ledger
proof.json      for each line of facts.ndjson: its place in the ledger, its hash, the chain before and after,
                and the hashes that lead from it to the root of the checkpoint
checkpoint.txt  the size and the root of the ledger, signed by the casino
words.json      the words behind the hashes in the facts: SHA-256 of salt and words
files/          files of the case, under neutral names; proof of each is its SHA-256 in the facts
manifest.json   the length and the SHA-256 of every file here

Check it:  python verify_export.py PACK.zip
The program needs no Catwalk. It recomputes every hash. That the casino has signed the checkpoint:
python verify_proof.py checkpoint.txt --vkey VKEY    with the public key VKEY that the casino names.
Or compare the position and the chain of the ledger's head in manifest.json with those that the casino or the
regulator has noted.
"""


class Member(NamedTuple):
    """A file inside the pack, with its length and hash."""

    name: str
    bytes: int
    sha256: str


def write(evidence: Evidence, file: IO[bytes]) -> int:
    """Write the pack into a file and return the number of its facts."""
    members = []
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name, parts, is_packed in _members(evidence):
            members.append(_add(archive, name, parts, is_packed=is_packed))
        content = json.format(json.encode(_manifest(evidence, members)), indent=2) + b"\n"
        _add(archive, MANIFEST, [content], is_packed=False)
    return len(_all(evidence))


def _members(evidence: Evidence) -> Iterator[tuple[str, Iterable[bytes], bool]]:
    """Yield (name, content, is compressed) of each file of the pack except the manifest."""
    yield "README.txt", [README.encode()], False
    yield "evidence.pdf", [render_pdf(evidence)], False
    yield "facts.ndjson", (fact.body + b"\n" for fact in _all(evidence)), False
    yield "proof.json", [json.format(json.encode(_proof(evidence)), indent=1) + b"\n"], False
    if evidence.checkpoint is not None:
        yield "checkpoint.txt", [evidence.checkpoint.note.encode()], False
    yield "words.json", [json.format(json.encode(_words(evidence)), indent=1) + b"\n"], False
    hidden = evidence.subject.kind() == SUSPICION_EVIDENCE
    for file in evidence.files:
        if file.is_stored:
            content = files.read(evidence.subject.property, file.file.sha256, confidential=hidden)
            yield file.member, content, True


def _add(archive: zipfile.ZipFile, name: str, parts: Iterable[bytes], *, is_packed: bool) -> Member:
    info = zipfile.ZipInfo(name, EPOCH)
    info.compress_type = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    digest, length = sha256(), 0
    with archive.open(info, "w", force_zip64=True) as target:
        for part in parts:
            digest.update(part)
            length += len(part)
            target.write(part)
    return Member(name, length, digest.hexdigest())


def _all(evidence: Evidence) -> list[PackFact]:
    return [*evidence.facts, *evidence.confidential]


def _proof(evidence: Evidence) -> dict[str, Any]:
    """Return the content of `proof.json`: for each fact, its position in the ledger and its hashes. The facts
    have the same order as the lines of `facts.ndjson`.
    """
    hidden = {id(fact) for fact in evidence.confidential}
    return {
        "property": evidence.subject.property,
        "head": {"position": evidence.position, "chain": evidence.chain.hex()},
        "size": evidence.checkpoint.size if evidence.checkpoint is not None else None,
        "facts": [
            {
                "ledger": "confidential" if id(fact) in hidden else "property",
                "position": fact.position,
                "stream": fact.stream,
                "number": fact.number,
                "leaf": fact.leaf.hex(),
                "previous": fact.previous.hex(),
                "chain": fact.chain.hex(),
                "hashes": None if id(fact) in hidden else _path(evidence, fact),
            }
            for fact in _all(evidence)
        ],
    }


def _path(evidence: Evidence, fact: PackFact) -> list[str] | None:
    """Return the inclusion proof of a fact, or None if the checkpoint does not cover it."""
    path = evidence.paths.get(fact.position)
    return None if path is None else [hashed.hex() for hashed in path]


def _words(evidence: Evidence) -> list[dict[str, str]]:
    salted = [
        {"sha256": entry.sha256, "salt": entry.salt, "words": entry.words}
        for entry in evidence.words.values()
    ]
    notes = [{"sha256": digest, "salt": "", "words": text} for digest, text in sorted(evidence.notes.items())]
    return sorted([*salted, *notes], key=lambda entry: entry["sha256"])


def _manifest(evidence: Evidence, members: list[Member]) -> dict[str, Any]:
    return {
        "manifest": 1,
        "what": evidence.subject.kind(),
        "title": TITLE,
        "format": FORMAT,
        "filter": {"property": evidence.subject.property, **dict(evidence.subject.filters())},
        "rows": len(_all(evidence)),
        "members": [member._asdict() for member in members],
        "ledger": [
            {
                "property": evidence.subject.property,
                "position": evidence.position,
                "chain": evidence.chain.hex(),
            }
        ],
    }
