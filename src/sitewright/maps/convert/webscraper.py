"""Web Scraper sitemaps (webscraper.io): JSON in, ExtractionMap out, and back.

A sitemap is a tree of selectors. Links with children lead to other pages: they become `index.items` and a template.
Elements with children become rules with `fields`; everything else is a rule.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sitewright.maps.convert.conversion import Conversion, Losses, expected
from sitewright.maps.convert.foreign_json import ForeignEntry, dump_object, entries_of, load_object, text_of, texts_of
from sitewright.maps.convert.names import field_name, guess_domain, item_template, template_name, unique
from sitewright.maps.convert.outline import by_field, first_template, note_domain, note_facts, note_index, note_rules
from sitewright.maps.convert.patterns import group_to_whole, whole_to_group
from sitewright.maps.convert.translate import SELF, as_xpath, from_jquery, split_list
from sitewright.parse.selectors import is_xpath
from sitewright.parse.urls import host_of
from sitewright.types import TAKE_TEXT, ExtractionMap, IndexPage, Rule, Template

ROOT = "_root"
PARENT = "_parent_"
WANTED = 'a Web Scraper sitemap: {"_id": …, "startUrl": […], "selectors": […]}'
SITEMAP = "a Web Scraper sitemap"

_LINKS = frozenset({"SelectorLink", "SelectorPopupLink"})
_ELEMENTS = frozenset({"SelectorElement", "SelectorElementScroll", "SelectorElementClick"})
_TAKES = {
    "SelectorText": "text",
    "SelectorHTML": "html",
    "SelectorImage": "@src",
    "SelectorElementAttribute": "@",
    "SelectorGroup": "@",
}
_RANGE = re.compile(r"\[(\d+)-\d+(?::\d+)?\]")
_KNOWN_ENTRIES = frozenset(
    "id type parentSelectors selector multiple regex extractAttribute uuid version columns "
    "tableHeaderRowSelector tableDataRowSelector verticalTable".split()
)
_HARMLESS = {
    "delay": ("", 0, "0", None),
    "scroll": (False, None),
    "elementLimit": (0, "", None),
    "linkType": ("linkFromHref", "", None),
    "paginationType": ("auto", "linkFromHref", "", None),
    "downloadImage": (False, None),
    "downloadDocument": (False, None),
    "multipleType": ("singleColumn", "", None),
}
"""Entries that say nothing while they have these values."""
_LOSSES = {
    "SelectorPopupLink": "the pop-up is taken for a plain link",
    "SelectorElementScroll": "scrolling down has no counterpart in a map; what is there without it is read",
    "SelectorElementClick": "clicking has no counterpart in a map; what is there without it is read",
}


@dataclass(frozen=True, slots=True)
class _Node:
    """One selector of a sitemap."""

    id: str
    type: str
    parents: tuple[str, ...]
    selector: str
    multiple: bool
    entry: ForeignEntry

    @property
    def place(self) -> str:
        return f"selector {self.id}"

    @property
    def pages(self) -> bool:
        """Whether this leads to further pages of the same list: a pagination, or a link that is its own parent."""
        return self.type == "SelectorPagination" or (self.type in _LINKS and self.id in self.parents)


@dataclass(slots=True)
class _Sitemap:
    """The tree of a sitemap while it is read, with what was found so far."""

    nodes: tuple[_Node, ...]
    lost: Losses
    templates: list[Template] = field(default_factory=list)
    articles: list[str] = field(default_factory=list)
    visited: set[str] = field(default_factory=set)

    def children(self, parent: str) -> list[_Node]:
        return [node for node in self.nodes if not node.pages and parent in self._real_parents(node)]

    def paginations(self) -> list[_Node]:
        return [node for node in self.nodes if node.pages]

    def _real_parents(self, node: _Node) -> set[str]:
        """Return the parents, with the parents of a pagination instead of it: it shows the same list again."""
        paginations = {other.id: other for other in self.nodes if other.pages}
        waiting, seen = list(node.parents), set[str]()
        while waiting:
            parent = waiting.pop()
            if parent not in seen:
                seen.add(parent)
                waiting += paginations[parent].parents if parent in paginations else ()
        return seen - set(paginations)


def read_webscraper(text: str, site: str = "") -> Conversion[ExtractionMap]:
    """Read a sitemap."""
    plain = load_object(text, WANTED)
    if "selectors" not in plain:
        raise expected("selectors", "missing", WANTED)
    start_urls = [url for url in texts_of(plain, "startUrl", "") if url.strip()]
    site = site or next(filter(None, map(host_of, start_urls)), "")
    if not site:
        raise expected("startUrl", "missing or without a host", "an address such as https://example.com/")
    lost = Losses("a map")
    for key in plain.keys() - {"_id", "_rev", "startUrl", "selectors"}:
        lost.no_counterpart("sitemap", f"{key} has")
    sitemap = _Sitemap(_read_nodes(plain, lost), lost)
    root_rules = _read_rules(sitemap, ROOT, (), page=ROOT)
    domain = guess_domain(rule.field for rules in (root_rules, *(t.rules for t in sitemap.templates)) for rule in rules)
    index = _read_index(sitemap, start_urls)
    templates = _read_templates(sitemap, root_rules, domain, index)
    result = ExtractionMap(site=site, domain=domain, templates=templates, index=index)
    return Conversion(result, lost.all())


def _read_nodes(plain: ForeignEntry, lost: Losses) -> tuple[_Node, ...]:
    nodes = []
    for number, entry in enumerate(entries_of(plain, "selectors", "")):
        place = f"selectors[{number}]"
        node = _Node(
            id=text_of(entry, "id", place),
            type=text_of(entry, "type", place),
            parents=tuple(texts_of(entry, "parentSelectors", place)) or (ROOT,),
            selector=text_of(entry, "selector", place, default=""),
            multiple=entry.get("multiple") is True,
            entry=entry,
        )
        _note_entries(node, lost)
        nodes.append(node)
    return tuple(nodes)


def _note_entries(node: _Node, lost: Losses) -> None:
    """Note entries that a map cannot hold: delays, clicks, downloads and whatever is unknown."""
    if node.type in _LOSSES:
        lost.add(node.place, _LOSSES[node.type])
    for key, value in node.entry.items():
        if key not in _KNOWN_ENTRIES and value not in _HARMLESS.get(key, ()):
            lost.no_counterpart(node.place, f"{key}: {value!r} has")


def _read_rules(sitemap: _Sitemap, parent: str, within: tuple[str, ...], page: str) -> tuple[Rule, ...]:
    """Read the data selectors below a parent; links that lead on are followed on the way."""
    sitemap.visited.add(parent)
    used: set[str] = set()
    rules: list[Rule] = []
    for node in sitemap.children(parent):
        if node.type in _LINKS and sitemap.children(node.id):
            _follow(sitemap, node, within, page)
        else:
            rules += _read_rule(sitemap, node, within, page, used)
    return tuple(rules)


def _follow(sitemap: _Sitemap, link: _Node, within: tuple[str, ...], page: str) -> None:
    """Make the children of a link a template, and the link itself one of the articles of the start pages."""
    if page == ROOT:
        sitemap.articles += _combine(within, _usable(link.selector, link.place, sitemap.lost))
    else:
        sitemap.lost.add(link.place, f"links from pages that links lead to ({page}) have no counterpart in a map")
    if link.id not in sitemap.visited:
        rules = _read_rules(sitemap, link.id, (), page=link.id)
        if rules:
            used = {template.name for template in sitemap.templates}
            sitemap.templates.append(Template(name=unique(template_name(link.id), used), rules=rules))


def _read_rule(sitemap: _Sitemap, node: _Node, within: tuple[str, ...], page: str, used: set[str]) -> Iterable[Rule]:
    arms = _usable(node.selector, node.place, sitemap.lost)
    if not arms:
        return []
    parent = next(iter(node.parents), ROOT)
    name = unique(_named(node.id.removeprefix(f"{parent}."), node.place, sitemap.lost), used)
    if node.type in _ELEMENTS:
        return _read_element(sitemap, node, name, _combine(within, arms), page)
    if node.type in _LINKS:
        return _read_link(node, name, arms, used)
    if node.type == "SelectorTable":
        return _read_table(node, name, sitemap.lost)
    if node.type not in _TAKES:
        sitemap.lost.no_counterpart(node.place, f"type {node.type} has")
        return []
    rule = _read_value(node, name, arms, sitemap.lost)
    return [rule] if sitemap.lost.usable_take(rule.take, node.place) else []


def _read_element(sitemap: _Sitemap, node: _Node, name: str, path: Sequence[str], page: str) -> Iterable[Rule]:
    if node.id in sitemap.visited:
        sitemap.lost.add(node.place, "stands below several parents or below itself; it is read below the first")
        return []
    fields = _read_rules(sitemap, node.id, tuple(path), page)
    if not fields:
        if not any(child.type in _LINKS for child in sitemap.children(node.id)):
            sitemap.lost.add(node.place, "an element without selectors in it gives no value; it is left out")
        return []
    arms = _usable(node.selector, node.place, sitemap.lost)
    return [Rule(field=name, select=_joined(arms, node.multiple), many=node.multiple, fields=fields)]


def _read_link(node: _Node, name: str, arms: list[str], used: set[str]) -> Iterable[Rule]:
    """A link that leads nowhere gives two values, as in Web Scraper: its text, and its address as `…-href`."""
    select = _joined(arms, node.multiple)
    address = name if name == "url" else unique(f"{name}-href", used)
    if address != name:
        yield Rule(field=name, select=select, many=node.multiple)
    yield Rule(field=address, select=select, many=node.multiple, take="@href")


def _read_value(node: _Node, name: str, arms: list[str], lost: Losses) -> Rule:
    many = node.multiple or node.type == "SelectorGroup"
    take = _TAKES[node.type]
    if take == "@":
        attribute = text_of(node.entry, "extractAttribute", node.place, default="")
        take = f"@{attribute}" if attribute else TAKE_TEXT
    regex = text_of(node.entry, "regex", node.place, default="")
    match = whole_to_group(regex)
    if regex and not match:
        lost.add(node.place, f"regex {regex!r} cannot be said as a regular expression of Python; it is left out")
    return Rule(field=name, select=_joined(arms, many), take=take, many=many, match=match)


def _read_table(node: _Node, name: str, lost: Losses) -> Iterable[Rule]:
    """Read a table as rows with fields; Web Scraper finds a column by its header, a map by its position."""
    if node.entry.get("verticalTable"):
        lost.no_counterpart(node.place, "a table whose headers stand in the first column has")
        return []
    rows = text_of(node.entry, "tableDataRowSelector", node.place, default="") or "tr"
    used: set[str] = set()
    fields = []
    for number, column in enumerate(entries_of(node.entry, "columns", node.place), 1):
        if column.get("extract", True):
            label = text_of(column, "name", f"{node.place} column {number}", default=f"column_{number}")
            cells = (f":scope > :nth-child({number})",)
            fields.append(Rule(field=unique(field_name(label), used), select=cells, fragile=True))
    select = tuple(arm for arm in _combine(_usable(node.selector, node.place, lost), from_jquery(rows)))
    if not fields or not all(lost.usable(arm, node.place) for arm in select):
        lost.add(node.place, "the table has no readable columns or rows; it is left out")
        return []
    lost.add(node.place, "columns are found by position, no longer by header")
    return [Rule(field=name, select=select, many=True, fields=tuple(fields))]


def _read_index(sitemap: _Sitemap, start_urls: list[str]) -> tuple[IndexPage, ...]:
    following = [node for node in sitemap.paginations() if ROOT in node.parents]
    for node in sitemap.paginations():
        if node not in following:
            sitemap.lost.no_counterpart(node.place, "further pages of an item have")
    arms = [arm for node in following for arm in _usable(node.selector, node.place, sitemap.lost)]
    urls = []
    for url in start_urls:
        if _RANGE.search(url):
            sitemap.lost.add(f"start URL {url}", "a range of pages has no counterpart in a map; the first page is kept")
        urls.append(_RANGE.sub(r"\1", url))
    articles = tuple(dict.fromkeys(sitemap.articles))
    return tuple(IndexPage(url=url, items=articles, next=tuple(arms)) for url in dict.fromkeys(urls))


def _read_templates(
    sitemap: _Sitemap, root_rules: tuple[Rule, ...], domain: str, index: tuple[IndexPage, ...]
) -> tuple[Template, ...]:
    followed = sitemap.templates
    if len(followed) > 1:
        sitemap.lost.add("sitemap", "templates are told apart by a probe: a map does not know which link led to a page")
        followed = [_with_probe(template) for template in followed]
    if not root_rules and followed:
        return tuple(followed)
    if not followed:
        return (Template(name=item_template(domain), rules=root_rules),)
    url = "^(?:" + "|".join(re.escape(page.url) for page in index) + ")$"
    used = {template.name for template in followed}
    return (Template(name=unique("list", used), url=url, rules=root_rules), *followed)


def _with_probe(template: Template) -> Template:
    probe = next((rule.select[0] for rule in template.rules if rule.select), "")
    return Template(name=template.name, probe=probe, rules=template.rules)


def _usable(selector: str, place: str, lost: Losses) -> list[str]:
    """Translate a jQuery selector list and keep what compiles."""
    if not selector.strip():
        lost.add(place, "has no selector; it is left out")
    return [arm for arm in from_jquery(selector) if lost.usable(arm, place)]


def _joined(arms: Sequence[str], many: bool) -> tuple[str, ...]:
    """Return the alternatives of a selector list: apart where all are taken, else as one, for the first on the page."""
    if many or len(arms) == 1:
        return tuple(arms)
    if any(is_xpath(arm) for arm in arms):
        return (" | ".join(as_xpath(arm, ".//") for arm in arms),)
    return (", ".join(arms),)


def _combine(outer: Sequence[str], inner: Sequence[str]) -> list[str]:
    """Return the selectors of what `inner` finds within what `outer` finds."""
    if not outer:
        return list(inner)
    return [_nested(parent, child) for parent in outer for child in inner]


def _nested(parent: str, child: str) -> str:
    if child == SELF:
        return parent
    if not is_xpath(parent) and not is_xpath(child):
        return f"{parent} {child.removeprefix(':scope ')}"
    return as_xpath(parent, ".//") + as_xpath(child, ".//").replace(".//", "//", 1)


def _named(foreign: str, place: str, lost: Losses) -> str:
    name = field_name(foreign)
    if name != foreign:
        lost.add(place, f"its field is named {name}")
    return name


def write_webscraper(extraction_map: ExtractionMap) -> Conversion[str]:
    """Write a sitemap: the index pages' links, and below them the rules of the first template."""
    lost = Losses(SITEMAP)
    template = first_template(extraction_map, lost)
    note_facts(extraction_map, lost)
    note_domain(extraction_map, template, lost)
    note_rules(template, extraction_map.domain, lost)
    used = {ROOT, PARENT}
    selectors, parents = _write_index(extraction_map.index, template.name, used, lost)
    if parents == [ROOT] and template.name != item_template(extraction_map.domain):
        lost.add(f"template {template.name}", f"{SITEMAP} without links keeps no template name")
    selectors += _write_rules(template.rules, parents, f"rule {template.name}", used, lost)
    start_urls = list(dict.fromkeys(page.url for page in extraction_map.index))
    if not start_urls:
        start_urls = [f"https://{extraction_map.site}/"]
        lost.add("map", f"it has no index page, and {SITEMAP} must start somewhere: it starts at {start_urls[0]}")
    sitemap_id = re.sub(r"[^a-z0-9_-]+", "-", extraction_map.site.lower()).strip("-").ljust(3, "_")
    return Conversion(dump_object({"_id": sitemap_id, "startUrl": start_urls, "selectors": selectors}), lost.all())


