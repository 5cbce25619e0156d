"""The last pages of a site and what is wrong with them in, what seems to have happened out, and what to do about it.

| what | told by | answer |
|---|---|---|
| down | pages cannot be fetched | wait |
| error page | pages are all alike: title and text repeat | wait |
| wall | pages ask for a name, for consent, for a proof | incident |
| paywall | texts are cut short, all else is as it was | incident |
| redesign | the pages of all templates are affected, most of their fields | heal |
| template changed | so are those of one of several templates | heal |
| field changed | a few fields, on nearly all pages | heal |
| field moved in a section | a few fields, in some folders of the site only | heal |
| second template | most fields, on pages that differ from others by address or structure | new template |
| variants | the same, but they alternate on addresses of one kind | new template |
| list changed | sources list articles that their selectors do not find | heal |
| unclear | none of these | incident |
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal
from urllib.parse import urlsplit

from sitewright.domains import DEFAULT_DOMAIN, load_domain
from sitewright.notice.observation import section_of
from sitewright.notice.signals import PageFacts
from sitewright.store.entries import Incident, IncidentKind

Cause = Literal[
    "down",
    "error page",
    "wall",
    "paywall",
    "redesign",
    "template changed",
    "field changed",
    "field moved in a section",
    "second template",
    "variants",
    "list changed",
    "unclear",
]
Remedy = Literal["heal", "new template", "incident", "wait"]
ANSWERS: Mapping[Cause, Remedy] = {
    "down": "wait",
    "error page": "wait",
    "wall": "incident",
    "paywall": "incident",
    "redesign": "heal",
    "template changed": "heal",
    "field changed": "heal",
    "field moved in a section": "heal",
    "second template": "new template",
    "variants": "new template",
    "list changed": "heal",
    "unclear": "incident",
}
_NEARLY_ALL, _NEARLY_NONE = 0.85, 0.15
"""Of the pages of a kind; one odd page in seven is left for chance."""
_MOST = 0.5
_LEAST_GROUP = 3
"""A kind of page with fewer pages says nothing."""
_LEAST_ALIKE = 4
_SAME_TITLE = "pages are all alike: the same title on every address"
_CUT: IncidentKind = "shorter"
_ALTERNATING = 0.4
"""Of the changes between affected and other pages that chance would bring; fewer: one came after the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """What seems to have happened to a site."""

    cause: Cause
    reason: str
    """A sentence for people."""
    template: str = ""
    """Whose pages are affected; empty: those of several, or of none."""
    fields: tuple[str, ...] = ()
    """The affected ones; empty: whole pages."""
    sections: tuple[str, ...] = ()
    """The folders that are affected, if only some are."""
    fingerprints: tuple[int, ...] = ()
    """The structures that are affected, if only some are."""
    pages: tuple[str, ...] = ()
    """Addresses of affected pages."""
    incidents: tuple[Incident, ...] = ()
    """What it explains."""

    @property
    def answer(self) -> Remedy:
        """What to do about it."""
        return ANSWERS[self.cause]


