"""The list pages of a site in, the template of its lists out: what their entries are, and the fields within each."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from turbohtml import Element

from sitewright.domains import Domain, kinds
from sitewright.induce.sample import Sample
from sitewright.induce.templates import probe_of, url_pattern_of
from sitewright.parse import compile_selector
from sitewright.repeats import FoundList, item_fields, main_list
from sitewright.repeats.columns import Column, shortest_way
from sitewright.types import LIST, OTHER, Rule, Support, TaggedPage, Template

_ITSELF = "self::*"
_MOST_ALTERNATIVES = 3
_MOST_DESIGNS, _LEAST_PAGES = 3, 2
"""Of designs beside the first; one page alone may list something else (the shelves below one)."""
_AGREES = 0.5
"""A selector of entries explains a page where it agrees so well with the list that was found there."""
SURELY = 0.8
"""A page that is an item by so much is no list; one that is none by so much is left out of the sample of items. Of 300
articles of folds 1 to 4 none is left out so, of 132 labelled pages that are none 78; by 0.9 it would be 46."""
_RICH = 10.0
"""The score from which a list is rich: of the list pages of the training folds nine in ten have a richer one."""
_RICHER = 1.25
"""By how much the list of a page that looks like nothing is richer than those of items that look like nothing, too."""
_HARDLY = 0.05
"""So little worse may be a selector that pages of items lack."""
_NAMED = 0.01
"""What a longer selector must agree better."""


@dataclass(frozen=True, slots=True)
class ListPage:
    """A list page and the list that was found on it."""

    sample: Sample
    found: FoundList


def list_pages(samples: Sequence[Sample], domain: Domain) -> list[ListPage]:
    """Return the pages that are lists: the tagger takes them for no item, or hardly, and they show a rich list.

    Where most pages would be lists, only those count that the tagger takes for some; and a single page that it takes
    for an item is one. Entries go by the same way on several of them, or the tagger is rather sure.
    """
    if not domain.fields_of_kind(kinds.ITEMS):
        return []
    doubtful = [sample for sample in samples if _may_be_list(sample.tagged, domain)]
    least = max(_RICH, _RICHER * _richness(samples, domain))
    listed = ((sample, main_list(sample.document)) for sample in doubtful)
    rich = [
        ListPage(sample, one)
        for sample, one in listed
        if one is not None and one.score >= (least if sample.tagged.kind == OTHER else _RICH)
    ]
    if len(rich) * 2 > len(samples) or len(rich) == 1:
        rich = [page for page in rich if page.sample.tagged.kind != domain.item.kind]
    found_on = [page for design in _designs(rich, domain) for page in (*design.pages, *_poor(design, doubtful, domain))]
    return list({id(page.sample): page for page in reversed(found_on)}.values())


def _richness(samples: Sequence[Sample], domain: Domain) -> float:
    """Return how rich the lists of items are (menus, what is recommended) where the tagger tells none for sure."""
    items = [sample for sample in samples if sample.tagged.kind == domain.item.kind]
    if not items or any(sample.tagged.kind_score >= SURELY for sample in items):
        return 0.0
    return median(one.score if (one := main_list(item.document)) is not None else 0.0 for item in items)


def _poor(design: "_Design", samples: Sequence[Sample], domain: Domain) -> Iterator[ListPage]:
    """Yield the pages of no item with a list of the same design that is too short to be found by itself."""
    way = design.pages[0].found.way
    for sample in samples:
        entries = list(compile_selector(design.selector).elements(sample.document.tree))
        if entries and sample.tagged.kind != domain.item.kind:
            yield ListPage(sample, FoundList(entries, way, 0.0))


def _may_be_list(tagged: TaggedPage, domain: Domain) -> bool:
    return tagged.kind != domain.item.kind or tagged.kind_score < SURELY


def learn_lists(pages: Sequence[ListPage], items: Sequence[Sample], domain: Domain) -> Template | None:
    """Return the template of list pages, told from those of items by a probe; None where there is none."""
    designs = [_told_apart(design, items) for design in _designs(pages, domain)]
    if not designs:
        return None
    field = domain.fields_of_kind(kinds.ITEMS)[0]
    selectors = tuple(design.selector for design in designs)
    found = [_first_found(page, selectors) for page in pages]
    support = Support(sum(bool(own) for own in found), len(pages))
    inner = _inner_rules([own for own in found if own], domain)
    if not inner:
        return None
    rule = Rule(field=field, select=selectors, many=True, fields=tuple(inner), support=support)
    if any(_occurs(selector, items) for selector in selectors):
        return Template(name=LIST, rules=(rule,))
    return Template(name=LIST, rules=(rule,), probe=", ".join(selectors))


def told_by_themselves(template: Template, pages: Sequence[ListPage], items: Sequence[Sample]) -> Template:
    """Return a template of lists that is told by what only they have, or by their addresses; else as it is."""
    lists = [page.sample for page in pages]
    probe = probe_of(lists, items)
    return replace(template, probe=probe, url="" if probe else url_pattern_of(lists, items))


def _told_apart(design: "_Design", items: Sequence[Sample]) -> "_Design":
    """Return a design with a selector that no page of an item has, where one finds the same entries."""
    drafts = dict.fromkeys((design.selector, *(one for page in design.pages for one in page.found.selectors)))
    wanted = _agreed(design.selector, design.pages) - _HARDLY
    same = (draft for draft in drafts if draft.strip("> ") and _agreed(draft, design.pages) >= wanted)
    apart = (draft for draft in same if not _occurs(draft, items))
    return replace(design, selector=min(apart, key=len, default=design.selector))


def _agreed(selector: str, pages: Sequence[ListPage]) -> float:
    return sum(_agreement(selector, page) for page in pages) / len(pages)


def _occurs(selector: str, samples: Sequence[Sample]) -> bool:
    compiled = compile_selector(selector)
    return any(compiled.occurs(sample.document.tree) for sample in samples)


@dataclass(frozen=True, slots=True)
class _Design:
    """List pages whose entries go by the same way."""

    selector: str
    pages: Sequence[ListPage]


def _designs(pages: Sequence[ListPage], domain: Domain) -> list[_Design]:
    """Group list pages by the selector of their entries, that of most pages first; what none explains is left out."""
    found: list[_Design] = []
    rest = list(pages)
    while rest and len(found) < _MOST_DESIGNS and (design := _design(rest)) is not None:
        rest = [page for page in rest if page not in design.pages]
        if _are_lists(design.pages, domain) and not (found and len(design.pages) < _LEAST_PAGES):
            found.append(design)
    return found


def _are_lists(pages: Sequence[ListPage], domain: Domain) -> bool:
    """Tell whether pages with the same list are lists: most are no items; several, or one is surely a list."""
    kinds_found = Counter(page.sample.tagged.kind for page in pages)
    others = len(pages) - kinds_found[domain.item.kind]
    return others * 2 > len(pages) and (others > 1 or kinds_found[LIST] > 0 or _is_priced(pages[0], domain))


def _is_priced(page: ListPage, domain: Domain) -> bool:
    return bool(domain.price) and domain.price in item_fields(page.found.items, domain)


def _design(pages: Sequence[ListPage]) -> _Design | None:
    """Return the selector that agrees best with the lists that were found on pages, and the pages that it explains."""
    drafts = dict.fromkeys(selector for page in pages for selector in page.found.selectors if selector.strip("> "))
    best, selector, explained = 0.0, "", list[ListPage]()
    for draft in drafts:
        agreed = [(page, _agreement(draft, page)) for page in pages]
        own = [page for page, share in agreed if share >= _AGREES]
        score = sum(share for _, share in agreed if share >= _AGREES) - _NAMED * draft.count(">") * len(pages)
        if score > best:
            best, selector, explained = score, draft, own
    return _Design(selector, explained) if explained else None


def _agreement(selector: str, page: ListPage) -> float:
    got, wanted = set(_found(page, selector)), set(page.found.items)
    return 2 * len(got & wanted) / max(len(got) + len(wanted), 1)


def _found(page: ListPage, selector: str) -> list[Element]:
    return list(compile_selector(selector).elements(page.sample.document.tree))


def _first_found(page: ListPage, selectors: Sequence[str]) -> list[Element]:
    return next((found for selector in selectors if (found := _found(page, selector))), [])


def _inner_rules(lists: Sequence[Sequence[Element]], domain: Domain) -> list[Rule]:
    """Return the rules of the fields within an entry: the selectors that most pages agree on, as alternatives."""
    votes: dict[str, dict[tuple[str, str], float]] = {}
    for entries in lists:
        for name, columns in item_fields(entries, domain).columns.items():
            for place, column in enumerate(columns):
                weight = column.share(len(entries)) * len(entries) / (1 + place)
                own = votes.setdefault(name, {})
                key = _way(column, entries), column.take
                own[key] = own.get(key, 0.0) + weight
    return [_inner_rule(name, own) for name, own in votes.items()]


def _way(column: Column, entries: Sequence[Element]) -> str:
    return shortest_way(column, entries) or _ITSELF


def _inner_rule(name: str, votes: Mapping[tuple[str, str], float]) -> Rule:
    """Return the rule of a field; alternatives take what the first one takes."""
    ranked = sorted(votes, key=lambda key: (-votes[key], key))
    take = ranked[0][1]
    ways = [way for way, own in ranked if own == take]
    return Rule(field=name, select=tuple(ways[:_MOST_ALTERNATIVES]), take=take)
