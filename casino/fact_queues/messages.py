"""Messages of a broker that contain facts, and what a consumer needs from a connection to a broker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from audit.facts import Refused
from casino.runtime.queue_urls import FactQueue

BATCH = 500
"""Maximum number of messages that are recorded in one transaction."""
FACTS = 2_000
"""Maximum number of facts in one transaction, unless one message has more. During a transaction the ledger of
the property is locked, and other senders wait.
"""
LINGER = 0.02
"""Seconds to wait for more messages after the first one of a batch."""
AT_ONCE = 0.001
"""Seconds to wait for a message that has arrived already."""


class Message(NamedTuple):
    """A message that the broker has delivered and that is not acknowledged yet.

    Attributes:
        tag: the number by which the broker knows the delivery.
        body: one fact as JSON, or several facts, one a line.
        topic: the topic or the routing key with which the message was published.
    """

    tag: int
    body: bytes
    topic: str


class BrokerGone(Exception):
    """The broker does not answer, or it refuses this consumer. The consumer connects again later."""


class BrokerConnection(Protocol):
    """A connection to a broker that delivers messages in order and waits for acknowledgements."""

    def take(self, seconds: float) -> list[Message]:
        """Return the next messages, at most BATCH. Wait at most this many seconds for the first one."""

    def accept(self, messages: list[Message]) -> None:
        """Acknowledge the messages of a batch. The broker then deletes them."""

    def refuse(self, refused: Sequence[tuple[Message, Refused]]) -> None:
        """Publish messages to the queue or topic of refused messages, each with its reason. Return when the
        broker has stored them.
        """

    def close(self) -> None:
        """End the connection. Messages that were not acknowledged are delivered again later."""


Connect = Callable[[FactQueue], BrokerConnection]


def headers(reason: Refused) -> dict[str, Any]:
    """Return the headers that a refused message gets: the code and the sentence of its refusal."""
    return {"catwalk-code": reason.code, "catwalk-reason": str(reason)[:500]}
