"""Record the facts of a batch of messages, as the REST API records the facts of a post.

A message is recorded completely or not at all. If a message is refused, the others are still recorded, in
their order.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from audit.facts import Prepared, Refused, check
from audit.ledger import intake
from audit.ledger.intake import Sender
from casino.api import senders
from casino.fact_queues.messages import FACTS, Message
from casino.models import Device
from casino.reference import projection


class BatchResult(Struct):
    """The result of a batch: how many facts were recorded, how many were recorded before, and the messages
    that were refused.
    """

    recorded: int = 0
    already: int = 0
    refused: list[tuple[Message, Refused]] = field(default_factory=list)


def record(device: Device, messages: Sequence[Message]) -> BatchResult:
    """Record the facts of these messages in their order, and return the result. The device must be allowed to
    send the facts.

    If no message is refused, up to FACTS facts are recorded in one transaction. After a refused message, the
    next transaction records one message, and each further transaction twice as many as the one before it.
    This takes little time even if many messages are refused.
    """
    result = BatchResult()
    valid: list[tuple[Message, list[Prepared]]] = []
    for message in messages:
        try:
            valid.append((message, [check(line) for line in _lines(message.body)]))
        except Refused as refused:
            result.refused.append((message, refused))
    place, size = 0, len(valid)
    while place < len(valid):
        batch = _first_batch(valid[place : place + size])
        try:
            _post(device, [fact for _, facts in batch for fact in facts], result)
        except Refused as refused:
            size = _place_of(refused.index, batch)
            if size == 0:
                result.refused.append((batch[0][0], refused))
                place, size = place + 1, 1
        else:
            place, size = place + len(batch), size * 2
    return result


def _first_batch(valid: Sequence[tuple[Message, list[Prepared]]]) -> Sequence[tuple[Message, list[Prepared]]]:
    """Return the first of these messages that can be recorded in one transaction: together they have at most
    FACTS facts, or there is only one message.
    """
    facts = 0
    for place, (_, prepared) in enumerate(valid):
        facts += len(prepared)
        if place and facts > FACTS:
            return valid[:place]
    return valid


def _post(device: Device, facts: list[Prepared], result: BatchResult) -> None:
    """Record these facts in one transaction. Add to the result how many were recorded now and how many had
    been recorded before.
    """
    senders.check(device, facts)
    answers = intake.post_prepared(facts, Sender(device.key, senders.properties_of(device)))
    recorded = len({answer.chain for answer in answers if answer.fresh})
    result.recorded += recorded
    result.already += len(answers) - recorded
    for property in {fact.property for fact in facts if fact.kind == "register-set"}:
        projection.sync_registers(property)


def _lines(body: bytes) -> list[bytes]:
    """Return the facts of a message, one for each line. An empty message is returned as one line, which is
    refused.
    """
    return [line for line in body.split(b"\n") if line and not line.isspace()] or [body]


def _place_of(index: int | None, valid: Sequence[tuple[Message, list[Prepared]]]) -> int:
    """Return the index of the message that contains the refused fact. `index` is the index of the fact among
    the facts of all these messages.
    """
    assert index is not None, "the ledger names the fact that it refuses"
    for place, (_, facts) in enumerate(valid):
        index -= len(facts)
        if index < 0:
            return place
    raise LookupError(index)
