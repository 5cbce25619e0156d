"""The samples of a site in, the rules that might read a field out: selectors, attributes, meta tags, JSON-LD paths."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from sitewright.domains import FieldSpec, kinds
from sitewright.induce.beliefs import entry_key
from sitewright.induce.beside import label_before
from sitewright.induce.cuts import cuts_of, labelled_lines
from sitewright.induce.drafts import Draft
from sitewright.induce.places import text_nodes
from sitewright.induce.sample import Sample, is_said_elsewhere, own_text, shared_tokens
from sitewright.induce.tree import Mask, PageTree
from sitewright.parse import TITLE_SEPARATOR, Json, types_of, visible_text
from sitewright.structure import POSITION
from sitewright.types import TAKE_TEXT
from sitewright.values.updates import word_of_update

_SINGLE_NODES, _LIST_NODES = 6, 24
"""So many of a page's likeliest nodes are looked at; what is less likely is not the field."""
_LEAST = 0.02
_LEVELS = 14
"""So many elements around a node may be named in its selector."""
_WIDENED = 3
"""A value's node, and so many around it, may be what a rule selects: a byline around the names."""
_LARGEST = 60
"""An element with more elements in it is more than a field of one line."""
_MOST_DRAFTS = 600
_SAYS_NOTHING = 1.5
"""Tags that cost more are those that everything is made of."""
_BARE = 3.0
"""What naming nothing but `p` or `span` costs more: it finds them wherever they are."""
_AROUND_LINKS = 2.0
"""What an entry of a list costs more that holds a link and text beside it: on other pages it holds several links."""
_WRITTEN_DATE = 2.0
"""What a date for people costs more than one for programs: it must be read by the words of its language."""
_META_COST, _JSONLD_COST, _DESCENDANT, _CHILD = 1.2, 1.4, 0.2, 0.4
_ALL_PAGES = frozenset({"html", "body"})
_TITLE_COST = 8.0
"""Most sites put their name behind it."""
_META_NAMES = ("property", "name", "itemprop")
_TITLED = "title"
"""Meta tags with this in their names state what pages are called, in whatever vocabulary."""
_DATING, _NEVER_DATED = frozenset({"datetime", "content", "title"}), frozenset({"meta", "a", "img", "link"})
_LONGEST_MOMENT = 40
_DATED = re.compile(r"\d{4}|\d{10}")
_MOST_PATHS, _DEEPEST = 400, 4
_USUAL = 0.3
"""What the places where a field is usually stated cost less."""
_MOST_PATTERNS, _MOST_ATTRIBUTES = 2, 80
_BEST, _MOST_LABELS, _MOST_POSITIONS, _MOST_STEPS = 6, 8, 12, 4
_CUT_COST, _OWN_COST = 0.5, 0.3
_LABEL_COST = 3.0


def drafts_of(samples: Sequence[Sample], spec: FieldSpec) -> list[Draft]:
    """Return the candidates for a field's rules."""
    drafts = [
        *_displayed(samples, spec),
        *_attributes(samples, spec),
        *_stated(samples, spec),
        *_jsonld(samples, spec),
    ]
    if spec.kind == kinds.NAMES:  # teams and pen names are not made like people's names: the byline as it is written
        drafts += [replace(draft, parse="list.v1", cost=draft.cost + 0.3) for draft in drafts]
    best = cuts_of(samples, spec, drafts)
    cut = with_patterns(drafts, best)[len(drafts) :]
    return [*drafts, *cut, *_behind_updated(samples, spec, drafts)]


def _behind_updated(samples: Sequence[Sample], spec: FieldSpec, drafts: Sequence[Draft]) -> list[Draft]:
    """Return drafts that read the update where one line names the publication before it ("6 May, updated: 7 May")."""
    if not samples or spec.name != samples[0].domain.modified:
        return []
    words: Counter[str] = Counter()
    for sample in samples:
        nodes = {label.node for label in sample.labels(spec.name) if label.node is not None and label.score >= _LEAST}
        words.update({word for node in nodes if (word := word_of_update(visible_text(sample.tree.elements[node])))})
    shown = [draft for draft in drafts if draft.origin == "displayed" and draft.take == TAKE_TEXT]
    return [
        replace(draft, match=rf"{re.escape(word)}\W*(.+)", cost=draft.cost + 0.2)
        for word, _ in words.most_common(_MOST_PATTERNS)
        for draft in shown
    ]


def last_resorts(samples: Sequence[Sample], spec: FieldSpec) -> list[Draft]:
    """Return the candidates that rest on labels beside a value or on positions: for where nothing else will do."""
    places = [*labelled_lines(samples, spec), *text_nodes(samples, spec)]
    return [*_beside_labels(samples, spec), *places, *_positions(samples, spec)]


