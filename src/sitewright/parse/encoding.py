"""Bytes and HTTP headers in, the parsed tree out, decoded the way browsers do it."""

import re
from collections.abc import Mapping

import turbohtml

from sitewright.errors import NotHtml

_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)
_HTML_TYPE = re.compile(r"\s*(text/|application/(xhtml|xml|.*\+xml)|multipart/|message/|$)", re.IGNORECASE)
_OTHER_MAGIC = (
    b"%PDF-",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"RIFF",
    b"\x7fELF",
    b"\xfd7zXZ",
)
_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_SNIFFED = 1445
"""How much of a body the WHATWG MIME sniffing standard looks at."""


def parse_body(body: bytes | str, headers: Mapping[str, str]) -> turbohtml.Document:
    """Parse a body: a byte order mark wins, then the HTTP header, then `<meta>`, then the look of the bytes."""
    content_type = _header(headers, "content-type")
    if not _HTML_TYPE.match(content_type):
        raise NotHtml(f"the page is served as {content_type.split(';')[0].strip()}")
    if isinstance(body, str):
        return turbohtml.parse(body, positions=False)
    _refuse_binary(body)
    if declared := _CHARSET.search(content_type):
        try:
            return turbohtml.parse(body, encoding=declared[1], positions=False)
        except LookupError:
            pass  # a label that no browser knows counts as none
    return turbohtml.parse(body, detect_encoding=True, positions=False)


def _header(headers: Mapping[str, str], name: str) -> str:
    return next((value for key, value in headers.items() if key.lower() == name), "")


def _refuse_binary(body: bytes) -> None:
    head = body[:_SNIFFED]
    if head.startswith(_OTHER_MAGIC):
        raise NotHtml(f"the body begins like another kind of file: {head[:8]!r}")
    if head.startswith(_BYTE_ORDER_MARKS) or head.lstrip(b"\0\t\n\f\r ").startswith(b"<"):
        return
    if _BINARY.search(head):
        raise NotHtml("the body is binary data")
