"""Send requests to webhooks in a way that gives their owners no access to the network of the casino.

This module resolves the host name and checks that all its addresses are permitted. It then connects to a
checked address, so a later change of the name has no effect. Redirects are not followed. The time of a
request and the size of the answer are limited.
"""

from __future__ import annotations

import re
import socket
from contextlib import suppress
from http.client import HTTPException
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from threading import Timer
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import urllib3
from django.conf import settings
from urllib3.exceptions import HTTPError

from audit.facts.input_parsing import whole

CONNECT_SECONDS, READ_SECONDS, TOTAL_SECONDS = 5, 10, 15
"""Maximum seconds to connect, to wait for further bytes of the answer, and for the whole request."""
ANSWER_BYTES = 4096
"""Maximum number of bytes of an answer that are read. The rest is ignored."""
TOO_LONG = "The receiver took too long to answer."
AGENT = "Catwalk-Webhooks"
NOISE = re.compile(r"^Tracked\(.*?\): |\[Errno -?[0-9]+\] ")
"""Parts of the text of an error that only developers understand: the connection as Python writes it, and the
number of the error.
"""
NAT64 = ip_network("64:ff9b::/96")


class Refused(Exception):
    """The address of a webhook is not permitted. The text of the error gives the reason."""


class Answer(NamedTuple):
    """The result of a request.

    Attributes:
        code: the status, or None without an answer.
        text: the beginning of the answer, or what failed.
        retry_after: seconds, or None.
    """

    code: int | None
    text: str
    retry_after: int | None = None

    @property
    def is_success(self) -> bool:
        """Return True if the receiver has accepted the event."""
        return self.code is not None and 200 <= self.code < 300


def check_url(url: str) -> None:
    """Raise Refused if a webhook may not have this URL. The IP addresses of the host are checked later, when
    a request is sent.
    """
    parts = urlsplit(url)
    try:
        port = parts.port
    except ValueError:
        raise Refused("its port must be a number up to 65535") from None
    if parts.scheme != "https" and not (parts.scheme == "http" and settings.WEBHOOK_HTTP):
        raise Refused("it must begin with https://")
    if not parts.hostname or parts.username is not None or parts.password is not None or port == 0:
        raise Refused("it must be https://HOST/PATH, without a user name")
    if parts.fragment:
        raise Refused("it must not have a part after #")


def address_of(host: str, port: int, *, private: bool) -> str:
    """Return the IP address to connect to. Raise Refused if any address of this host name is not permitted,
    or if the name has no address.
    """
    try:
        entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Refused(f"{host} cannot be resolved: {error}") from None
    addresses = [str(entry[4][0]) for entry in entries]
    for address in addresses:
        if reason := _forbidden(ip_address(address.partition("%")[0]), private=private):
            raise Refused(f"{host} is {address}, {reason}")
    if not addresses:
        raise Refused(f"{host} has no address")
    return addresses[0]


def _forbidden(address: IPv4Address | IPv6Address, *, private: bool) -> str:
    """Return why an address is not permitted, or an empty text."""
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        if address in NAT64:
            inner = IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return _forbidden(inner, private=private)
    if address.is_link_local or address.is_multicast or address.is_unspecified:
        return "an address that is not allowed for webhooks"
    if address.is_global:
        return ""
    if address.is_loopback or address.is_private:
        return "" if private else "a private address: the threshold private-webhooks does not allow it"
    return "an address that is not allowed for webhooks"


class Client:
    """Sends requests to one URL over one connection, which stays open between requests. Use it as a context
    manager.
    """

    def __init__(self, url: str, *, private: bool) -> None:
        check_url(url)
        parts = urlsplit(url)
        assert parts.hostname is not None
        self.host = parts.netloc.rpartition("@")[2]
        self.path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        port = parts.port or (443 if parts.scheme == "https" else 80)
        address = address_of(parts.hostname, port, private=private)
        self.open: list[Any] = []
        self.is_interrupted = False
        options: dict[str, Any] = {"maxsize": 1, "block": False, "retries": False}
        if parts.scheme == "https":
            names: dict[str, Any] = {"server_hostname": parts.hostname, "assert_hostname": parts.hostname}
            self.pool: Any = urllib3.HTTPSConnectionPool(address, port, **options, **names)
        else:
            self.pool = urllib3.HTTPConnectionPool(address, port, **options)
        self.pool.ConnectionCls = _tracked(self.pool.ConnectionCls, self.open)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *error: object) -> None:
        self.pool.close()

    def post(self, body: bytes, headers: dict[str, str]) -> Answer:
        """Post a body and return the answer. A network error is returned as an answer without a code."""
        own = {"Host": self.host, "User-Agent": AGENT, "Content-Type": "application/json"}
        own |= {"Accept-Encoding": "identity"}
        self.is_interrupted = False
        deadline = Timer(TOTAL_SECONDS, self._interrupt)
        deadline.daemon = True
        deadline.start()
        try:
            answer = self._post(body, own | headers)
            # An answer that was cut off by the deadline may look complete.
            return Answer(None, TOO_LONG) if self.is_interrupted else answer
        except HTTPError as error:
            return Answer(None, TOO_LONG if self.is_interrupted else _words(error))
        except (OSError, HTTPException) as error:
            return Answer(None, _words(error))
        finally:
            deadline.cancel()

    def _post(self, body: bytes, headers: dict[str, str]) -> Answer:
        timeout = urllib3.Timeout(connect=CONNECT_SECONDS, read=READ_SECONDS)
        response = self.pool.urlopen(
            "POST",
            self.path,
            body,
            headers,
            redirect=False,
            retries=False,
            preload_content=False,
            timeout=timeout,
        )
        try:
            text = response.read(ANSWER_BYTES, decode_content=False)
        finally:
            if response.length_remaining != 0:
                response.close()  # The rest is not read, so the connection cannot be used again.
            response.release_conn()
        wait = response.headers.get("Retry-After", "")
        return Answer(
            response.status,
            text[:500].decode(errors="replace"),
            whole(wait, 7),
        )

    def _interrupt(self) -> None:
        """Close the connection, because the request has taken too long."""
        self.is_interrupted = True
        for connection in self.open:
            if (sock := getattr(connection, "sock", None)) is not None:
                with suppress(OSError):
                    sock.shutdown(socket.SHUT_RDWR)


def _tracked(base: Any, connections: list[Any]) -> Any:
    """Return a subclass of the connection class `base`. It stores its latest open connection in
    `connections`, so that the connection can be interrupted.
    """

    class Tracked(base):  # type: ignore[misc]
        def connect(self) -> None:
            connections[:] = [self]
            super().connect()

    return Tracked


def _words(error: Exception) -> str:
    """Return a short text about a failed request, without the names of classes and numbers of errors."""
    reason = getattr(error, "reason", None) or error
    text = NOISE.sub("", str(reason).rpartition(">: ")[2])
    return (text or type(reason).__name__)[:300]
