"""Real message brokers: RabbitMQ and mosquitto, which must be installed on the system, and Valkey from its
package. Tests start and kill them. Senders publish facts to them.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from amqp import AMQPError, Connection, Message
from paho.mqtt.client import Client, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion

from casino.runtime.embedded.broker import binary
from tests.manage import free_port

PASSWORD = "q7Zt2mXw9K"
RABBIT = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
WINDOW = 1000
"""Number of messages that a sender publishes before it waits for the broker's confirmations."""
PERSISTENT = 2


class Broker(ABC):
    """A broker that stores its data in its own folder. After `kill` it can be started again with the same
    data.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.process: subprocess.Popen[bytes] | None = None
        folder.mkdir()

    def start(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                self.command(), env=self.environment(), stdout=log, stderr=log, start_new_session=True
            )
        ends = time.monotonic() + 120
        while not self.answers():
            assert time.monotonic() < ends, (self.folder / "log").read_text()[-3000:]
            assert self.process.poll() is None, (self.folder / "log").read_text()[-3000:]
            time.sleep(0.1)

    def kill(self) -> None:
        """Kill all processes of the broker with kill -9."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.kill()

    def answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1):
                return True
        except OSError:
            return False

    @abstractmethod
    def command(self) -> list[str]:
        """Return the command that runs the broker."""

    @property
    @abstractmethod
    def url(self) -> str:
        """Return the URL of the queue or the topics that a consumer reads."""

    def environment(self) -> dict[str, str]:
        return dict(os.environ)


