"""The body of an answer as it came in, the page that it is out: within a bound on its size."""

from sitewright.errors import ConnectionFailed, PageTooLarge
from sitewright.parse.compression import unpack_deflate, unpack_gzip

ENCODINGS = "gzip, deflate"
"""What servers are asked for."""
OF_THE_TRANSFER = frozenset(("content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive"))
"""Headers that describe how the body came, not what it is."""
_UNPACK = {"gzip": unpack_gzip, "x-gzip": unpack_gzip, "deflate": unpack_deflate}
_UNWANTED = frozenset(("br", "zstd", "compress", "x-compress"))


def too_large(what: str, most_bytes: int) -> PageTooLarge:
    """Return the error of a page that is too large."""
    return PageTooLarge(f"{what}; to read more than {most_bytes:,}, raise limits.page_bytes")


def unpacked(body: bytes, encodings: str, url: str, most_bytes: int) -> bytes:
    """Undo the encodings of a body, the last one first."""
    for encoding in reversed([name.strip().lower() for name in encodings.split(",")]):
        if encoding in _UNWANTED:
            raise ConnectionFailed(f"{url}: the answer is encoded as {encoding}, which was not asked for")
        unpack = _UNPACK.get(encoding)
        if not body or unpack is None:  # some servers name the charset here, or nonsense
            continue
        try:
            body = unpack(body, most_bytes)
        except ValueError as error:
            raise ConnectionFailed(
                f"{url}: the answer is said to be packed as {encoding}, but cannot be unpacked; try again later"
            ) from error
        except PageTooLarge as error:
            raise too_large(f"{url} unpacks to more bytes than it may have", most_bytes) from error
    return body
