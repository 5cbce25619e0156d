"""Document in, what its metadata states out, value by value: JSON-LD, microdata, meta tags, breadcrumbs, the URL."""

import html
import re
from collections.abc import Iterable, Iterator
from urllib.parse import unquote, urlsplit

from sitewright.domains import DEFAULT_DOMAIN, Domain, FieldSpec, domain_of, kinds
from sitewright.domains.sanity import meaning_of
from sitewright.parse import PAGE_SOURCES, Document, Json, Metadata, clean_line, types_of
from sitewright.values import string_of

_NOT_CONTENT = re.compile(
    r"viewport|robots|verif|theme|color|generator|referrer|charset|csrf|token|image|url$|:url|video|player|app_id|app-id|"
    r"pages|locale|type$|tile|icon|width|height|format-detection|refresh|apple-|msapplication|cache|pragma|expires|rating|"
    r"language|copyright|creator_id|^p:|card$|:site$|:id$|twitter:domain|deeplink|android|ios|iphone|ipad"
)
_LISTS = re.compile(r"keyword|tag", re.IGNORECASE)
_COMMA = re.compile(r"\s*[,;،、，；]\s*")
_LONGEST = 1000
_MOST_META, _MOST_LEVELS = 40, 12
_MOST_ENTRIES = 40
_MOST_ITEMS = 12
_MOST_VALUES = 500
_URL_DATE = re.compile(
    r"(?<!\d)((?:19|20)\d\d)(?:([/_-])(0?[1-9]|1[0-2])\2(0?[1-9]|[12]\d|3[01])|(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01]))(?!\d)"
)


def stated_values(document: Document, domain: Domain | str = DEFAULT_DOMAIN) -> Iterator[tuple[str, str]]:
    """Yield each distinct (source, value), the sources of each field together, those of no field last."""
    seen: set[tuple[str, str]] = set()
    for source, value in _all_values(document, domain_of(domain)):
        text = clean_line(html.unescape(value) if "&" in value else value)
        if text and len(text) <= _LONGEST and (source, text) not in seen and not text.startswith(("http:", "https:")):
            seen.add((source, text))
            yield source, text
            if len(seen) >= _MOST_VALUES:
                return


def _all_values(document: Document, domain: Domain) -> Iterator[tuple[str, str]]:
    metadata = document.metadata
    for spec in domain.fields.values():
        if spec.kind not in kinds.NOT_SCORED:
            for source in spec.sources:
                stated = _stated_at(metadata, source, domain)
                yield from ((source, value) for value in (_meanings(stated, spec) if spec.match.phrases else stated))
    site_name = PAGE_SOURCES["site_name"]
    yield from ((source, value) for source in site_name for value in _stated_at(metadata, source, domain))
    yield from _other_items(document, domain)
    for name in _breadcrumb(document):
        yield "jsonld:breadcrumb", name
    known = domain.sources.union(*PAGE_SOURCES.values())
    others = [name for name in metadata.meta if f"meta:{name}" not in known and not _NOT_CONTENT.search(name)]
    for name in others[:_MOST_META]:
        for value in metadata.meta[name]:
            yield from ((f"meta:{name}", entry) for entry in _entries(name, value))
    if found := _URL_DATE.search(urlsplit(document.url).path):
        yield "url:date", f"{found[1]}-{int(found[3] or found[5]):02}-{int(found[4] or found[6]):02}"


def _stated_at(metadata: Metadata, source: str, domain: Domain) -> Iterator[str]:
    """Yield the entries of what metadata states at one place."""
    for fact in metadata.facts([source], domain.types):
        yield from _entries(source, fact.value)


def _meanings(stated: Iterable[str], spec: FieldSpec) -> list[str]:
    """Return what stated phrases mean; of an item that is offered in several ways it is enough that one can be had."""
    meanings = list(dict.fromkeys(filter(None, (meaning_of(value, spec) for value in stated))))
    return [meaning for meaning in meanings if meaning in spec.match.there][:1] or meanings


def _other_items(document: Document, domain: Domain) -> Iterator[tuple[str, str]]:
    """Yield what JSON-LD states of what is no item of the domain: films among articles, the page itself."""
    for item in document.metadata.jsonld.roots[:_MOST_ITEMS] if domain.of_other_types else ():
        if any(kind in domain.types for kind in types_of(item)):
            continue
        for key in domain.of_other_types:
            value = item.get(key)
            for entry in value[:_MOST_ENTRIES] if isinstance(value, list) else [value]:
                for text in _entries(key, _name(entry) or entry) if isinstance(entry, str | dict) else ():
                    yield f"jsonld:other.{key}", text


def _entries(source: str, value: Json) -> list[str]:
    """Return the entries of a stated list, or the value itself."""
    text = string_of(value)
    if not _LISTS.search(source):
        return [text]
    return _COMMA.split(text)[:_MOST_ENTRIES]


def _breadcrumb(document: Document) -> list[str]:
    """Return the levels of a stated breadcrumb, the home page with them."""
    items = document.metadata.jsonld.find("BreadcrumbList.itemListElement")
    return [name for item in items[:_MOST_LEVELS] if (name := string_of(_name(item)))]


def _name(item: Json) -> Json:
    if isinstance(item, dict):
        inner = item.get("item")
        return item.get("name") or (inner.get("name") if isinstance(inner, dict) else None) or ""
    return ""


def path_words(url: str) -> list[str]:
    """Return the segments of a URL's path, lower-case, words parted by blanks.

    >>> path_words("https://example.com/World-News/2024/bees-are_back.html")
    ['world news', '2024', 'bees are back html']
    """
    path = unquote(urlsplit(url).path).lower()
    return [" ".join(re.split(r"[\W_]+", part)).strip() for part in path.split("/") if part]