class RabbitMq(Broker):
    """A RabbitMQ broker with one user, `catwalk`."""

    def __init__(self, folder: Path) -> None:
        if not RABBIT.exists():
            pytest.skip("there is no RabbitMQ: apt-get install rabbitmq-server")
        super().__init__(folder)
        self.epmd, self.dist = free_port(), free_port()
        (folder / "rabbitmq.conf").write_text(
            f"default_user = catwalk\ndefault_pass = {PASSWORD}\nlisteners.tcp.1 = 127.0.0.1:{self.port}\n"
            "disk_free_limit.absolute = 50MB\n"
        )
        (folder / "plugins").write_text("[].\n")

    @property
    def url(self) -> str:
        return f"amqp://catwalk:{PASSWORD}@127.0.0.1:{self.port}/?queue=facts"

    def command(self) -> list[str]:
        return [str(RABBIT)]

    def environment(self) -> dict[str, str]:
        folder = self.folder
        return os.environ | {
            "HOME": str(folder),
            "RABBITMQ_NODENAME": f"catwalk{self.port}@localhost",
            "RABBITMQ_DIST_PORT": str(self.dist),
            "RABBITMQ_CONFIG_FILE": str(folder / "rabbitmq.conf"),
            "RABBITMQ_MNESIA_BASE": str(folder / "data"),
            "RABBITMQ_LOG_BASE": str(folder / "logs"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
            "ERL_EPMD_PORT": str(self.epmd),
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            # epmd, which RabbitMQ starts, ends when `stop` asks it, even if it has not yet noticed that
            # RabbitMQ was killed.
            "ERL_EPMD_RELAXED_COMMAND_CHECK": "1",
        }

    def connected(self) -> Connection:
        connection = Connection(f"127.0.0.1:{self.port}", "catwalk", PASSWORD, connect_timeout=5)
        try:
            connection.connect()
        except (AMQPError, OSError):
            connection.collect()
            raise
        return connection

    def answers(self) -> bool:
        """Return True if a client can log in. The port opens earlier than that."""
        try:
            self.connected().close()
        except (AMQPError, OSError):
            return False
        return True

    def stop(self) -> None:
        super().stop()
        subprocess.run(
            ["epmd", "-port", str(self.epmd), "-kill"], capture_output=True, timeout=20, check=False
        )
        ends = time.monotonic() + 20
        while self.runs_epmd():
            assert time.monotonic() < ends, f"epmd still answers at port {self.epmd}"
            time.sleep(0.05)

    def runs_epmd(self) -> bool:
        """Return True if the epmd that this broker has started still answers."""
        try:
            with socket.create_connection(("127.0.0.1", self.epmd), 1):
                return True
        except OSError:
            return False


class Valkey(Broker):
    """Valkey on a port, with a password. It writes every change to the disk."""

    @property
    def url(self) -> str:
        return f"redis://:{PASSWORD}@127.0.0.1:{self.port}/0"

    def command(self) -> list[str]:
        options = ("--bind", "127.0.0.1", "--requirepass", PASSWORD, "--appendonly", "yes")
        return [str(binary()), "--port", str(self.port), "--dir", str(self.folder), *options]


class Mosquitto(Broker):
    """Mosquitto, which writes its messages to the disk every five seconds."""

    def __init__(self, folder: Path) -> None:
        self.program = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
        if not Path(self.program).exists():
            pytest.skip("there is no mosquitto: apt-get install mosquitto")
        super().__init__(folder)
        user = "user root\n" if os.getuid() == 0 else ""
        (folder / "mosquitto.conf").write_text(
            f"{user}listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence true\n"
            f"persistence_location {folder}/\nautosave_interval 5\n"
            "max_inflight_messages 1000\nmax_queued_messages 0\n"
        )

    @property
    def url(self) -> str:
        return f"mqtt://127.0.0.1:{self.port}/?topic=tables/%2B"

    def command(self) -> list[str]:
        return [self.program, "-c", str(self.folder / "mosquitto.conf")]


class AmqpSender:
    """Publishes facts to RabbitMQ. If the broker did not confirm all facts of one `send`, they are all
    published again.
    """

    def __init__(self, broker: RabbitMq) -> None:
        self.broker = broker
        self.sent_again = 0
        self.connection: Any = None

    def send(self, lines: Sequence[bytes]) -> None:
        """Publish these facts, and return when the broker has confirmed all of them."""
        while True:
            try:
                self._publish(lines)
                return
            except (AMQPError, OSError):
                self.close()
                self.sent_again += len(lines)
                time.sleep(0.2)

    def close(self) -> None:
        if self.connection is not None:
            self.connection.collect()
        self.connection = None

    def _publish(self, lines: Sequence[bytes]) -> None:
        if self.connection is None:
            self.connection = self.broker.connected()
            self.channel = self.connection.channel()
            self.channel.queue_declare("facts", durable=True, auto_delete=False)
            self.channel.confirm_select()
            self.sequence = self.confirmed = 0
            self.channel.events["basic_ack"].add(self._on_ack)
        for line in lines:
            self.channel.basic_publish(Message(line, delivery_mode=PERSISTENT), routing_key="facts")
        self.sequence += len(lines)
        while self.confirmed < self.sequence:
            self.connection.drain_events(timeout=20)

    def _on_ack(self, tag: int, multiple: bool) -> None:
        # A window is confirmed when its last message is, because the broker confirms in order or together.
        self.confirmed = max(self.confirmed, tag) if multiple else self.confirmed + (tag > self.confirmed)


class MqttSender:
    """Publishes facts to mosquitto with quality of service 1 (delivered at least once)."""

    def __init__(self, broker: Mosquitto) -> None:
        self.broker = broker
        self.client: Client | None = None
        self.is_gone = False

    def send(self, lines: Sequence[bytes]) -> bool:
        """Publish these facts. Return False if the broker did not confirm all of them."""
        try:
            client = self.client or self._connected()
            sent = [client.publish("tables/aurora", line, 1) for line in lines]
            for message in sent:
                while not message.is_published():
                    if self.is_gone:
                        raise ConnectionError
                    message.wait_for_publish(0.2)
        except (OSError, ValueError, RuntimeError):
            self.close()
            time.sleep(0.2)
            return False
        return True

    def _connected(self) -> Client:
        self.is_gone = False
        client = Client(CallbackAPIVersion.VERSION2, "gateway-1", protocol=MQTTv5)
        client.max_inflight_messages_set(WINDOW)
        client.on_disconnect = self._disconnected
        client.connect("127.0.0.1", self.broker.port)
        client.loop_start()
        self.client = client
        return client

    def _disconnected(self, *about: Any) -> None:
        self.is_gone = True

    def close(self) -> None:
        if self.client is not None:
            self.client.disconnect()
            self.client.loop_stop()
        self.client = None
