"""A map that was learned in, with its sampled pages; the map that knows where stories have their other pages out."""

from collections.abc import Sequence
from dataclasses import replace

from sitewright.induce import Learned
from sitewright.links import find_story_pages, learn_index
from sitewright.links.addresses import same_page
from sitewright.links.mapped_parts import mapped_story_pages
from sitewright.parse import Document
from sitewright.reading.samples import read_samples
from sitewright.types import PartsRule, Template

FEWEST = 2
"""So many stories of several pages say how a site links them; of one it may be chance."""


def with_parts(learned: Learned) -> Learned:
    """Add to templates the selectors of links to the other pages of stories, where sampled stories have several.

    Selectors are kept only if they find on every sampled page what is linked there as pages of its story, and no more.
    """
    names = [record.template for record in read_samples(learned.extraction_map, learned.samples)]
    by_template: dict[str, list[Document]] = {}
    for sample, name in zip(learned.samples, names, strict=True):
        by_template.setdefault(name, []).append(sample.document)
    templates = tuple(_with_parts(one, by_template.get(one.name, [])) for one in learned.extraction_map.templates)
    return replace(learned, extraction_map=replace(learned.extraction_map, templates=templates))


def _with_parts(template: Template, documents: Sequence[Document]) -> Template:
    parts = [frozenset(map(same_page, find_story_pages(document).parts)) for document in documents]
    if sum(map(bool, parts)) < FEWEST:
        return template
    found = learn_index(documents, frozenset().union(*parts))
    if found is None:
        return template
    rule = PartsRule(links=found.entry.items, learned=True)
    read = [frozenset(map(same_page, mapped_story_pages(document, rule).parts)) for document in documents]
    return replace(template, parts=rule) if read == parts else template
