"""Places outside the database that store files: a folder, a bucket of an S3-compatible server, or a folder of
an SFTP server.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import parse_qsl, quote, unquote

from casino.checkpoints.destination_urls import Destination
from casino.checkpoints.sftp import SftpFolder

SECONDS = 20
"""Seconds to wait for a server."""
IN_MEMORY = 8 * 1024 * 1024
"""Size in bytes up to which a file for a bucket is in memory. A larger file is in a temporary file until it
is stored.
"""


class FileStore(Protocol):
    """A place that stores files by their path."""

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file, or None if it does not exist."""

    def write(self, path: str, parts: Iterable[bytes]) -> None:
        """Store a file that consists of these parts. A reader never sees an incomplete file."""

    def close(self) -> None:
        """End the connection to the place."""


class Folder:
    """A folder on this machine. It may be on a disk of another machine that is mounted here."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file, or None if it does not exist."""
        try:
            return (self.root / path).read_bytes()
        except FileNotFoundError:
            return None

    def write(self, path: str, parts: Iterable[bytes]) -> None:
        """Write a file under another name, flush it to the disk, and rename it."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, part = tempfile.mkstemp(prefix=".part-", dir=target.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.writelines(parts)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(part, 0o644)
            os.replace(part, target)
        except BaseException:
            with suppress(OSError):
                os.unlink(part)
            raise
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def close(self) -> None:
        """Do nothing: a folder has no connection."""


class Bucket:
    """A bucket of an S3-compatible server. The credentials come from the environment of the process: the
    variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or another source that boto3 supports.
    """

    def __init__(self, bucket: str, prefix: str, endpoint: str | None, region: str | None) -> None:
        import boto3
        from boto3.s3.transfer import TransferConfig
        from botocore.config import Config

        self.bucket, self.prefix = bucket, prefix
        config = Config(connect_timeout=SECONDS, read_timeout=SECONDS, retries={"max_attempts": 2})
        self._client: Any = boto3.client("s3", endpoint_url=endpoint, region_name=region, config=config)
        self._transfer = TransferConfig(use_threads=False)

    def read(self, path: str) -> bytes | None:
        """Return the bytes of an object, or None if it does not exist. Raise ConnectionError if the server
        does not return it.
        """
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            answer = self._client.get_object(Bucket=self.bucket, Key=self.prefix + path)
            content: bytes = answer["Body"].read()
        except ClientError as error:
            if error.response.get("Error", {}).get("Code") in ("NoSuchKey", "404"):
                return None
            raise ConnectionError(_in_short(error)) from error
        except BotoCoreError as error:
            raise ConnectionError(_in_short(error)) from error
        return content

    def write(self, path: str, parts: Iterable[bytes]) -> None:
        """Store an object. Raise ConnectionError if the server does not accept it."""
        from boto3.exceptions import Boto3Error
        from botocore.exceptions import BotoCoreError, ClientError

        with tempfile.SpooledTemporaryFile(IN_MEMORY) as file:
            file.writelines(parts)
            file.seek(0)
            try:
                self._client.upload_fileobj(file, self.bucket, self.prefix + path, Config=self._transfer)
            except (Boto3Error, BotoCoreError, ClientError) as error:
                raise ConnectionError(_in_short(error)) from error

    def close(self) -> None:
        """Close the connections to the server."""
        self._client.close()


@contextmanager
def open_store(destination: Destination, property: str) -> Iterator[FileStore]:
    """Yield the store of a property's files at a destination, in a folder named after the property."""
    store = _store(destination, property)
    try:
        yield store
    finally:
        store.close()


def _store(destination: Destination, property: str) -> FileStore:
    parts, name = destination.parts(), quote(property, safe="")
    if parts.scheme == "file":
        return Folder(Path(unquote(parts.path)) / name)
    options = dict(parse_qsl(parts.query))
    if parts.scheme == "sftp":
        return SftpFolder(parts, f"{unquote(parts.path).rstrip('/')}/{name}")
    prefix = "/".join(part for part in (parts.path.strip("/"), name) if part)
    return Bucket(parts.netloc, f"{prefix}/", options.get("endpoint"), options.get("region"))


def _in_short(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:300]
