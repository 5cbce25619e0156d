"""A host in, the addresses to connect to out; none that is inside a private network.

A page may name any host, and so may whoever answers for it: without this check a link or a redirect would reach what
only our own network should reach, such as a router, a database or the keys of a cloud machine.
"""

import socket
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from queue import Empty, SimpleQueue
from threading import Thread
from typing import NamedTuple

from sitewright.errors import AddressRefused, FetchTimeout, HostNotFound

_REFUSED_4 = tuple(
    (IPv4Network(network), reason)
    for network, reason in (
        ("0.0.0.0/8", "this machine"),
        ("127.0.0.0/8", "this machine"),
        ("10.0.0.0/8", "a private network"),
        ("172.16.0.0/12", "a private network"),
        ("192.168.0.0/16", "a private network"),
        ("100.64.0.0/10", "a provider's own network"),
        ("169.254.0.0/16", "the local link, where cloud machines keep their keys"),
        ("168.63.129.16/32", "a cloud's own service"),
        ("192.0.0.0/24", "protocols, not hosts"),
        ("192.88.99.0/24", "protocols, not hosts"),
        ("192.0.2.0/24", "documentation"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("198.18.0.0/15", "measurements"),
        ("224.0.0.0/4", "many hosts at once"),
        ("240.0.0.0/4", "no use so far"),
    )
)
_REFUSED_6 = tuple(
    (IPv6Network(network), reason)
    for network, reason in (
        ("::1/128", "this machine"),
        ("::/128", "this machine"),
        ("fc00::/7", "a private network"),
        ("fec0::/10", "a private network"),
        ("fe80::/10", "the local link"),
        ("ff00::/8", "many hosts at once"),
        ("2001::/23", "protocols, not hosts"),
        ("2001:db8::/32", "documentation"),
        ("3fff::/20", "documentation"),
    )
)
"""The registries of special addresses (RFC 6890 and its successors), which Python's `is_global` knows in parts only."""
_PUBLIC_6 = IPv6Network("2000::/3")
"""All IPv6 addresses given to hosts on the internet so far."""
_MAPPED, _TRANSLATED = IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96")


class Endpoint(NamedTuple):
    """An address to connect to."""

    family: int
    address: str
    port: int


def names_of(host: str, port: int | None) -> frozenset[str]:
    """Return what a list of hosts may call a host: with or without its port.

    >>> sorted(names_of("::1", 80))
    ['::1', '[::1]', '[::1]:80']
    """
    written = f"[{host}]" if ":" in host else host
    return frozenset((host, written, f"{written}:{port}"))


def find_endpoints(host: str, port: int, seconds: float, *, allowed: bool = False) -> tuple[Endpoint, ...]:
    """Return where a host can be reached; `AddressRefused` if any of its addresses is refused and it is not allowed."""
    endpoints = _resolve(host, port, seconds)
    for endpoint in () if allowed else endpoints:
        refuse(host, endpoint.address)
    return endpoints


def refuse(host: str, address: str) -> None:
    """Raise `AddressRefused` if an address of a host is not a public one."""
    if reason := why_refused(address):
        raise AddressRefused(
            f"{host} is {address}, an address for {reason}; to fetch from it all the same, "
            "name the host in the setting fetch.allow_hosts"
        )


def why_refused(address: str) -> str:
    """Return for what an address is kept, or nothing if it is a public one.

    >>> why_refused("127.0.0.1"), why_refused("::ffff:10.0.0.1"), why_refused("93.184.216.34")
    ('this machine', 'a private network', '')
    """
    return _reason(ip_address(address.partition("%")[0]))


def _reason(address: IPv4Address | IPv6Address) -> str:
    if isinstance(address, IPv4Address):
        return next((reason for network, reason in _REFUSED_4 if address in network), "")
    inside = _address_inside(address)
    if inside is not None:
        return _reason(inside)
    named = next((reason for network, reason in _REFUSED_6 if address in network), "")
    return named or ("" if address in _PUBLIC_6 else "no use so far")


def _address_inside(address: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address that an IPv6 address stands for: mapped, translated (NAT64) or tunnelled (6to4)."""
    if address in _MAPPED or address in _TRANSLATED:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.sixtofour


def _resolve(host: str, port: int, seconds: float) -> tuple[Endpoint, ...]:
    """Look up a host in a thread of its own, since the system's resolver cannot be told when to give up."""
    answers: SimpleQueue[tuple[Endpoint, ...] | OSError] = SimpleQueue()

    def look_up() -> None:
        try:
            found = socket.getaddrinfo(host.encode("ascii"), port, type=socket.SOCK_STREAM)
        except OSError as error:
            answers.put(error)
        else:
            answers.put(tuple(dict.fromkeys(Endpoint(entry[0], str(entry[4][0]), port) for entry in found)))

    Thread(target=look_up, name="sitewright-resolve", daemon=True).start()
    try:
        answer = answers.get(timeout=seconds)
    except Empty:
        raise FetchTimeout(f"{host}: no answer to the question for its address within {seconds:.0f} s") from None
    if isinstance(answer, OSError):
        raise HostNotFound(f"{host}: {answer.strerror or answer}") from answer
    return answer
