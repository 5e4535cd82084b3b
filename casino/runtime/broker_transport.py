"""Celery's transport to a Redis or Valkey broker. It fixes a gap of kombu: workers recover after the broker
was killed.

`redis://` is an external broker; `embedded+socket://` is the embedded one, which starts when something
connects to it.
"""

from typing import Any

from django.conf import settings
from kombu.transport import TRANSPORT_ALIASES, redis, virtual

from casino.runtime.embedded import join_broker


class QoS(redis.QoS):
    """As kombu's, but an acknowledgement that cannot be sent no longer counts as unfinished work: kombu would
    wait for it forever and accept no other message. The broker delivers the message again later, and doing
    its job twice changes nothing.
    """

    def ack(self, delivery_tag: str) -> None:
        """Acknowledge a message. If the broker is gone, raise as kombu does."""
        try:
            super().ack(delivery_tag)
        except _errors_of(self.channel):
            virtual.QoS.ack(self, delivery_tag)
            raise

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Return a message to the broker. If the broker is gone, raise as kombu does."""
        try:
            super().reject(delivery_tag, requeue)
        except _errors_of(self.channel):
            virtual.QoS.ack(self, delivery_tag)
            raise


def _errors_of(channel: Any) -> Any:
    return channel.connection_errors


class Channel(redis.Channel):
    """The channel of kombu with our QoS."""

    QoS = QoS


class Transport(redis.Transport):
    """The transport of kombu with our channel."""

    Channel = Channel


class Embedded(Transport):
    """The transport to the embedded broker, which is started if it does not run. Raises Trouble."""

    def establish_connection(self) -> Any:
        join_broker(settings.CATWALK_DATA)
        return super().establish_connection()


def register() -> None:
    """Register our transports with kombu by the scheme of an address."""
    TRANSPORT_ALIASES["redis"] = "casino.runtime.broker_transport:Transport"
    TRANSPORT_ALIASES["embedded"] = "casino.runtime.broker_transport:Embedded"
