import struct
import zlib
from xml.etree import ElementTree

import pytest

from sitewright.demo.pictures import SCENES, draw, png, portrait, widths
from sitewright.demo.story import Picture


def picture(scene: str, width: int = 1200, height: int = 900) -> Picture:
    return Picture(slug="x", scene=scene, seed=5, width=width, height=height, caption="", credit="")


@pytest.mark.parametrize("scene", sorted(SCENES))
@pytest.mark.parametrize("width", [480, 1200])
def test_drawings_are_svg_of_the_size_asked_for(scene: str, width: int) -> None:
    root = ElementTree.fromstring(draw(picture(scene), width))  # noqa: S314 - our own text
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert (root.attrib["width"], root.attrib["height"]) == (str(width), str(width * 3 // 4))


def test_full_width_comes_last() -> None:
    assert widths(picture("sea")) == (480, 960, 1200)
    assert widths(picture("sea", 600, 150)) == (480, 600)


@pytest.mark.parametrize("size", [1, 32, 300])
def test_png_holds_every_pixel(size: int) -> None:
    data = png(size, ["#ff0000", "#00ff00"], lambda x, y: (x + y) % 2)
    rows = zlib.decompress(chunk(data, b"IDAT"))
    assert struct.unpack(">II", chunk(data, b"IHDR")[:8]) == (size, size)
    assert len(rows) == size * (size + 1)
    assert chunk(data, b"PLTE") == bytes([255, 0, 0, 0, 255, 0])


def test_portraits_differ() -> None:
    assert len({portrait(seed) for seed in range(8)}) > 2


def chunk(data: bytes, name: bytes) -> bytes:
    start = data.index(name)
    length = int.from_bytes(data[start - 4 : start])
    body = data[start + 4 : start + 4 + length]
    assert zlib.crc32(name + body) == int.from_bytes(data[start + 4 + length : start + 8 + length])
    return body
