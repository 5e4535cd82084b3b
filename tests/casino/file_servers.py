"""Real SFTP, S3 and mail servers that receive files, and a folder. A test starts and kills the servers."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.manage import PROJECT, free_port

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
    def command(self) -> list[str]:
        """Return the command that runs this kind of server."""

    @property
    def environment(self) -> dict[str, str]:
        """Return the variables with which Catwalk delivers to this server."""
        return {}

    def start(self) -> None:
        """Start the server, and return when it accepts connections."""
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(self.command(), cwd=PROJECT, stdout=log, stderr=log)
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


class RcloneServer(FileServer):
    """A server that the program rclone runs."""

    @abstractmethod
    def options(self) -> list[str]:
        """Return the arguments with which rclone starts this kind of server."""

    def command(self) -> list[str]:
        program = Path(sys.executable).with_name("rclone")
        address = ["--addr", f"127.0.0.1:{self.port}", "--config", str(self.folder / "rclone.conf")]
        return [str(program), "serve", *self.options(), *address, str(self.served)]


class SftpServer(RcloneServer):
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


class S3Server(RcloneServer):
    """An S3 server with one bucket. The credentials are in `environment`."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        (self.served / "copies").mkdir()

    @property
    def environment(self) -> dict[str, str]:
        config = {"AWS_CONFIG_FILE": str(self.folder / "none")}
        return config | {"AWS_ACCESS_KEY_ID": "catwalk", "AWS_SECRET_ACCESS_KEY": SECRET}

    @property
    def url(self) -> str:
        return f"s3://copies?endpoint=http://127.0.0.1:{self.port}&region=us-east-1"

    def options(self) -> list[str]:
        return ["s3", "--auth-key", f"catwalk,{SECRET}"]


class MailServer(FileServer):
    """A mail server that stores the attachments it accepts as files. `messages` has a line for each message:
    its ID, and whether it says that it is repeated.
    """

    @property
    def url(self) -> str:
        return "mailto:books@casino.example"

    @property
    def environment(self) -> dict[str, str]:
        server = {"CATWALK_MAIL_HOST": "127.0.0.1", "CATWALK_MAIL_PORT": str(self.port)}
        return server | {"CATWALK_MAIL_TLS": "none"}

    @property
    def messages(self) -> Path:
        return self.folder / "messages"

    def command(self) -> list[str]:
        arguments = [str(self.port), str(self.files), str(self.messages)]
        return [sys.executable, "-m", "tests.casino.mail_process", *arguments]


class Folder(FileServer):
    """A folder of this machine. It has no server that could be killed."""

    @property
    def url(self) -> str:
        return f"file://{self.served}/copies"

    def command(self) -> list[str]:
        return []

    def start(self) -> None:
        """Do nothing, because the folder is already there."""
