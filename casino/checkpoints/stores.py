"""Places outside the database that store files: a folder, or a bucket of an S3-compatible server."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import parse_qsl, quote, unquote

from casino.checkpoints.destination_urls import Destination

SECONDS = 20
"""Seconds to wait for a server."""


class FileStore(Protocol):
    """A place that stores files by their path."""

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file, or None if it does not exist."""

    def write(self, path: str, content: bytes) -> None:
        """Store a file. A reader never sees an incomplete file."""


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

    def write(self, path: str, content: bytes) -> None:
        """Write a file under another name, flush it to the disk, and rename it."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, part = tempfile.mkstemp(prefix=".part-", dir=target.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
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


class Bucket:
    """A bucket of an S3-compatible server. The credentials come from the environment of the process: the
    variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or another source that boto3 supports.
    """

    def __init__(self, bucket: str, prefix: str, endpoint: str | None, region: str | None) -> None:
        import boto3
        from botocore.config import Config

        self.bucket, self.prefix = bucket, prefix
        config = Config(connect_timeout=SECONDS, read_timeout=SECONDS, retries={"max_attempts": 2})
        self._client: Any = boto3.client("s3", endpoint_url=endpoint, region_name=region, config=config)

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

    def write(self, path: str, content: bytes) -> None:
        """Store an object. Raise ConnectionError if the server does not accept it."""
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            self._client.put_object(Bucket=self.bucket, Key=self.prefix + path, Body=content)
        except (BotoCoreError, ClientError) as error:
            raise ConnectionError(_in_short(error)) from error


def open_store(destination: Destination, property: str) -> FileStore:
    """Return the store of a property's log at a destination, in a folder named after the property."""
    parts, name = destination.parts(), quote(property, safe="")
    if parts.scheme == "file":
        return Folder(Path(unquote(parts.path)) / name)
    options = dict(parse_qsl(parts.query))
    prefix = "/".join(part for part in (parts.path.strip("/"), name) if part)
    return Bucket(parts.netloc, f"{prefix}/", options.get("endpoint"), options.get("region"))


def _in_short(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:300]
