"""What Chromium says of a page that it cannot show in, the error with a sentence for a person out."""

import re
from collections.abc import Callable

from sitewright.errors import BadUrl, ConnectionFailed, FetchError, RenderFailed, RenderTimeout, TooManyRedirects

_CODE = re.compile(r"net::(ERR_\w+)")
_MEANINGS: tuple[tuple[str, Callable[[str], FetchError], str], ...] = (
    ("ERR_CERT", ConnectionFailed, "its certificate is not valid; check the address, or try it with http://"),
    ("ERR_SSL", ConnectionFailed, "no secure connection; try the address with http://"),
    (
        "ERR_TOO_MANY_REDIRECTS",
        TooManyRedirects,
        "leads on and on, or back to itself; it may want a login or cookies",
    ),
    ("TIMED_OUT", RenderTimeout, "no answer; try again later"),
    ("ERR_ABORTED", RenderFailed, "the browser was led away before it could show it; fetch it without a browser"),
    ("ERR_BLOCKED", RenderFailed, "the page leads to what is not loaded; fetch it without a browser"),
    ("ERR_UNKNOWN_URL_SCHEME", BadUrl, "the page leads to what is not a web address"),
    ("ERR_", ConnectionFailed, "the server gives no whole answer; try again later"),
)
"""Beginnings or ends of Chromium's codes, the first that fits counts."""


def failure_of(message: str, url: str) -> FetchError:
    """Return the error of a page by what Playwright says of it.

    >>> failure_of("Page.goto: net::ERR_CERT_DATE_INVALID at https://example.com/", "https://example.com/").code
    'connection_failed'
    """
    found = _CODE.search(message)
    if found is None:
        said = message.strip().partition("\n")[0] or "no reason given"
        return RenderFailed(f"{url}: the browser cannot show it ({said}); fetch it without a browser")
    code = found[1]
    kind, meaning = next((kind, text) for part, kind, text in _MEANINGS if code.startswith(part) or code.endswith(part))
    return kind(f"{url}: {meaning} ({code})")
