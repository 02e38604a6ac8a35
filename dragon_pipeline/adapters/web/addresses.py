"""Which addresses a crawl may connect to: public ones, looked at when the connection is made and not before."""

import ipaddress
import socket
from typing import Any

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
UNICAST = ipaddress.IPv6Network("2000::/3")
"""All that IANA gives out. Python counts more as global: site-local addresses, and others that hold private IPv4 ones."""


class PrivateAddress(OSError):
    """A name, or an address, that leads into a private network."""

    words = "leads into a private network"
    """in its message, also when the connector joins the messages of several addresses"""


def public_socket(info: tuple[Any, ...]) -> socket.socket:
    """A socket for an address as `getaddrinfo` gives it. What is looked at here is what is connected to: a name that
    answers with another address the next time gains nothing.

    Raises:
        PrivateAddress: it is not on the public internet.
    """
    family, kind, protocol, _, place = info
    if not is_public(place[0]):
        raise PrivateAddress(f"{place[0]} {PrivateAddress.words}")
    return socket.socket(family, kind, protocol)


def is_public(address: str) -> bool:
    """Whether an IP address, and what it carries inside, is on the public internet."""
    found: Address = ipaddress.ip_address(address.partition("%")[0])
    inside = _inside(found)
    given_out = isinstance(found, ipaddress.IPv4Address) or found in UNICAST or found in NAT64 or found.ipv4_mapped
    return bool(given_out) and all(one.is_global and not one.is_multicast for one in (found, *inside))


def _inside(address: Address) -> list[Address]:
    """IPv4 addresses that an IPv6 one stands for: mapped, 6to4, Teredo and NAT64."""
    if isinstance(address, ipaddress.IPv4Address):
        return []
    found: list[Address | None] = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in NAT64:
        found.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return [one for one in found if one is not None]
