"""A picture's facts in, the bytes of a small SVG or PNG drawing out."""

import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from sitewright.demo.story import Picture

SVG_TYPE = "image/svg+xml"
PNG_TYPE = "image/png"

SMALL_WIDTHS = (480, 960)
"""Every picture is also served this wide, for `srcset`."""


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of one drawing."""

    sky: str
    glow: str
    far: str
    middle: str
    near: str
    accent: str


PALETTES = (
    Palette("#f6c89f", "#fdebd0", "#b5838d", "#6d6875", "#403d52", "#fff3e2"),
    Palette("#7fb2d6", "#e3f0f7", "#6f9aa8", "#3e6f7c", "#234852", "#fffbea"),
    Palette("#243b55", "#7a86a8", "#2f4a66", "#1d3047", "#101d2d", "#ffe9a8"),
    Palette("#d9e6c7", "#fbfaf0", "#9dbb8a", "#5f8a5c", "#33573f", "#f4d06f"),
    Palette("#e8b4a2", "#fbe6d4", "#c77b6b", "#8a4f55", "#4d3140", "#fff7e6"),
    Palette("#bcc8d0", "#eef2f3", "#93a4ae", "#5f7480", "#36474f", "#e9c46a"),
)


@dataclass(frozen=True, slots=True)
class Canvas:
    """What a scene is drawn with: the dice, the size and the colours."""

    dice: Random
    width: int
    height: int
    palette: Palette

    def x(self, percent: int) -> int:
        """Return a place across, in pixels."""
        return self.width * percent // 100

    def y(self, percent: int) -> int:
        """Return a place down, in pixels."""
        return self.height * percent // 100

    def size(self, percent: int) -> int:
        """Return the size of a thing, as a part of the shorter side."""
        return min(self.width, self.height) * percent // 100


def widths(picture: Picture) -> tuple[int, ...]:
    """Return the widths a picture is served in, the full one last."""
    return (*(width for width in SMALL_WIDTHS if width < picture.width), picture.width)


def draw(picture: Picture, width: int) -> bytes:
    """Draw the picture this wide; every width shows the same drawing."""
    dice = Random(picture.seed)
    canvas = Canvas(dice, picture.width, picture.height, dice.choice(PALETTES))
    shapes = "".join(SCENES[picture.scene](canvas))
    height = picture.height * width // picture.width
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {picture.width} {picture.height}">{_sky(canvas)}{shapes}</svg>\n'
    ).encode("ascii")


def portrait(seed: int, size: int = 96) -> bytes:
    """Draw someone's portrait, head and shoulders, as a PNG."""
    palette = Random(seed).choice(PALETTES)
    return png(size, [palette.glow, palette.middle, palette.near], lambda x, y: _portrait_colour(x, y, size))


def png(size: int, colours: list[str], colour_at: Callable[[int, int], int]) -> bytes:
    """Write a square PNG with a palette; `colour_at(x, y)` gives the number of a pixel's colour."""
    rows = b"".join(b"\0" + bytes(colour_at(x, y) for x in range(size)) for y in range(size))
    table = b"".join(bytes.fromhex(colour.removeprefix("#")) for colour in colours)
    header = struct.pack(">IIBBBBB", size, size, 8, 3, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"PLTE", table), (b"IDAT", _stored(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in chunks)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _stored(data: bytes) -> bytes:
    """Return a zlib stream of stored blocks: compressed bytes differ from one zlib to another, these do not."""
    starts = range(0, len(data), 0xFFFF)
    pieces = [data[start : start + 0xFFFF] for start in starts]
    last = len(pieces) - 1
    blocks = b"".join(
        struct.pack("<BHH", number == last, len(piece), len(piece) ^ 0xFFFF) + piece
        for number, piece in enumerate(pieces)
    )
    return b"\x78\x01" + blocks + struct.pack(">I", zlib.adler32(data))


def _portrait_colour(x: int, y: int, size: int) -> int:
    across, down = 200 * x // size - 100, 200 * y // size - 100
    if across**2 + (down + 20) ** 2 < 45**2:
        return 1
    return 2 if across**2 + (down - 105) ** 2 < 78**2 else 0


def _sky(canvas: Canvas) -> str:
    return (
        '<defs><linearGradient id="s" x2="0" y2="1">'
        f'<stop stop-color="{canvas.palette.sky}"/><stop offset="1" stop-color="{canvas.palette.glow}"/>'
        f'</linearGradient></defs><rect width="{canvas.width}" height="{canvas.height}" fill="url(#s)"/>'
    )


def _disc(x: int, y: int, radius: int, fill: str, opacity: str = "1") -> str:
    return f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" opacity="{opacity}"/>'


def _box(x: int, y: int, width: int, height: int, fill: str, opacity: str = "1") -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}" opacity="{opacity}"/>'


