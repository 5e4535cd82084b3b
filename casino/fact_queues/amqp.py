"""Take facts from a queue of an AMQP 0-9-1 broker such as RabbitMQ.

The consumer is exclusive: the broker refuses a second consumer of the same queue, so the order of the
messages is kept.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from ssl import create_default_context
from time import monotonic
from typing import Any
from urllib.parse import unquote

from amqp import AMQPError, Connection
from amqp import Message as Published
from amqp.exceptions import NotFound

from audit.facts import Refused
from casino.fact_queues.messages import AT_ONCE, BATCH, LINGER, BrokerGone, Message, headers
from casino.runtime.queue_urls import FactQueue

REFUSED_QUEUE = "{}.refused"
"""The name of the queue of refused messages."""
HEARTBEAT, CONNECT_SECONDS = 60, 10
READ_AHEAD = 64 * 1024
"""Maximum number of bytes to take from the socket at a time."""
PERSISTENT = 2
"""The delivery mode with which the broker writes a message to its disk."""


class ReadAhead:
    """Takes all bytes that have arrived from a socket, and returns them in the pieces that the library needs.

    The library reads a message in nine pieces. Without this class, each of them is a call of the operating
    system.
    """

    def __init__(self, receive: Callable[[int], bytes]) -> None:
        self._receive, self._bytes, self._place = receive, b"", 0

    def __call__(self, size: int) -> bytes:
        """Return the next bytes, at most this number, or no bytes if the broker has closed the connection.
        Wait only if no byte is left.
        """
        if self._place == len(self._bytes):
            self._bytes, self._place = self._receive(READ_AHEAD), 0
        part = self._bytes[self._place : self._place + size]
        self._place += len(part)
        return part


class AmqpConnection:
    """A connection to an AMQP broker with one exclusive consumer."""

    def __init__(self, queue: FactQueue) -> None:
        user, password = queue.login()
        self._waiting: deque[Message] = deque()
        self._refused = REFUSED_QUEUE.format(queue.source)
        self._connection = Connection(
            host=f"{queue.parts().hostname}:{queue.port()}",
            userid=user or "guest",
            password=password or "guest",
            virtual_host=unquote(queue.parts().path.lstrip("/")) or "/",
            ssl={"context": create_default_context()} if queue.is_encrypted() else False,
            connect_timeout=CONNECT_SECONDS,
            heartbeat=HEARTBEAT,
            confirm_publish=True,
        )
        try:
            self._connection.connect()
            transport = self._connection.transport
            transport._quick_recv = ReadAhead(transport._quick_recv)
            self._declare(queue.source)
            self._declare(self._refused)
            self._channel = self._connection.channel()
            self._channel.basic_qos(0, BATCH * 2, False)
            self._channel.basic_consume(
                queue.source, exclusive=True, callback=self._add, on_cancel=self._cancelled
            )
        except (AMQPError, OSError) as error:
            self.close()
            raise BrokerGone(_in_short(error)) from error

    def _declare(self, name: str) -> None:
        """Create a durable queue if it does not exist. An existing queue keeps its options."""
        channel = self._connection.channel()
        try:
            channel.queue_declare(name, passive=True)
            channel.close()
        except NotFound:
            channel = self._connection.channel()
            channel.queue_declare(name, durable=True, auto_delete=False)
            channel.close()

    def _add(self, delivered: Any) -> None:
        body = delivered.body
        content = body.encode() if isinstance(body, str) else bytes(body)
        self._waiting.append(Message(delivered.delivery_tag, content, delivered.delivery_info["routing_key"]))

    def _cancelled(self, consumer: str) -> None:
        raise BrokerGone("the queue was deleted")

    def take(self, seconds: float) -> list[Message]:
        """Return the next messages. Raise BrokerGone if the connection has ended.

        After the first message, wait LINGER seconds for more. Messages that have arrived by then are read
        even if this takes longer, because a full queue would otherwise be recorded in small batches.
        """
        waits_until = monotonic() + seconds
        try:
            self._connection.heartbeat_tick()
            while len(self._waiting) < BATCH:
                try:
                    self._connection.drain_events(timeout=max(waits_until - monotonic(), AT_ONCE))
                except TimeoutError:
                    break
                if len(self._waiting) == 1:
                    waits_until = min(waits_until, monotonic() + LINGER)
        except (AMQPError, OSError) as error:
            raise BrokerGone(_in_short(error)) from error
        return [self._waiting.popleft() for _ in range(min(BATCH, len(self._waiting)))]

    def accept(self, messages: list[Message]) -> None:
        """Acknowledge all messages up to the last one of these."""
        try:
            self._channel.basic_ack(messages[-1].tag, multiple=True)
        except (AMQPError, OSError) as error:
            raise BrokerGone(_in_short(error)) from error

    def refuse(self, refused: Sequence[tuple[Message, Refused]]) -> None:
        """Publish messages to the queue of refused messages, and wait until the broker confirms each."""
        try:
            for message, reason in refused:
                fields = headers(reason) | {"catwalk-topic": message.topic}
                published = Published(message.body, delivery_mode=PERSISTENT, application_headers=fields)
                self._channel.basic_publish_confirm(published, routing_key=self._refused)
        except (AMQPError, OSError) as error:
            raise BrokerGone(_in_short(error)) from error

    def close(self) -> None:
        """End the connection without waiting for the broker."""
        self._connection.collect()


def _in_short(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:300]
