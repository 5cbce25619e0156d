"""A host or an address in, whose site it is out."""

from functools import cache
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitewright.errors import BadUrl
from sitewright.parse.urls import host_of

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList


@cache
def owner_of(host: str) -> str:
    """Return the part of a host that its owner registered, which all hosts of a site share.

    >>> [owner_of(host) for host in ("news.example.com", "sport.example.co.uk", "a.gob.mx", "bees.blogspot.com")]
    ['example.com', 'example.co.uk', 'a.gob.mx', 'bees.blogspot.com']
    >>> owner_of("10.0.0.1"), owner_of("localhost"), owner_of("co.uk")
    ('10.0.0.1', 'localhost', 'co.uk')
    """
    if is_address(host):
        return host
    return _suffixes().privatesuffix(host) or host


def is_registered(host: str) -> bool:
    """Tell whether a host is under a suffix of the public list, as those of the web are.

    >>> is_registered("example.com"), is_registered("pages.jsonl"), is_registered("127.0.0.1"), is_registered("com")
    (True, False, False, False)
    """
    return not is_address(host) and _suffixes(only_known=True).privatesuffix(host.lower()) is not None


def is_address(host: str) -> bool:
    """Tell whether a host is named by numbers (`10.0.0.1`, `[::1]`)."""
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


@cache
def _suffixes(*, only_known: bool = False) -> "PublicSuffixList":
    """Return the list of public suffixes that the library ships; what is not on it is one, or none."""
    from publicsuffixlist import PublicSuffixList  # noqa: PLC0415 -- only who asks pays for the list

    return PublicSuffixList(accept_unknown=not only_known)


def is_of_site(host: str, site: str) -> bool:
    """Tell whether a host is that of a site or belongs to it.

    >>> is_of_site("sport.example.com", "example.com"), is_of_site("myexample.com", "example.com")
    (True, False)
    """
    return host == site or host.endswith(f".{site}")


def site_name(url: str) -> str:
    """Return the name under which a site is kept: what its owner registered, of shared hosts the owner's part.

    >>> site_name("https://edition.example.co.uk/news"), site_name("https://bees.blogspot.com/")
    ('example.co.uk', 'bees.blogspot.com')
    >>> site_name("http://127.0.0.2:8000/")
    '127.0.0.2'
    """
    return owner_of(host_of(url))


def front_page(text: str) -> str:
    """Return the address of a front page as a person may write it: without a scheme it is https.

    >>> front_page("example.com"), front_page("HTTP://example.com/news")
    ('https://example.com/', 'HTTP://example.com/news')
    """
    written = text.strip()
    url = written if "://" in written else f"https://{written}"
    try:
        parts = urlsplit(url)
        is_web = parts.scheme.lower() in {"http", "https"} and bool(parts.hostname) and " " not in url
        is_web = is_web and not parts.netloc.endswith(":")  # https:/example.com
        _ = parts.port
    except ValueError:
        is_web = False
    if not is_web:
        raise BadUrl(f"{text!r} is not the address of a site; write it like https://example.com/")
    return url if urlsplit(url).path else f"{url}/"
