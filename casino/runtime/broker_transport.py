"""Celery's transports to a Redis or Valkey broker. With them, unlike with kombu's own transports, workers
recover after the broker was killed.

`redis://` is an external broker. `embedded+socket://` is the embedded broker, which is started at the first
connection.
"""

from typing import Any

from django.conf import settings
from kombu.transport import TRANSPORT_ALIASES, redis, virtual

from casino.runtime.embedded import join_broker


class QoS(redis.QoS):
    """Kombu's QoS with one change. If an acknowledgement cannot be sent because the broker is gone, its
    message no longer counts as being handled.

    With kombu's own QoS, the worker would wait for this message forever and accept no others. The broker
    delivers the message again later. Running its job twice has no effect.
    """

    def ack(self, delivery_tag: str) -> None:
        """Acknowledge a message. Raise kombu's error if the broker is gone."""
        try:
            super().ack(delivery_tag)
        except _errors_of(self.channel):
            virtual.QoS.ack(self, delivery_tag)
            raise

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Refuse a message. With `requeue`, the broker delivers it again. Raise kombu's error if the broker
        is gone.
        """
        try:
            super().reject(delivery_tag, requeue)
        except _errors_of(self.channel):
            virtual.QoS.ack(self, delivery_tag)
            raise


def _errors_of(channel: Any) -> Any:
    return channel.connection_errors


class Channel(redis.Channel):
    """Kombu's channel with the QoS of this module."""

    QoS = QoS


class Transport(redis.Transport):
    """Kombu's transport with the channel of this module."""

    Channel = Channel


class Embedded(Transport):
    """The transport to the embedded broker. It starts the broker if necessary. Connecting may raise
    Trouble.
    """

    def establish_connection(self) -> Any:
        join_broker(settings.CATWALK_DATA)
        return super().establish_connection()


def register() -> None:
    """Register the transports of this module with kombu: `Transport` for `redis://` and `Embedded` for the
    embedded broker.
    """
    TRANSPORT_ALIASES["redis"] = "casino.runtime.broker_transport:Transport"
    TRANSPORT_ALIASES["embedded"] = "casino.runtime.broker_transport:Embedded"
