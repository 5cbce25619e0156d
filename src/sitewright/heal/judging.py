"""Pages with remembered values and what maps read of them in, how right each field is out.

Rules are judged by whether they give what records held, on pages that they were not learned from.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sitewright.errors import SitewrightError
from sitewright.heal.changed_site import ChangedSite, FoundPage
from sitewright.heal.fields import merged_map, read_pages
from sitewright.heal.rightness import f1, rightness
from sitewright.heal.sure import LEAST_PAGES
from sitewright.induce import learn_samples
from sitewright.maps.rules import RuleName
from sitewright.types import ExtractionMap, Record

_PARTS = 5
"""Rules are judged on each fifth of the pages, learned from the others: by thirds, those for the text of a site
of which six articles are known had a confidence of .65, though all were right (folds 1 and 2, rebuilt)."""
_BETTER = 0.01
"""New rules replace old ones that still speak only if they are right on so many more of the pages."""
_SPOKE = 0.5
"""A first rule that gave a value on so many of its pages, and gives none on any page now, is dead."""
_DOUBT = 0.5
"""Half a page of doubt beside the pages that were seen."""
_BELIEVED, _MOST_DISPUTED = 0.5, 1 / 3
"""On one of three new pages the tagger may be wrong; a text is what it reads if they have half of it in common."""
_MANY_MORE = 0.5
"""New rules read another kind of pages if they agree with the tagger on so many more of the new ones than the old."""
_TAGGER_ONLY = 0.9
"""What agreement with the tagger is worth where nothing is remembered."""


class PageRead(NamedTuple):
    """A page, and what somebody reads of it; None: there was nobody."""

    page: FoundPage
    record: Record | None

    def value(self, field: str) -> object | None:
        """Return what is read of a field."""
        return value_of(self.record, field)


def value_of(record: Record | None, field: str) -> object | None:
    """Return the value of a field; None where there is none."""
    found = record.fields.get(field) if record is not None else None
    return found.value if found is not None else None


def read_by_others(site: ChangedSite) -> list[PageRead]:
    """Read each page with a map that was learned without it."""
    parts = min(_PARTS, len(site.pages))
    read: list[PageRead] = []
    for part in range(parts):
        kept = [page for number, page in enumerate(site.pages) if number % parts != part]
        out = [page for number, page in enumerate(site.pages) if number % parts == part]
        read += map(PageRead, out, _records_without(site, kept, out))
    return read


def _records_without(site: ChangedSite, kept: Sequence[FoundPage], out: Sequence[FoundPage]) -> Sequence[Record | None]:
    """Learn from some pages and read the others; None where nothing can be learned."""
    try:
        learned = learn_samples([page.sample for page in kept], site.domain, site.now)
        merged = merged_map(site, kept, learned.extraction_map)
    except SitewrightError:
        return [None] * len(out)
    return read_pages(merged, out)


def better_fields(site: ChangedSite, merged: ExtractionMap, left_out: Sequence[PageRead]) -> set[str]:
    """Return the fields that new rules read better than the old ones, with those that are lost.

    Where only back-ups still speak, new rules need not be better: what the first rule read, and they do not, is lost on
    pages that were not seen. Nor need they be where they read new pages as the tagger does, and the old ones do not:
    the site goes on with pages of another kind, and known articles are as they were.
    """
    as_before = read_by_old_rules(site)
    better = set(site.lost)
    for field in {*merged.fields, *site.old.fields} - site.lost:
        gains = _is_dead(site, field) or _reaches_more(field, as_before, left_out)
        least = confidence(field, as_before) + (0.0 if gains else _BETTER)
        if (sure := confidence(field, left_out)) >= least and sure > 0:
            better.add(field)
    return better


def read_by_old_rules(site: ChangedSite) -> list[PageRead]:
    """Return what the old map reads of the pages."""
    return [PageRead(page, page.by_old_rules) for page in site.pages]


def read_by_tagger(site: ChangedSite) -> list[PageRead]:
    """Return what the tagger reads of the pages."""
    return [PageRead(page, page.by_tagger) for page in site.pages]


def _is_dead(site: ChangedSite, field: str) -> bool:
    """Tell whether the first rule of a field, which used to speak, gives nothing on any page."""
    spoke = False
    for template in site.old.templates:
        first = next((rule for rule in template.rules if rule.field == field), None)
        support = first.support if first is not None else None
        spoke |= support is not None and support.found >= _SPOKE * support.sampled
    records = [page.by_old_rules for page in site.pages]
    given = [RuleName.read(record.fields[field].rule) for record in records if field in record.fields]
    return spoke and not any(name is not None and name.number == 0 for name in given)


def _reaches_more(field: str, as_before: Sequence[PageRead], left_out: Sequence[PageRead]) -> bool:
    """Tell whether new rules say on many more of the new pages what the tagger reads there."""
    before, after = (_agreeing(field, read) for read in (as_before, left_out))
    return len(after) >= LEAST_PAGES and sum(after) - sum(before) >= _MANY_MORE * len(after)


def _agreeing(field: str, read: Sequence[PageRead]) -> list[bool]:
    """Return of each new page on which the tagger reads a field whether the same is read."""
    new = [one for one in read if not one.page.values and value_of(one.page.by_tagger, field) is not None]
    return [_is_believed(one, field) for one in new]


def disputed_fields(site: ChangedSite, healed: ExtractionMap) -> frozenset[str]:
    """Return the required fields where one of them is not read as the tagger does on new pages: none may change then.

    Old rules that are right on all known pages may be wrong on pages of a template that no known article has. Where the
    tagger does not see on known pages either what these are known to say, its word on new ones counts for less.
    """
    required = frozenset(site.domain.required)
    read = list(map(PageRead, site.pages, read_pages(healed, site.pages)))
    known, new = ([one for one in read if bool(one.page.values) is is_known] for is_known in (True, False))
    disputed = any(_doubted(new, field) - _doubted(known, field) > _MOST_DISPUTED for field in required)
    return required if disputed else frozenset()


def _doubted(read: Sequence[PageRead], field: str) -> float:
    """Return on which share of the pages the tagger reads something else."""
    return sum(not _is_believed(one, field) for one in read) / len(read) if read else 0.0


def _is_believed(read: PageRead, field: str) -> bool:
    """Tell whether a value says what the tagger reads, if that reads any."""
    seen = value_of(read.page.by_tagger, field)
    return seen is None or rightness(seen, read.value(field)) >= _BELIEVED


def confidence(field: str, read: Sequence[PageRead]) -> float:
    """Return how right a field's values are: by what is remembered, else by the tagger's view."""
    known = [one for one in read if field in one.page.search.found]
    if not known:
        return round(_TAGGER_ONLY * _expected_f1(field, read), 3)
    right = [rightness(one.page.still_there(field), one.value(field)) for one in known]
    # A record without the field says that the page has none, unless the tagger believes in what is given.
    extra = [
        one.page.sample.rightness(field, value)
        for one in read
        if one.page.values and field not in one.page.values and (value := one.value(field)) is not None
    ]
    wrong = sum(1 - min(1.0, believed) for believed in extra)
    return round((sum(right) + _DOUBT * (not wrong)) / (len(right) + wrong + _DOUBT), 3)


def _expected_f1(field: str, read: Sequence[PageRead]) -> float:
    """Return how right a field's values are expected to be, by what the tagger believes of the pages."""
    values = [(one.page.sample, one.value(field)) for one in read]
    given = [sample.rightness(field, value) for sample, value in values if value is not None]
    if any(field == sample.domain.main_text for sample, _ in values):
        return sum(given) / len(values)
    expected = sum(sample.beliefs(field).best for sample, _ in values)
    return f1(sum(given), len(given), expected)
