"""ftr-site-config files (FiveFilters): lines of `name: value` in, ExtractionMap out, and back.

All selectors are XPath. Title and date are the first match of the first line that matches; body and author are all
matches of it. What `strip` lines find is left out of the body.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from sitewright.errors import SelectorError
from sitewright.maps.convert.conversion import Conversion, Losses, expected
from sitewright.maps.convert.outline import by_field, first_template, note_domain, note_facts, note_rules
from sitewright.maps.convert.translate import as_xpath, literal, split_attribute, split_first
from sitewright.parse.selectors import check_selector, is_xpath
from sitewright.parse.urls import host_of
from sitewright.types import ExtractionMap, Rule, Template

WANTED = "lines such as 'body: //article'"
CONFIG = "an ftr-site-config file"
TEMPLATE = "article"

_FIELDS = {"title": "title", "date": "published", "author": "authors", "body": "text"}
_DIRECTIVES = {field: directive for directive, field in _FIELDS.items()}
_ALL_MATCHES = frozenset({"text", "authors"})
_LINE = re.compile(r"(?P<name>[\w-]+)\s*(?:\((?P<argument>.*?)\)\s*)?:(?P<value>.*)")
_SAME_HERE = {
    "prune": "no",
    "tidy": "no",
    "autodetect_on_failure": "no",
    "convert_double_br_tags": "no",
    "skip_json_ld": "yes",
    "insert_detected_image": "no",
}
"""Switches that, in this position, ask for what a map does anyway."""
_KNOWN = frozenset(
    "title body date author strip strip_id_or_class strip_image_src strip_attr single_page_link next_page_link "
    "single_page_link_in_feed prune tidy autodetect_on_failure convert_double_br_tags skip_json_ld parser find_string "
    "replace_string http_header test_url test_contains insert_detected_image wrap_in dissolve native_ad_clue "
    "if_page_contains src_lazy_load_attr requires_login login_uri login_username_field login_password_field "
    "login_extra_fields not_logged_in_xpath skip_id_check".split()
)


@dataclass(frozen=True, slots=True)
class _Line:
    """One directive of a file."""

    number: int
    name: str
    value: str
    argument: str = ""

    @property
    def place(self) -> str:
        return f"line {self.number}, {self.name}"


def read_ftr(text: str, site: str = "") -> Conversion[ExtractionMap]:
    """Read a site config; the site is the file's name, or else where its first `test_url` leads."""
    lost = Losses("a map")
    lines = list(_read_lines(text, lost))
    if not any(line.name in _KNOWN for line in lines):
        raise expected("line 1", "no directive of a site config found", WANTED)
    site = site or next(filter(None, (host_of(line.value) for line in lines if line.name == "test_url")), "")
    if not site:
        raise expected("site", "the file does not say it", "the name of the site, or a line test_url")
    removed = tuple(dict.fromkeys(_read_strips(lines, lost)))
    rules = tuple(rule for name in _FIELDS for rule in _read_field(name, lines, removed, lost))
    if removed and not any(rule.remove for rule in rules):
        lost.add("strip", "there is no body to strip anything from; map rules remove only from what they select")
    _note_lines(lines, lost)
    return Conversion(ExtractionMap(site=site, templates=(Template(name=TEMPLATE, rules=rules),)), lost.all())


def _read_lines(text: str, lost: Losses) -> Iterator[_Line]:
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip().lstrip("\ufeff")
        if not line or line.startswith("#"):
            continue
        found = _LINE.fullmatch(line)
        if found:
            yield _Line(number, found["name"].lower(), found["value"].strip(), found["argument"] or "")
        else:
            lost.add(f"line {number}", f"{line!r} is not of the form 'name: value'; it is left out")


def _read_strips(lines: list[_Line], lost: Losses) -> Iterator[str]:
    makers: dict[str, Callable[[str], str]] = {
        "strip": _xpath,
        "strip_id_or_class": _of_id_or_class,
        "strip_image_src": lambda part: f'img[src*="{_plain(part)}"]',
    }
    for line in lines:
        if line.name in makers and line.value:
            selector = makers[line.name](line.value)
            if lost.usable(selector, line.place):
                yield selector


def _of_id_or_class(name: str) -> str:
    """Return the selector of elements with this word in class or id; words are whole, as in Full-Text RSS."""
    bare = _plain(name)
    if " " not in bare:
        return f'[class~="{bare}"], [id~="{bare}"]'
    wanted = literal(f" {bare} ")
    tests = (f"contains(concat(' ', normalize-space(@{entry}), ' '), {wanted})" for entry in ("class", "id"))
    return f"//*[{' or '.join(tests)}]"


def _plain(text: str) -> str:
    """Drop quotes, as Full-Text RSS does."""
    return text.replace("'", "").replace('"', "").replace("\\", "\\\\")


