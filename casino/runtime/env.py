"""Compute settings from environment variables: databases, broker, secret key and HTTPS."""

import contextlib
import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from casino.runtime import embedded as house
from casino.runtime.weak_secrets import is_weak


def embedded(data: Path) -> dict[str, Any]:
    """Return DATABASES for the embedded database in `data`. The database is started at the first query."""
    place = {
        "ENGINE": "casino.runtime.embedded.backend",
        "NAME": house.DATABASE,
        "HOST": house.address(data),
        "PORT": str(house.PORT),
    }
    options = {"house": str(data)}
    return {
        "default": place | {"USER": house.APP_ROLE, "OPTIONS": options},
        "owner": place | {"USER": house.OWNER_ROLE, "OPTIONS": options},
    }


def embedded_broker(data: Path) -> str:
    """Return CELERY_BROKER_URL for the embedded broker in `data`. The broker is started at the first
    connection.
    """
    return f"embedded+socket://{house.broker_address(data)}"


def from_url(url: str, variable: str) -> dict[str, Any]:
    """Return an entry of DATABASES from postgres://user:password@host:port/name?option=value.

    Raise ImproperlyConfigured, which names `variable` and never contains the password.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ImproperlyConfigured(
            f"{variable} cannot be read: write postgres://user:password@host:port/name."
        ) from None
    name = unquote(parts.path.removeprefix("/"))
    if parts.scheme not in ("postgres", "postgresql") or not parts.username or not name:
        raise ImproperlyConfigured(
            f"{variable} must look like postgres://user:password@host:port/name (user and name are needed)."
        )
    options = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "casino.runtime.postgres",
        "NAME": name,
        "USER": unquote(parts.username),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", None) or unquote(parts.hostname or ""),
        "PORT": options.pop("port", None) or str(port or ""),
        "OPTIONS": (
            {"connect_timeout": "10"} | options
        ),  # without it, connecting to a server that is gone takes minutes
    }


def replica(url: str) -> dict[str, Any]:
    """Return the entry of DATABASES for a replica. Its connections refuse to write, and a replica that is
    gone is noticed within seconds.
    """
    entry = from_url(url, "DATABASE_REPLICA_URL")
    read_only = "-c default_transaction_read_only=on"
    options = entry["OPTIONS"].get("options", "")
    entry["OPTIONS"] = {
        "keepalives_idle": "5",
        "keepalives_interval": "2",
        "keepalives_count": "3",
        **entry["OPTIONS"],
        "options": f"{options} {read_only}".strip(),
    }
    if "connect_timeout" not in dict(parse_qsl(urlsplit(url).query)):
        entry["OPTIONS"]["connect_timeout"] = "2"
    return entry | {"ENGINE": "casino.runtime.replica_backend"}


def kept_secret(data: Path) -> str:
    """Return the secret key of the installation in `data`. The first call generates it and stores it in a
    file that only this user can read.
    """
    file = data / "secret_key"
    try:
        if not file.exists():
            data.mkdir(mode=0o700, parents=True, exist_ok=True)
            temporary = data / f".secret_key.{os.getpid()}"
            temporary.touch(mode=0o600)
            temporary.write_text(secrets.token_urlsafe(48))
            with contextlib.suppress(FileExistsError):  # another process was first: use its key
                os.link(temporary, file)
            temporary.unlink()
        secret = file.read_text()
    except OSError as error:
        raise ImproperlyConfigured(
            f"The folder {data} cannot be used ({error.strerror}): set CATWALK_DATA to a folder that you may"
            " write."
        ) from error
    if is_weak(secret):
        raise ImproperlyConfigured(
            f"The secret key in {file} is short or well known. Copy it to CATWALK_OLD_KEYS, delete the file,"
            " and follow Change the secret key in docs/operations.md."
        )
    return secret


def is_secure(configured: bool | None, hosts: list[str], *, debug: bool) -> bool:
    """Return True if pages and cookies must use https only.

    Args:
        configured: the setting. If it is None, https is required as soon as `hosts` contains any host other
            than this machine.
    """
    if configured is not None:
        return configured
    return not debug and not set(hosts) <= {"localhost", "127.0.0.1", "[::1]"}


def pages_url(hosts: Sequence[str], *, secure: bool) -> str:
    """Return the address of the pages for links in mail, or an empty text if it is not known."""
    host = next((host for host in hosts if host[:1] not in (".", "*")), "")
    return f"https://{host}" if secure and host else ""