def with_patterns(drafts: Sequence[Draft], patterns: Sequence[str]) -> list[Draft]:
    """Return drafts, and those that read what is displayed once more with each pattern that cuts the value out."""
    shown = [draft for draft in drafts if draft.origin == "displayed" and not draft.match]
    cut = [replace(draft, match=pattern, cost=draft.cost + _CUT_COST) for pattern in patterns for draft in shown]
    return [*drafts, *cut]


def _displayed(samples: Sequence[Sample], spec: FieldSpec) -> list[Draft]:
    """Return selectors of the nodes that display likely values."""
    weights: dict[str, float] = {}
    costs: dict[str, float] = {}
    around: set[str] = set()
    shared = shared_tokens(samples)
    for sample in samples:
        mine: dict[str, float] = {}
        for number, score in _likely_nodes(sample, spec).items():
            is_around = spec.kind == kinds.LIST and _is_around_link(sample.tree, number)
            for selector, cost in selectors_of(sample.tree, number, shared):
                mine[selector] = max(score, mine.get(selector, 0.0))
                costs[selector] = cost
                if is_around:
                    around.add(selector)
        for selector, score in mine.items():
            weights[selector] = weights.get(selector, 0.0) + score
    best = sorted(weights, key=lambda selector: (-weights[selector] + 0.02 * costs[selector], selector))[:_MOST_DRAFTS]
    more = _WRITTEN_DATE if spec.kind == kinds.DATE else 0.0
    whole = {selector: costs[selector] + _AROUND_LINKS * (selector in around) for selector in best}
    drafts = [Draft(field=spec.name, select=selector, cost=whole[selector] + more, many=spec.many) for selector in best]
    holders = _with_own_text(samples, spec, best)
    drafts += [replace(draft, own=True, cost=draft.cost + _OWN_COST) for draft in drafts if draft.select in holders]
    if spec.many:  # an enumeration in one element is split at its commas
        lone = [selector for selector in best if all(_is_one(sample.tree.find(selector)) for sample in samples)]
        drafts += [Draft(field=spec.name, select=selector, cost=costs[selector] + 0.1) for selector in lone]
    return drafts


def _is_around_link(tree: PageTree, number: int) -> bool:
    """Tell whether an element that is no link holds one, and text beside it."""
    outer = tree.elements[number]
    links = [element for element in tree.elements[number + 1 : tree.ends[number]] if element.tag == "a"]
    return outer.tag != "a" and bool(links) and visible_text(outer) != visible_text(links[0])


def _with_own_text(samples: Sequence[Sample], spec: FieldSpec, selectors: Sequence[str]) -> frozenset[str]:
    """Return the selectors of elements that hold other elements, and whose own text alone is a likely value."""
    if spec.many:
        return frozenset()
    found: set[str] = set()
    for sample in samples:
        mask = 0
        for label in sample.labels(spec.name):
            if label.node is not None and label.score >= _LEAST and _is_own_text(sample, label.node, str(label.value)):
                mask |= 1 << label.node
        if mask:
            found.update(selector for selector in selectors if sample.tree.find(selector) & mask)
    return frozenset(found)


def _is_own_text(sample: Sample, number: int, value: str) -> bool:
    element = sample.tree.elements[number]
    if sample.tree.ends[number] - number < 2:
        return False
    own = entry_key(own_text(element))
    return own != "" and own == entry_key(value) != entry_key(visible_text(element))


def _beside_labels(samples: Sequence[Sample], spec: FieldSpec) -> Iterator[Draft]:
    """Yield selectors of what stands beside a label ("Engine:") that several pages have."""
    labels: Counter[tuple[str, str]] = Counter()
    for sample in samples:
        found = {label for number in _best_nodes(sample, spec) if (label := label_before(sample, number))}
        labels.update(label for label in found if is_said_elsewhere(label[1], sample, samples))
    for tag, text in sorted(labels, key=lambda label: (-labels[label], label))[:_MOST_LABELS]:
        selector = f'//{tag}[normalize-space()="{text}"]/following-sibling::*[1]'
        yield Draft(field=spec.name, select=selector, cost=_LABEL_COST, many=spec.many)


def _best_nodes(sample: Sample, spec: FieldSpec) -> list[int]:
    found = [label for label in sample.labels(spec.name) if label.node is not None]
    return [label.node or 0 for label in sorted(found, key=lambda label: -label.score)[:_BEST]]


