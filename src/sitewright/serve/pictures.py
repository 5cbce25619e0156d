"""The address of a picture in, that on this service out: signed, so that nobody has us fetch any other."""

import hashlib
import hmac
from collections.abc import Callable
from urllib.parse import urlencode

from fastapi import Request

from sitewright.serve.service import service_of


def signed_address(request: Request) -> Callable[[str], str]:
    """Return what makes addresses of the proxy; empty ones where pictures are not shown."""
    service = service_of(request)

    def address(url: str) -> str:
        if not url or not service.options.serve.pictures:
            return ""
        return "/picture?" + urlencode({"of": url, "by": signature(service.secret, url)})

    return address


def signature(secret: bytes, url: str) -> str:
    """Return what proves that we wrote the address of a picture.

    >>> signature(b"secret", "https://a.example/b.jpg") == signature(b"other", "https://a.example/b.jpg")
    False
    """
    return hmac.new(secret, url.encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:32]