def _write_index(
    index: tuple[IndexPage, ...], name: str, used: set[str], lost: Losses
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the selectors that lead to the items, and the parents that the items' own selectors have."""
    for page in index:
        note_index(page, lost)
    if len({(page.items, page.next) for page in index}) > 1:
        lost.add("index", f"{SITEMAP} looks for all links on all start pages, not for each page's own")
    links = _css_only([s for page in index for s in page.items], "index articles", lost)
    following = _css_only([s for page in index for s in page.next], "index next", lost)
    selectors: list[dict[str, Any]] = []
    parents = [ROOT]
    if following:
        parents.append(unique("next", used))
        selectors.append(
            _entry(parents[1], "SelectorPagination", list(parents), following) | {"paginationType": "auto"}
        )
    if links:
        link = unique(name, used)
        selectors.append(_entry(link, "SelectorLink", list(parents), links) | {"multiple": True})
        parents = [link]
    return selectors, parents


def _write_rules(
    rules: tuple[Rule, ...], parents: list[str], place: str, used: set[str], lost: Losses
) -> list[dict[str, Any]]:
    selectors: list[dict[str, Any]] = []
    for name, alternatives in by_field(rules).items():
        here = f"{place}/{name}"
        if len(alternatives) > 1:
            lost.no_counterpart(here, "alternative rules have")
        written = (_write_rule(rule, parents, here, used, lost) for rule in alternatives)
        selectors += next(filter(None, written), [])
    return selectors


def _write_rule(rule: Rule, parents: list[str], place: str, used: set[str], lost: Losses) -> list[dict[str, Any]]:
    if rule.take.startswith("jsonld:"):
        lost.no_counterpart(place, "JSON-LD paths have")
        return []
    css = _css_only(rule.select, place, lost)
    if not css:
        return []
    if rule.remove:
        lost.no_counterpart(place, "remove selectors have")
    if len(css) > 1 and not rule.many:
        lost.add(place, f"the order of its selectors is lost: {SITEMAP} takes what comes first on the page")
    name = _free_id(rule.field, parents, used)
    if rule.fields:
        entry = _entry(name, "SelectorElement", parents, css) | {"multiple": rule.many}
        return [entry, *_write_rules(rule.fields, [name], place, used, lost)]
    return [_entry(name, _type_of(rule), parents, css) | _value_entries(rule, place, lost)]


def _value_entries(rule: Rule, place: str, lost: Losses) -> dict[str, Any]:
    kind = _type_of(rule)
    entries: dict[str, Any] = {} if kind == "SelectorGroup" else {"multiple": rule.many}
    if kind in ("SelectorElementAttribute", "SelectorGroup"):
        entries["extractAttribute"] = rule.take.removeprefix("@") if rule.take.startswith("@") else ""
    elif regex := group_to_whole(rule.match):
        entries["regex"] = regex
    if rule.match and not entries.get("regex"):
        lost.add(place, f"match {rule.match!r} cannot be said in {SITEMAP}; the whole value is taken")
    return entries


def _type_of(rule: Rule) -> str:
    """Return the selector type; lists of plain values are groups, so that they stay in one record."""
    if rule.many and rule.take != "html" and not rule.match:
        return "SelectorGroup"
    if rule.take == "html":
        return "SelectorHTML"
    return "SelectorElementAttribute" if rule.take.startswith("@") else "SelectorText"


def _free_id(name: str, parents: list[str], used: set[str]) -> str:
    """Return an id that is free in the whole sitemap: where a name is taken, with its parent's name before it."""
    return unique(name if name not in used else f"{parents[0]}.{name}", used)


def _entry(name: str, kind: str, parents: list[str], css: Sequence[str]) -> dict[str, Any]:
    return {"id": name, "type": kind, "parentSelectors": parents, "selector": ", ".join(css)}


def _css_only(selectors: Iterable[str], place: str, lost: Losses) -> list[str]:
    """Return the CSS of these selectors; XPath is noted as lost, but for the node itself."""
    kept: list[str] = []
    for selector in dict.fromkeys(selectors):
        if selector == SELF:
            kept.append(PARENT)
        elif is_xpath(selector):
            lost.no_counterpart(place, f"the XPath {selector} has")
        else:
            kept += [
                part.removeprefix(":scope ") if part.startswith(":scope >") else part for part in split_list(selector)
            ]
    return kept