def _positions(samples: Sequence[Sample], spec: FieldSpec) -> Iterator[Draft]:
    """Yield selectors that count elements: what is taken where nothing has a name."""
    shared = shared_tokens(samples)
    seen: Counter[str] = Counter()
    for sample in samples:
        seen.update(
            {path for number in _best_nodes(sample, spec)[:2] for path in [_counted(sample, number, shared)] if path}
        )
    for selector in sorted(seen, key=lambda path: (-seen[path], path))[:_MOST_POSITIONS]:
        yield Draft(field=spec.name, select=selector, cost=POSITION, many=spec.many, fragile=True)


def _counted(sample: Sample, number: int, shared: frozenset[str]) -> str:
    """Return the way to an element from the nearest that has a name, counting children; empty where that is far."""
    tree, steps = sample.tree, ""
    for _ in range(_MOST_STEPS):
        outer = tree.parents[number]
        if outer < 0:
            return ""
        tag = tree.elements[number].tag
        if ":" in tag:  # CSS cannot name it as it is
            return ""
        place = sum(tree.elements[n].tag == tag for n in tree.children(outer) if n <= number)
        steps = f" > {tag}:nth-of-type({place}){steps}"
        named = [token for token in tree.tokens(outer) if token.css in shared and not token.css.isalnum()]
        if named:
            return min(named, key=lambda token: token.cost).css + steps
        number = outer
    return ""


def _is_one(mask: Mask) -> bool:
    """Tell whether a set has at most one element."""
    return mask & (mask - 1) == 0


def _likely_nodes(sample: Sample, spec: FieldSpec) -> dict[int, float]:
    """Return the likeliest nodes of a field, and those right around them."""
    scores: dict[int, float] = {}
    for label in sample.labels(spec.name):
        if label.node is not None and label.score >= _LEAST:
            scores[label.node] = max(label.score, scores.get(label.node, 0.0))
    most = _LIST_NODES if spec.many else _SINGLE_NODES
    nodes: dict[int, float] = {}
    for number in sorted(scores, key=lambda n: -scores[n])[:most]:
        nodes[number] = max(scores[number], nodes.get(number, 0.0))
        for outer, _ in zip(sample.tree.ancestors(number), range(_WIDENED), strict=False):
            if sample.tree.ends[outer] - outer > _LARGEST:
                break
            nodes[outer] = max(scores[number] * 0.9, nodes.get(outer, 0.0))
    return nodes


def selectors_of(tree: PageTree, number: int, shared: frozenset[str]) -> Iterator[tuple[str, float]]:
    """Yield the selectors that find an element, by its own names and those of what is around it, with their costs."""
    own = [token for token in tree.tokens(number) if token.css in shared]
    for token in own:
        yield token.css, token.cost + (_BARE if token.css.isalnum() and token.cost > 1 else 0.0)
    for level, outer in zip(range(_LEVELS), tree.ancestors(number), strict=False):
        for around in tree.tokens(outer):
            if around.css not in shared or around.css in _ALL_PAGES:
                continue
            if level and around.cost > _SAYS_NOTHING and around.css.isalnum():
                continue  # "div", "span": says nothing
            for token in own:
                if around.css.isalnum() and token.css.isalnum() and min(around.cost, token.cost) > _SAYS_NOTHING:
                    continue  # "div > p": anywhere
                cost = token.cost + around.cost
                if level == 0:
                    yield f"{around.css} > {token.css}", cost + _CHILD
                yield f"{around.css} {token.css}", cost + _DESCENDANT


def _attributes(samples: Sequence[Sample], spec: FieldSpec) -> Iterator[Draft]:
    """Yield attributes that state moments."""
    if spec.kind != kinds.DATE:
        return
    seen: Counter[tuple[str, str]] = Counter()
    costs: dict[tuple[str, str], float] = {}
    for sample in samples:
        for number, element in enumerate(sample.tree.elements):
            for key, value in element.attrs.items():
                if _may_state_moment(element.tag, key, value):
                    for token in sample.tree.tokens(number):
                        pair = f"{token.css}[{key}]", f"@{key}"
                        seen[pair] += 1
                        costs[pair] = token.cost + 0.2 + (_BARE if token.css.isalnum() else 0.0)
    for selector, take in sorted(seen, key=lambda pair: (-seen[pair], pair))[:_MOST_ATTRIBUTES]:
        yield Draft(field=spec.name, select=selector, take=take, cost=costs[selector, take])


def _may_state_moment(tag: str, key: str, value: str | list[str] | None) -> bool:
    """Tell whether an attribute may hold a moment."""
    if tag in _NEVER_DATED or not (key in _DATING or key.startswith("data-")):
        return False
    return isinstance(value, str) and len(value) <= _LONGEST_MOMENT and _DATED.search(value) is not None


