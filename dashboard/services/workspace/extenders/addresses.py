"""From a host's name to an address that may be connected to.

What a name resolves to is checked, and the connection goes to that very address: a name that leads elsewhere
the next time changes nothing. Loopback, link-local and other special addresses (where clouds keep metadata)
are refused unless an administrator has allowed them by writing them down; private networks, where extenders
live, need only their names to be allowed.
"""

from __future__ import annotations

import socket
import threading
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import NamedTuple

IpAddress = IPv4Address | IPv6Address
_LOCALHOST = "localhost"
_METADATA = [
    ip_network(name)
    for name in (
        *("fd00:ec2::254/128", "fd20:ce::254/128", "fd00:42::42/128"),  # AWS, Google, Scaleway
        *("100.100.100.200/32", "168.63.129.16/32", "192.0.0.192/32"),  # Alibaba, Azure, Oracle
    )
]
"""Where clouds answer with credentials though the address is a private or a public one."""
_TRANSLATED = ip_network("64:ff9b::/96")


class Unreachable(Exception):
    """A host may not be connected to, or its name leads nowhere; the text is as Go's client would say it."""


class Target(NamedTuple):
    """An address to connect to, as `socket` takes it."""

    family: int
    address: str


def resolve(host: str, port: int, seconds: float) -> Target:
    """Return the address to connect to. Raises Unreachable, and TimeoutError."""
    for target in _looked_up(host, port, seconds):
        if is_acceptable(ip_address(target.address.partition("%")[0]), host):
            return target
    raise Unreachable(f"dial tcp: lookup {host}: leads to an address that may not be asked")


def is_acceptable(address: IpAddress, host: str) -> bool:
    """Return whether an extender of this name may be at the address."""
    if host == str(address) or (host == _LOCALHOST and address.is_loopback):
        return True  # This very address was allowed.
    return not any(map(_is_special, (address, *_inside(address))))


def _is_special(address: IpAddress) -> bool:
    return (
        address.is_loopback
        or address.is_link_local
        or address.is_multicast
        or address.is_unspecified
        or address.is_reserved
        or address in _THIS_NETWORK
        or any(address in network for network in _METADATA if network.version == address.version)
    )


_THIS_NETWORK = ip_network("0.0.0.0/8")


def _inside(address: IpAddress) -> list[IpAddress]:
    """Return the IPv4 addresses that an IPv6 address may stand for."""
    if isinstance(address, IPv4Address):
        return []
    found = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in _TRANSLATED:
        found.append(IPv4Address(int(address) & 0xFFFFFFFF))
    if int(address) >> 32 == 0:
        found.append(IPv4Address(int(address)))
    return [one for one in found if one is not None]


def _looked_up(host: str, port: int, seconds: float) -> list[Target]:
    """Ask the system's resolver, and wait no longer than that."""
    found: list[Target] = []
    faults: list[OSError | UnicodeError] = []

    def look_up() -> None:
        try:
            for family, _, _, _, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
                found.append(Target(family, str(address[0])))
        except (OSError, UnicodeError) as fault:
            faults.append(fault)

    thread = threading.Thread(target=look_up, daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        raise TimeoutError
    if faults or not found:
        raise Unreachable(f"dial tcp: lookup {host}: no such host")
    return found
