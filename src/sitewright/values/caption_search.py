"""A picture in, caption and credit out: what stands in its figure, in what holds nothing but it, or right beside it."""

import re
from collections.abc import Iterator, Sequence

from turbohtml import Element

from sitewright.parse import clean_line, visible_lines, visible_text, without
from sitewright.values.captions import Caption, bare_credit, is_credit, split_caption

_CREDIT_NODE = (
    '[class*="credit" i], [class*="copyright" i], [class*="photographer" i], [class*="fotograf" i], [class*="quelle" i], '
    '[class*="agency" i], [class*="rights" i], [class*="bildautor" i], [class*="distributor" i], '
    '[itemprop="copyrightHolder"], [itemprop="author"], [itemprop="creditText"], [rel="author"], '
    'figcaption cite, figcaption small, figcaption [class*="source" i], figcaption [class*="author" i], '
    '[class*="caption" i] [class*="author" i], [class*="image" i] [class*="author" i]'
)
_CAPTION_NODE = (
    '[class*="caption" i], [itemprop="caption"], [class*="legend" i], [class*="bildunterschrift" i], '
    '[class*="mediaSubtitle" i], [class*="infotext" i], [class*="image-text" i], [class*="bildtext" i]'
)
_ATTRIBUTES = ("data-caption", "data-image-caption", "data-img-caption", "title")
_PICTURES = "img, amp-img, video"
_LEVELS = 6
"""So far above a picture its caption is looked for; further up stands the story."""
_LONGEST = 400
"""What is longer is text; of 1,690 captions that people marked on pages of the training folds two in a hundred are."""
_MOST_LINES = 3
_A_NAME = 40
"""A last line that is no longer is taken for a credit."""
_NEVER = frozenset({"section", "td", "p", "li", "a"})
"""What these hold beside a picture is more than its caption; an entry of a list or a paragraph may be."""


def caption_of(image: Element) -> Caption:
    """Return what the page says about a picture; both parts empty where it says nothing.

    >>> from turbohtml import parse
    >>> page = parse("<figure><img src=a.jpg><figcaption>A dog <small>Photo: Ann Lee</small></figcaption></figure>")
    >>> caption_of(page.select_one("img"))
    Caption(text='A dog', credit='Ann Lee')
    """
    figure = image.closest("figure")
    shown = (_of_figure(figure) if figure is not None else _around(image)) or Caption("", "")
    if shown.text:
        return shown
    stated = (clean_line(image.attr(name) or "") for name in _ATTRIBUTES)
    return split_caption(next((text for text in stated if text), ""), shown.credit)


def _of_figure(figure: Element) -> Caption | None:
    """Return the caption that is marked in a figure, else its few lines, else what is beside it."""
    if (found := _marked(figure)) is not None:
        return found
    if not visible_text(figure):
        return _around(figure)
    if owners := figure.select(_CREDIT_NODE):
        return Caption("", bare_credit(_credit(owners)))
    return _plain(figure) if figure.select_one("a") is None else None


def _marked(frame: Element) -> Caption | None:
    """Return the caption that is marked as such within an element."""
    marked = frame.select("figcaption") or frame.select(_CAPTION_NODE)
    caption, text = next(((node, text) for node in marked if (text := visible_text(node))), (None, ""))
    if caption is None:
        return None
    owners = frame.select(_CREDIT_NODE)
    if not owners:
        return split_caption(text)
    if caption in owners:
        return Caption("", bare_credit(text))
    with without(owners):
        text = visible_text(caption)
    return split_caption(text, _credit(owners))


def _credit(nodes: Sequence[Element]) -> str:
    """Return what several elements say about whose a picture is; of one within another only the outer."""
    outer = [node for node in nodes if not any(other in nodes for other in node.ancestors)]
    texts = dict.fromkeys(text for node in outer if (text := visible_text(node)))
    return re.sub(r"\s*/\s*/?\s*", "/", " / ".join(texts)) if len(texts) > 1 else next(iter(texts), "")


def _around(image: Element) -> Caption | None:
    """Return the caption of a picture without a figure: marked, or all the text of what holds nothing else."""
    inner = image
    for frame in _frames(image):
        if len(frame.select(_PICTURES)) > _copies(frame):
            break
        if (found := _marked(frame)) is not None:
            return found if len(found.text) <= _LONGEST else None
        if visible_text(frame):
            return None if frame.tag in _NEVER or frame.select_one("a, h1, h2, h3, button, time") else _plain(frame)
        inner = frame
    return _behind(inner, image)


def _frames(image: Element) -> Iterator[Element]:
    for frame, _ in zip(image.ancestors, range(_LEVELS), strict=False):
        if not isinstance(frame, Element) or frame.tag in {"body", "main", "html", "article"}:
            return
        yield frame


def _copies(frame: Element) -> int:
    """Return how many pictures an element may hold that are one: with its copies for programs without scripts."""
    return 1 + len(frame.select("noscript img"))


def _plain(frame: Element) -> Caption | None:
    """Return the few lines of an element as caption and, where the last one is one, credit."""
    lines = visible_lines([frame])
    if not lines or len(lines) > _MOST_LINES or sum(map(len, lines)) > _LONGEST:
        return None
    owners = [line for line in lines if is_credit(line)] or lines[1:][-1:] * (len(lines[-1]) <= _A_NAME)
    text = " ".join(line for line in lines if line not in owners)
    return split_caption(text, " / ".join(map(bare_credit, owners)))


def _behind(wrapper: Element, image: Element) -> Caption | None:
    """Return the caption that stands right behind a picture: marked as one, or saying what `alt` says."""
    behind = next((node for node in wrapper.next_siblings if isinstance(node, Element)), None)
    if behind is None or behind.select_one(_PICTURES) is not None:
        return None
    text = visible_text(behind)
    if 0 < len(text) <= _LONGEST and (
        behind.matches(f"figcaption, {_CAPTION_NODE}") or text == clean_line(image.attr("alt") or "")
    ):
        return _plain(behind)
    return None
