"""URLs in, comparable URLs out."""

import hashlib
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import lru_cache
from urllib.parse import parse_qsl, unquote, urljoin, urlsplit

from turbohtml.extract import UrlCleaning, normalize_url

_DAY = re.compile(r"(?<!\d)((?:19|20)\d\d)([/_-]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)")
_NUMBER_NAMES = ("sku", "skuid", "productid", "product_id", "pid", "itemid", "item_id", "prodid", "id")
_DIGIT = re.compile(r"\d")
_CODE = re.compile(r"(?<![A-Za-z0-9])[a-z]?((?=[A-Z]*\d[A-Z\d]*\d)[A-Z\d]{6,16}|\d{5,16})(?![A-Za-z0-9])")
"""A run of six digits and capitals or more, or of five digits: years and sizes have fewer."""
_PATH = r"(?:/(?!\.)[\w%~@!$&'()*+,=:-][\w.%~@!$&'()*+,=:-]*)+/?(?:\?[\w.%~@!$&'()*+,=:/-]+)?"
_WHOLE = re.compile(rf"https?://[\w.-]+{_PATH}", re.ASCII)
_ROOTED = re.compile(_PATH, re.ASCII)
"""Addresses that resolving leaves as they are, or puts behind the host: nearly all, at a tenth of its cost."""
_IDENTITY = UrlCleaning(strip_fragment=True)


def normalise_url(url: str) -> str:
    """Return the form under which a URL is compared and remembered: no tracking parameters, no fragment.

    >>> normalise_url("HTTP://Example.com:80/a/../b?utm_source=x&id=2#top")
    'http://example.com/b?id=2'
    >>> normalise_url("http://[broken")
    'http://[broken'
    """
    cleaned = url.strip()
    try:
        return normalize_url(cleaned, _IDENTITY)
    except ValueError:
        return cleaned


def url_id(url: str) -> str:
    """Return a short name for a page: the same for every spelling of its URL.

    >>> url_id("https://example.com/a?utm_source=x") == url_id("https://EXAMPLE.com/a")
    True
    """
    return hashlib.blake2b(normalise_url(url).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def number_in(url: str) -> str:
    """Return the number that an address has for its item: a parameter named so, else the last code of its path.

    >>> number_in("https://example.com/kettles/copper-kettle-p204119.html?colour=red"), number_in("/item?sku=HK-204")
    ('204119', 'HK-204')
    >>> number_in("https://example.com/Copper-Kettle/dp/B07XX1234K/ref=1"), number_in("https://example.com/kettle-2024")
    ('B07XX1234K', '')
    """
    try:
        parts = urlsplit(url)
        named = {key.casefold(): value for key, value in parse_qsl(parts.query) if _DIGIT.search(value)}
    except ValueError:
        return ""
    stated = next((named[name] for name in _NUMBER_NAMES if name in named), "")
    found = _CODE.findall(unquote(parts.path))
    return stated or (found[-1] if found else "")


def absolute_url(url: str, base: str) -> str:
    """Resolve a link against its page; empty where that makes no web address.

    >>> absolute_url("../b.jpg", "https://example.com/news/a/")
    'https://example.com/news/b.jpg'
    >>> absolute_url("javascript:void(0)", "https://example.com/")
    ''
    """
    if _WHOLE.fullmatch(url):
        return url
    if url.startswith("/") and _ROOTED.fullmatch(url):
        origin = _origin(base)
        return f"{origin}{url}" if origin else ""
    try:
        joined = urljoin(base, url.strip().replace("\n", "").replace("\t", ""))
        parts = urlsplit(joined)
    except ValueError:
        return ""
    return joined.replace(" ", "%20") if parts.scheme in {"http", "https"} and parts.netloc else ""


@lru_cache(maxsize=64)  # all links of a page ask for the same
def _origin(base: str) -> str:
    """Return scheme and host of an address; empty where it is none of the web."""
    try:
        parts = urlsplit(base)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in {"http", "https"} and parts.netloc else ""


def host_of(url: str) -> str:
    """Return the host of a URL, in lower case and without `www.`.

    >>> host_of("https://www.Example.com:8080/a")
    'example.com'
    """
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return host.removeprefix("www.")


def days_in(address: str) -> Iterator[datetime]:
    """Yield the days that an address names.

    >>> [day.date().isoformat() for day in days_in("/2024/05/06/bees_20240507.jpg?20249999")]
    ['2024-05-06', '2024-05-07']
    """
    for year, _, month, day in _DAY.findall(address):
        try:
            yield datetime(int(year), int(month), int(day), tzinfo=UTC)
        except ValueError:  # the 31st of February
            continue
