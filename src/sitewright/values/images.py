"""image.v1: pictures with their largest address, caption and credit."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from operator import itemgetter
from urllib.parse import urlsplit

from turbohtml import Element

from sitewright.parse import Json, absolute_url
from sitewright.types import Photo
from sitewright.values.caption_search import caption_of
from sitewright.values.value import Context, Parsed, Taken, string_of

PICTURES = "img, amp-img, video[poster]"
"""What displays a picture: of a film its still."""
_LAZY = (
    "data-src", "data-original", "data-lazy-src", "data-lazy", "data-image", "data-url", "data-hi-res-src", "data-full",
    "data-original-src", "data-image-url", "data-image-src", "data-img-src", "data-img-url", "data-img", "data-ll-src",
    "data-echo", "data-default-src", "data-hires", "data-large-file", "data-pin-media", "poster",
)  # fmt: skip
_LOADS_LATE = re.compile(r"^data-.*(?:src|original|lazy|image|img|url|full|large|hi-?res)", re.IGNORECASE)
_FILE = re.compile(r"^[^\s{}<>\"]+\.(?:jpe?g|png|webp|avif)(?:$|[?#/!])", re.IGNORECASE)
_ONLY_NARROW = re.compile(r"^\s*\(\s*max-width:[^()]*\)\s*$")
_WIDTHS = re.compile(r"width:\s*(\d+)")
_ALL_SCREENS = 5000
"""What is for all screens is larger than what is for small ones."""
_LARGEST_FACTOR = 8.0
"""A larger weight of a srcset is a width in pixels."""
_PIXEL = 2
"""What is no wider or higher counts readers."""
_TAGS = frozenset({"img", "amp-img", "video"})
_BETWEEN_CANDIDATES = re.compile(r",(?: |(?<=\d[wxh],))")
"""It begins with a comma, so that the engine jumps from one to the next."""
_WEIGHT = re.compile(r"(\d+(?:\.\d+)?)[wxh]")
_LONGEST_SRCSET = 20_000
_LONGEST_ADDRESS = 4_000
_DRAWN = re.compile(r"\.(?:gif|png|svg)", re.IGNORECASE)
_PLACEHOLDER = re.compile(
    r"(?:^|/)(?:(?:blank|spacer|pixel|dummy|1x1|lazy(?:load)?)(?:[-_]?\d+(?:x\d+)?)?|"
    r"(?:[\w-]*[-_])?(?:placeholder|transparent|spinner|loading)(?:[-_\d][\w-]*)?)\.(?:gif|png|svg)(?:$|[?#])",
    re.IGNORECASE,
)
_ENDING = re.compile(r"\.(?:jpe?g|png|webp|gif|avif|bmp|svg).*$")
_USUAL_WIDTHS = "160|240|320|360|400|480|640|720|750|768|800|828|960|1024|1080|1200|1280|1366|1440|1536|1600|1800|1920|2048|2400|2560"
"""A number of which a name ends is a width only where pictures are usually so wide; else it may tell it from others."""
_SIZE_SUFFIX = re.compile(
    rf"[-_.](?:\d{{2,4}}x\d{{0,4}}|w\d{{2,4}}|\d{{2,4}}w|[wh][-_=]\d{{2,4}}|{_USUAL_WIDTHS}|scaled)$"
)
_SIZES = re.compile(r"(?<![\d.])(\d{2,4})x(\d{2,4})(?!\d)|[?&/,_=-](?:w|width|resize|wid)[=_:/-]?(\d{2,4})(?!\d)")
_OF_SITE = re.compile(
    r"(?<![a-z])(?:logos?|(?:fav|touch)?icon|default|placeholder|fallback|avatar)(?![a-z])", re.IGNORECASE
)
_A_NAME, _LONG_NAME = 8, 12
"""Shorter names (`photo`, `image`, `1`) are those of many pictures; without a digit a name must be longer."""


def parse_images(items: Sequence[Taken], _many: bool, context: Context) -> Parsed | None:
    """Read pictures, each once, in document order."""
    photos = distinct_photos(photo for item in items for photo in _photos(item, context))
    return Parsed(photos) if photos else None


def distinct_photos(photos: Iterable[Photo]) -> list[Photo]:
    """Return each picture once, in its largest size, with whatever one of its copies says about it."""
    several = list(photos)
    if len(several) < 2:
        return several
    kept: dict[str, Photo] = {}
    for photo in several:
        key = picture_key(photo.url)
        known = kept.get(key)
        kept[key] = photo if known is None else _joined(known, photo)
    return list(kept.values())


def _joined(known: Photo, other: Photo) -> Photo:
    larger = other if stated_size(other) > stated_size(known) > 0 else known
    told = known if known.caption or not other.caption else other
    return replace(larger, caption=told.caption, credit=told.credit or known.credit or other.credit)


def stated_size(photo: Photo) -> int:
    """Return the longer side of a picture, as far as its address or the page says; 0 where they do not.

    >>> stated_size(Photo(url="https://example.com/a-640x480.jpg")), stated_size(Photo(url="https://example.com/a.jpg"))
    (640, 0)
    """
    return max(_stated_in(photo.url), photo.width or 0, photo.height or 0)


def _stated_in(address: str) -> int:
    return max((int(size or 0) for found in _SIZES.findall(address) for size in found), default=0)


def picture_key(url: str) -> str:
    """Return what the addresses of a picture in several sizes have in common: its file's name, where that is a name.

    >>> picture_key("https://a.example.com/w=90/harbour-7_640x480.jpg?q=8") == picture_key("/big/harbour-7.webp")
    True
    >>> picture_key("/harbour-7-960.svg") == picture_key("/harbour-7-1600.svg") != picture_key("/harbour-7-961.svg")
    True
    >>> picture_key("https://example.com/1/photo.jpg?w=90")
    'example.com/1/photo'
    """
    parts = urlsplit(url)
    folder, _, name = _ENDING.sub("", parts.path.rstrip("/").lower()).rpartition("/")
    while (shorter := _SIZE_SUFFIX.sub("", name)) != name:
        name = shorter
    if len(name) >= (_A_NAME if any(map(str.isdigit, name)) else _LONG_NAME):
        return name
    query = "" if _ENDING.search(parts.path) else parts.query
    return f"{parts.netloc}{folder}/{name}{'?' if query else ''}{query}"


def picture_keys(value: object) -> frozenset[str]:
    """Return the keys of pictures, in whatever form values and records hold them; none of what holds no picture.

    >>> sorted(picture_keys([Photo(url="https://example.com/harbour-7.jpg"), {"url": "https://example.com/2/a.jpg"}]))
    ['example.com/2/a', 'harbour-7']
    """
    several = value if isinstance(value, list | tuple) else []
    stated = (one.url if isinstance(one, Photo) else one.get("url") for one in several if isinstance(one, Photo | dict))
    return frozenset(picture_key(url) for url in stated if isinstance(url, str))


def _photos(item: Taken, context: Context) -> Iterator[Photo]:
    if not isinstance(item, Element):
        yield from stated_photos(item, context.base_url)
        return
    images = [item] if item.tag in _TAGS else item.select(PICTURES)
    for image in images:
        if photo := photo_of(image, context.base_url):
            yield photo


def is_of_site(photo: Photo) -> bool:
    """Tell whether a picture is the site's, by its address: what pages state that have none of their own.

    >>> is_of_site(Photo(url="https://example.com/img/logo-512.png")), is_of_site(Photo(url="https://example.com/a.jpg"))
    (True, False)
    """
    return _OF_SITE.search(urlsplit(photo.url).path) is not None


def stated_photos(value: Json, base_url: str) -> Iterator[Photo]:
    """Yield the pictures that metadata states: addresses, and objects of JSON-LD."""
    if isinstance(value, list):
        yield from (photo for entry in value for photo in stated_photos(entry, base_url))
    elif isinstance(value, dict):
        stated = string_of(value.get("contentUrl") or value.get("url"))
        if stated and (address := absolute_url(stated, base_url)):
            credit = string_of(value.get("creditText") or value.get("author") or value.get("copyrightHolder"))
            caption = string_of(value.get("caption") or value.get("description"))
            yield Photo(url=address, caption=caption, credit=credit)
    elif isinstance(value, str) and (address := absolute_url(value, base_url)):
        yield Photo(url=address)


def photo_of(image: Element, base_url: str) -> Photo | None:
    """Read the picture that an `<img>` displays; None for pixels that count readers, and second copies."""
    width, height = _pixels(image, "width"), _pixels(image, "height")
    if any(size is not None and size <= _PIXEL for size in (width, height)) or _has_better_twin(image):
        return None
    found = _address_of(image)
    address = absolute_url(found, base_url) if found else ""
    if not address:
        return None
    shown = caption_of(image)
    return Photo(
        url=address,
        caption=shown.text,
        credit=shown.credit,
        width=width,
        height=height,
    )


def _address_of(image: Element) -> str:
    """Return the largest address of a picture: srcset, then attributes for late loading, then src."""
    sources = [image]
    picture = image.parent
    if isinstance(picture, Element) and picture.tag == "picture":
        sources += picture.select("source")
    narrow = any(_ONLY_NARROW.search(media) for source in sources[1:] if (media := source.attr("media")))
    default = _ALL_SCREENS if narrow else 0
    offers = [offer for source in sources for offer in _offers(source, default)]
    if plain := _plain_address(image):
        offers.append(((default, _is_plain(plain)), plain))
    offers.sort(key=itemgetter(0), reverse=True)
    return next((address for _, address in offers if _is_picture_address(address)), "")


def _plain_address(image: Element) -> str:
    """Return the address of a picture beside its srcset: the one that loads late, else `src`."""
    attrs = dict(image.attrs.items())
    named = [attrs[name] for name in _LAZY if name in attrs]
    others = [attrs[name] for name in attrs if name.startswith("data-") and _LOADS_LATE.search(name)]
    files = (value for value in others if isinstance(value, str) and _FILE.search(value))
    plain = (value for value in (*named, *files, attrs.get("src")) if isinstance(value, str))
    return next((address for address in plain if _is_picture_address(address)), "")


Offer = tuple[tuple[float, bool], str]
"""How wide a version of a picture is, whether every program can read it, and its address."""


def _offers(source: Element, default: int) -> Iterator[Offer]:
    """Yield the versions of a picture that an `<img>` or `<source>` offers."""
    for name, value in source.attrs.items():
        if "srcset" in name and isinstance(value, str):
            for weight, address in _srcset(value):
                wide = weight if weight > _LARGEST_FACTOR else weight * (_breadth(source, address) or default or 1)
                yield (wide, _is_plain(address)), address


def _is_plain(address: str) -> bool:
    return "webp" not in address and "avif" not in address


def _breadth(source: Element, address: str) -> int:
    """Return how wide a version without a width of its own is, by what the page says of it; 0 where it does not."""
    screens = map(int, _WIDTHS.findall(source.attr("media") or ""))
    return _pixels(source, "width") or _stated_in(address) or max(screens, default=0)


def _srcset(value: str) -> Iterator[tuple[float, str]]:
    """Yield the weight and address of each candidate of a srcset.

    >>> list(_srcset("a.jpg 480w, b.jpg,x 2x , c.jpg"))
    [(480.0, 'a.jpg'), (2.0, 'b.jpg,x'), (1.0, 'c.jpg')]
    """
    for candidate in _BETWEEN_CANDIDATES.split(" ".join(value[:_LONGEST_SRCSET].split())):
        bare = candidate.strip(" ,")
        address, _, size = bare.rpartition(" ")
        weight = _WEIGHT.fullmatch(size)
        yield (float(weight[1]), address) if weight else (1.0, bare)


def _is_picture_address(address: str) -> bool:
    return (
        0 < len(address) <= _LONGEST_ADDRESS
        and not address.startswith(("data:", "about:", "blob:"))
        and not (_DRAWN.search(address) and _PLACEHOLDER.search(address))
    )


def _pixels(image: Element, name: str) -> int | None:
    digits = (image.attr(name) or "").strip().removesuffix("px")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 6 else None


def _has_better_twin(image: Element) -> bool:
    """Tell whether this is the `<noscript>` copy of a lazy picture that gives an address itself."""
    noscript = image.closest("noscript")
    if noscript is None or not isinstance(noscript.parent, Element):
        return False
    twins = [other for other in noscript.parent.select("img") if other.closest("noscript") is None]
    return any(_address_of(twin) for twin in twins)
