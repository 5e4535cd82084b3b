"""A folder of an SFTP server. Catwalk logs in with a private key, and only at a server whose key is in the
file of known hosts.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from posixpath import dirname
from typing import Any
from urllib.parse import SplitResult, parse_qsl
from uuid import uuid4

SECONDS = 20
"""Seconds to wait for the server."""
PORT = 22
PART = ".part-"
"""The beginning of the name of a file that is still being written."""


class SftpFolder:
    """A folder of an SFTP server. Raise ConnectionError if the server does not answer or refuses the key."""

    def __init__(self, parts: SplitResult, root: str) -> None:
        from paramiko import RejectPolicy, SSHClient, SSHException

        self.root = root
        self._folders: set[str] = set()
        self._failures = (SSHException, EOFError, OSError)
        options = dict(parse_qsl(parts.query))
        self._client = SSHClient()
        try:
            self._client.load_host_keys(options["known_hosts"])
            self._client.set_missing_host_key_policy(RejectPolicy())
            self._client.connect(
                parts.hostname or "",
                parts.port or PORT,
                parts.username,
                key_filename=options["key"],
                allow_agent=False,
                look_for_keys=False,
                timeout=SECONDS,
                banner_timeout=SECONDS,
                auth_timeout=SECONDS,
            )
            self._sftp: Any = self._client.open_sftp()
            self._sftp.get_channel().settimeout(SECONDS)
        except self._failures as error:
            self._client.close()
            raise ConnectionError(_in_short(error)) from error

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file, or None if it does not exist."""
        try:
            with self._sftp.open(f"{self.root}/{path}", "rb") as file:
                content: bytes = file.read()
        except FileNotFoundError:
            return None
        except self._failures as error:
            raise ConnectionError(_in_short(error)) from error
        return content

    def write(self, path: str, parts: Iterable[bytes]) -> None:
        """Write a file under another name, compare its size, and rename it. A file of the same name is
        replaced.
        """
        target = f"{self.root}/{path}"
        part = f"{dirname(target)}/{PART}{uuid4()}"
        try:
            self._make(dirname(target))
            try:
                length = 0
                with self._sftp.open(part, "wb") as file:
                    file.set_pipelined(True)
                    for content in parts:
                        file.write(content)
                        length += len(content)
                if self._sftp.stat(part).st_size != length:
                    raise ConnectionError(f"the server stored another length of {path}")
                self._sftp.posix_rename(part, target)
            except BaseException:
                with suppress(*self._failures):
                    self._sftp.remove(part)
                raise
        except self._failures as error:
            raise ConnectionError(_in_short(error)) from error

    def close(self) -> None:
        self._client.close()

    def _make(self, folder: str) -> None:
        """Create a folder and the folders above it if they do not exist."""
        if folder in self._folders or folder in ("", "/"):
            return
        try:
            self._sftp.stat(folder)
        except FileNotFoundError:
            self._make(dirname(folder))
            self._sftp.mkdir(folder)
        self._folders.add(folder)


def _in_short(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:300]
