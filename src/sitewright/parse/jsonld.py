"""JSON-LD blocks in, their nodes out: graphs flattened, references resolved, small faults mended."""

import html
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import islice

import orjson

from sitewright.parse.text import are_called

Json = str | int | float | bool | list["Json"] | dict[str, "Json"] | None

_WRAPPERS = ("<!--", "//<![CDATA[", "// <![CDATA[", "/*<![CDATA[*/", "/* <![CDATA[ */", "<![CDATA[", "\ufeff")
_WRAPPER_ENDS = ("-->", "//]]>", "// ]]>", "/*]]>*/", "/* ]]> */", "]]>", ";")
_STRING_OR_COMMA = re.compile(r'("(?:[^"\\]|\\.)*+(?:"|$))|,(\s*+[}\]])', re.DOTALL)
"""A string (possessive, and to the end where it is cut off: one pass over the text) or a comma before a bracket."""
_GAP = re.compile(r"[\s,;]*+")
_MENDABLE = 300_000
"""Longer blocks are mended no more: what is that long and broken is no one's description of a page."""
_MAX_NODES = 5000
"""No page of the corpora has more than some hundred nodes; a bomb of nested arrays has."""


class JsonLd:
    """The JSON-LD of a page: its outermost nodes, all nodes, and what could not be read."""

    def __init__(self, roots: Sequence[dict[str, Json]], problems: Sequence[str] = (), title: str = "") -> None:
        """Keep the outermost nodes; the ones inside of them are looked for when needed.

        Of several of one type those count that are called what the page's title says, where any is.
        """
        self._stated = tuple(roots)
        self.roots = _called(self._stated, title)
        self.problems = tuple(problems)

    @cached_property
    def nodes(self) -> tuple[dict[str, Json], ...]:
        """Every object of every block, outermost first."""
        return tuple(islice(_walk(list(self.roots)), _MAX_NODES))

    def find(self, path: str) -> list[Json]:
        """Return the values at `Type.key.key` (or `key.key`, of any type), in document order.

        >>> page = read_jsonld(['{"@type": "NewsArticle", "author": [{"name": "Ann"}, {"name": "Bo"}]}'])
        >>> page.find("NewsArticle.author.name"), page.find("author.name"), page.find("Recipe.author.name")
        (['Ann', 'Bo'], ['Ann', 'Bo'], [])
        """
        kind, keys = _steps(path)
        return self._find(self.roots, kind, keys) or self._find(self.nodes, kind, keys)

    def within(self, value: Json, path: str) -> list[Json]:
        """Return the values at `key.key` within a value of the page.

        >>> page = read_jsonld([])
        >>> page.within({"author": [{"name": "Ann"}, "Bo"]}, "author.name")
        ['Ann', 'Bo']
        """
        return list(self._follow([value], tuple(path.split("."))))

    def _find(self, nodes: Sequence[dict[str, Json]], kind: str, keys: Sequence[str]) -> list[Json]:
        for node in nodes:
            if (kind == "*" or kind in types_of(node)) and (found := list(self._follow([node], keys))):
                return found
        return []

    def _follow(self, values: Iterable[Json], keys: Sequence[str]) -> Iterator[Json]:
        for value in _flat(values):
            resolved = self._resolve(value)
            if not keys:
                if resolved not in (None, ""):
                    yield resolved
            elif isinstance(resolved, dict) and keys[0] in resolved:
                yield from self._follow([resolved[keys[0]]], keys[1:])
            elif isinstance(resolved, str) and resolved and keys == ("name",):
                yield resolved  # "author": "Ann" where others write "author": {"name": "Ann"}

    def _resolve(self, value: Json) -> Json:
        """Follow `{"@id": …}` to the node of that id."""
        if isinstance(value, dict) and len(value) == 1 and isinstance(value.get("@id"), str):
            return self._by_id.get(str(value["@id"]), value)
        return value

    @cached_property
    def _by_id(self) -> dict[str, dict[str, Json]]:
        nodes = list(islice(_walk(list(self._stated)), _MAX_NODES))
        named = ((node.get("@id"), node) for node in reversed(nodes) if len(node) > 1)
        return {name: node for name, node in named if isinstance(name, str)}


def read_jsonld(blocks: Iterable[str], title: str = "") -> JsonLd:
    """Read the texts of the `application/ld+json` scripts of a page with a title.

    >>> blocks = ['[{"@type": "Product", "name": "Pan"}, {"@type": "Product", "name": "Kettle", "sku": 7}]']
    >>> read_jsonld(blocks).find("Product.name"), read_jsonld(blocks, "Kettle | Hearthside").find("Product.name")
    (['Pan'], ['Kettle'])
    """
    roots: list[dict[str, Json]] = []
    problems: list[str] = []
    for number, block in enumerate(blocks, 1):
        if not block.strip():
            continue
        try:
            roots.extend(_outermost(load_json(block)))
        except (ValueError, RecursionError) as error:
            problems.append(f"JSON-LD block {number}: {error}")
    return JsonLd(roots, problems, title)


