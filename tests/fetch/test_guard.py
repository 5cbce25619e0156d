import asyncio
import socket
import threading
from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.errors import AddressRefused, FetchTimeout, HostNotFound
from sitewright.fetch.guard import Endpoint, look_up, why_refused

PUBLIC = [
    "8.8.8.8",
    "93.184.216.34",
    "172.15.255.255",
    "172.32.0.0",
    "192.169.0.1",
    "100.128.0.1",
    "223.255.255.255",
    "2606:2800:220:1:248:1893:25c8:1946",
    "2a00:1450:4001:80b::200e",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
    "2002:808:808::1",
]
REFUSED = [
    "0.0.0.0",  # noqa: S104
    "127.0.0.1",
    "127.255.255.254",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "100.64.0.1",
    "100.100.100.200",
    "169.254.169.254",
    "168.63.129.16",
    "192.0.0.192",
    "192.0.2.1",
    "198.18.0.1",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:a9fe:a9fe",
    "::ffff:0:127.0.0.1",
    "64:ff9b::169.254.169.254",
    "64:ff9b:1::8.8.8.8",
    "2002:7f00:1::1",
    "2002:a9fe:a9fe::",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:db8::1",
    "3fff::1",
    "100::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "4000::1",
]


def endpoints_of(host: str, port: int, seconds: float, *, allowed: bool = False) -> tuple[Endpoint, ...]:
    return asyncio.run(look_up(host, port, seconds, allowed=allowed))


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_let_through(address: str) -> None:
    assert why_refused(address) == ""


@pytest.mark.parametrize("address", REFUSED)
def test_any_other_address_is_refused(address: str) -> None:
    assert why_refused(address)


@given(st.ip_addresses(v=4))
def test_no_address_is_let_through_that_python_knows_not_to_be_public(address: IPv4Address) -> None:
    if not address.is_global or address.is_multicast or address.is_reserved:
        assert why_refused(str(address))


@given(st.ip_addresses(v=4))
def test_an_address_inside_another_is_judged_like_itself(address: IPv4Address) -> None:
    number = int(address)
    inside = (
        IPv6Address((0xFFFF << 32) | number),
        IPv6Address((0x64FF9B << 96) | number),
        IPv6Address((0x2002 << 112) | (number << 80) | 1),
    )
    assert {why_refused(str(wrapped)) for wrapped in inside} == {why_refused(str(address))}


def test_the_message_says_how_to_allow_a_host() -> None:
    with pytest.raises(
        AddressRefused, match=r"127\.0\.0\.1, an address for this machine.*SITEWRIGHT_FETCH_ALLOW_HOSTS=127\.0\.0\.1"
    ):
        endpoints_of("127.0.0.1", 80, 5)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "0", "::1"])
def test_every_spelling_of_this_machine_is_refused(host: str) -> None:
    with pytest.raises((AddressRefused, HostNotFound)):
        endpoints_of(host, 80, 5)


def test_an_allowed_host_is_not_checked() -> None:
    assert ("127.0.0.1", 8000) in [endpoint[1:] for endpoint in endpoints_of("127.0.0.1", 8000, 5, allowed=True)]


def test_one_private_address_among_public_ones_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 80)) for address in ("93.184.216.34", "10.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    with pytest.raises(AddressRefused, match=r"10\.0\.0\.1"):
        endpoints_of("both.example", 80, 5)


def test_a_host_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    with pytest.raises(HostNotFound, match=r"nowhere\.example: .*\(Name or service not known\); check the name"):
        endpoints_of("nowhere.example", 80, 5)


def test_a_resolver_that_does_not_answer_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    answered = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answered.wait() and [])
    with pytest.raises(FetchTimeout, match=r"slow\.example"):
        endpoints_of("slow.example", 80, 0.1)
    answered.set()
