"""From which address a request came, for whatever counts by address: wrong passwords, requests, who is given
figures.

Each proxy writes the address that it was asked from at the end of `X-Forwarded-For`; what stands before that
anybody may have sent. So of N proxies of ours (CATWALK_PROXIES) it is the N-th from the end, and nothing else
is believed.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

from django.conf import settings
from django.http import HttpRequest

FORWARDED = "X-Forwarded-For"


def client_ip(request: HttpRequest) -> str | None:
    """The client's address; None where it cannot be known, as when a request came past one of our proxies."""
    told = request.headers.get(FORWARDED)
    if not settings.PROXIES or told is None:
        return _read(request.META.get("REMOTE_ADDR", ""))
    chain = told.split(",")
    return _read(chain[-settings.PROXIES]) if len(chain) >= settings.PROXIES else None


def _read(written: str) -> str | None:
    """One address in one spelling: some proxies write its port too, and a version 4 address as one of version
    6.
    """
    bare = written.strip()
    if bare.startswith("["):
        bare = bare[1:].partition("]")[0]
    elif bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        found: IPv4Address | IPv6Address = ip_address(bare)
    except ValueError:
        return None
    return str(getattr(found, "ipv4_mapped", None) or found)
