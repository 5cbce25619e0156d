"""A web address as somebody wrote it in, its parts in their one spelling out."""

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import quote, urlsplit

from sitewright.errors import BadUrl
from sitewright.fetch.guard import names_of

_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
_NUMERIC = re.compile(r"(?:.*\.)?(?:0x[0-9a-f]*|\d+)")
"""Hosts that end in a number: addresses, and `127.1`, `0x7f.1`, `2130706433`, which some programs read as addresses."""
_SAFE = "%/:;=@&!$'()*+,~[]-._"


@dataclass(frozen=True, slots=True)
class Target:
    """A web address, taken apart."""

    scheme: str
    host: str
    port: int
    path: str
    """With the query, in ASCII."""

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.authority}"

    @property
    def authority(self) -> str:
        """The host, and the port where it is not the usual one."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def names(self) -> frozenset[str]:
        """What a list of hosts may call it: with or without its port."""
        return names_of(self.host, self.port)

    @property
    def url(self) -> str:
        return self.origin + self.path


def read_target(url: str) -> Target:
    """Take a web address apart; `BadUrl` where it is none, or one with a password.

    >>> read_target("HTTPS://Bücher.example:443/a b?q=é#top").url
    'https://xn--bcher-kva.example/a%20b?q=%C3%A9'
    """
    try:
        parts = urlsplit(url.strip())
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError as error:
        raise BadUrl(f"{url}: {error}") from error
    if parts.scheme not in _PORTS:
        raise BadUrl(f"{url}: only http and https addresses are fetched")
    if parts.username is not None:
        raise BadUrl(f"{_without_user(url)}: addresses with a user name are not fetched")
    path = quote(parts.path or "/", safe=_SAFE, errors="replace")
    query = f"?{quote(parts.query, safe=f'{_SAFE}?', errors='replace')}" if parts.query else ""
    return Target(parts.scheme, _read_host(host, url), port or _PORTS[parts.scheme], path + query)


def _without_user(url: str) -> str:
    """Return an address as it may be shown: without a password."""
    return re.sub(r"//[^/?#]*@", "//…@", url, count=1)


def _read_host(host: str, url: str) -> str:
    try:
        if ":" in host and "%" not in host:
            return str(IPv6Address(host))
        name = host if host.isascii() else host.encode("idna").decode("ascii")
    except ValueError as error:
        raise BadUrl(f"{url}: {host} is not a host: {error}") from error
    if not _HOST.fullmatch(name) or (_NUMERIC.fullmatch(name) and not _is_address(name)):
        raise BadUrl(f"{url}: {host or 'nothing'} is not a host")
    return name


def _is_address(name: str) -> bool:
    """Tell whether a host is an address in its one plain spelling; others are read differently here and there."""
    try:
        return str(IPv4Address(name)) == name
    except ValueError:
        return False
