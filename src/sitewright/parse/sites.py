"""An address in, what its site is called out."""

from functools import cache
from urllib.parse import urlsplit

import tldextract

from sitewright.errors import BadUrl
from sitewright.parse import host_of


def site_name(url: str) -> str:
    """Return the name under which a site is kept: what its owner registered, of shared hosts the owner's part.

    >>> site_name("https://edition.example.co.uk/news"), site_name("https://bees.blogspot.com/")
    ('example.co.uk', 'bees.blogspot.com')
    >>> site_name("http://127.0.0.2:8000/")
    '127.0.0.2'
    """
    host = host_of(url)
    return _suffixes()(host).top_domain_under_public_suffix or host


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


@cache
def _suffixes() -> tldextract.TLDExtract:
    """Return the list of public suffixes that the library ships, without a look at the web or the disk."""
    return tldextract.TLDExtract(cache_dir=None, suffix_list_urls=(), include_psl_private_domains=True)
