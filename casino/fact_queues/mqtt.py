"""Take facts from topics of an MQTT 5 broker such as mosquitto.

The broker stores a session for this consumer, with the messages that it has not acknowledged. A second
session subscribes to the topic of refused messages, so that the broker stores these until a person reads
them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

from paho.mqtt.client import Client, MQTTMessage, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from audit.facts import Refused
from casino.fact_queues.messages import AT_ONCE, BATCH, LINGER, BrokerGone, Message, headers
from casino.runtime.queue_urls import FactQueue

AT_LEAST_ONCE = 1
"""The quality of service with which messages are delivered until they are acknowledged."""
FOR_EVER = 0xFFFFFFFF
"""The expiry of a session that never expires, in seconds."""
KEEP_ALIVE, ANSWER_SECONDS = 60, 60
NO_SUBSCRIBER, FAILURE = 0x10, 0x80
"""The broker's answer if it stores a message for nobody, and the first answer that means a failure."""


def refused_topic(queue: FactQueue) -> str:
    """Return the topic of refused messages."""
    return f"catwalk-refused/{queue.name()}"


class MqttConnection:
    """A connection to an MQTT broker with a session that the broker stores."""

    def __init__(self, queue: FactQueue) -> None:
        self._refused = refused_topic(queue)
        name = f"catwalk-{queue.property}-{queue.device}"
        holder = Link(queue, f"{name}-refused", self._refused)
        holder.close()
        self._link = Link(queue, name, queue.source)

    def take(self, seconds: float) -> list[Message]:
        """Return the next messages. Raise BrokerGone if the connection has ended.

        After the first message, wait LINGER seconds for more, and read what has arrived by then.
        """
        waiting = self._link.waiting
        waits_until = monotonic() + seconds
        while (before := len(waiting)) < BATCH:
            left = waits_until - monotonic()
            self._link.step(max(left, AT_ONCE))
            if len(waiting) == before and left <= 0:
                break
            if waiting and not before:
                waits_until = min(waits_until, monotonic() + LINGER)
        return [waiting.popleft() for _ in range(min(BATCH, len(waiting)))]

    def accept(self, messages: list[Message]) -> None:
        """Acknowledge the messages in the order in which they came."""
        for message in messages:
            self._link.check(self._link.client.ack(message.tag, AT_LEAST_ONCE))

    def refuse(self, refused: Sequence[tuple[Message, Refused]]) -> None:
        """Publish messages to the topic of refused messages, and wait until the broker confirms them."""
        published = []
        for message, reason in refused:
            properties = Properties(PacketTypes.PUBLISH)
            properties.UserProperty = [*headers(reason).items(), ("catwalk-topic", message.topic)]
            published.append((message.body, properties))
        self._link.publish(self._refused, published)

    def close(self) -> None:
        """End the connection. The broker keeps the session."""
        self._link.close()


class Link:
    """An MQTT client that works in the thread of its caller. Its session subscribes to one topic filter."""

    def __init__(self, queue: FactQueue, name: str, topic: str) -> None:
        self.waiting: deque[Message] = deque()
        self.problem = ""
        self.subscribed = False
        self.confirmed: dict[int, int] = {}
        self.client = Client(CallbackAPIVersion.VERSION2, name, protocol=MQTTv5, manual_ack=True)
        user, password = queue.login()
        if user:
            self.client.username_pw_set(user, password)
        if queue.is_encrypted():
            self.client.tls_set()
        self.client.connect_timeout = ANSWER_SECONDS
        self.client.on_connect = self._connected
        self.client.on_message = self._add
        self.client.on_disconnect = self._disconnected
        self.client.on_subscribe = self._on_subscribe
        self.client.on_publish = self._on_publish
        self.topic = topic
        properties = Properties(PacketTypes.CONNECT)
        properties.SessionExpiryInterval = FOR_EVER
        properties.ReceiveMaximum = BATCH * 2
        host = queue.parts().hostname or ""
        try:
            self.client.connect(host, queue.port(), KEEP_ALIVE, clean_start=False, properties=properties)
            self._await(lambda: self.subscribed)
        except (OSError, BrokerGone) as error:
            self.close()
            raise BrokerGone(f"{type(error).__name__}: {error}"[:300]) from error

    def step(self, seconds: float) -> None:
        """Read and write once, and wait at most this many seconds. Raise BrokerGone if the broker has
        disconnected.
        """
        self.check(self.client.loop(seconds))
        if self.problem:
            raise BrokerGone(self.problem)

    def check(self, result: MQTTErrorCode) -> None:
        """Raise BrokerGone if a call of the client has failed."""
        if result != MQTTErrorCode.MQTT_ERR_SUCCESS:
            raise BrokerGone(self.problem or str(result))

    def publish(self, topic: str, messages: Sequence[tuple[bytes, Properties]]) -> None:
        """Publish messages. Return when the broker has stored them for a subscriber."""
        numbers = []
        for body, properties in messages:
            sent = self.client.publish(topic, body, AT_LEAST_ONCE, properties=properties)
            self.check(sent.rc)
            numbers.append(sent.mid)
        for number in numbers:
            self._await(lambda number=number: number in self.confirmed)  # type: ignore[misc]
            code = self.confirmed.pop(number)
            if code >= FAILURE or code == NO_SUBSCRIBER:
                raise BrokerGone(f"the broker does not store messages of {topic}: code {code}")

    def close(self) -> None:
        """Tell the broker that this client disconnects, and close the socket."""
        self.client.disconnect()
        ends = monotonic() + 1
        while self.client.socket() is not None and monotonic() < ends:
            self.client.loop(0.1)

    def _await(self, is_done: Callable[[], bool]) -> None:
        ends = monotonic() + ANSWER_SECONDS
        while not is_done():
            if monotonic() > ends:
                raise BrokerGone("the broker does not answer")
            self.step(0.1)

    def _connected(self, client: Any, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        if reason.is_failure:
            self.problem = f"the broker refuses this consumer: {reason}"
        else:
            # A stored session has its subscription, and the answer may come after many waiting messages.
            self.subscribed = flags.session_present
            client.subscribe(self.topic, AT_LEAST_ONCE)

    def _on_subscribe(self, client: Any, data: Any, mid: int, reasons: Any, properties: Any) -> None:
        if reasons[0].is_failure:
            self.problem = f"the broker refuses the topic {self.topic}: {reasons[0]}"
        self.subscribed = True

    def _add(self, client: Any, data: Any, message: MQTTMessage) -> None:
        self.waiting.append(Message(message.mid, bytes(message.payload), message.topic))

    def _on_publish(self, client: Any, data: Any, mid: int, reason: Any, properties: Any) -> None:
        self.confirmed[mid] = reason.value

    def _disconnected(self, client: Any, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        self.problem = f"the broker has disconnected: {reason}"
