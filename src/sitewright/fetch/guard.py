"""A host in, the addresses to connect to out; none that is inside a private network.

A page may name any host, and so may whoever answers for it: without this check a link or a redirect would reach what
only our own network should reach, such as a router, a database or the keys of a cloud machine.
"""

import asyncio
import socket
from collections.abc import Callable, Iterable
from contextlib import suppress
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
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


_LookedUp = tuple[Endpoint, ...] | OSError


def names_of(host: str, port: int | None) -> frozenset[str]:
    """Return what a list of hosts may call a host: with or without its port.

    >>> sorted(names_of("::1", 80))
    ['::1', '[::1]', '[::1]:80']
    """
    written = f"[{host}]" if ":" in host else host
    return frozenset((host, written, f"{written}:{port}"))


def read_names(hosts: Iterable[str]) -> frozenset[str]:
    """Return a list of hosts that a person wrote in the spelling of `names_of`.

    >>> sorted(read_names([" LocalHost. ", "Bücher.example:8000"]))
    ['localhost', 'xn--bcher-kva.example:8000']
    """
    return frozenset(_spelled(*host.strip().partition(":")) for host in hosts)


def _spelled(host: str, colon: str, port: str) -> str:
    name = host.rstrip(".")
    with suppress(UnicodeError):  # not a name that a page could have, so it allows nothing
        name = name.encode("idna").decode("ascii")
    return f"{name.lower()}{colon}{port.lower()}"


async def look_up(host: str, port: int, seconds: float, *, allowed: bool = False) -> tuple[Endpoint, ...]:
    """Return where a host can be reached; `AddressRefused` if any of its addresses is refused and it is not allowed."""
    loop = asyncio.get_running_loop()
    answered: asyncio.Future[_LookedUp] = loop.create_future()

    def tell(answer: _LookedUp) -> None:
        if not answered.done():
            answered.set_result(answer)

    def deliver(answer: _LookedUp) -> None:
        with suppress(RuntimeError):  # the loop has ended, nobody waits
            loop.call_soon_threadsafe(tell, answer)

    _look_up(host, port, deliver)
    try:
        async with asyncio.timeout(seconds):
            answer = await answered
    except TimeoutError:
        raise _no_answer(host, seconds) from None
    return _checked(host, answer, allowed=allowed)


def _checked(host: str, answer: _LookedUp, *, allowed: bool) -> tuple[Endpoint, ...]:
    if isinstance(answer, OSError):
        raise HostNotFound(
            f"{host}: there is no host of this name ({answer.strerror or answer}); check the name, and whether this "
            "machine is online"
        ) from answer
    for endpoint in () if allowed else answer:
        refuse(host, endpoint.address)
    return answer


def _no_answer(host: str, seconds: float) -> FetchTimeout:
    return FetchTimeout(
        f"{host}: no answer to the question for its address within {seconds:.0f} s; check whether this machine is "
        "online, or try again later"
    )


def refuse(host: str, address: str) -> None:
    """Raise `AddressRefused` if an address of a host is not a public one."""
    if reason := why_refused(address):
        raise AddressRefused(
            f"{host} is {address}, an address for {reason}; to fetch from it all the same, set "
            f'SITEWRIGHT_FETCH_ALLOW_HOSTS={host}, or in sitewright.toml under [fetch]: allow_hosts = ["{host}"]'
        )


def refuse_literal(host: str, names: Iterable[str], allowed: frozenset[str]) -> None:
    """Refuse a host that is written as a number, and not allowed: no resolver is asked for it."""
    try:
        ip_address(host)
    except ValueError:
        return
    if allowed.isdisjoint(names):
        refuse(host, host)


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


def _look_up(host: str, port: int, deliver: Callable[[_LookedUp], None]) -> None:
    """Look up a host in a thread of its own, since the system's resolver cannot be told when to give up."""

    def ask() -> None:
        try:
            found = socket.getaddrinfo(host.encode("ascii"), port, type=socket.SOCK_STREAM)
        except OSError as error:
            deliver(error)
        else:
            deliver(tuple(dict.fromkeys(Endpoint(entry[0], str(entry[4][0]), port) for entry in found)))

    Thread(target=ask, name="sitewright-resolve", daemon=True).start()