def _called(roots: Sequence[dict[str, Json]], title: str) -> tuple[dict[str, Json], ...]:
    """Return the nodes without those of other things: of a type of which another node is called as the title says."""
    own = are_called([str(node.get("name") or "") for node in roots], title)
    types = {kind for node, is_own in zip(roots, own, strict=True) if is_own for kind in types_of(node)}
    return tuple(node for node, is_own in zip(roots, own, strict=True) if is_own or types.isdisjoint(types_of(node)))


@lru_cache(maxsize=1024)
def _steps(path: str) -> tuple[str, tuple[str, ...]]:
    """Split a path into the type (`*` for any) and its keys."""
    kind, _, rest = path.partition(".")
    if kind[:1].isupper() or kind == "*":
        return kind, tuple(rest.split("."))
    return "*", tuple(path.split("."))


def types_of(node: dict[str, Json]) -> list[str]:
    """Return the short names of a node's types.

    >>> types_of({"@type": ["http://schema.org/NewsArticle", "Article"]})
    ['NewsArticle', 'Article']
    """
    stated = node.get("@type")
    names = stated if isinstance(stated, list) else [stated]
    return [name.rstrip("/").rpartition("/")[2].rpartition(":")[2] for name in names if isinstance(name, str)]


def load_json(text: str) -> Json:
    """Read JSON as pages write it: wrapped in comments, with trailing commas, raw line breaks or a cut-off end.

    >>> load_json('<!-- {"a": [1, 2,], "b": "x, ]" ,} -->')
    {'a': [1, 2], 'b': 'x, ]'}
    """
    try:
        loaded: Json = orjson.loads(text)
    except orjson.JSONDecodeError:
        return _load_broken(text)
    return loaded


def _load_broken(text: str) -> Json:
    if len(text) > _MENDABLE:
        raise ValueError(f"not JSON, and with {len(text):,} characters too long to be mended")
    mended = _unwrapped(text)
    if "&quot;" in mended and '"' not in mended:
        mended = html.unescape(mended)
    mended = _STRING_OR_COMMA.sub(lambda found: found[1] or found[2], mended)
    decoder = json.JSONDecoder(strict=False)
    try:
        values, end = [], 0
        while end < len(mended):  # several objects in one block, one after the other
            value, end = decoder.raw_decode(mended, end)
            values.append(value)
            end = _end_of_gap(mended, end)
    except json.JSONDecodeError as error:
        if values:
            return values
        return _load_cut_off(mended, error)
    return values[0] if len(values) == 1 else values


def _unwrapped(text: str) -> str:
    """Take off the comments that once hid scripts from browsers."""
    bare = text.strip()
    for wrapper in _WRAPPERS:
        bare = bare.removeprefix(wrapper).lstrip()
    for end in _WRAPPER_ENDS:
        bare = bare.removesuffix(end).rstrip()
    return bare


def _end_of_gap(text: str, start: int) -> int:
    found = _GAP.match(text, start)
    return found.end() if found else start


def _load_cut_off(text: str, error: json.JSONDecodeError) -> Json:
    """Close what was still open where a block ends too early."""
    if error.pos < len(text) * 0.9 and not error.msg.startswith(("Unterminated", "Expecting")):
        raise error
    if not _open_brackets(text):
        raise error
    for cut in _cut_points(text):
        try:
            loaded: Json = json.loads(text[:cut] + _open_brackets(text[:cut]), strict=False)
        except json.JSONDecodeError:
            continue
        return loaded
    raise error


def _cut_points(text: str, tries: int = 12) -> Iterator[int]:
    """Yield ends to try: the whole, then before each of the last commas."""
    yield len(text)
    end = len(text)
    for _ in range(tries):
        end = text.rfind(",", 0, end)
        if end <= 0:
            return
        yield end


def _open_brackets(text: str) -> str:
    """Return what would close the text, innermost first."""
    closing: list[str] = []
    quoted = escaped = False
    for char in text:
        if quoted:
            quoted = escaped or char != '"'
            escaped = char == "\\" and not escaped
        elif char == '"':
            quoted = True
        elif char in "{[":
            closing.append("}" if char == "{" else "]")
        elif char in "}]" and closing:
            closing.pop()
    return ('"' if quoted else "") + "".join(reversed(closing))


def _outermost(value: Json) -> Iterator[dict[str, Json]]:
    """Yield the objects of a block, those of a graph one by one."""
    for item in _flat([value]):
        if isinstance(item, dict):
            graph = item.get("@graph")
            if graph is None or len(item) > 2:
                yield item
            if graph is not None:
                yield from (node for node in _flat([graph]) if isinstance(node, dict))


def _walk(values: list[Json]) -> Iterator[dict[str, Json]]:
    """Yield every object, outermost first."""
    for value in values:  # grows while it is read
        if isinstance(value, dict):
            yield value
            values.extend(child for child in value.values() if isinstance(child, (dict, list)))
        elif isinstance(value, list):
            values.extend(value)


def _flat(values: Iterable[Json]) -> Iterator[Json]:
    stack = [iter(values)]
    while stack:
        for value in stack[-1]:
            if isinstance(value, list):
                stack.append(iter(value))
                break
            yield value
        else:
            stack.pop()
