"""Sizes of pictures are read from their first bytes, and what is no picture is told."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.errors import NotPicture, PictureTooLarge, PictureTooSmall
from sitewright.parse.picture_head import PictureHead, check_size, media_type_of, read_head


def png(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", width, height) + b"\x08\x02\0\0\0"


def gif(width: int, height: int) -> bytes:
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\xf0\0\0"


def jpeg(width: int, height: int, before: int = 500, mark: int = 0xC2) -> bytes:
    """Return the beginning of a JPEG with notes of a camera before its size."""
    notes = b"\xff\xe1" + struct.pack(">H", before + 2) + b"\xff" * before
    table = b"\xff\xc4" + struct.pack(">H", 4) + b"\0\0"
    return b"\xff\xd8" + notes + table + b"\xff\xff" + bytes((mark,)) + struct.pack(">HBHHB", 17, 8, height, width, 3)


def webp(width: int, height: int, kind: str) -> bytes:
    if kind == "VP8X":
        body = b"\0\0\0\0" + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    elif kind == "VP8L":
        body = b"\x2f" + (width - 1 | height - 1 << 14).to_bytes(4, "little") + b"\0" * 9
    else:
        body = b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", width, height)
    return b"RIFF\xff\0\0\0WEBP" + kind.ljust(4).encode() + b"\xff\0\0\0" + body


def avif(width: int, height: int) -> bytes:
    sizes = b"".join(b"\0\0\0\x14ispe\0\0\0\0" + struct.pack(">II", *size) for size in [(64, 64), (width, height)])
    return b"\0\0\0\x1cftypavif\0\0\0\0mif1miaf" + b"\0\0\0\xffmeta\0\0\0\0iprpipco" + sizes


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (png(640, 480), "image/png"),
        (gif(640, 480), "image/gif"),
        (jpeg(640, 480), "image/jpeg"),
        (jpeg(640, 480, 40_000, 0xC0), "image/jpeg"),
        (webp(640, 480, "VP8X"), "image/webp"),
        (webp(640, 480, "VP8L"), "image/webp"),
        (webp(640, 480, "VP8"), "image/webp"),
        (avif(640, 480), "image/avif"),
    ],
)
def test_sizes_are_read_from_the_first_bytes(body: bytes, kind: str) -> None:
    assert read_head(body) == PictureHead(kind, 640, 480)
    assert media_type_of(body) == kind
    for end in range(16, len(body) - 1):
        assert read_head(body[:end]) in (PictureHead(kind), PictureHead(kind, 640, 480), PictureHead(kind, 64, 64))


@pytest.mark.parametrize("before", [b"", b"\n ", b"<?xml version='1.0'?>\n", b"<!-- made by hand -->"])
def test_drawings_have_any_size(before: bytes) -> None:
    head = read_head(before + b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>")
    assert head == PictureHead("image/svg+xml")
    check_size(head)


@pytest.mark.parametrize(
    "body",
    [
        b"<!doctype html><title>No such picture</title>",
        b"",
        b"BM6\x04",
        b"<?xml version='1.0'?><rss/>",
        b"\xff\xd8\xff\xe0\0\x02and then no mark",
        webp(640, 480, "VP8X").replace(b"VP8X", b"VP9X"),
    ],
)
def test_what_is_no_picture_is_told(body: bytes) -> None:
    with pytest.raises(NotPicture):
        read_head(body)


@given(st.binary(max_size=200), st.sampled_from([png(9, 9), gif(9, 9), jpeg(9, 9, 4), webp(9, 9, "VP8"), avif(9, 9)]))
def test_any_bytes_are_read_or_told(tail: bytes, head: bytes) -> None:
    for cut in (4, 12, 14, len(head)):
        try:
            found = read_head(head[:cut] + tail)
        except NotPicture:
            continue
        assert found.width >= 0


@pytest.mark.parametrize(
    ("width", "height", "error"),
    [
        (1, 1, PictureTooSmall),
        (149, 149, PictureTooSmall),
        (149, 150, None),
        (8000, 5000, None),
        (8000, 5001, PictureTooLarge),
        (65_535, 65_535, PictureTooLarge),
        (0, 0, None),
    ],
)
def test_pixels_and_bombs_are_no_pictures_of_stories(width: int, height: int, error: type[Exception] | None) -> None:
    head = PictureHead("image/png", width, height)
    if error is None:
        check_size(head)
    else:
        with pytest.raises(error):
            check_size(head)