def _read_field(name: str, lines: list[_Line], removed: tuple[str, ...], lost: Losses) -> list[Rule]:
    """Return the rules of one directive; lines that differ only in their path become one rule where order is kept."""
    field = _FIELDS[name]
    rules: list[Rule] = []
    for line in lines:
        if line.name != name or not line.value:
            continue
        path, first_only = split_first(_xpath(line.value)) if field in _ALL_MATCHES else (_xpath(line.value), True)
        path, attribute = split_attribute(path)
        if not lost.usable(path, line.place):
            continue
        settings: dict[str, Any] = {"field": field, "take": attribute or "text", "many": not first_only}
        if field == "text":
            settings["remove"] = removed
        if rules and first_only and rules[-1] == Rule(select=rules[-1].select, **settings):
            rules[-1] = Rule(select=(*rules[-1].select, path), **settings)
        else:
            rules.append(Rule(select=(path,), **settings))
    return rules


def _xpath(path: str) -> str:
    return path if is_xpath(path) else f"xpath:{path}"


def _note_lines(lines: list[_Line], lost: Losses) -> None:
    """Note every directive that a map does not follow."""
    for line in lines:
        if line.name in _FIELDS or line.name in ("strip", "strip_id_or_class", "strip_image_src"):
            if not line.value:
                lost.add(line.place, "has no value; it is left out")
        elif line.name not in _KNOWN:
            lost.add(line.place, "is not a directive of a site config; it is left out")
        elif _SAME_HERE.get(line.name) != line.value.lower():
            shown = f"({line.argument})" if line.argument else ""
            lost.no_counterpart(line.place, f"{line.name}{shown}: {line.value} has")


def write_ftr(extraction_map: ExtractionMap) -> Conversion[str]:
    """Write a site config from the first template; its file is named for the site."""
    lost = Losses(CONFIG)
    template = first_template(extraction_map, lost)
    note_facts(extraction_map, lost)
    note_domain(extraction_map, template, lost)
    note_rules(template, extraction_map.domain, lost)
    if template.name != TEMPLATE:
        lost.add(f"template {template.name}", f"{CONFIG} keeps no template name")
    if extraction_map.index:
        lost.no_counterpart("map", "index pages have")
    rules = by_field(template.rules)
    lines = [f"# {extraction_map.site}".replace("\n", " "), ""]
    for field, alternatives in rules.items():
        lines += _write_field(field, alternatives, f"rule {template.name}/{field}", lost)
    lines += _write_strips(rules.get("text", []), template.name, lost)
    return Conversion("\n".join([*lines, "", "prune: no", "tidy: no", ""]), lost.all())


def _write_field(field: str, rules: list[Rule], place: str, lost: Losses) -> list[str]:
    if field not in _DIRECTIVES:
        lost.no_counterpart(place, f"the field {field} has")
        return []
    if field != "text" and any(rule.remove for rule in rules):
        lost.no_counterpart(place, "remove selectors have")
    return [f"{_DIRECTIVES[field]}: {path}" for rule in rules for path in _write_rule(rule, place, lost)]


def _write_rule(rule: Rule, place: str, lost: Losses) -> list[str]:
    """Return the paths of a rule, one a line."""
    if rule.fields or rule.take.startswith("jsonld:"):
        lost.no_counterpart(place, "rules within rules have" if rule.fields else "JSON-LD paths have")
        return []
    if rule.match:
        lost.no_counterpart(place, f"match {rule.match!r} has")
    if rule.take == "html":
        lost.no_counterpart(place, "take: html has")
    paths = _paths(rule, place, lost)
    if rule.field not in _ALL_MATCHES:
        if rule.many:
            lost.add(place, f"{CONFIG} takes the first match, not many")
        return paths
    if not rule.many:
        return [f"({path})[1]" for path in paths]
    together = " | ".join(paths)
    if paths and check_selector(_xpath(together)):
        lost.add(place, "its selectors cannot be joined, as one is not a path; they become alternatives")
        return paths
    return [together] if paths else []


def _paths(rule: Rule, place: str, lost: Losses) -> list[str]:
    paths = []
    for selector in rule.select:
        try:
            path = as_xpath(selector)
        except SelectorError as error:
            lost.add(place, f"{error}; it is left out")
            continue
        paths += _with_attribute(path, rule.take)
    return [path.replace("\n", " ") for path in paths]


def _with_attribute(path: str, take: str) -> list[str]:
    """Append the attribute that is taken; to each path of a union, where the attribute could else not stand."""
    if not take.startswith("@"):
        return [path]
    return [f"({path})/{take}" if " | " in path else f"{path}/{take}"]


def _write_strips(rules: list[Rule], template: str, lost: Losses) -> list[str]:
    if len({rule.remove for rule in rules}) > 1:
        lost.add(f"rule {template}/text", f"{CONFIG} strips the same from all alternatives of the body")
    lines = []
    for selector in dict.fromkeys(selector for rule in rules for selector in rule.remove):
        try:
            lines.append(f"strip: {as_xpath(selector)}".replace("\n", " "))
        except SelectorError as error:
            lost.add(f"rule {template}/text", f"{error}; it is left out")
    return lines
