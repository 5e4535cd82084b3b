"""Networks (CIDR) from which a token may be used. The client's address is determined by `client_ip.py`, as
for the rate limits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Network, ip_address, ip_network

from audit.facts.input_parsing import whole

MOST = 50
"""Maximum number of networks of one token."""
MAPPED = IPv6Network("::ffff:0:0/96")
"""The IPv6 form of IPv4 addresses. `client_ip` converts such an address to IPv4 before it is compared."""
SEPARATORS = re.compile(r"[\s,;]+")


def parse(text: str) -> list[str]:
    """Return the networks in a text, each once, in the order of the text. They are separated by spaces,
    commas or lines. An address without a prefix length is a network of one address. Raise ValueError, with a
    sentence for the user, for a text that is not a network.
    """
    networks = list(dict.fromkeys(_network(part) for part in SEPARATORS.split(text.strip()) if part))
    if len(networks) > MOST:
        raise ValueError(f"A token has at most {MOST} networks. Combine them into larger networks.")
    return networks


def allow(networks: Iterable[str], address: str | None) -> bool:
    """Return True if an address is in one of the networks, or if there are no networks. An unknown address
    (None) is in no network.
    """
    allowed = [ip_network(network) for network in networks]
    if not allowed or address is None:
        return not allowed
    client = ip_address(address)
    return any(client in network for network in allowed)


def _network(part: str) -> str:
    text, slash, bits = part.partition("/")
    try:
        if not part.isascii() or "%" in part or (slash and whole(bits) is None):
            raise ValueError(part)
        network: IPv4Network | IPv6Network = ip_network(part, strict=False)
    except ValueError:
        says = "is not a network. Write it as 192.0.2.0/24 or 2001:db8::/32, or one address."
        raise ValueError(f"{part[:50]!r} {says}") from None
    if network.network_address != ip_address(text):
        raise ValueError(f"{part!r} names an address within a network. Write {network} for the network.")
    if isinstance(network, IPv6Network) and network.subnet_of(MAPPED):
        first = IPv4Address(int(network.network_address) & 0xFFFF_FFFF)
        network = IPv4Network((first, network.prefixlen - MAPPED.prefixlen))
    return str(network)
