"""Compressed bytes in, bytes out, and never more of them than asked for."""

import gzip
import zlib
from io import BytesIO

from sitewright.errors import PageTooLarge

GZIP_MAGIC = b"\x1f\x8b"
_BLOCK = 1 << 16


def unpack_gzip(body: bytes, most_bytes: int) -> bytes:
    """Unpack gzip; what follows a broken place is lost.

    Raises `PageTooLarge` beyond the bound, `ValueError` if there is nothing before the broken place.

    >>> unpack_gzip(gzip.compress(b"bees"), most_bytes=4)
    b'bees'
    """
    whole = bytearray()
    try:
        with gzip.GzipFile(fileobj=BytesIO(body)) as blocks:
            while block := blocks.read1(_BLOCK):
                whole += block
                _refuse_beyond(most_bytes, len(whole))
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        if not whole:
            raise ValueError(f"not gzip, or broken from the start: {error}") from error
    return bytes(whole)


def unpack_deflate(body: bytes, most_bytes: int) -> bytes:
    """Unpack zlib data or, as some servers send it, bare deflate data.

    >>> unpack_deflate(zlib.compress(b"bees"), most_bytes=4), unpack_deflate(zlib.compress(b"bees")[2:-4], most_bytes=4)
    (b'bees', b'bees')
    """
    for window in (zlib.MAX_WBITS, -zlib.MAX_WBITS):
        try:
            whole = zlib.decompressobj(window).decompress(body, most_bytes + 1)
        except zlib.error:
            continue
        _refuse_beyond(most_bytes, len(whole))
        return whole
    raise ValueError("not deflate, or broken")


def _refuse_beyond(most_bytes: int, found: int) -> None:
    if found > most_bytes:
        raise PageTooLarge(f"unpacks to more than {most_bytes:,} bytes")