def _shape(points: list[tuple[int, int]], fill: str) -> str:
    return f'<polygon points="{" ".join(f"{x},{y}" for x, y in points)}" fill="{fill}"/>'


def _sun(canvas: Canvas) -> Iterator[str]:
    x, y = canvas.x(canvas.dice.randrange(15, 85)), canvas.y(canvas.dice.randrange(18, 40))
    radius = canvas.size(canvas.dice.randrange(6, 11))
    yield _disc(x, y, radius * 2, canvas.palette.accent, ".25")
    yield _disc(x, y, radius, canvas.palette.accent, ".9")


def _ridge(canvas: Canvas, top: int, swing: int, fill: str) -> str:
    """Return one rolling line of hills that begins `top` percent down."""
    x, y = 0, canvas.y(top + canvas.dice.randrange(-swing, swing + 1))
    path = f"M0 {y}"
    while x < canvas.width:
        step = canvas.x(canvas.dice.randrange(12, 26))
        y = canvas.y(top + canvas.dice.randrange(-swing, swing + 1))
        path += f"S{x + step // 2} {y} {x + step} {y}"
        x += step
    return f'<path d="{path}V{canvas.height}H0Z" fill="{fill}"/>'


def _hills(canvas: Canvas) -> Iterator[str]:
    yield from _sun(canvas)
    yield _ridge(canvas, 52, 10, canvas.palette.far)
    yield _ridge(canvas, 66, 8, canvas.palette.middle)
    yield _ridge(canvas, 84, 5, canvas.palette.near)


