"""image.v1: pictures with their largest address, caption and credit."""

import re
from collections.abc import Iterator, Sequence

from turbohtml import Element

from sitewright.parse import absolute_url, clean_line, visible_text, without
from sitewright.types import Photo
from sitewright.values.captions import Caption, split_caption
from sitewright.values.value import Context, Parsed, Taken, string_of

_LAZY = (
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-lazy",
    "data-image",
    "data-url",
    "data-hi-res-src",
    "data-full",
)
_SRCSETS = ("srcset", "data-srcset", "data-lazy-srcset")
_BETWEEN_CANDIDATES = re.compile(r" ?, |(?<=\d[wxh]),")
_LONGEST_SRCSET = 20_000
_LONGEST_ADDRESS = 4_000
_PLACEHOLDER = re.compile(
    r"(?:^|/)(?:blank|spacer|pixel|placeholder|transparent|1x1|lazy(?:load)?)(?:[-_]?\d+(?:x\d+)?)?\.(?:gif|png|svg)(?:$|[?#])",
    re.IGNORECASE,
)
_CREDIT_NODE = (
    '[class*="credit" i], [class*="copyright" i], [class*="photographer" i], [class*="fotograf" i], [class*="quelle" i], '
    '[class*="agency" i], [itemprop="copyrightHolder"], [itemprop="author"], [itemprop="creditText"], [rel="author"], '
    'figcaption cite, figcaption small, figcaption [class*="source" i], figcaption [class*="author" i]'
)
_CAPTION_NODE = '[class*="caption" i], [itemprop="caption"], [class*="legend" i], [class*="bildunterschrift" i]'


def parse_images(items: Sequence[Taken], _many: bool, context: Context) -> Parsed | None:
    """Read pictures, each once, in document order."""
    photos: dict[str, Photo] = {}
    for item in items:
        for photo in _photos(item, context):
            photos.setdefault(photo.url, photo)
    return Parsed(list(photos.values())) if photos else None


def _photos(item: Taken, context: Context) -> Iterator[Photo]:
    if isinstance(item, Element):
        images = [item] if item.tag in {"img", "amp-img"} else item.select("img, amp-img")
        for image in images:
            if photo := photo_of(image, context.base_url):
                yield photo
    elif isinstance(item, dict):
        stated = string_of(item.get("contentUrl") or item.get("url"))
        address = absolute_url(stated, context.base_url) if stated else ""
        if address:
            credit = string_of(item.get("creditText") or item.get("author") or item.get("copyrightHolder"))
            yield Photo(url=address, caption=string_of(item.get("caption") or item.get("description")), credit=credit)
    elif isinstance(item, str) and (address := absolute_url(item, context.base_url)):
        yield Photo(url=address)


def photo_of(image: Element, base_url: str) -> Photo | None:
    """Read the picture that an `<img>` displays; None for pixels that count readers, and second copies."""
    if _is_pixel(image) or _has_better_twin(image):
        return None
    found = _address_of(image)
    address = absolute_url(found, base_url) if found else ""
    if not address:
        return None
    figure = image.closest("figure")
    shown = _caption_of(figure) if figure is not None else Caption("", "")
    if not shown.text:
        shown = split_caption(clean_line(image.attr("title") or ""), shown.credit)
    return Photo(
        url=address,
        caption=shown.text,
        credit=shown.credit,
        width=_pixels(image, "width"),
        height=_pixels(image, "height"),
    )


def _address_of(image: Element) -> str:
    """Return the largest address of a picture: srcset, then lazy attributes, then src."""
    sources = [image]
    picture = image.parent
    if isinstance(picture, Element) and picture.tag == "picture":
        sources += picture.select("source")
    candidates = [found for source in sources for name in _SRCSETS for found in _srcset(source.attr(name) or "")]
    if candidates:
        return max(candidates, key=lambda candidate: candidate[0])[1]
    plain = [image.attr(name) or "" for name in (*_LAZY, "src")]
    return next((address for address in plain if _is_picture_address(address)), "")


def _srcset(value: str) -> Iterator[tuple[float, str]]:
    """Yield the weight and address of each candidate of a srcset.

    >>> list(_srcset("a.jpg 480w, b.jpg,x 2x , c.jpg"))
    [(480.0, 'a.jpg'), (2.0, 'b.jpg,x'), (1.0, 'c.jpg')]
    """
    for candidate in _BETWEEN_CANDIDATES.split(" ".join(value[:_LONGEST_SRCSET].split())):
        address, _, size = candidate.strip(" ,").rpartition(" ")
        weight = re.fullmatch(r"(\d+(?:\.\d+)?)[wxh]", size)
        if _is_picture_address(address if weight else candidate.strip(" ,")):
            yield (float(weight[1]), address) if weight else (1.0, candidate.strip(" ,"))


def _is_picture_address(address: str) -> bool:
    return (
        0 < len(address) <= _LONGEST_ADDRESS
        and not address.startswith(("data:", "about:", "blob:"))
        and not _PLACEHOLDER.search(address)
    )


def _is_pixel(image: Element) -> bool:
    sizes = [_pixels(image, "width"), _pixels(image, "height")]
    return any(size is not None and size <= 2 for size in sizes)


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


def _caption_of(figure: Element) -> Caption:
    """Read what stands under a picture: the caption without what is marked up as its credit."""
    caption = figure.select_one("figcaption") or figure.select_one(_CAPTION_NODE)
    credit_nodes = figure.select(_CREDIT_NODE)
    credit = next((text for node in credit_nodes if (text := visible_text(node))), "")
    if caption is None or caption in credit_nodes:
        return split_caption("", credit)
    with without([node for node in credit_nodes if node != caption]):
        return split_caption(visible_text(caption), credit)