def _stated(samples: Sequence[Sample], spec: FieldSpec) -> Iterator[Draft]:
    """Yield the meta tags."""
    names: Counter[tuple[str, str]] = Counter()
    for sample in samples:
        found = set()
        for element in sample.document.tree.select("meta[content]"):
            key = next((key for key in _META_NAMES if element.attr(key)), None)
            if key is not None and '"' not in (name := element.attr(key) or "") and " " not in name:
                found.add((f'meta[{key}="{name}"]', name))
        names.update(found)
    for selector, name in sorted(names):
        cost = _META_COST - _USUAL * (f"meta:{name.lower()}" in spec.sources)
        yield Draft(field=spec.name, select=selector, take="@content", cost=cost, many=spec.many)
    if spec.kind == kinds.LINE:
        yield from _titles(samples, spec, [selector for selector, _ in sorted(names) if _TITLED in selector])


def _titles(samples: Sequence[Sample], spec: FieldSpec, metas: Iterable[str]) -> Iterator[Draft]:
    """Yield stated titles without the site's name at their end or beginning."""
    for selector, take in [("head > title", TAKE_TEXT), *((meta, "@content") for meta in metas)]:
        plain = Draft(field=spec.name, select=selector, take=take, cost=_META_COST)
        if take == TAKE_TEXT:
            plain = replace(plain, cost=_TITLE_COST)
            yield plain
        texts = [str(reading.value) for sample in samples if (reading := sample.read(plain)) is not None]
        for pattern in _patterns(texts):
            yield Draft(field=spec.name, select=plain.select, take=plain.take, match=pattern, cost=plain.cost + 0.3)


def _patterns(texts: Sequence[str]) -> Iterator[str]:
    """Yield expressions that keep a title without what the site's titles end or begin with."""
    if len(texts) < 2:
        return
    least = max(2, len(texts) / 2)
    cuts = [(text, cut) for text in texts for cut in TITLE_SEPARATOR.finditer(text) if cut.start()]
    for end, count in Counter(text[cut.start() :] for text, cut in cuts).most_common(3):
        if count >= least:
            yield f"^(.+?)(?:{re.escape(end)})?$"
    for start, count in Counter(text[: cut.end()] for text, cut in cuts).most_common(2):
        if count >= least:
            yield f"^(?:{re.escape(start)})?(.+)$"
    for sign, count in Counter(cut[0].strip() for _, cut in cuts).most_common(2):
        if sign and count >= least:  # what stands there differs: a section, a date
            yield rf"^(.+?)(?:\s*{re.escape(sign)}\s.*)?$"
            yield rf"^(.+?)(?:\s*{re.escape(sign)}\s(?:(?!{re.escape(sign)}\s).)*)?$"
            yield rf"^(?:.*\s?{re.escape(sign)}\s)?(.+)$"


def _jsonld(samples: Sequence[Sample], spec: FieldSpec) -> Iterator[Draft]:
    """Yield the paths of all that JSON-LD states, by the type of its object and of any type."""
    paths: Counter[str] = Counter()
    for sample in samples:
        paths.update(set(_paths_of(sample.document.metadata.jsonld.nodes)))
    common = sorted(paths, key=lambda path: (-paths[path], path))[:_MOST_PATHS]
    for path in common:
        if len(samples) <= 2 or paths[path] >= 2:
            general = 0.15 if not path[0].isupper() else 0.0
            usual = f"jsonld:{path.partition('.')[2] if not general else path}" in spec.sources
            cost = _JSONLD_COST + 0.1 * path.count(".") + general - _USUAL * usual
            yield Draft(field=spec.name, jsonld=path, cost=cost, many=spec.many)


def _paths_of(nodes: Iterable[dict[str, Json]]) -> Iterator[str]:
    for node in nodes:
        for kind in types_of(node)[:2]:
            if kind.isidentifier():
                for path in _leaves(node, 1):
                    yield f"{kind}.{path}"
                    yield path


def _leaves(value: Json, depth: int) -> Iterator[str]:
    """Yield the paths to texts and numbers below an object."""
    if not isinstance(value, dict) or depth > _DEEPEST:
        return
    for key, inner in value.items():
        if not key.isidentifier():
            continue
        entries = inner if isinstance(inner, list) else [inner]
        if any(isinstance(entry, str | int | float) for entry in entries[:3]):
            yield key
        for entry in entries[:2]:
            for path in _leaves(entry, depth + 1):
                yield f"{key}.{path}"
