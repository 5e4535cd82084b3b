"""Parse the variable CATWALK_FACT_QUEUES, which lists the queues of message brokers from which facts are
taken.

An item is `PROPERTY/DEVICE=URL`. The URL is `amqp://user:password@host:port/virtual-host?queue=NAME` for AMQP
0-9-1, for example RabbitMQ, or `mqtt://user:password@host:port/?topic=FILTER` for MQTT 5. With `amqps` and
`mqtts` the connection is encrypted.
"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from casino.runtime import weak_secrets

OPTIONS = {"amqp": "queue", "amqps": "queue", "mqtt": "topic", "mqtts": "topic"}
"""For each scheme: the option of the URL that says what is read."""
PORTS = {"amqp": 5672, "amqps": 5671, "mqtt": 1883, "mqtts": 8883}
EXPECTED = (
    "items separated by commas: PROPERTY/DEVICE=amqps://user:password@host/?queue=NAME or"
    " PROPERTY/DEVICE=mqtts://user:password@host/?topic=FILTER, without a well-known password"
)


class FactQueue(NamedTuple):
    """A queue of a broker. Its facts are recorded as facts that a registered device sends.

    Attributes:
        source: the name of the AMQP queue, or the MQTT topic filter.
    """

    property: str
    device: str
    url: str
    source: str

    def name(self) -> str:
        """Return the name of the queue in commands and logs, `PROPERTY/DEVICE`."""
        return f"{self.property}/{self.device}"

    def parts(self) -> SplitResult:
        """Return the URL, split into scheme, address and path."""
        return urlsplit(self.url)

    def port(self) -> int:
        """Return the port of the broker."""
        return self.parts().port or PORTS[self.parts().scheme]

    def login(self) -> tuple[str, str]:
        """Return the user name and the password at the broker. Both may be empty."""
        parts = self.parts()
        return unquote(parts.username or ""), unquote(parts.password or "")

    def is_encrypted(self) -> bool:
        """Return True if the connection uses TLS."""
        return self.parts().scheme in ("amqps", "mqtts")


def parse(text: str) -> FactQueue:
    """Return the queue that an item describes. Raise ValueError if the item does not describe one."""
    name, _, url = text.partition("=")
    property, _, device = name.partition("/")
    parts = urlsplit(url)
    option = OPTIONS.get(parts.scheme, "")
    sources = parse_qs(parts.query, strict_parsing=True)
    if not property or not device or not parts.hostname or list(sources) != [option]:
        raise ValueError(name)
    queue = FactQueue(property, device, url, sources[option][0])
    if not 0 < queue.port() <= 65_535:
        raise ValueError(name)
    weak_secrets.check_url(url)
    return queue
