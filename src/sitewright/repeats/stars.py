"""Elements of a review or a product in, how many of five stars it has out: as written, as rows of signs, as names."""

import re
from collections.abc import Sequence

from turbohtml import Element

from sitewright.domains.domain import FieldWords

MOST = 5.0
_SAYING = ("content", "aria-label", "title", "alt", "data-rating", "data-score", "data-stars", "data-rateit-value")
_OF = re.compile(
    r"(?<![\d.,])(\d{1,3}(?:[.,]\d{1,2})?)\s*(?:/|out of|of|von|sur|de|su|van|z|av|из|з|中|(?=★))\s*(\d{1,3})(?!\d)",
    re.IGNORECASE,
)
_ALONE = re.compile(
    r"\s*(\d(?:[.,]\d{1,2})?)\s*(?:stars?|sterne?n?|étoiles?|estrellas?|stelle|звезд\w*|звёзд\w*|★|星)?\s*",
    re.IGNORECASE,
)
_IN_NAME = re.compile(
    r"(?:rating|stars?|score|rank)[\s_-]*(?:is[\s_-]*)?(\d(?:[._-]\d)?|one|two|three|four|five)(?![\w%])"
    r"|(?<![\w-])(\d|one|two|three|four|five)[\s_-]*stars?(?!\w)",
    re.IGNORECASE,
)
_WIDTH = re.compile(r"width\s*:\s*(\d{1,3}(?:\.\d+)?)\s*%")
_WORDS = {"one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0}
_FULL, _EMPTY = "★⭐🌟", "☆"
_SIGNS = re.compile(f"[{_FULL}]+[{_EMPTY}]*")


def displayed_stars(inside: Sequence[Element], words: FieldWords) -> float | None:
    """Return the stars that elements tell, the plainest way of saying it first; None where none does.

    >>> from turbohtml import parse
    >>> def stars(html):
    ...     return displayed_stars(parse(html).select("body *"), FieldWords("star|rating"))
    >>> stars("<i class='star-rating Four'>"), stars("<b>★★★☆☆</b>"), stars("<i title='Rated 9 out of 10'>")
    (4.0, 3.0, 4.5)
    >>> stars("<p class=rating><i style='width:80%'></i>"), stars("<p>4 of us liked it</p>")
    (4.0, None)
    """
    named = [one for one in inside if words.for_it and re.search(words.for_it, _names(one), re.IGNORECASE)]
    ways = (
        (_written(text) for one in named for text in _said(one)),
        (_written(text, alone=False) for one in inside for text in _said(one)[:-1]),
        (_written(one.text) for one in inside if len(one.text) <= _LONGEST and _OF.fullmatch(one.text.strip())),
        (_drawn(one.text) for one in inside if len(one.text) <= _LONGEST),
        (_by_name(_names(one)) for one in inside),
        (_by_width(inner) for one in named for inner in (one, *one.select("[style]"))),
    )
    return next((found for way in ways for found in way if found is not None and 0 <= found <= MOST), None)


_LONGEST = 60


def _names(element: Element) -> str:
    source = (element.attr("src") or "").rpartition("/")[2] if element.tag == "img" else ""
    return f"{element.attr('class') or ''} {element.attr('itemprop') or ''} {source.partition('.')[0]}"


def _said(element: Element) -> list[str]:
    """Return what attributes of an element say, and last what it displays."""
    return [value for name in _SAYING if (value := element.attr(name))] + [element.text[:_LONGEST]]


def _written(text: str, *, alone: bool = True) -> float | None:
    if found := _OF.search(text):
        most = float(found[2])
        return round(_number(found[1]) * MOST / most, 2) if most in (MOST, 10.0, 100.0) else None
    found = _ALONE.fullmatch(text) if alone else None
    return _number(found[1]) if found else None


def _drawn(text: str) -> float | None:
    found = _SIGNS.fullmatch("".join(text.split()))
    return float(sum(text.count(sign) for sign in _FULL)) if found else None


def _by_name(names: str) -> float | None:
    found = _IN_NAME.search(names)
    said = (found[1] or found[2]).lower() if found else ""
    return _WORDS.get(said) or (_number(re.sub(r"[_-]", ".", said)) if said else None)


def _by_width(element: Element) -> float | None:
    found = _WIDTH.search(element.attr("style") or "")
    return round(float(found[1]) / 100 * MOST, 2) if found else None


def _number(text: str) -> float:
    return float(text.replace(",", "."))
