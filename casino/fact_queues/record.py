"""Record the facts of a batch of messages, as the REST API records the facts of a post.

A message is recorded completely or not at all. If a message is refused, the others are still recorded, in
their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec import Struct, field

from audit.facts import Prepared, Refused, check
from audit.ledger import intake
from audit.ledger.group_commit import record_each
from audit.ledger.intake import Sender
from audit.ledger.store import Recorded
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
    send the facts. Up to FACTS facts are recorded in one transaction (audit/ledger/group_commit.py).
    """
    result = BatchResult()
    valid: list[tuple[Message, list[Prepared]]] = []
    for message in messages:
        try:
            valid.append((message, [check(line) for line in _lines(message.body)]))
        except Refused as refused:
            result.refused.append((message, refused))
    outcomes = record_each([facts for _, facts in valid], partial(_post, device), FACTS)
    for (message, _), outcome in zip(valid, outcomes, strict=True):
        if isinstance(outcome, Refused):
            result.refused.append((message, outcome))
        else:
            fresh = len({recorded.chain for recorded in outcome if recorded.fresh})
            result.recorded += fresh
            result.already += len(outcome) - fresh
    return result


def _post(device: Device, facts: list[Prepared]) -> list[Recorded]:
    """Record these facts in one transaction, and return one result for each."""
    senders.check(device, facts)
    results = intake.post_prepared(facts, Sender(device.key, senders.properties_of(device)))
    for property in {fact.property for fact in facts if fact.kind == "register-set"}:
        projection.sync_registers(property)
    return results


def _lines(body: bytes) -> list[bytes]:
    """Return the facts of a message, one for each line. An empty message is returned as one line, which is
    refused.
    """
    return [line for line in body.split(b"\n") if line and not line.isspace()] or [body]
