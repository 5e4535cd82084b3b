"""Real SFTP and S3 servers that receive files. The program rclone runs them. A test starts and kills them."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.manage import free_port

SECRET = "a secret of the test"


class FileServer(ABC):
    """A server of files. `files` is the folder in which it stores what it receives."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.served = folder / "served"
        self.served.mkdir(parents=True)
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def files(self) -> Path:
        return self.served / "copies" / "aurora"

    @property
    @abstractmethod
    def url(self) -> str:
        """Return the URL of the folder or the bucket on this server."""

    @abstractmethod
    def options(self) -> list[str]:
        """Return the arguments with which rclone starts this kind of server."""

    def start(self) -> None:
        """Start the server, and return when it accepts connections."""
        program = Path(sys.executable).with_name("rclone")
        address = ["--addr", f"127.0.0.1:{self.port}", "--config", str(self.folder / "rclone.conf")]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [str(program), "serve", *self.options(), *address, str(self.served)], stdout=log, stderr=log
            )
        ends = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                assert time.monotonic() < ends, (self.folder / "log").read_text()[-2000:]
                time.sleep(0.05)

    def kill(self) -> None:
        """Kill the server with kill -9."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
        self.process = None


class SftpServer(FileServer):
    """An SFTP server that accepts one key."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        public = self._key("client")
        (folder / "authorized").write_text(f"{public}\n")
        (folder / "known").write_text(f"[127.0.0.1]:{self.port} {self._key('host')}\n")

    def _key(self, name: str) -> str:
        """Write a new private key to a file, and return its public key as OpenSSH writes it."""
        private = Ed25519PrivateKey.generate()
        form = serialization.PrivateFormat.OpenSSH, serialization.NoEncryption()
        path = self.folder / name
        path.write_bytes(private.private_bytes(serialization.Encoding.PEM, *form))
        path.chmod(0o600)
        public = private.public_key()
        return public.public_bytes(
            serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH
        ).decode()

    @property
    def url(self) -> str:
        files = f"key={self.folder / 'client'}&known_hosts={self.folder / 'known'}"
        return f"sftp://catwalk@127.0.0.1:{self.port}/copies?{files}"

    def options(self) -> list[str]:
        keys = ["--authorized-keys", str(self.folder / "authorized"), "--key", str(self.folder / "host")]
        return ["sftp", *keys]


class S3Server(FileServer):
    """An S3 server with one bucket. The credentials are in `environment`."""

    environment: ClassVar = {"AWS_ACCESS_KEY_ID": "catwalk", "AWS_SECRET_ACCESS_KEY": SECRET}

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        (self.served / "copies").mkdir()

    @property
    def url(self) -> str:
        return f"s3://copies?endpoint=http://127.0.0.1:{self.port}&region=us-east-1"

    def options(self) -> list[str]:
        return ["s3", "--auth-key", f"catwalk,{SECRET}"]
