"""Collect what an evidence pack contains: the hands with their findings and verdicts, the facts with their
positions in the ledger, the texts and the files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import tzinfo
from typing import Any, NamedTuple

from audit import database
from audit.review import verdicts
from audit.review.case_fold import Case, CaseFile, Part
from audit.review.hands import Played, named
from audit.review.verdicts import CurrentFinding
from audit.tree import checkpoints, documents
from audit.tree.checkpoints import Stored
from casino.cases import files, timeline, words
from casino.cases.packs import SUSPICION_EVIDENCE, Subject, load_case
from casino.cases.words import Words
from casino.reference.calendar import zone


class PackFact(NamedTuple):
    """A fact with its hash (`leaf`), and with the chain hashes before (`previous`) and after it (`chain`)."""

    position: int
    number: int
    stream: str
    body: bytes
    leaf: bytes
    previous: bytes
    chain: bytes


class PackHand(NamedTuple):
    """A hand in an evidence pack, with its current findings."""

    part: Part
    played: Played
    findings: list[CurrentFinding]


class PackFile(NamedTuple):
    """A file of a pack, with its name inside the ZIP. `is_stored` is False if the file was erased."""

    file: CaseFile
    name: str
    member: str
    is_stored: bool


class Evidence(NamedTuple):
    """Everything that a pack contains."""

    subject: Subject
    title: str
    case: Case | None
    hands: list[PackHand]
    facts: list[PackFact]
    confidential: list[PackFact]
    words: dict[str, Words]
    notes: dict[str, str]
    """The notes of verdicts by their hash, which is computed without a salt."""
    files: list[PackFile]
    position: int
    chain: bytes
    zone: tzinfo
    checkpoint: Stored | None
    """The signed checkpoint that covers the facts, or None if the ledger has no checkpoint yet."""
    paths: dict[int, list[bytes]]
    """{position of a fact: the hashes of its inclusion proof}, for each fact that the checkpoint covers."""

    def texts(self) -> dict[str, str]:
        """Return {hash: text} of the texts of the case."""
        digests = self.case.digests() if self.case is not None else ()
        return dict.fromkeys(digests, words.ERASED) | {
            text.sha256: text.words for text in self.words.values()
        }


class NothingToShow(LookupError):
    """The case or the hand of a pack does not exist. The text is a sentence."""


def collect(subject: Subject, position: int, chain: bytes) -> Evidence:
    """Collect the evidence as of a position of the ledger. Call it inside `as_of` for this position. Raise
    NothingToShow if the case or the hand does not exist.
    """
    case = load_case(subject) if subject.case else None
    if subject.case and case is None:
        raise NothingToShow("the case does not exist")
    wanted = case.hands() if case is not None else [Part("hand", subject.stream, subject.hand)]
    hands = [hand for part in wanted if (hand := _hand(subject.property, part)) is not None]
    if not case and not hands:
        raise NothingToShow(f"{subject.stream} has no {subject.hand}")
    hidden = subject.kind() == SUSPICION_EVIDENCE
    positions = sorted(_positions(hands, [] if hidden or case is None else [f.position for f in case.facts]))
    facts = _facts(subject.property, positions)
    # No checkpoint is signed for the pack of a suspicion. A checkpoint of exactly its position may be signed
    # later. It is never used, so that a pack has the same bytes when it is built again.
    checkpoint = checkpoints.last_upto(subject.property, position - hidden)
    texts = words.words_of(subject.property, case.digests()) if case is not None else {}
    title = texts[case.title_sha256].words if case is not None and case.title_sha256 in texts else ""
    return Evidence(
        subject=subject,
        title=title or (timeline.part_label(wanted[0]) if case is None else f"Case {case.case}"),
        case=case,
        hands=hands,
        facts=facts,
        confidential=_confidential(subject.property, case) if hidden and case is not None else [],
        words=texts,
        notes=_notes(subject.property, hands),
        files=_files(subject.property, case, texts, hidden=hidden) if case is not None else [],
        position=position,
        chain=chain,
        zone=zone(subject.property),
        checkpoint=checkpoint,
        paths=_paths(subject.property, facts, checkpoint),
    )


def _hand(property: str, part: Part) -> PackHand | None:
    played = named(property, part.stream, part.of)
    if played is None:
        return None
    return PackHand(part, played, verdicts.findings_of(property, part.stream, part.of))


def _positions(hands: Sequence[PackHand], others: Sequence[int]) -> Iterator[int]:
    """Yield the positions in the ledger of all facts of the pack. They are the facts and corrections of the
    hands, the verdicts on their findings, and `others`.
    """
    yield from {
        *others,
        *(fact.position for hand in hands for fact in (*hand.played.facts, *hand.played.corrections)),
        *(verdict.position for hand in hands for finding in hand.findings for verdict in finding.verdicts),
    }


def _facts(property: str, positions: Sequence[int]) -> list[PackFact]:
    """Return facts of the ledger, each with the chain hash of the fact before it."""
    query = """SELECT f.position, f.number, f.stream, f.body, f.leaf,
            coalesce(b.chain, %s::bytea) AS previous, f.chain
        FROM fact f LEFT JOIN fact b ON b.property = %s AND b.position = f.position - 1
        WHERE f.property = %s AND f.position = ANY (%s) ORDER BY f.position"""
    return _records(query, [bytes(32), property, property, list(positions)])


def _paths(property: str, facts: Sequence[PackFact], checkpoint: Stored | None) -> dict[int, list[bytes]]:
    if checkpoint is None:
        return {}
    leaves = {fact.position: fact.leaf for fact in facts if fact.position <= checkpoint.size}
    return documents.inclusion_paths(property, leaves, checkpoint)


def _confidential(property: str, case: Case) -> list[PackFact]:
    """Return the confidential facts of a suspicion, each with the chain hash of the fact before it."""
    query = """SELECT f.position, f.position AS number, '' AS stream, f.body, f.leaf,
            coalesce(b.chain, %s::bytea) AS previous, f.chain
        FROM confidential_fact f
            LEFT JOIN confidential_fact b ON b.property = %s AND b.position = f.position - 1
        WHERE f.property = %s AND f.position = ANY (%s) ORDER BY f.position"""
    positions = [fact.position for fact in case.facts]
    return _records(query, [bytes(32), property, property, positions])


def _records(query: str, values: list[Any]) -> list[PackFact]:
    parsers = dict.fromkeys(("body", "leaf", "previous", "chain"), bytes)
    return database.records(PackFact, query, values, **parsers)


def _notes(property: str, hands: Sequence[PackHand]) -> dict[str, str]:
    digests = {
        verdict.note_sha256
        for hand in hands
        for finding in hand.findings
        for verdict in finding.verdicts
        if verdict.note_sha256
    }
    query = "SELECT sha256, words FROM free_words WHERE property = %s AND sha256 = ANY (%s) ORDER BY 1"
    return dict(database.rows(query, [property, sorted(digests)]))


def _files(property: str, case: Case, texts: dict[str, Words], *, hidden: bool) -> list[PackFile]:
    packed = []
    for place, file in enumerate(case.files, 1):
        stored = files.stored(property, file.sha256, confidential=hidden)
        name = texts[file.name_sha256].words if file.name_sha256 in texts else words.ERASED
        is_stored = stored is not None and file.sha256 not in case.erased
        packed.append(PackFile(file, name, f"files/{place:03}-{file.sha256[:12]}.bin", is_stored))
    return packed
