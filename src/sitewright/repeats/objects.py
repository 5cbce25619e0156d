"""A document and a field whose values are objects in, the objects that the page displays out: reviews, variants."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from turbohtml import Element

from sitewright.domains import FieldSpec
from sitewright.parse import Document, absolute_url, clean_line, visible_text
from sitewright.repeats.find import Regions
from sitewright.repeats.object_parts import is_named, names_of, object_of, speaks
from sitewright.repeats.steps import Steps
from sitewright.values import Context

_MOST, _MOST_CANDIDATES = 500, 3000
_LEAST_PARTS = 2
"""What holds only one part is a line about something: an object has one that it needs, and another; one that stands
alone has a third."""
_LONGEST_LABEL = 60
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6", "legend", "dt")
_CHOICE = "select, input[type=radio]"


@dataclass(frozen=True, slots=True)
class FoundObjects:
    """The objects of a field, and where on the page they are."""

    objects: Sequence[Mapping[str, object]]
    place: str


def find_objects(document: Document, spec: FieldSpec, context: Context) -> FoundObjects | None:
    """Return the objects that a page displays in elements called like the field, in choices, or below its label."""
    regions = Regions(document)
    ways = (
        _repeated(document, spec, context),
        _chosen(document, spec, context, regions),
        _below(document, spec, context),
    )
    return max(
        (one for one in ways if one is not None and len(one.objects) >= spec.least),
        key=lambda one: len(one.objects),
        default=None,
    )


def _repeated(document: Document, spec: FieldSpec, context: Context) -> FoundObjects | None:
    steps = Steps()
    groups: dict[str, list[Element]] = defaultdict(list)
    for element in _candidates(document, spec):
        groups[" > ".join(steps.near(element))].append(element)
    needed = [name for name, part in spec.parts.items() if part.required]
    best, most = None, (0, 0)
    for place, members in groups.items():
        objects = [object_of(one, spec.parts, context) for one in members[:_MOST]]
        whole = _distinct(one for one in objects if len(one) >= _LEAST_PARTS and all(name in one for name in needed))
        weight = (sum(map(len, whole)), -len(members[0].text))
        if whole and (len(whole) > 1 or len(whole[0]) > _LEAST_PARTS) and weight > most:
            best, most = FoundObjects(whole, place), weight
    return best


def _candidates(document: Document, spec: FieldSpec) -> Iterator[Element]:
    """Yield the elements that are called like the field, and those right inside of them."""
    if not spec.words.for_it:
        return
    named: set[Element] = set()
    given = 0
    for element in document.elements:
        own = element.tag not in _NO_ENTRY and is_named(element, spec)
        if own or (element.tag in _WRAPPINGS and element.parent in named):
            named.add(element)
        if (own or element.parent in named) and element.tag not in _NO_ENTRY:
            given += 1
            yield element
        if given >= _MOST_CANDIDATES:
            return


_WRAPPINGS = frozenset({"tbody", "ul", "ol", "dl"})
_NO_ENTRY = frozenset({"form", "select", "option", "input", "button", "a", "script", "style", "link", "meta", "svg"})


def _chosen(document: Document, spec: FieldSpec, context: Context, regions: Regions) -> FoundObjects | None:
    """Return what people choose from, where that is called or labelled like the field: sizes, colours."""
    if not spec.match.labels:
        return None
    choices: dict[str, list[Element]] = {}
    for control in document.tree.select(_CHOICE):
        around = control.parent
        if (isinstance(around, Element) and regions.share(around) < 1) or (
            spec.words.against and speaks(spec.words.against, names_of(control))
        ):
            continue
        called = f"{control.attr('name') or ''} {control.attr('id') or ''}"
        label = _label_of(control, document) if control.tag == "select" else ""
        if _is_label(label, spec) or is_named(control, spec) or _is_label(called.replace("_", " "), spec):
            entries = list(control.select("option")) if control.tag == "select" else [_label_element(control, document)]
            choices.setdefault(control.attr("name") or called, []).extend(one for one in entries if one is not None)
    several = [[row for one in entries if (row := _choice(one, spec, context))] for entries in choices.values()]
    rows = next((rows for rows in several if len(rows) > 1), [])
    return FoundObjects(_distinct(rows), _CHOICE) if rows and sum(len(one) > 1 for one in several) == 1 else None


def _choice(element: Element, spec: FieldSpec, context: Context) -> dict[str, object]:
    """Return what one can choose, by what the first part of the field is called; what says "choose one" is nothing."""
    text = clean_line(visible_text(element) or element.text)
    is_prompt = element.tag == "option" and not (element.attr("value") or "").strip()
    if not text or is_prompt or len(text) > _LONGEST_LABEL * 2:
        return {}
    first = next(iter(spec.parts))
    return {first: text} | {
        name: value for name, value in object_of(element, spec.parts, context).items() if name != first
    }


def _label_of(control: Element, document: Document) -> str:
    element = _label_element(control, document)
    return visible_text(element) if element is not None else ""


def _label_element(control: Element, document: Document) -> Element | None:
    """Return the label of a control: the one that names it, or the one around it."""
    own = control.attr("id")
    if own and '"' not in own and (found := document.tree.select_one(f'label[for="{own}"]')) is not None:
        return found
    return next((one for one in control.ancestors if isinstance(one, Element) and one.tag == "label"), None)


def _below(document: Document, spec: FieldSpec, context: Context) -> FoundObjects | None:
    """Return the links that stand below a heading that is the field's label, up to the next heading."""
    for heading in document.tree.select(", ".join(_HEADINGS)) if spec.match.labels else ():
        if _is_label(visible_text(heading), spec):
            rows = list(_links_after(heading, spec, context))
            if len(rows) > 1:
                return FoundObjects(_distinct(rows), heading.tag)
    return None


def _links_after(heading: Element, spec: FieldSpec, context: Context) -> Iterator[dict[str, object]]:
    first, parent = next(iter(spec.parts)), heading.parent
    is_behind = False
    for beside in parent if isinstance(parent, Element) else ():
        if is_behind and isinstance(beside, Element):
            if beside.tag in _HEADINGS:
                return
            for link in [beside] if beside.tag == "a" else beside.select("a[href]"):
                if text := visible_text(link):
                    url: dict[str, object] = (
                        {"url": absolute_url(link.attr("href") or "", context.base_url)} if "url" in spec.parts else {}
                    )
                    yield {first: text} | url
        is_behind = is_behind or beside == heading


def _is_label(text: str, spec: FieldSpec) -> bool:
    plain = clean_line(text).strip(" :：*").casefold()
    return 0 < len(plain) <= _LONGEST_LABEL and any(plain == label.casefold() for label in spec.match.labels)


def _distinct(objects: "Iterator[Mapping[str, object]] | Sequence[Mapping[str, object]]") -> list[Mapping[str, object]]:
    kept: list[Mapping[str, object]] = []
    for one in objects:
        if one not in kept:
            kept.append(one)
    return kept
