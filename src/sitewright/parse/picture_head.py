"""The first bytes of a picture in, its media type and true size out; no pixel is read."""

import struct
from dataclasses import dataclass

from sitewright.errors import NotPicture, PictureTooLarge, PictureTooSmall

SMALLEST = 150
"""Pixels of the longer side: what is smaller is a preview, a portrait or an icon (as `tag.pictures` has it)."""
MOST_PIXELS = 40_000_000
"""What says that it has more is no picture of a page: it fills the memory of whoever shows it."""
_JPEG_SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_JPEG_ALONE = frozenset((0x01, *range(0xD0, 0xD9)))
"""Marks of a JPEG that nothing belongs to."""
DRAWING = "image/svg+xml"
_MOST_PROPERTIES = 64
"""An AVIF has as many sizes as it has tiles and previews; so many are looked at."""


@dataclass(frozen=True, slots=True)
class PictureHead:
    """What the first bytes of a picture say; sizes of 0 stand behind the bytes that are there."""

    media_type: str
    width: int = 0
    height: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether all is known that first bytes say; drawings have any size."""
        return self.media_type == DRAWING or (self.width > 0 and self.height > 0)


def media_type_of(body: bytes) -> str:
    """Return the type of a picture made of pixels; empty for all else.

    >>> media_type_of(b"\\x89PNG\\r\\n\\x1a\\n"), media_type_of(b"<svg xmlns=")
    ('image/png', '')
    """
    if body.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if body.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if body.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if body[:4] == b"RIFF" and body[8:12] == b"WEBP":
        return "image/webp"
    if body[4:8] == b"ftyp" and body[8:12] in {b"avif", b"avis"}:
        return "image/avif"
    return ""


def read_head(body: bytes) -> PictureHead:
    """Read the beginning of a picture; `NotPicture` where it begins like something else.

    >>> read_head(b"GIF89a" + bytes([64, 1, 200, 0]))
    PictureHead(media_type='image/gif', width=320, height=200)
    """
    kind = media_type_of(body)
    if not kind and _is_drawing(body):
        return PictureHead(DRAWING)
    if not kind:
        raise NotPicture(f"it begins like another kind of file: {body[:8]!r}")
    width, height = _READERS[kind](body)
    return PictureHead(kind, width, height)


def _is_drawing(body: bytes) -> bool:
    head = body[:1000].lstrip(b"\xef\xbb\xbf \t\r\n")
    return head.startswith(b"<svg") or (head.startswith((b"<?xml", b"<!--", b"<!DOCTYPE svg")) and b"<svg" in head)


def check_size(head: PictureHead) -> None:
    """Raise `PictureTooSmall` or `PictureTooLarge` where a picture is no picture of a story by its true size."""
    size = f"{head.width} x {head.height} pixels"
    if head.width * head.height > MOST_PIXELS:
        raise PictureTooLarge(f"it has {size}")
    if head.width and max(head.width, head.height) < SMALLEST:
        raise PictureTooSmall(f"it has {size}")


def _png(body: bytes) -> tuple[int, int]:
    if len(body) < 24 or body[12:16] != b"IHDR":
        return 0, 0
    return struct.unpack(">II", body[16:24])


def _gif(body: bytes) -> tuple[int, int]:
    return struct.unpack("<HH", body[6:10]) if len(body) >= 10 else (0, 0)


def _jpeg(body: bytes) -> tuple[int, int]:
    at = 2
    while at + 9 <= len(body):
        if body[at] != 0xFF:
            raise NotPicture("it begins like a JPEG and does not go on like one")
        mark = body[at + 1]
        if mark == 0xFF:  # fills up
            at += 1
        elif mark in _JPEG_ALONE:
            at += 2
        elif mark in _JPEG_SIZES:
            height, width = struct.unpack(">HH", body[at + 5 : at + 9])
            return width, height
        else:
            (length,) = struct.unpack(">H", body[at + 2 : at + 4])
            at += 2 + max(length, 2)
    return 0, 0


def _webp(body: bytes) -> tuple[int, int]:
    if len(body) < 30:
        return 0, 0
    match body[12:16]:
        case b"VP8X":
            return int.from_bytes(body[24:27], "little") + 1, int.from_bytes(body[27:30], "little") + 1
        case b"VP8L":
            bits = int.from_bytes(body[21:25], "little")
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8 " if body[23:26] == b"\x9d\x01\x2a":
            width, height = struct.unpack("<HH", body[26:30])
            return width & 0x3FFF, height & 0x3FFF
    raise NotPicture("it begins like a WebP and does not go on like one")


def _avif(body: bytes) -> tuple[int, int]:
    """Return the largest of the sizes that it states: those of its tiles and previews are smaller."""
    sizes = [(0, 0)]
    at = body.find(b"ispe")
    while 0 <= at <= len(body) - 16 and len(sizes) <= _MOST_PROPERTIES:
        sizes.append(struct.unpack(">II", body[at + 8 : at + 16]))
        at = body.find(b"ispe", at + 16)
    return max(sizes, key=lambda size: size[0] * size[1])


_READERS = {"image/png": _png, "image/gif": _gif, "image/jpeg": _jpeg, "image/webp": _webp, "image/avif": _avif}
