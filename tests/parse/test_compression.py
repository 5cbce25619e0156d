import gzip
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.errors import PageTooLarge
from sitewright.parse.compression import unpack_deflate, unpack_gzip

Unpack = Callable[[bytes, int], bytes]


@given(st.binary(max_size=2000))
def test_what_was_packed_is_unpacked(body: bytes) -> None:
    assert unpack_gzip(gzip.compress(body, mtime=0), len(body)) == body
    assert unpack_deflate(zlib.compress(body), len(body)) == body


@pytest.mark.parametrize(
    ("unpack", "packed"),
    [
        (unpack_gzip, gzip.compress(b"\0" * 10_000_000)),
        (unpack_gzip, gzip.compress(b"abc", mtime=0) * 5000),
        (unpack_deflate, zlib.compress(b"\0" * 10_000_000)),
        (unpack_deflate, zlib.compress(b"\0" * 10_000_000)[2:-4]),
    ],
)
def test_no_more_is_unpacked_than_asked_for(unpack: Unpack, packed: bytes) -> None:
    with pytest.raises(PageTooLarge, match="more than 10,000 bytes"):
        unpack(packed, 10_000)


@pytest.mark.parametrize(
    ("packed", "expected"),
    [
        (gzip.compress(b"bees", mtime=0) + gzip.compress(b" and wasps", mtime=0), b"bees and wasps"),
        (gzip.compress(b"bees", mtime=0) + b"\0\0\0", b"bees"),
        (gzip.compress(b"bees", mtime=0) + b"garbage", b"bees"),
        (gzip.compress(b"bees", mtime=0)[:-5], b"bees"),
    ],
)
def test_broken_gzip_gives_what_is_whole(packed: bytes, expected: bytes) -> None:
    assert unpack_gzip(packed, 100) == expected


@pytest.mark.parametrize(
    "packed", [b"\x1f\x8b", b"\x1f\x8b\x08garbage", b"plain text", gzip.compress(b"bees", mtime=0)[:9]]
)
def test_what_is_no_gzip_is_an_error(packed: bytes) -> None:
    with pytest.raises(ValueError, match="not gzip"):
        unpack_gzip(packed, 100)


def test_what_is_no_deflate_is_an_error() -> None:
    with pytest.raises(ValueError, match="not deflate"):
        unpack_deflate(b"\xff\xff\xff", 100)
