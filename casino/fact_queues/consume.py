"""Consume a queue of facts: take messages, record their facts, then acknowledge the messages.

A message is acknowledged after the commit. If the consumer, the broker or the database is killed before, the
broker delivers the message again, and the ledger recognizes its facts by their uid. So no fact is lost or
recorded twice. A message that is refused is first stored in the queue of refused messages, then acknowledged.
"""

from __future__ import annotations

import logging
from threading import Event
from time import monotonic

from django.db import DatabaseError, connection, connections

from casino.fact_queues.amqp import AmqpConnection
from casino.fact_queues.messages import BrokerConnection, BrokerGone, Connect
from casino.fact_queues.mqtt import MqttConnection
from casino.fact_queues.record import BatchResult, record
from casino.models import Device
from casino.reference import registers
from casino.runtime.outages import outage_of
from casino.runtime.queue_urls import FactQueue

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0
"""Seconds to wait after the first failure, and the maximum. Each failure in a row doubles the pause."""
TAKE_SECONDS = 1.0
"""Seconds to wait for a message before the consumer looks whether it must end."""
LOCK = 0x0CA7F0
"""The first number of the database locks that allow one consumer of each queue."""
CONNECT: dict[str, Connect] = {
    "amqp": AmqpConnection,
    "amqps": AmqpConnection,
    "mqtt": MqttConnection,
    "mqtts": MqttConnection,
}
_log = logging.getLogger(__name__)


class DeviceNotAllowed(Exception):
    """The device of a queue may not send facts through a broker. The text is one sentence."""


class Consumer:
    """Consumes one queue until `stop` is set, or until no message came for `idle` seconds.

    Attributes:
        recorded: the number of facts that were recorded since the start.
        already: the number of facts that had been recorded before they came.
        refused: the number of messages that were refused.
    """

    def __init__(self, queue: FactQueue, stop: Event, idle: float | None = None) -> None:
        self.queue, self.stop, self.idle = queue, stop, idle
        self.recorded = self.already = self.refused = 0
        self._last = monotonic()

    def run(self) -> None:
        """Consume the queue. After a failure of the broker or the database, connect again after a pause.

        Raise DeviceNotAllowed if the device is not registered.
        """
        self._lock = _Lock(self.queue.name())
        try:
            self._run()
        finally:
            self._lock.release()

    def _run(self) -> None:
        pause = FIRST_PAUSE
        while not self._is_over():
            allowed_device(self.queue)
            before = self.recorded + self.already
            try:
                self._consume()
            except (BrokerGone, DatabaseError) as error:
                if isinstance(error, DatabaseError) and outage_of(error) is None:
                    raise
                _log.warning("a queue of facts is interrupted: %s", f"{self.queue.name()}: {error}"[:300])
                connection.close()
                if self.recorded + self.already > before:
                    pause = FIRST_PAUSE
                self.stop.wait(pause)
                pause = min(pause * 2, LONGEST_PAUSE)

    def _is_over(self) -> bool:
        is_idle = self.idle is not None and monotonic() - self._last > self.idle
        return self.stop.is_set() or is_idle

    def _consume(self) -> None:
        if not self._lock.is_held():
            raise BrokerGone("another consumer takes this queue")
        broker = CONNECT[self.queue.parts().scheme](self.queue)
        try:
            while not self._is_over():
                self._take(broker)
        finally:
            broker.close()

    def _take(self, broker: BrokerConnection) -> None:
        """Take one batch of messages, record it, and acknowledge it."""
        messages = broker.take(TAKE_SECONDS)
        if not messages:
            return
        if not self._lock.is_held():
            raise BrokerGone("the lock of this queue was lost")
        result = record(allowed_device(self.queue), messages)
        if result.refused:
            broker.refuse(result.refused)
        broker.accept(messages)
        self._count(result)

    def _count(self, result: BatchResult) -> None:
        self.recorded += result.recorded
        self.already += result.already
        self.refused += len(result.refused)
        self._last = monotonic()
        for _, reason in result.refused:
            fields = {"queue": self.queue.name(), "code": reason.code, "uid": reason.uid or ""}
            _log.warning("a message of a queue was refused", extra={"fields": fields})
        counts = {"recorded": result.recorded, "already": result.already, "refused": len(result.refused)}
        _log.info("messages of a queue were taken", extra={"fields": {"queue": self.queue.name()} | counts})


def allowed_device(queue: FactQueue) -> Device:
    """Return the device of a queue. Raise DeviceNotAllowed if it may not send facts through a broker."""
    device = registers.device(queue.property, queue.device)
    if device is None:
        raise DeviceNotAllowed(f"{queue.name()} is not in the register of devices.")
    if device.get("signs"):
        raise DeviceNotAllowed(f"{queue.name()} must sign its requests: facts of a queue are not signed.")
    return device


class _Lock:
    """A lock in the database, on a connection of its own. It ends with its connection."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.connection = connections.create_connection("default")

    def is_held(self) -> bool:
        """Return True if this process holds the lock. Take it if it is free."""
        try:
            with self.connection.cursor() as cursor:
                cursor.execute(_LOCK, {"lock": LOCK, "name": self.name})
                held: bool = cursor.fetchone()[0]
        except DatabaseError:
            self.connection.close()
            raise
        return held

    def release(self) -> None:
        self.connection.close()


_LOCK = """SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = %(lock)s
        AND objid::int = hashtext(%(name)s) AND objsubid = 2 AND granted AND pid = pg_backend_pid())
    OR pg_try_advisory_lock(%(lock)s, hashtext(%(name)s))"""
