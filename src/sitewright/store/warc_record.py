"""A Page in, the bytes of its WARC record out, and back to an equal Page."""

import base64
import hashlib
import json
import re
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from sitewright.types import Page

_BREAK = "\r\n"
_OURS = "Sitewright-Page"
"""A field of our own, with what WARC has no word for; others ignore it."""
_KEPT = "X-Archive-Orig-"
"""How archives name headers of the transfer (say, gzip) that do not hold for the body as it is kept."""
_OF_THE_TRANSFER = frozenset(("content-encoding", "content-length", "transfer-encoding"))
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_BREAKS = re.compile(r"[\r\n\0]")
_IN_ADDRESSES = "!#$%&'()*+,/:;=?@[]~"


def record_of(page: Page) -> tuple[bytes, str]:
    """Return the record of a page, and the digest of its body.

    A response with the headers it was served with; a resource where an archive kept only decoded text.
    """
    about: dict[str, Any] = {
        "url": page.url,
        "final_url": page.final_url,
        "via": page.via,
        "fetched_at": page.fetched_at.isoformat() if page.fetched_at else None,
    }
    if isinstance(page.body, str):
        body = page.body.encode("utf-8", "surrogatepass")
        block, kind, content = body, "resource", "text/html; charset=utf-8"
        about |= {"status": page.status, "headers": dict(page.headers)}
    else:
        body = page.body
        if not all(map(_is_plain, page.headers.items())):
            about["headers"] = dict(page.headers)
        block, kind, content = _http_head(page) + body, "response", "application/http; msgtype=response"
    digest = _digest(body)
    fields = {
        "WARC-Target-URI": quote(page.url, safe=_IN_ADDRESSES, errors="replace") or "about:blank",
        "WARC-Payload-Digest": digest,
        _OURS: json.dumps(about),
        "Content-Type": content,
    }
    return _record(kind, page.fetched_at or datetime.now(UTC), fields, block), digest


def info_record(file: str, moment: datetime, software: str) -> bytes:
    """Return the record that a file begins with: who wrote it."""
    block = f"software: {software}{_BREAK}format: WARC File Format 1.1{_BREAK}".encode()
    fields = {"WARC-Filename": file, "Content-Type": "application/warc-fields"}
    return _record("warcinfo", moment, fields, block)


def page_of(record: bytes, digest: str) -> Page:
    """Return the page of a record that `record_of` made; `ValueError` where it is not that page."""
    head, _, rest = record.partition(b"\r\n\r\n")
    fields = _fields(head)
    if _OURS not in fields or not rest.endswith(b"\r\n\r\n"):
        raise ValueError("it holds no page")
    about = json.loads(fields[_OURS])
    block = rest[:-4]
    if fields["WARC-Type"] == "resource":
        body, status, headers = block, about["status"], about["headers"]
    else:
        start, _, body = block.partition(b"\r\n\r\n")
        status, headers = int(start.split(b" ", 2)[1]), about.get("headers") or _served(_fields(start))
    if _digest(body) != digest:
        raise ValueError("its body is not the one that was stored")
    return Page(
        url=about["url"],
        body=body.decode("utf-8", "surrogatepass") if fields["WARC-Type"] == "resource" else body,
        final_url=about["final_url"],
        status=status,
        headers=headers,
        fetched_at=datetime.fromisoformat(about["fetched_at"]) if about["fetched_at"] else None,
        via=about["via"],
    )


def stated_digest(record: bytes) -> str:
    """Return the digest of the page that a record says it holds; empty where it holds none."""
    fields = _fields(record.partition(b"\r\n\r\n")[0])
    return fields.get("WARC-Payload-Digest", "") if _OURS in fields else ""


def _record(kind: str, moment: datetime, fields: Mapping[str, str], block: bytes) -> bytes:
    own = {
        "WARC-Type": kind,
        "WARC-Record-ID": f"<urn:uuid:{uuid.uuid4()}>",
        "WARC-Date": (moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)).strftime(
            "%Y-%m-%dT%H:%M:%S.%fZ"
        ),
    }
    named = own | dict(fields) | {"Content-Length": str(len(block))}
    head = _BREAK.join(["WARC/1.1", *(f"{name}: {value}" for name, value in named.items())])
    return head.encode("utf-8") + b"\r\n\r\n" + block + b"\r\n\r\n"


def _http_head(page: Page) -> bytes:
    """Return status and headers, with a length that holds for the body as it is kept."""
    lines = [f"HTTP/1.1 {page.status} {_phrase(page.status)}"]
    lines += [f"{_kept_name(name)}: {value}" for name, value in page.headers.items() if _is_plain((name, value))]
    lines.append(f"Content-Length: {len(page.body)}")
    return (_BREAK.join(lines) + _BREAK * 2).encode("utf-8", "surrogatepass")


def _served(headers: Mapping[str, str]) -> dict[str, str]:
    """Return headers as they were served."""
    return {name.removeprefix(_KEPT): value for name, value in headers.items() if name != "Content-Length"}


def _kept_name(name: str) -> str:
    return _KEPT + name if name.lower() in _OF_THE_TRANSFER or name.startswith(_KEPT) else name


def _fields(head: bytes) -> dict[str, str]:
    """Read the lines `name: value` behind the first line."""
    lines = head.decode("utf-8", "surrogatepass").split(_BREAK)[1:]
    return {name: value.strip(" ") for name, _, value in (line.partition(":") for line in lines)}


def _is_plain(header: tuple[str, str]) -> bool:
    """Tell whether HTTP has such a header; others are kept in our own field alone."""
    name, value = header
    return _TOKEN.fullmatch(name) is not None and not _BREAKS.search(value) and value == value.strip(" ")


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"


def _digest(body: bytes) -> str:
    """Return the digest as WARC files write it."""
    made = hashlib.sha1(body, usedforsecurity=False).digest()
    return "sha1:" + base64.b32encode(made).decode("ascii")
