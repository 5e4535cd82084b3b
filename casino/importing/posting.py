"""Record validated facts in the ledger, in batches. An import that was interrupted continues with the same
command, because the recorded facts remain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct, field

from audit.facts import Prepared, Refused
from audit.ledger.intake import Post, Sender, arrange, record_count
from audit.queries import cage_facts
from casino.importing.delivery import differences
from casino.importing.look_ahead import LookAhead
from casino.importing.spool import Batch, Spool

OF_THE_STREAM = frozenset({"stream-sealed", "not-opened"})
"""Codes of refusals that apply to all facts of a stream and not only to one fact."""


class PostResult(Struct):
    """The result of an import.

    Attributes:
        refused: for each valid fact that the ledger refused, the index of its file (from 0), its line, and
            the reason.
    """

    recorded: int = 0
    already: int = 0
    refused: list[tuple[int, int, str]] = field(default_factory=list)
    streams: set[tuple[str, str]] = field(default_factory=set)
    """The property and the name of each stream to which the facts belong."""


def post(spool: Spool, sender: Sender, *, strict: bool, progress: Callable[[int], None]) -> PostResult:
    """Record all facts in the spool, and return the result. If the ledger refuses a fact and `strict` is
    True, stop: the batch with this fact and all later batches are not recorded. If `strict` is False, record
    the others without the refused fact.

    The batches are committed in their order. While the server records one, the next one is arranged.
    `progress` is called with the number of facts processed.
    """
    result = PostResult()
    count = 0
    posts = LookAhead(_arranged(spool, sender))
    for batch, arranged in posts:
        count += len(batch.facts)
        while batch.facts:
            try:
                arranged = arranged or arrange(batch.facts, sender)
                fresh = record_count(arranged, posts.prepare)
            except Refused as refused:
                arranged = None
                batch = _drop_refused(batch, refused, result)
                if strict:
                    return result
            else:
                result.recorded += fresh
                result.already += len(batch.facts) - fresh
                result.streams.update(
                    (property, stream)
                    for packed in arranged.batches
                    for property, stream, _ in packed.subjects
                )
                break
        progress(count)
    return result


def _arranged(spool: Spool, sender: Sender) -> Iterator[tuple[Batch, Post | None]]:
    """Yield each batch with its arranged post. The post is None if a fact is refused: the caller gets the
    refusal when it arranges the batch itself.
    """
    for batch in spool.batches():
        try:
            yield batch, arrange(batch.facts, sender)
        except Refused:
            yield batch, None


def _drop_refused(batch: Batch, refused: Refused, result: PostResult) -> Batch:
    """Return the batch without the refused fact, and add the refusal to `result`. If the ledger refuses a
    whole stream, also remove the later facts of that stream from the batch.
    """
    assert refused.index is not None, "the ledger names the fact that it refuses"
    stream = batch.facts[refused.index].stream
    remaining = Batch([], [])
    for index, (place, fact) in enumerate(zip(batch.places, batch.facts, strict=True)):
        if index == refused.index or (
            refused.code in OF_THE_STREAM and fact.stream == stream and index > refused.index
        ):
            result.refused.append((*place, _why(refused, batch.facts[refused.index])))
        else:
            remaining.places.append(place)
            remaining.facts.append(fact)
    return remaining


def _why(refused: Refused, fact: Prepared) -> str:
    """Return the reason why a fact was refused. If a fact with the same uid and another body is already
    recorded, also name each field that differs, with both values.
    """
    reason = f"{refused.field}: {refused.why}" if refused.field else refused.why
    recorded = cage_facts.fact(fact.property, fact.uid) if refused.code == "uid-reused" else None
    return f"{reason}; it {differences(recorded.body, fact.body)}" if recorded is not None else reason
