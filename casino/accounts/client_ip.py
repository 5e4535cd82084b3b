"""Find the client's IP address. It is used to count failed logins and requests, and to allow access to
metrics.

Each proxy appends the address of its own client to `X-Forwarded-For`. Clients can forge all earlier addresses
in that header. With N proxies of our own (CATWALK_PROXIES), the client is the N-th address from the end, and
all others are ignored.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

from django.conf import settings
from django.http import HttpRequest

FORWARDED = "X-Forwarded-For"


def client_ip(request: HttpRequest) -> str | None:
    """Return the client's address. Return None if it is not known, for example because the request did not
    pass through our proxies.
    """
    forwarded = request.headers.get(FORWARDED)
    if not settings.PROXIES or forwarded is None:
        return _read(request.META.get("REMOTE_ADDR", ""))
    chain = forwarded.split(",")
    return _read(chain[-settings.PROXIES]) if len(chain) >= settings.PROXIES else None


def _read(written: str) -> str | None:
    """Return an address in canonical form: without a port, and with an IPv4-mapped IPv6 address converted to
    IPv4.
    """
    bare = written.strip()
    if bare.startswith("["):
        bare = bare[1:].partition("]")[0]
    elif bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        address: IPv4Address | IPv6Address = ip_address(bare)
    except ValueError:
        return None
    return str(getattr(address, "ipv4_mapped", None) or address)
