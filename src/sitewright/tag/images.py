"""The units of a text in, the pictures of the story out: those around the text, else the one the page states."""

from collections.abc import Sequence

from turbohtml import Element

from sitewright.domains import Domain, FieldSpec
from sitewright.tag.units import Unit
from sitewright.types import Value
from sitewright.values import PARSERS, Context, Taken

SHOWN, STATED = 0.7, 0.6
"""How sure: a picture within the text is one of the story on two pages of three, as far as labels tell."""
_OUTSIDE = "nav, footer, aside, header nav, form"
_MOST = 40


def images_of(context: Context, text: Sequence[Unit], spec: FieldSpec, domain: Domain) -> Value | None:
    """Return the pictures of a story whose text these units are, as the value of a field."""
    parse = PARSERS[spec.parse]
    if text and (around := _around(text)) is not None:
        outside = set(around.select(_OUTSIDE))
        inside: list[Taken] = [image for image in around.select("img, amp-img") if outside.isdisjoint(image.ancestors)]
        parsed = parse(inside[:_MOST], True, context)
        if parsed is not None:
            return Value(parsed.value, SHOWN, f"tagger/{spec.name}: within {around.tag}")
    for fact in context.document.metadata.facts(spec.sources, domain.types):
        parsed = parse([fact.value], True, context)
        if parsed is not None:
            return Value(parsed.value, STATED, f"tagger/{spec.name}: not displayed; stated: {fact.source}")
    return None


def _around(text: Sequence[Unit]) -> Element | None:
    """Return the block that holds most of the text: nine tenths of its characters."""
    total = sum(len(unit.text) for unit in text)
    held: dict[int, int] = {}
    blocks: dict[int, tuple[int, Element]] = {}
    for unit in text:
        place = unit.place
        while place is not None:
            held[id(place)] = held.get(id(place), 0) + len(unit.text)
            blocks[id(place)] = (place.depth, place.element)
            place = place.above
    enough = [blocks[key] for key, length in held.items() if length * 10 >= total * 9]
    return max(enough, key=lambda block: block[0])[1] if enough else None
