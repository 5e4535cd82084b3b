"""Record facts. All writes of facts use this module.

Either all facts of a request are recorded, or none. The same transaction requests a job to examine the new
facts. Workers are notified after the commit. Small requests of several threads may share a transaction
(audit/ledger/group_commit.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import compress, repeat
from typing import NamedTuple, TypeVar

from django.db import transaction

from audit.facts import Prepared, Refused, check
from audit.jobs import leases
from audit.ledger import group_commit, store
from audit.ledger.store import Recorded

T = TypeVar("T")


class Sender(NamedTuple):
    """The sender of a request.

    Attributes:
        properties: the properties for which it may record facts, or None for all.
    """

    name: str
    properties: frozenset[str] | None = None


class Post(NamedTuple):
    """Facts that are recorded together, in batches of one property each."""

    facts: Sequence[Prepared]
    batches: list[store.PackedFacts]


def post(lines: Sequence[bytes], sender: Sender) -> list[Recorded]:
    """Record facts as they were sent. Return one result for each line, in the order of the lines.

    If one of the facts cannot be recorded, no fact is recorded. Refused is then raised with the index of this
    fact in the request.
    """
    return post_prepared(list(_checked(lines)), sender)


def post_prepared(facts: Sequence[Prepared], sender: Sender) -> list[Recorded]:
    """Record facts that are already validated, such as the facts of a file. Return one result for each.

    If one of the facts cannot be recorded, Refused is raised and nothing is recorded.
    """
    batches = _by_property(facts, sender)
    if len(batches) == 1 and group_commit.may_share(facts):
        (property,) = batches
        return group_commit.record(property, facts, _record_group)
    return record(_packed(batches, facts))


def arrange(facts: Sequence[Prepared], sender: Sender) -> Post:
    """Return facts as a post that `record` can send to the ledger. This does not use the database.

    Raises Refused if the sender may not post one of the facts, or if one uid has two bodies.
    """
    return _packed(_by_property(facts, sender), facts)


def record(post: Post, savepoint: bool = True) -> list[Recorded]:
    """Record an arranged post in one transaction. Return one result for each fact.

    If one of the facts cannot be recorded, Refused is raised and nothing is recorded.

    Args:
        savepoint: if the caller has a transaction, a savepoint lets the caller continue it after a refusal.
    """
    with transaction.atomic(savepoint=savepoint):
        answers = [_append(store.append, batch, post.facts) for batch in post.batches]
        _ask(post, [[recorded.fresh for recorded in answer] for answer in answers])
    if len(answers) == 1 and len(answers[0]) == len(post.facts):
        return answers[0]
    by_uid = {
        (batch.property, recorded.uid): recorded
        for batch, answer in zip(post.batches, answers, strict=True)
        for recorded in answer
    }
    return [by_uid[fact.property, fact.uid] for fact in post.facts]


def record_count(post: Post, meanwhile: Callable[[], object] | None = None) -> int:
    """Record an arranged post as `record` does, but do not read the places of the facts. Return how many
    facts are new.

    Args:
        meanwhile: a function to call while the server records the facts.
    """
    append = partial(store.append_without_places, meanwhile=meanwhile)
    with transaction.atomic():
        fresh = [_append(append, batch, post.facts) for batch in post.batches]
        _ask(post, fresh)
    return sum(
        len(batch.facts) if flags is None else sum(flags)
        for batch, flags in zip(post.batches, fresh, strict=True)
    )


def _packed(batches: dict[str, dict[int, Prepared]], facts: Sequence[Prepared]) -> Post:
    # The order is always the same, so that two requests for several properties never deadlock.
    return Post(facts, [store.pack(list(batches[name].values())) for name in sorted(batches)])


def _by_property(facts: Sequence[Prepared], sender: Sender) -> dict[str, dict[int, Prepared]]:
    """Return {property: {uid: fact}}. Raise Refused if the sender may not post for a property, or if a uid is
    sent twice with two bodies.
    """
    batches: dict[str, dict[int, Prepared]] = {}
    for index, fact in enumerate(facts):
        batch = batches.get(fact.property)
        if batch is None:
            _check_right(sender, fact, index)
            batch = batches[fact.property] = {}
        first = batch.setdefault(fact.uid.int, fact)
        if first is not fact and first.leaf != fact.leaf:
            raise Refused(
                "uid-reused", _two_bodies(first, facts, fact), field="uid", uid=str(fact.uid), index=index
            )
    return batches


def _record_group(facts: Sequence[Prepared]) -> list[Recorded]:
    """Record the facts of several requests in one transaction. The rights of their senders were checked when
    each request arrived.
    """
    return record(arrange(facts, Sender("group")), savepoint=False)


def _ask(post: Post, fresh: Sequence[Sequence[bool] | None]) -> None:
    """Request the examination of the new facts. `fresh` has a value for each batch: which of its facts are
    new, or None if all are.
    """
    leases.ask(
        subject
        for batch, flags in zip(post.batches, fresh, strict=True)
        for subject in (batch.subjects if flags is None or all(flags) else _fresh_subjects(batch, flags))
    )


def _fresh_subjects(batch: store.PackedFacts, fresh: Sequence[bool]) -> set[tuple[str, str, str]]:
    """Return the property, stream and kind of each new fact."""
    return set(compress(zip(repeat(batch.property), batch.streams, batch.kinds), fresh))


def _checked(lines: Iterable[bytes]) -> Iterable[Prepared]:
    for index, line in enumerate(lines):
        try:
            yield check(line)
        except Refused as refused:
            refused.index = index
            raise


def _append(
    append: Callable[[store.PackedFacts], T], batch: store.PackedFacts, facts: Sequence[Prepared]
) -> T:
    """Call a function that records a batch. If it refuses a fact, name the index of the fact in `facts`."""
    try:
        return append(batch)
    except Refused as refused:
        if refused.index is not None:
            at_fault = batch.facts[refused.index]
            refused.index = next(index for index, fact in enumerate(facts) if fact is at_fault)
        raise


def _check_right(sender: Sender, fact: Prepared, index: int) -> None:
    if sender.properties is not None and fact.property not in sender.properties:
        reason = f"{sender.name} may not post for {fact.property}"
        raise Refused("no-right", reason, field="table", uid=str(fact.uid), index=index)


def _two_bodies(first: Prepared, facts: Sequence[Prepared], second: Prepared) -> str:
    place = next(place for place, fact in enumerate(facts, 1) if fact is first)
    return (
        f"sent twice in one post with two bodies: the SHA-256 leaf of the first, fact {place} of the post, is"
        f" {first.leaf.hex()}, that of this one {second.leaf.hex()}"
    )
