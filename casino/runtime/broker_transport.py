"""Celery's way to a Redis or Valkey broker, with what kombu leaves open: a worker is not deaf after its
broker was killed.

`redis://` is a broker that is given; `embedded+socket://` is the house's own, and who connects to it starts
it, as with the database.
"""

from typing import Any

from django.conf import settings
from kombu.transport import TRANSPORT_ALIASES, redis, virtual

from casino.runtime.embedded import join_broker


class QoS(redis.QoS):
    """As kombu's, but an acknowledgement that cannot be sent no longer counts as work in hand: kombu would
    wait for it for ever and take no other message. The broker brings the message back later, and doing its
    job twice changes nothing.
    """

    def ack(self, delivery_tag: str) -> None:
        """Acknowledge; a broker that is away raises as it does in kombu."""
        try:
            super().ack(delivery_tag)
        except _errors_of(self.channel):
            virtual.QoS.ack(self, delivery_tag)
            raise

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Give back; the same."""
        try:
            super().reject(delivery_tag, requeue)
        except _errors_of(self.channel):
            virtual.QoS.ack(self, delivery_tag)
            raise


def _errors_of(channel: Any) -> Any:
    return channel.connection_errors


class Channel(redis.Channel):
    """As kombu's."""

    QoS = QoS


class Transport(redis.Transport):
    """As kombu's."""

    Channel = Channel


class Embedded(Transport):
    """To the broker of the embedded house: it runs when a connection stands, also when it was killed. Raises
    Trouble.
    """

    def establish_connection(self) -> Any:
        join_broker(settings.CATWALK_DATA)
        return super().establish_connection()


def register() -> None:
    """Let kombu find them by the scheme of an address."""
    TRANSPORT_ALIASES["redis"] = "casino.runtime.broker_transport:Transport"
    TRANSPORT_ALIASES["embedded"] = "casino.runtime.broker_transport:Embedded"
