"""What every generated spider and page object carries with it: written out as text there, not imported.

Selectors mean here what they mean in a map: CSS is matched against the whole page and finds what lies below the node,
XPath starts at the node.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from typing import Any

from parsel import Selector

XPATH = re.compile(
    r"xpath:|\.{0,2}/|\(|(?:string|concat|normalize-space|substring(?:-before|-after)?|translate|id)\(|"
    r"(?:descendant|child|self|following|preceding|ancestor)(?:-or-self|-sibling)?::"
)
INLINE = frozenset(
    "a abbr b bdi bdo cite code data em font i kbd mark q s small span strong sub sup time u var".split()
)
UNSEEN = frozenset({"script", "style", "template"})


def read_first(
    node: Selector, select: Sequence[str], take: str = "text", remove: Sequence[str] = (), match: str = ""
) -> str | None:
    """Return the first value that a selector gives, the selectors tried in order."""
    alternatives = select or [""]
    values = (value for one in alternatives for value in read_all(node, [one] if one else [], take, remove, match))
    return next(values, None)


def read_all(
    node: Selector, select: Sequence[str], take: str = "text", remove: Sequence[str] = (), match: str = ""
) -> list[str]:
    """Return the values of all that the selectors find, in the order of the page."""
    if take.startswith("jsonld:"):
        values = read_jsonld(node, take.removeprefix("jsonld:"))
    else:
        values = [take_value(without(found, remove), take) for found in find_all(node, select, remove)]
    return [value for value in (matched(value, match) for value in values) if value]


def read_object(
    node: Selector, select: Sequence[str], read: Callable[[Selector], dict[str, Any]], remove: Sequence[str] = ()
) -> dict[str, Any] | None:
    """Return the first object that a selector gives, the selectors tried in order."""
    return next((value for one in select for value in read_objects(node, [one], read, remove)), None)


def read_objects(
    node: Selector, select: Sequence[str], read: Callable[[Selector], dict[str, Any]], remove: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """Return an object for each node that the selectors find, in the order of the page."""
    return [value for found in find_all(node, select, remove) if (value := read(without(found, remove)))]


def either(*alternatives: Any) -> Any:
    """Return the first alternative that holds something."""
    return next((value for value in alternatives if value), None)


def present(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that were found."""
    return {name: value for name, value in fields.items() if value}


def find(node: Selector, selector: str) -> list[Selector]:
    """Return what a CSS or XPath selector finds below the node."""
    if XPATH.match(selector):
        return list(node.xpath(selector.removeprefix("xpath:")))
    if node.root.getparent() is None or ":scope" in selector:
        return list(node.css(selector))
    below = set(node.root.iterdescendants())
    page = Selector(root=node.root.getroottree().getroot(), type="html")
    return [found for found in page.css(selector) if found.root in below]


def find_all(node: Selector, select: Sequence[str], remove: Sequence[str] = ()) -> list[Selector]:
    """Return what several selectors find and no other leaves out, each node once and in the order of the page."""
    left_out = found_on_page(node, remove)
    found = [one for selector in select for one in find(node, selector) if not is_within(one, left_out)]
    if len(select) < 2 or not found or any(isinstance(one.root, str) for one in found):
        return found
    places = {element: place for place, element in enumerate(found[0].root.getroottree().iter())}
    return sorted({one.root: one for one in found}.values(), key=lambda one: places[one.root])


def found_on_page(node: Selector, select: Sequence[str]) -> set[Any]:
    """Return the elements that the selectors find anywhere on the page of this node."""
    page = Selector(root=node.root.getroottree().getroot(), type="html")
    return {found.root for selector in select for found in find(page, selector)}


def is_within(node: Selector, elements: set[Any]) -> bool:
    """Tell whether a node is one of these elements or inside one."""
    if not elements or isinstance(node.root, str):
        return False
    return node.root in elements or any(ancestor in elements for ancestor in node.root.iterancestors())


def without(node: Selector, remove: Sequence[str]) -> Selector:
    """Return a copy of the node without what the selectors find in it."""
    if not remove or isinstance(node.root, str):
        return node
    left_out = {found.root for selector in remove for found in find(node, selector)} - {node.root}
    copied = deepcopy(node.root)
    copied.tail = None
    for original, twin in list(zip(node.root.iter(), copied.iter(), strict=True)):
        if original in left_out and twin.getparent() is not None:
            twin.drop_tree()
    return Selector(root=copied, type="html")


def take_value(node: Selector, take: str) -> str:
    """Return the text, the HTML or an attribute of a node."""
    if isinstance(node.root, str):
        return squeezed(node.root)
    if take == "html":
        return "".join(node.xpath("node()").getall()).strip()
    if take.startswith("@"):
        return squeezed(node.attrib.get(take[1:], ""))
    return squeezed("".join(texts(node.root)))


def texts(element: Any) -> Iterator[str]:
    """Yield the pieces of an element's visible text; all but inline elements end a word."""
    if not isinstance(element.tag, str) or element.tag in UNSEEN:
        return
    space = "" if element.tag in INLINE else " "
    yield space + (element.text or "")
    for child in element:
        yield from texts(child)
        yield child.tail or ""
    yield space


def squeezed(text: str) -> str:
    """Return a text with its white space collapsed."""
    return " ".join(text.split())


def matched(value: str, pattern: str) -> str:
    """Return the first group of a match, or the whole match; empty where there is none."""
    if not pattern:
        return value
    found = re.search(pattern, value)
    return (found[1] if found.re.groups else found[0]) or "" if found else ""


def read_jsonld(node: Selector, path: str) -> list[str]:
    """Return the values at `Type.key.key` of the first JSON-LD node of the page that has any."""
    kind, _, rest = path.partition(".")
    if not (kind[:1].isupper() or kind == "*"):
        kind, rest = "*", path
    page = Selector(root=node.root.getroottree().getroot(), type="html")
    for block in page.xpath("//script[contains(@type, 'ld+json')]/text()").getall():
        for entry in jsonld_nodes(block):
            if (kind == "*" or kind in jsonld_types(entry)) and (values := list(follow([entry], rest.split(".")))):
                return values
    return []


def jsonld_nodes(block: str) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSON-LD block and of its graph; none where it is not JSON."""
    try:
        waiting = [json.loads(block, strict=False)]
    except ValueError:
        return
    while waiting:
        value = waiting.pop(0)
        if isinstance(value, list):
            waiting[:0] = value
        elif isinstance(value, dict):
            yield value
            waiting[:0] = [value.get("@graph")]


def jsonld_types(entry: dict[str, Any]) -> list[str]:
    """Return the short names of a JSON-LD object's types."""
    stated = entry.get("@type")
    names = stated if isinstance(stated, list) else [stated]
    return [name.rstrip("/").rpartition("/")[2].rpartition(":")[2] for name in names if isinstance(name, str)]


def follow(values: Iterable[Any], keys: list[str]) -> Iterator[str]:
    """Yield the texts that a path of keys leads to."""
    for value in values:
        if isinstance(value, list):
            yield from follow(value, keys)
        elif isinstance(value, dict):
            yield from follow([value.get(keys[0])] if keys else [], keys[1:])
        elif value not in (None, "") and keys in ([], ["name"]):
            yield squeezed(str(value))
