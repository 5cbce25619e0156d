"""The tagged pages of one site in, its map out."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import MappingProxyType

from sitewright.domains import DEFAULT_DOMAIN, Domain, FieldSpec, kinds, load_domain
from sitewright.errors import BadExample, MixedSites, NoArticles, NoStableRule, TooFewPages
from sitewright.induce.asking import ask_tagger
from sitewright.induce.beside import beside_the_same
from sitewright.induce.candidates import drafts_of, last_resorts, with_patterns
from sitewright.induce.constants import without_constants
from sitewright.induce.examples import SHOWN, Example, ExampleBeliefs, spec_of
from sitewright.induce.facts import date_formats_of, language_of, timezone_of
from sitewright.induce.frames import believe_frames
from sitewright.induce.images import learn_images
from sitewright.induce.levels import agreed_kinds
from sitewright.induce.lists import SURELY, ListPage, learn_lists, list_pages, told_by_themselves
from sitewright.induce.objective import ORIGINS, STATED, Trial, choose, try_drafts
from sitewright.induce.only_stated import with_stated_rule
from sitewright.induce.pairs import learn_pairs
from sitewright.induce.sample import Sample
from sitewright.induce.templates import group_by_design, name_of, probe_of, url_pattern_of
from sitewright.induce.text import learn_text
from sitewright.parse import Document, compile_selector, host_of, owner_of, visible_text
from sitewright.parse.patterns import fits
from sitewright.types import OTHER, TAKE_TEXT, ExtractionMap, Rule, Support, TaggedPage, Template
from sitewright.values import page_context

_SOUND = 0.5
"""Where what must be there is read less well than this, positions are tried too."""
_AGREED = 0.6
"""Rules that agree less are told of."""
_LIKELY = 0.3
_AS_SHOWN = 0.5
"""Lists may have more entries than the examples name."""
_LEARNED = frozenset(
    {
        kinds.LINE, kinds.TEXT, kinds.DATE, kinds.NAMES, kinds.LIST, kinds.IMAGES, kinds.PRICE, kinds.URL, kinds.PAIRS,
        kinds.OBJECTS,
    }
)  # fmt: skip
_OF_KIND = {kinds.IMAGES: learn_images, kinds.PAIRS: learn_pairs}
"""What learns the rules of fields whose values are chosen in a way of their own."""
_NOWHERE = "localhost"


Pages = list[tuple[Document, TaggedPage]]


@dataclass(frozen=True, slots=True)
class Learned:
    """A map, the pages it was learned from, and what a person should know about it."""

    extraction_map: ExtractionMap
    samples: tuple[Sample, ...]
    warnings: tuple[str, ...] = ()


def learn_map(
    pages: Sequence[tuple[Document, TaggedPage]],
    domain: str = DEFAULT_DOMAIN,
    now: datetime | None = None,
    examples: Mapping[str, Example] = MappingProxyType({}),
) -> Learned:
    """Learn the map of a site from some of its pages, and from examples of the values that are wanted.

    Fields of examples are learned from them alone; the domain's other fields only where the pages are of the domain.
    """
    moment = now or datetime.now(UTC)
    fields = load_domain(domain)
    pages = agreed_kinds(pages, fields)
    lists = _list_pages(pages, fields, moment) if not examples else []
    try:
        return _learned(pages, lists, fields, moment, examples)
    except NoStableRule:
        if not lists or len(lists) * 2 < len(pages):
            raise
        # Most pages look like lists and the others like nothing: lists below items, then, and these are the items.
        kind = fields.item.kind
        items = [(document, replace(tagged, kind=kind)) for document, tagged in pages]
        return _learned(items, [], fields, moment, examples)


def _learned(
    pages: Sequence[tuple[Document, TaggedPage]],
    lists: Sequence[ListPage],
    fields: Domain,
    moment: datetime,
    examples: Mapping[str, Example],
) -> Learned:
    """Learn the map of a site whose list pages are known."""
    warnings: list[str] = []
    listed = {page.sample.document.url for page in lists}
    rest = [page for page in pages if page[0].url not in listed]
    kept = usable_pages(rest, fields, warnings, any_kind=bool(examples))
    samples = [Sample(document, tagged, fields, page_context(document, moment), examples) for document, tagged in kept]
    _check_examples(samples, examples)
    _find_home(samples, examples)
    return with_lists(learn_samples(samples, fields, moment, examples, warnings), lists, fields)


def _list_pages(pages: Sequence[tuple[Document, TaggedPage]], domain: Domain, moment: datetime) -> list[ListPage]:
    """Return the pages of lists, as long as two others are left to learn items from."""
    if not domain.fields_of_kind(kinds.ITEMS):
        return []
    lists = list_pages([Sample(*page, domain, page_context(page[0], moment)) for page in pages], domain)
    return lists if len(pages) - len(lists) >= 2 else []


def with_lists(learned: Learned, pages: Sequence[ListPage], domain: Domain) -> Learned:
    """Add the template of the list pages, where the domain has lists of items."""
    template = learn_lists(pages, learned.samples, domain) if pages else None
    if template is None:
        return learned
    templates = learned.extraction_map.templates
    if not template.probe:
        template, templates = _told_apart(template, learned, pages)
    if template.probe or template.url:
        templates = (template, *templates) if templates == learned.extraction_map.templates else (*templates, template)
        return replace(learned, extraction_map=replace(learned.extraction_map, templates=templates))
    return learned


def _told_apart(
    template: Template, learned: Learned, pages: Sequence[ListPage]
) -> tuple[Template, tuple[Template, ...]]:
    """Tell lists from items that show the same list: they are what has none of what all items have; else by themselves.

    Items are more, and more alike, than the lists that were sampled, which may be of one shelf.
    """
    *special, main = learned.extraction_map.templates
    others = [sample for sample in learned.samples if not any(_is_of(sample, one) for one in special)]
    if others and (probe := probe_of(others, [page.sample for page in pages])):
        entries = ", ".join(template.rules[0].select)
        return replace(template, probe=entries), (*special, replace(main, probe=probe))
    return told_by_themselves(template, pages, learned.samples), learned.extraction_map.templates


def _is_of(sample: Sample, template: Template) -> bool:
    """Tell whether a page is of a template that is told by its address or by a probe."""
    fits_probe = not template.probe or compile_selector(template.probe).occurs(sample.document.tree)
    return fits_probe and (not template.url or fits(template.url, sample.document.url))


def usable_pages(
    pages: Sequence[tuple[Document, TaggedPage]], domain: Domain, warnings: list[str], *, any_kind: bool = False
) -> Pages:
    """Return the pages that a map is learned from (different, of one site, items), and tell of the others."""
    kept = _of_one_site(list(_different(pages, warnings)), warnings)
    return kept if any_kind else _items(kept, domain, warnings)


def learn_samples(
    samples: Sequence[Sample],
    fields: Domain,
    moment: datetime,
    examples: Mapping[str, Example] = MappingProxyType({}),
    told: Sequence[str] = (),
) -> Learned:
    """Learn a map from samples, which remember what rules gave on them: some of them are quickly learned from again."""
    warnings = list(told)
    specs = _wanted(samples, fields, examples)
    templates = _templates(samples, specs, fields)
    rules = [rule for template in templates for rule in template.rules]
    _require(rules, fields, examples, warnings)
    warnings += _asking(templates, frozenset(examples), fields)
    if len(templates) > 1:
        counts = ", ".join(f"{template.name} {_pages_of(template)}" for template in templates)
        warnings.append(f"the pages are of {len(templates)} designs: {counts}")
    language = language_of(samples)
    site = site_of(samples[0].document.url)
    if not site:
        warnings.append(f"the pages do not say which site they are of; the map calls it {_NOWHERE}")
    extraction_map = ExtractionMap(
        site=site or _NOWHERE,
        domain=fields.reference,
        learned_at=moment.replace(microsecond=0),
        language=language,
        timezone=timezone_of(samples),
        date_formats=date_formats_of(list(_displayed_dates(rules, samples, fields.published)), language),
        templates=tuple(templates),
    )
    return Learned(extraction_map, tuple(samples), tuple(warnings))


def _find_home(samples: Sequence[Sample], examples: Mapping[str, Example]) -> None:
    """Take a value that several pages have somewhere ("PG" in a menu) for shown where most examples are."""
    counts = [sum(bool(sample.labels(name)) for name in examples) for sample in samples]
    for name in examples:
        most = max((count for sample, count in zip(samples, counts, strict=True) if sample.labels(name)), default=0)
        at_home = {
            str(label.value)
            for own, count in zip(samples, counts, strict=True)
            if count == most
            for label in own.labels(name)
        }
        for sample, count in zip(samples, counts, strict=True):
            if count < most and {str(label.value) for label in sample.labels(name)} <= at_home:
                sample.forget_example(name)


def _check_examples(samples: Sequence[Sample], examples: Mapping[str, Example]) -> None:
    """Refuse a value that none of the pages shows."""
    for example in examples.values():
        shown = {str(label.value) for sample in samples for label in sample.labels(example.field)}
        for value in example.values:
            if value not in shown:
                raise BadExample(
                    f"none of the pages shows {example.field} = {value!r}; give a value as it stands on one of them"
                )


def _wanted(samples: Sequence[Sample], domain: Domain, examples: Mapping[str, Example]) -> list[FieldSpec]:
    """Return the fields to learn."""
    items = sum(sample.tagged.kind == domain.item.kind for sample in samples)
    usual = [spec for spec in domain.fields.values() if spec.kind in _LEARNED and spec.name not in examples]
    own = [spec_of(example, domain) for example in examples.values()]
    return [*own, *(usual if not examples or items * 2 > len(samples) else [])]


def _require(rules: Sequence[Rule], domain: Domain, examples: Mapping[str, Example], warnings: list[str]) -> None:
    """Tell which fields have no rule that a page must have; `NoStableRule` where none of them has."""
    found = {rule.field for rule in rules}
    if missing := [name for name in examples if name not in found]:
        raise NoStableRule(f"no rule gives {', '.join(missing)} on the pages that show it, and only there")
    required = domain.required
    if not examples and found.isdisjoint(required):
        raise NoStableRule(
            f"no rule for {' or '.join(required)} holds on the pages; show what is wanted with --example"
        )
    missing = [name for name in required if name not in found] if not examples else []
    warnings += [f"no rule for {name} holds on the pages: every page will be handed to the tagger" for name in missing]


def _asking(templates: Sequence[Template], shown: frozenset[str], domain: Domain) -> Iterator[str]:
    """Tell which fields the tagger reads where no rule does, and which rules it hardly agrees with.

    Rules of fields that examples show are judged by these alone.
    """
    scored = domain.fields.keys() - domain.fields_of_kind(kinds.OBJECTS)
    asked = [(field, template.name) for template in templates for field in template.tagger if field in scored]
    ruled = {(rule.field, template.name) for template in templates for rule in template.rules}
    if never := dict.fromkeys(field for field, name in asked if (field, name) not in ruled):
        yield f"no rule for {' or '.join(never)} is as good as the tagger: every page is handed to it for that"
    if some := dict.fromkeys(field for field, name in asked if (field, name) in ruled):
        yield f"where no rule gives {' or '.join(some)}, the page is handed to the tagger for it"
    for template in templates:
        for rule in {rule.field: rule for rule in reversed(template.rules)}.values():
            if rule.field not in shown and rule.support and (rule.support.agreement or 0.0) < _AGREED:
                yield (
                    f"the rule of {template.name} for {rule.field} agrees with the tagger by "
                    f"{rule.support.agreement or 0:.2f} only; look at what it gives"
                )


def site_of(url: str) -> str:
    """Return the name of the site that an address belongs to.

    >>> site_of("https://www.example.co.uk/a"), site_of("https://news.example.com/")
    ('example.co.uk', 'news.example.com')
    """
    return host_of(url).removeprefix("www.")


def _different(
    pages: Sequence[tuple[Document, TaggedPage]], warnings: list[str]
) -> Iterator[tuple[Document, TaggedPage]]:
    """Yield the pages that are not copies of earlier ones; `TooFewPages` where fewer than two are left."""
    seen: set[tuple[str, ...]] = set()
    for document, tagged in pages:
        key = tuple(line.text for line in tagged.lines)
        if key not in seen:
            seen.add(key)
            yield document, tagged
    if len(seen) < 2:
        same = f"{len(pages)} pages that are all the same" if len(pages) > 1 else _count(len(pages), "page")
        raise TooFewPages(f"a map is learned from at least two different pages, not from {same}")
    if len(seen) < len(pages):
        warnings.append(f"{len(pages) - len(seen)} of {len(pages)} pages are copies of others and were left out")


def _of_one_site(pages: Pages, warnings: list[str]) -> Pages:
    """Keep the pages of the site that has most of them; `MixedSites` where none has."""
    owners = _owners(pages)
    counts = Counter(owners)
    [(owner, count), *others] = counts.most_common()
    if not others:
        return pages
    named = ", ".join(f"{name} ({number})" for name, number in counts.most_common(4))
    if count * 2 <= len(pages) or count < 2:
        raise MixedSites(f"the pages are of {len(counts)} sites: {named}; learn a map for each")
    warnings.append(f"the pages are of {len(counts)} sites: {named}; only those of {owner} were used")
    return [page for page, own in zip(pages, owners, strict=True) if own == owner]


def _owners(pages: Pages) -> list[str]:
    """Return whose site each page is of; a part of a host whose own pages are there, too, is no other site."""
    owners = [owner_of(host_of(document.url)) for document, _ in pages]
    return [next((other for other in owners if own.endswith(f".{other}")), own) for own in owners]


def _items(pages: Pages, domain: Domain, warnings: list[str]) -> Pages:
    """Leave out what surely is no item, as long as two pages are left; `NoArticles` where none is one."""
    item = domain.item
    items = [page for page in pages if page[1].kind == item.kind or page[1].kind_score < SURELY]
    items = items or [page for page in pages if _shows_required(page[1], domain)]
    if not items:
        kinds = Counter(tagged.kind for _, tagged in pages)
        counts = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
        raise NoArticles(f"none of the {len(pages)} pages is {item.called}: {counts}")
    if len(items) == len(pages):
        return pages
    if len(items) < 2:
        warnings.append(f"only one of the {len(pages)} pages is {item.called}: {items[0][0].url}; all were used")
        return pages
    left = [page[0].url for page in pages if page not in items]
    warnings.append(f"{_count(len(left), 'page')} left out, no {item.noun}: {', '.join(left[:3])}")
    return items


def _shows_required(tagged: TaggedPage, domain: Domain) -> bool:
    """Tell whether a page that looks like no item shows all that one must have: two things, a name and a price."""
    wanted = [name for name in domain.required if name != domain.main_text]
    best = {name: max((label.score for label in tagged.labels if label.field == name), default=0.0) for name in wanted}
    return tagged.kind == OTHER and len(wanted) > 1 and all(score >= _LIKELY for score in best.values())


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _templates(samples: Sequence[Sample], specs: Sequence[FieldSpec], domain: Domain) -> list[Template]:
    """Learn a template for each design, the one of most pages last: it is for all pages that no other one fits."""
    main, *special = group_by_design(samples)
    told: list[tuple[list[Sample], str, str]] = []
    for group in special:
        others = [sample for sample in samples if sample not in group]
        probe = probe_of(group, others)
        url = "" if probe else url_pattern_of(group, others)
        if probe or url:
            told.append((group, probe, url))
        else:
            main += group  # nothing tells its pages from the others
    templates = [_template(main, specs, domain, Template(name=domain.item.kind))]
    for group, probe, url in told:
        name = name_of(group, [template.name for template in templates], domain)
        templates.insert(0, _template(group, specs, domain, Template(name=name, url=url, probe=probe)))
    return [template for template in templates if template.rules]


def _template(samples: Sequence[Sample], specs: Sequence[FieldSpec], domain: Domain, empty: Template) -> Template:
    """Fill a template with its rules, and the fields that the tagger reads where they give nothing."""
    asked: list[str] = []
    return replace(empty, rules=tuple(_rules(samples, specs, domain, asked)), tagger=tuple(asked))


def _pages_of(template: Template) -> int:
    return max((rule.support.sampled for rule in template.rules if rule.support), default=0)


def _rules(samples: Sequence[Sample], specs: Sequence[FieldSpec], domain: Domain, asked: list[str]) -> Iterator[Rule]:
    dated: list[Trial] = []
    for spec in specs:
        if spec.name == domain.main_text and (rules := learn_text(samples, spec.name)):
            yield from rules
            continue
        if spec.kind == kinds.OBJECTS:  # no rule holds what one product has and ten lack: single pages are read
            asked += [spec.name] * any(label.field == spec.name for sample in samples for label in sample.tagged.given)
            continue
        own_way = _OF_KIND.get(spec.kind)
        if own_way is not None and not isinstance(samples[0].beliefs(spec.name), ExampleBeliefs):
            yield from own_way(samples, spec)
            continue
        if spec.kind == kinds.TEXT and not any(sample.labels(spec.name) for sample in samples):
            continue  # only lines were judged, and none of them is text
        chain = _chain(samples, spec, dated if spec.kind == kinds.DATE else [])
        if not spec.required and not isinstance(samples[0].beliefs(spec.name), ExampleBeliefs):
            chain, is_asked = ask_tagger(chain, samples, spec)
            asked += [spec.name] * is_asked
            chain = with_stated_rule(chain, samples, spec)
        if spec.kind == kinds.DATE:
            dated += chain[:1]
        for trial in chain:
            yield trial.draft.rule(_support(trial))


def _says_the_same(one: Trial, other: Trial) -> bool:
    """Tell whether two drafts give the same wherever both give something."""
    pairs = [pair for pair in zip(one.values, other.values, strict=True) if None not in pair]
    return bool(pairs) and all(value == known for value, known in pairs)


def _chain(samples: Sequence[Sample], spec: FieldSpec, others: Sequence[Trial]) -> list[Trial]:
    """Return the rules of a field, the first first; those of positions only for what must be there and is not else."""
    by_example = isinstance(samples[0].beliefs(spec.name), ExampleBeliefs)
    origins = ORIGINS if spec.required or spec.kind == kinds.DATE else STATED
    patterns = believe_frames(samples, spec) if spec.framed and not by_example else []
    trials: list[Trial] = []
    for drafts in (drafts_of, last_resorts):
        tried = try_drafts(with_patterns(drafts(samples, spec), patterns), samples, spec)
        trials += [*tried, *try_drafts(list(without_constants(tried, samples, spec)), samples, spec)]
        # When it was changed is not what it says of when it was published.
        trials = [trial for trial in trials if not any(_says_the_same(trial, other) for other in others)]
        if by_example:
            trials = beside_the_same([trial for trial in trials if _follows(trial, samples)], samples)
        chain = choose(trials, origins, required=spec.required or by_example)
        is_sound = chain and (by_example or chain[0].agreement >= _SOUND)
        looks_further = by_example and not spec.many  # of one value, places tell as much as names do
        if not looks_further and (is_sound or not (by_example or spec.required)):
            break
    return chain


def _follows(trial: Trial, samples: Sequence[Sample]) -> bool:
    """Tell whether a draft gives what the examples show, on every page that shows it."""
    shown = [n for n, sample in enumerate(samples) if sample.beliefs(trial.draft.field).best == SHOWN]
    return all((trial.right[n] or 0.0) >= _AS_SHOWN for n in shown)


def _support(trial: Trial) -> Support:
    return Support(trial.found, len(trial.right), round(trial.agreement, 3))


def _displayed_dates(rules: Sequence[Rule], samples: Sequence[Sample], field: str) -> Iterator[str]:
    """Yield the displayed dates that the rules of a field read."""
    selectors = [rule.select[0] for rule in rules if rule.field == field and rule.select and rule.take == TAKE_TEXT]
    for sample in samples:
        for selector in selectors[:1]:
            for element in compile_selector(selector).elements(sample.document.tree)[:1]:
                if not element.attr("datetime"):
                    yield visible_text(element)
