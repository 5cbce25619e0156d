"""The list pages of a site in, the template of its lists out: what their entries are, and the fields within each."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from turbohtml import Element

from sitewright.domains import Domain, kinds
from sitewright.induce.sample import Sample
from sitewright.induce.templates import probe_of, url_pattern_of
from sitewright.parse import compile_selector
from sitewright.repeats import FoundList, item_fields, main_list
from sitewright.repeats.columns import Column, shortest_way
from sitewright.types import LIST, Rule, Support, TaggedPage, Template

_ITSELF = "self::*"
_MOST_ALTERNATIVES = 3
_AGREES = 0.5
"""A selector of entries must agree so well with the lists that were found, on average over the pages."""
SURELY = 0.8
"""A page that is an item by so much is no list; one that is none by so much is left out of the sample of items. Of 300
articles of folds 1 to 4 none is left out so, of 132 labelled pages that are none 78; by 0.9 it would be 46."""
_RICH = 10.0
"""The score from which a list is rich: of the list pages of the training folds nine in ten have a richer one."""
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
    for an item is one.
    """
    if not domain.fields_of_kind(kinds.ITEMS):
        return []
    doubtful = [sample for sample in samples if _may_be_list(sample.tagged, domain)]
    found = ((sample, main_list(sample.document)) for sample in doubtful)
    rich = [ListPage(sample, one) for sample, one in found if one is not None and one.score >= _RICH]
    if len(rich) * 2 > len(samples) or len(rich) == 1:
        rich = [page for page in rich if page.sample.tagged.kind != domain.item.kind]
    return rich


def _may_be_list(tagged: TaggedPage, domain: Domain) -> bool:
    return tagged.kind != domain.item.kind or tagged.kind_score < SURELY


def learn_lists(pages: Sequence[ListPage], items: Sequence[Sample], domain: Domain) -> Template | None:
    """Return the template of list pages, told from those of items by a probe; None where there is none."""
    best = _entries_selector(pages)
    if best is None:
        return None
    field = domain.fields_of_kind(kinds.ITEMS)[0]
    found = [_found(page, best) for page in pages]
    support = Support(sum(bool(own) for own in found), len(pages))
    inner = _inner_rules([own for own in found if own], domain)
    if not inner:
        return None
    rule = Rule(field=field, select=(best,), many=True, fields=tuple(inner), support=support)
    probe, url = _told([page.sample for page in pages], items, best)
    return Template(name=LIST, rules=(rule,), probe=probe, url=url)


def _told(lists: Sequence[Sample], items: Sequence[Sample], selector: str) -> tuple[str, str]:
    """Return the probe or the address by which a page is a list; neither where nothing tells it from pages of items."""
    compiled = compile_selector(selector)
    if not any(compiled.occurs(sample.document.tree) for sample in items):
        return selector, ""
    if probe := probe_of(lists, items):
        return probe, ""
    return "", url_pattern_of(lists, items)


def _entries_selector(pages: Sequence[ListPage]) -> str | None:
    """Return the selector that agrees best with the lists that were found on all pages."""
    drafts = Counter(selector for page in pages for selector in page.found.selectors if selector.strip("> "))
    scored = [(_agreement(selector, pages) - _NAMED * selector.count(">"), selector) for selector in drafts]
    best, selector = max(scored, default=(0.0, ""))
    return selector if best >= _AGREES else None


def _agreement(selector: str, pages: Sequence[ListPage]) -> float:
    compiled = compile_selector(selector)
    total = 0.0
    for page in pages:
        got, wanted = set(compiled.elements(page.sample.document.tree)), set(page.found.items)
        total += 2 * len(got & wanted) / max(len(got) + len(wanted), 1)
    return total / len(pages)


def _found(page: ListPage, selector: str) -> list[Element]:
    return list(compile_selector(selector).elements(page.sample.document.tree))


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
