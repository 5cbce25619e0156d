"""What a map says of the sources of a site in; which of their links are followed and what their stories are of, out."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from sitewright.domains import load_domain
from sitewright.parse import normalise_url
from sitewright.types import ExtractionMap, IndexPage, Record, Value
from sitewright.watch.links import LinkRules

FROM_SOURCE = "source"
"""The rule of a value that the page does not give, but the source that listed it."""


def entry_above(url: str, index: Iterable[IndexPage]) -> IndexPage | None:
    """Return the entry of a source; of the further pages of a list that of the list, the nearest above its address.

    >>> front, local = IndexPage(url="https://example.com/"), IndexPage(url="https://example.com/local")
    >>> entry_above("https://example.com/local/page/2", (front, local)).url
    'https://example.com/local'
    """
    wanted = _path_of(url)
    above = [entry for entry in index if wanted.startswith(_path_of(entry.url))]
    return max(above, key=lambda entry: len(entry.url), default=None)


def _path_of(url: str) -> str:
    return normalise_url(url).partition("?")[0].rstrip("/") + "/"


def rules_of(url: str, index: Sequence[IndexPage], rules: LinkRules) -> LinkRules:
    """Return which links of a source are followed: its own `seed` parts stand for the site's, its bans are added.

    >>> index = (IndexPage(url="https://example.com/local", seed=("/local/",), banned=("/video/",)),)
    >>> own = rules_of("https://example.com/local", index, LinkRules("example.com", seed=("/news/",), banned=("/ad/",)))
    >>> own.seed, own.banned
    (('/local/',), ('/ad/', '/video/'))
    """
    entry = entry_above(url, index)
    if entry is None or not (entry.seed or entry.banned):
        return rules
    return replace(rules, seed=entry.seed or rules.seed, banned=(*rules.banned, *entry.banned))


def category_of(url: str, index: Sequence[IndexPage], usual: str = "") -> str:
    """Return what the stories of a source are of: as its entry says, else what the site's `usual` ones are."""
    entry = entry_above(url, index) if url else None
    return (entry.category if entry is not None else "") or usual


def with_category(record: Record, category: str) -> Record:
    """Return a record with a category at the head of those that its page names, unless it is among them.

    >>> with_category(Record(site="example.com", urls=("https://example.com/a",), fields={}), "World").fields
    {'categories': Value(value=['World'], confidence=1.0, rule='source')}
    """
    name = load_domain(record.domain).section
    if not category or not name:
        return record
    known = record.fields.get(name)
    if known is None:
        return _with(record, name, Value([category], 1.0, FROM_SOURCE))
    named = _entries(known)
    if category in named:
        return record
    return _with(record, name, replace(known, value=[category, *named]))


def with_categories_of(before: Record | None, after: Record, given: Collection[str]) -> Record:
    """Return what is read of a page now, with the category that its record has from its source."""
    known = before.fields.get(load_domain(before.domain).section) if before is not None else None
    inherited = [str(one) for one in _entries(known) if one in given] if known is not None else []
    return with_category(after, inherited[0]) if inherited else after


def without_categories(record: Record, given: Collection[str]) -> Record:
    """Return a record as its page alone gives it: without what is `given` by sources."""
    name = load_domain(record.domain).section
    known = record.fields.get(name)
    if known is None or not any(one in given for one in _entries(known)):
        return record
    named = [one for one in _entries(known) if one not in given]
    if named:
        return _with(record, name, replace(known, value=named))
    return replace(record, fields={field: value for field, value in record.fields.items() if field != name})


def given_categories(extraction_map: ExtractionMap, usual: str = "") -> frozenset[str]:
    """Return the categories that the sources of a site give."""
    return frozenset(filter(None, (usual, *(entry.category for entry in extraction_map.index))))


def _with(record: Record, name: str, value: Value) -> Record:
    return replace(record, fields={**record.fields, name: value})


def _entries(value: Value) -> list[object]:
    return list(value.value) if isinstance(value.value, list | tuple) else [value.value]
