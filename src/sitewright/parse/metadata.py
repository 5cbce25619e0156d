"""A parsed tree in, what the page says about itself out: JSON-LD, microdata, meta tags, title, language."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import turbohtml
from turbohtml import MicrodataItem

from sitewright.parse.jsonld import Json, JsonLd, read_jsonld
from sitewright.parse.text import are_called, clean_line
from sitewright.parse.urls import number_in

PAGE_SOURCES: Mapping[str, tuple[str, ...]] = {
    "site_name": ("jsonld:publisher.name", "meta:og:site_name", "meta:application-name"),
    "language": ("jsonld:inLanguage", "meta:og:locale", "meta:content-language", "meta:dc.language"),
    "canonical": ("canonical", "meta:og:url"),
}
"""Where pages of any kind state what they are part of, most trustworthy first; where fields are stated, domains say."""


_META_NAMES = ("property", "name", "http-equiv", "itemprop")
"""Where a meta tag has its name; with `itemprop` some shop systems state an article outside of any item."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing a page says about itself, and where it says so (`jsonld:headline`, `meta:og:title`)."""

    source: str
    value: Json


class Metadata:
    """What a page says about itself; each part is read when first asked for."""

    def __init__(self, tree: turbohtml.Document, url: str = "") -> None:
        self._tree = tree
        self._url = url

    @cached_property
    def jsonld(self) -> JsonLd:
        """All JSON-LD nodes of the page."""
        return read_jsonld((script.text for script in self._tree.select('script[type*="ld+json" i]')), self.title)

    @cached_property
    def meta(self) -> Mapping[str, tuple[str, ...]]:
        """The `<meta>` values by lower-case name or property; Dublin Core spellings folded to `dc.` and `dcterms.`."""
        values: dict[str, list[str]] = {}
        for element in self._tree.select("meta[content]"):
            name = next(filter(None, (element.attr(key) for key in _META_NAMES)), "")
            content = clean_line(element.attr("content") or "")
            if name and content:
                values.setdefault(_meta_name(name), []).append(content)
        return {name: tuple(dict.fromkeys(found)) for name, found in values.items()}

    @cached_property
    def microdata(self) -> tuple[MicrodataItem, ...]:
        """The top-level microdata items; empty where the page has none (a cheap look tells)."""
        return tuple(self._tree.microdata()) if self._tree.select_one("[itemscope]") is not None else ()

    @cached_property
    def title(self) -> str:
        """The text of `<title>`."""
        element = self._tree.select_one("head > title, title:not(svg title)")
        return clean_line(element.text) if element is not None else ""

    @cached_property
    def language(self) -> str:
        """The language of `<html lang>`, in the form of BCP 47 (`en-US`)."""
        root = self._tree.root
        stated = (root.attr("lang") or root.attr("xml:lang")) if root is not None else ""
        return clean_line(stated or "").replace("_", "-")

    @property
    def problems(self) -> tuple[str, ...]:
        """What could not be read."""
        return self.jsonld.problems

    def facts(self, sources: Iterable[str], types: Iterable[str] = ()) -> Iterator[Fact]:
        """Yield what the page states at some places, in their order; JSON-LD and microdata of items of some types."""
        for source in sources:
            for value in self._values(source, types):
                yield Fact(source, value)

    def _values(self, source: str, types: Iterable[str]) -> Iterator[Json]:
        kind, _, key = source.partition(":")
        match kind:
            case "jsonld":
                yield from self._from_jsonld(key, types)
            case "microdata":
                yield from self._from_microdata(key, types)
            case "meta":
                yield from self.meta.get(key, ())
            case "title":
                yield from [self.title] if self.title else []
            case "attribute":
                yield from self._only(f"[{key}]", key)
            case "input":
                yield from self._only(f'input[name="{key}" i][value]', "value")
            case "address":
                yield from [number] if (number := number_in(self._url)) else []
            case "canonical":
                link = self._tree.select_one('link[rel~="canonical" i][href]')
                yield from [link.attr("href")] if link is not None else []

    def _only(self, selector: str, attribute: str) -> list[str]:
        """Return what an attribute says, where all elements that have it say the same."""
        found = {clean_line(element.attr(attribute) or "") for element in self._tree.select(selector)} - {""}
        return list(found) if len(found) == 1 else []

    def _from_jsonld(self, path: str, types: Iterable[str]) -> list[Json]:
        for kind in types:
            if found := self.jsonld.find(f"{kind}.{path}"):
                return found
        return []

    def _from_microdata(self, name: str, types: Iterable[str]) -> Iterator[Json]:
        items = [item for item in self.microdata if any(kind in (item.type or "") for kind in types)]
        own = are_called([str(item.get("name") or "") for item in items], self.title)
        for item, is_own in zip(items, own, strict=True):
            if is_own or not any(own):
                yield from _texts_of(item, name.split("."))


def _texts_of(item: MicrodataItem, path: Sequence[str]) -> Iterator[str]:
    """Yield what an item states at `key.key`; of an item at its end what that is called."""
    for value in item.get_all(path[0]):
        if len(path) > 1:
            yield from _texts_of(value, path[1:]) if not isinstance(value, str) else ()
            continue
        text = value if isinstance(value, str) else value.get("name") or value.get("url")
        if isinstance(text, str) and (cleaned := clean_line(text)):
            yield cleaned


def _meta_name(name: str) -> str:
    """Fold the spellings of a meta name.

    >>> _meta_name("DCTERMS.created"), _meta_name("dc:Creator"), _meta_name("og:Title")
    ('dcterms.created', 'dc.creator', 'og:title')
    """
    folded = name.strip().lower()
    prefix, separator, rest = folded.partition(":")
    return f"{prefix}.{rest}" if separator and prefix in {"dc", "dcterms"} else folded
