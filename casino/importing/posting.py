"""Checked facts into the ledger, batch by batch. A killed import goes on by the same command: what is
recorded is recorded.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct, field

from audit.facts import Prepared, Refused
from audit.ledger.intake import Sender, post_prepared
from audit.ledger.store import Recorded
from audit.queries import cage_facts
from casino.importing.delivery import differences
from casino.importing.spool import Batch, Spool

OF_THE_STREAM = frozenset({"stream-sealed", "not-opened"})
"""Refusals that meet every fact of the stream, and not this one alone."""


class PostResult(Struct):
    """How an import went. `refused`: file from 0, line and why of each fact that the ledger alone could
    refuse.
    """

    recorded: int = 0
    already: int = 0
    refused: list[tuple[int, int, str]] = field(default_factory=list)
    streams: set[tuple[str, str]] = field(default_factory=set)
    """Property and name of each stream that facts stand in."""


def post(spool: Spool, sender: Sender, *, strict: bool, progress: Callable[[int], None]) -> PostResult:
    """Record everything in the spool. `strict`: stop before the batch of the first refused fact; else leave
    it out and go on.

    `progress` is told how many facts are done.
    """
    told = PostResult()
    done = 0
    for batch in spool.batches():
        done += len(batch.facts)
        while batch.facts:
            try:
                answers = post_prepared(batch.facts, sender)
            except Refused as refused:
                batch = _drop_refused(batch, refused, told)
                if strict:
                    return told
            else:
                _count(told, batch.facts, answers)
                break
        progress(done)
    return told


def _count(told: PostResult, facts: list[Prepared], answers: list[Recorded]) -> None:
    fresh = len(
        {answer.chain for answer in answers if answer.fresh}
    )  # two equal facts of a post have one answer
    told.recorded += fresh
    told.already += len(answers) - fresh
    told.streams.update(
        (property, stream) for stream, property in {fact.stream: fact.property for fact in facts}.items()
    )


def _drop_refused(batch: Batch, refused: Refused, told: PostResult) -> Batch:
    """Return the batch without the refused fact, and add the refusal to `told`."""
    assert refused.index is not None, "the ledger names the fact that it refuses"
    stream = batch.facts[refused.index].stream
    kept = Batch([], [])
    for index, (place, fact) in enumerate(zip(batch.places, batch.facts, strict=True)):
        if index == refused.index or (
            refused.code in OF_THE_STREAM and fact.stream == stream and index > refused.index
        ):
            told.refused.append((*place, _why(refused, batch.facts[refused.index])))
        else:
            kept.places.append(place)
            kept.facts.append(fact)
    return kept


def _why(refused: Refused, fact: Prepared) -> str:
    """Return why a fact was refused; for a uid that exists with another body, both values of the fields that
    differ.
    """
    why = f"{refused.field}: {refused.why}" if refused.field else refused.why
    recorded = cage_facts.fact(fact.property, fact.uid) if refused.code == "uid-reused" else None
    return f"{why}; it {differences(recorded.body, fact.body)}" if recorded is not None else why