def _sea(canvas: Canvas) -> Iterator[str]:
    palette, dice = canvas.palette, canvas.dice
    yield from _sun(canvas)
    yield _ridge(canvas, 56, 4, palette.far)
    yield _box(0, canvas.y(60), canvas.width, canvas.height, palette.middle)
    for _ in range(26):
        x, y = dice.randrange(canvas.width), canvas.y(dice.randrange(62, 98))
        yield _box(x, y, canvas.x(dice.randrange(3, 12)), max(2, canvas.height // 300), palette.glow, ".35")
    for number in range(dice.randrange(1, 4)):
        yield _boat(canvas, canvas.x(14 + 33 * number + dice.randrange(10)), canvas.y(dice.randrange(64, 84)))


def _boat(canvas: Canvas, x: int, y: int) -> str:
    size = canvas.size(canvas.dice.randrange(6, 12))
    hull = [(x - size, y), (x + size, y), (x + size * 6 // 10, y + size // 2), (x - size * 6 // 10, y + size // 2)]
    sail = [(x, y - size * 2), (x, y - size // 8), (x + size, y - size // 8)]
    return _shape(hull, canvas.palette.near) + _shape(sail, canvas.palette.accent)


def _skyline(canvas: Canvas) -> Iterator[str]:
    yield from _sun(canvas)
    yield from _houses(canvas, 30, 60, canvas.palette.far)
    yield from _houses(canvas, 45, 72, canvas.palette.middle)
    yield from _houses(canvas, 60, 84, canvas.palette.near)
    yield _box(0, canvas.y(92), canvas.width, canvas.height, canvas.palette.near)


def _houses(canvas: Canvas, highest: int, lowest: int, fill: str) -> Iterator[str]:
    x = -canvas.x(2)
    while x < canvas.width:
        width, top = canvas.x(canvas.dice.randrange(6, 13)), canvas.y(canvas.dice.randrange(highest, lowest))
        yield _box(x, top, width, canvas.height - top, fill)
        pane = max(4, width // 9)
        for _ in range(canvas.dice.randrange(2, 7)):
            left = x + pane * (1 + 2 * canvas.dice.randrange(4))
            yield _box(left, top + pane * (1 + 2 * canvas.dice.randrange(5)), pane, pane, canvas.palette.accent, ".7")
        x += width + canvas.x(canvas.dice.randrange(0, 3))


def _forest(canvas: Canvas) -> Iterator[str]:
    palette = canvas.palette
    yield from _sun(canvas)
    yield _ridge(canvas, 50, 9, palette.far)
    for base, size, fill in ((74, 26, palette.far), (86, 34, palette.middle), (104, 44, palette.near)):
        yield _box(0, canvas.y(base - 4), canvas.width, canvas.height, fill)
        yield from _trees(canvas, base, size, fill)


def _trees(canvas: Canvas, base: int, size: int, fill: str) -> Iterator[str]:
    for place in range(-2, 104, 7):
        height = canvas.y(size * canvas.dice.randrange(70, 110) // 100)
        x, foot = canvas.x(place + canvas.dice.randrange(5)), canvas.y(base)
        yield _shape([(x - height // 4, foot), (x, foot - height), (x + height // 4, foot)], fill)


def _stage(canvas: Canvas) -> Iterator[str]:
    palette, dice = canvas.palette, canvas.dice
    yield _box(0, 0, canvas.width, canvas.height, palette.near, ".82")
    for place in range(10, 100, 20):
        x, foot = canvas.x(place), canvas.x(place + dice.randrange(-18, 18))
        beam = f"{x},0 {foot - canvas.x(9)},{canvas.y(80)} {foot + canvas.x(9)},{canvas.y(80)}"
        yield f'<polygon points="{beam}" fill="{palette.accent}" opacity=".22"/>'
    yield _box(0, canvas.y(72), canvas.width, canvas.height, palette.middle)
    for row, fill in ((80, palette.far), (90, palette.near), (100, "#15151c")):
        for place in range(dice.randrange(4), 104, 8):
            radius = canvas.height * 5 // 100
            x, y = canvas.x(place + dice.randrange(3)), canvas.y(row)
            yield _disc(x, y - radius, radius, fill)
            yield _box(x - radius * 3 // 2, y, radius * 3, canvas.height, fill)


def _pitch(canvas: Canvas) -> Iterator[str]:
    palette, dice = canvas.palette, canvas.dice
    yield _ridge(canvas, 34, 3, palette.middle)
    for number in range(60):
        x = canvas.x(100 * number // 60)
        yield _disc(x, canvas.y(dice.randrange(33, 40)), canvas.height // 70, dice.choice((palette.glow, palette.far)))
    for number in range(6):
        yield _box(0, canvas.y(40 + number * 10), canvas.width, canvas.y(11), ("#5d9a5b", "#538c53")[number % 2])
    line = f'fill="none" stroke="{palette.accent}" stroke-width="{canvas.height // 120}"'
    yield f'<ellipse cx="{canvas.x(50)}" cy="{canvas.y(72)}" rx="{canvas.x(16)}" ry="{canvas.y(12)}" {line}/>'
    yield f'<path d="M0 {canvas.y(72)}H{canvas.width}" {line}/>'
    for _ in range(6):
        x, y = canvas.x(dice.randrange(8, 92)), canvas.y(dice.randrange(52, 88))
        fill = dice.choice((palette.near, "#b23a48"))
        yield _box(x, y, canvas.width // 70, canvas.height // 14, fill) + _disc(
            x + canvas.width // 140, y, canvas.width // 110, palette.glow
        )
    yield _disc(canvas.x(dice.randrange(20, 80)), canvas.y(90), canvas.height // 50, "#ffffff")


def _room(canvas: Canvas) -> Iterator[str]:
    palette, dice = canvas.palette, canvas.dice
    yield _box(0, 0, canvas.width, canvas.height, palette.far)
    left = canvas.x(dice.randrange(10, 50))
    yield _box(left, canvas.y(10), canvas.x(36), canvas.y(48), palette.glow)
    yield _box(left + canvas.x(17), canvas.y(10), canvas.x(1), canvas.y(48), palette.far)
    yield _box(left, canvas.y(32), canvas.x(36), canvas.y(2), palette.far)
    yield _box(0, canvas.y(70), canvas.width, canvas.height, palette.near)
    for place in range(8, 95, dice.randrange(11, 17)):
        size, fill = dice.randrange(6, 11), dice.choice((palette.accent, palette.middle, palette.sky))
        radius = canvas.height * size // 100
        x, y = canvas.x(place), canvas.y(71)
        yield f'<ellipse cx="{x}" cy="{y - radius // 2}" rx="{radius * 3 // 2}" ry="{radius}" fill="{fill}"/>'
    yield _box(0, canvas.y(72), canvas.width, canvas.height, palette.near)


SCENES: dict[str, Callable[[Canvas], Iterator[str]]] = {
    "forest": _forest,
    "hills": _hills,
    "pitch": _pitch,
    "room": _room,
    "sea": _sea,
    "skyline": _skyline,
    "stage": _stage,
}
