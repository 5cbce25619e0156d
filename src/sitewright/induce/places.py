"""Examples in, expressions for the very text nodes that display them out: behind a label, or by counting."""

from collections.abc import Iterator, Sequence

from turbohtml import Element, Text

from sitewright.domains import FieldSpec
from sitewright.induce.drafts import Draft
from sitewright.induce.sample import Sample
from sitewright.parse import clean_line, visible_text
from sitewright.structure import POSITION

_BEHIND_LABEL, _COUNTED = 2.4, 1.0
"""What it costs to rest on a label, and what counting all the way costs more than counting from a name."""
_LONGEST_LABEL = 40


def text_nodes(samples: Sequence[Sample], spec: FieldSpec) -> Iterator[Draft]:
    """Yield rules for the texts that examples are, where elements hold more than that."""
    if spec.many:
        return
    seen: set[str] = set()
    for sample in samples:
        for label in sample.labels(spec.name):
            if label.score == 1.0 and label.node is not None:
                element = sample.tree.elements[label.node]
                for select, cost in _paths(element, str(label.value)):
                    if select not in seen:
                        seen.add(select)
                        is_counted = cost >= POSITION
                        yield Draft(field=spec.name, select=select, cost=cost, fragile=is_counted)


def _paths(element: Element, value: str) -> Iterator[tuple[str, float]]:
    """Yield the ways to what displays a value: the element itself, or one of its texts."""
    step = _counted(element)
    if clean_line(visible_text(element)) == value:
        yield step, POSITION + _COUNTED
        return
    number, before = 0, None
    for child in element:
        if isinstance(child, Text):
            number += 1
            if clean_line(child.data or "") == value:
                if before is not None:
                    yield before, _BEHIND_LABEL
                yield f"{step}/text()[{number}]", POSITION + _COUNTED
        elif isinstance(child, Element):
            before = _behind(child) or before


def _behind(label: Element) -> str | None:
    """Return the expression for the text behind a label."""
    text = visible_text(label).strip()
    if not 1 < len(text) <= _LONGEST_LABEL or '"' in text or any(map(str.isdigit, text)):
        return None
    return f'//{label.tag}[contains(., "{text}")]/following-sibling::text()[normalize-space()][1]'


def _counted(element: Element) -> str:
    """Return the way to an element from the nearest one with an id, or from the top, counting children."""
    steps = ""
    outer: object = element
    while isinstance(outer, Element):
        identity = outer.attr("id")
        if outer is not element and isinstance(identity, str) and identity.isidentifier() and not _has_digits(identity):
            return f'//*[@id="{identity}"]{steps}'
        parent = outer.parent
        if not isinstance(parent, Element):
            return f"/{outer.tag}{steps}"
        place = sum(isinstance(child, Element) and child.tag == outer.tag for child in _up_to(parent, outer))
        steps = f"/{outer.tag}[{place}]{steps}"
        outer = parent
    return steps


def _up_to(parent: Element, child: Element) -> Iterator[object]:
    for other in parent:
        yield other
        if other is child or other == child:
            return


def _has_digits(text: str) -> bool:
    return any(map(str.isdigit, text))