@dataclass(frozen=True, slots=True)
class _Case:
    """The pages since something began, and which of them are affected."""

    pages: Sequence[PageFacts]
    affected: Sequence[bool]
    incidents: Sequence[Incident]
    usual: Mapping[str, frozenset[str]]
    failed: Sequence[PageFacts]
    """Pages without a record."""
    before: frozenset[str]
    """The templates of pages before it began."""
    well_elsewhere: bool
    """Whether there are pages of other templates that are as usual."""

    @property
    def share(self) -> float:
        return sum(self.affected) / len(self.pages) if self.pages else 0.0

    @property
    def hit(self) -> list[PageFacts]:
        return [page for page, is_so in zip(self.pages, self.affected, strict=True) if is_so]

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that are wrong on at least a third of the affected pages; none where whole pages are."""
        hit = self.hit
        if not hit or sum(page.handed for page in hit) >= _MOST * len(hit):
            return ()
        wrong = _wrong_kinds(self.incidents)
        counted = Counter(name for page in hit for name in wrong if page.broken.get(name) in wrong[name])
        return tuple(sorted(name for name, times in counted.items() if times * 3 >= len(hit)))

    @property
    def is_whole(self) -> bool:
        """Whether most of what pages have is wrong."""
        names = self.fields
        usual = self.usual.get(self.template, frozenset())
        return not names or len(names) > max(_MOST * len(usual), 1)

    @property
    def template(self) -> str:
        """The template of the affected pages, if it is one."""
        names = {page.template for page in self.hit}
        return names.pop() if len(names) == 1 else ""


def diagnose(
    pages: Iterable[PageFacts],
    incidents: Sequence[Incident],
    usual: Mapping[str, frozenset[str]],
    domain: str = DEFAULT_DOMAIN,
) -> list[Diagnosis]:
    """Say what seems to have happened: of each incident of the site, and of those of each template together.

    `usual` are the fields that most pages of each template have.
    """
    main_text = load_domain(domain).main_text
    recent = list(pages)
    whole = [_of_site(_case(recent, [incident], usual)) for incident in incidents if not incident.template]
    templates = dict.fromkeys(incident.template for incident in incidents if incident.template)
    own = [[one for one in incidents if one.template == name] for name in templates]
    cases = [_case(recent, part, usual) for together in own for part in _parts(recent, together, usual, main_text)]
    found = [_of_template(case, main_text) for case in cases]
    changed = [one for one in found if one.cause == "redesign"]
    others = [one for one in found if one.cause != "redesign"]
    return whole + others + ([_together(changed)] if len(changed) > 1 else changed)


def _parts(
    recent: Sequence[PageFacts], incidents: Sequence[Incident], usual: Mapping[str, frozenset[str]], main_text: str
) -> Sequence[Sequence[Incident]]:
    """Keep texts that are cut short apart from what else is wrong with a template, unless that is on the same pages."""
    cut = [one for one in incidents if (one.field, one.kind) == (main_text, _CUT)]
    others = [one for one in incidents if one not in cut]
    if not cut or not others:
        return [incidents]
    short, wrong = _case(recent, cut, usual).hit, _wrong_kinds(others)
    both = sum(page.handed or any(page.broken.get(name) in wrong[name] for name in wrong) for page in short)
    return [incidents] if both > _MOST * len(short) else [cut, others]


def _case(recent: Sequence[PageFacts], incidents: Sequence[Incident], usual: Mapping[str, frozenset[str]]) -> _Case:
    """Return the pages since the first of the incidents began: those of the template, and those of none.

    Where whole pages are not read, that counts, not what was wrong with single fields before.
    """
    whole = [incident for incident in incidents if not incident.field]
    since = min(incident.since.timestamp() for incident in whole or incidents) - 1e-3
    template = incidents[0].template
    own = [page for page in recent if not template or page.template in {template, ""}]
    before = frozenset(page.template for page in recent if page.at < since and page.template)
    wrong = _wrong_kinds(incidents)
    pages = [page for page in own if page.at >= since and not page.code]
    affected = [
        page.handed or (bool(whole) and page.poor) or any(page.broken.get(name) in wrong[name] for name in wrong)
        for page in pages
    ]
    failed = [page for page in own if page.at >= since and page.code]
    others = [page for page in recent if page.at >= since and page.template not in {template, ""}]
    return _Case(pages, affected, incidents, usual, failed, before, any(not page.handed for page in others))


def _wrong_kinds(incidents: Sequence[Incident]) -> dict[str, set[IncidentKind]]:
    """Return in what ways fields are wrong; values may be odd in other ways when all is well: authors repeat."""
    wrong: dict[str, set[IncidentKind]] = defaultdict(set)
    for incident in incidents:
        if incident.field:
            wrong[incident.field].update((incident.kind, *incident.also, "lost"))
    return wrong


def _together(changed: Sequence[Diagnosis]) -> Diagnosis:
    return Diagnosis(
        cause="redesign",
        reason="most fields are gone from the pages of all templates",
        pages=tuple(url for one in changed for url in one.pages),
        incidents=tuple(incident for one in changed for incident in one.incidents),
    )


def _of_site(case: _Case) -> Diagnosis:
    """Say what happened where it is not about pages of a template."""
    kind = case.incidents[0].kind
    if kind == "unlisted":
        return _made(case, "list changed", "articles are listed where the map's selectors do not find them")
    if kind != "handed over":
        return _without_records(case, kind)
    if _are_alike(page.heading for page in case.hit):
        return _made(case, "error page", _SAME_TITLE)
    left = {page.template for page in case.pages if page.template and not page.handed}
    gone = sorted(case.before - left)
    if gone and left:
        return _made(case, "template changed", f"no page is of template {', '.join(gone)} any more", gone)
    return _spread(case)


def _without_records(case: _Case, kind: IncidentKind) -> Diagnosis:
    codes = ", ".join(sorted({page.code for page in case.failed}))
    if kind == "failing":
        return _made(case, "down", f"the site's pages cannot be fetched ({codes})")
    if kind == "walled":
        return _made(case, "wall", f"pages are behind a wall ({codes})")
    if _are_alike(page.fingerprint for page in case.failed):
        return _made(case, "error page", "pages are all alike, and no articles")
    return _made(case, "unclear", "pages are no articles any more, or not recognised as such")


def _of_template(case: _Case, main_text: str) -> Diagnosis:
    """Say what happened to the pages of a template."""
    if not any(case.affected):
        return _made(case, "unclear", "no affected page is recent")
    kinds = {(incident.field, incident.kind) for incident in case.incidents}
    if _are_alike(page.heading for page in case.hit):
        return _made(case, "error page", _SAME_TITLE)
    if kinds == {(main_text, _CUT)} and case.share > _MOST:
        return _made(case, "paywall", "texts are cut short, all else is as it was")
    return _spread(case)


def _are_alike(numbers: Iterable[int]) -> bool:
    """Tell whether nearly all pages have the same number."""
    known = list(numbers)
    (number, times), *_ = Counter(known).most_common(1) or [(0, 0)]
    return number != 0 and times >= max(_LEAST_ALIKE, _NEARLY_ALL * len(known))


def _spread(case: _Case) -> Diagnosis:
    """Tell by which pages are affected: nearly all, those of some folders, those of some structure."""
    if case.share >= _NEARLY_ALL:
        return _everywhere(case)
    if (folders := _apart(case, lambda page: section_of(page.url))) or (folders := _apart(case, _pattern)):
        return _in_sections(case, folders)
    if structures := _apart(case, lambda page: format(page.fingerprint, "x")):
        return _by_structure(case, [int(one, 16) for one in structures])
    return _made(case, "unclear", f"{_named(case)}: {case.share:.0%} of pages are affected, of no one kind")


def _everywhere(case: _Case) -> Diagnosis:
    if not case.is_whole:
        return _made(case, "field changed", f"{_named(case)}: not as usual on nearly all pages")
    if case.template and case.well_elsewhere:
        return _made(case, "template changed", f"most fields of template {case.template} are gone")
    return _made(case, "redesign", "most fields are gone from nearly all pages")


def _in_sections(case: _Case, folders: Sequence[str]) -> Diagnosis:
    where = ", ".join(folder or "no folder" for folder in folders)
    if case.is_whole:
        return _made(case, "second template", f"pages of {where} are built in another way", folders)
    reason = f"{_named(case)}: not as usual in {where}, all else is as it was"
    return _made(case, "field moved in a section", reason, folders)


def _by_structure(case: _Case, structures: Sequence[int]) -> Diagnosis:
    if _alternates(case.affected) or _both_ways(case):
        made = _made(case, "variants", f"{case.share:.0%} of pages are built in another way, in turn with others")
    else:
        made = _made(case, "second template", "some pages are built in another way than before")
    return replace(made, fingerprints=tuple(structures))


def _apart(case: _Case, kind_of: Callable[[PageFacts], str]) -> list[str]:
    """Return the kinds of which nearly all pages are affected, if of all other pages nearly none are.

    The others are counted together: some pages lack a field by nature, and of few pages of a kind that may be two.
    """
    groups: dict[str, list[bool]] = defaultdict(list)
    for page, is_affected in zip(case.pages, case.affected, strict=True):
        groups[kind_of(page)].append(is_affected)
    shares = {kind: sum(group) / len(group) for kind, group in groups.items() if len(group) >= _LEAST_GROUP}
    affected = sorted(kind for kind, share in shares.items() if share >= _NEARLY_ALL)
    in_part = [kind for kind, share in shares.items() if _MOST <= share < _NEARLY_ALL]
    others = [is_affected for kind, group in groups.items() if kind not in affected for is_affected in group]
    is_clear = bool(affected and others) and not in_part and sum(others) <= _NEARLY_NONE * len(others)
    return affected if is_clear else []


def _pattern(page: PageFacts) -> str:
    """Return what an address looks like beyond its folder: how deep it is, with or without numbers, its ending.

    >>> _pattern(PageFacts(url="https://example.com/news/live/bees-12.html", at=0.0))
    '/news/live/… number .html'
    """
    try:
        path = urlsplit(page.url).path.rstrip("/")
    except ValueError:
        return ""
    *folders, name = path.split("/")
    stem, dot, ending = name.rpartition(".")
    kind = "number" if any(map(str.isdigit, stem or name)) else "words"
    kept = "/".join("0" if folder.isdigit() else folder for folder in folders[:3])
    return f"{kept}/… {kind} {dot}{ending if dot else ''}".strip()


def _alternates(affected: Sequence[bool]) -> bool:
    """Tell whether affected pages and others come in turn, not one after the other."""
    hit, total = sum(affected), len(affected)
    expected = 2 * hit * (total - hit) / total
    return sum(one != other for one, other in pairwise(affected)) >= _ALTERNATING * expected > 0


def _both_ways(case: _Case) -> bool:
    """Tell whether an address was met in both forms."""
    forms: dict[str, set[bool]] = defaultdict(set)
    for page, is_affected in zip(case.pages, case.affected, strict=True):
        forms[page.url].add(is_affected)
    return any(len(own) > 1 for own in forms.values())


def _named(case: _Case) -> str:
    return ", ".join(case.fields) or "whole pages"


def _made(case: _Case, cause: Cause, reason: str, where: Sequence[str] = ()) -> Diagnosis:
    """Make a diagnosis; `where` are the folders that are affected, or the template that is."""
    is_template = cause == "template changed" and bool(where)
    return Diagnosis(
        cause=cause,
        reason=reason,
        template=where[0] if is_template else case.template,
        fields=case.fields,
        sections=() if is_template else tuple(where),
        pages=tuple(dict.fromkeys(page.url for page in (case.hit or case.failed))),
        incidents=tuple(case.incidents),
    )
