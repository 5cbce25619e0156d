"""ExtractionMap to plain dicts and lists (as in the map file), and back; defaults are left out."""

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields
from datetime import datetime
from typing import Any

from sitewright.types import DEFAULT_DOMAIN, TAKE_TEXT, ExtractionMap, IndexPage, PartsRule, Rule, Support, Template

FORMAT = 1
"""The version of the map file format, its `sitewright:` entry."""

Plain = dict[str, Any]

_MAP_ORDER = ("site", "domain", "version", "learned_at", "language", "timezone", "date_formats")
_INDEX_ORDER = ("url", "items", "lists", "next", "weight", "seed", "banned", "category", "render")
ITEMS, ARTICLES = "items", "articles"
"""What the selectors of an index entry are called, and what they were called once."""
_ALWAYS = frozenset({"site", "domain", "version", "name", "url"})
_DIGITS = 6
"""Of confidences."""


def to_plain(extraction_map: ExtractionMap) -> Plain:
    """Return the map as the nested dicts and lists that the file holds, in the file's order."""
    plain: Plain = {"sitewright": FORMAT, **_scalars(extraction_map, _MAP_ORDER)}
    if extraction_map.min_confidence:
        plain["min_confidence"] = dict(extraction_map.min_confidence)
    plain["templates"] = [_template_to_plain(template) for template in extraction_map.templates]
    if extraction_map.index:
        plain["index"] = [_index_to_plain(page) for page in extraction_map.index]
    plain["render"] = extraction_map.render
    return plain


def from_plain(plain: Mapping[str, Any]) -> ExtractionMap:
    """Build the map from plain dicts and lists that satisfy the schema."""
    learned_at = plain.get("learned_at")
    return ExtractionMap(
        site=plain["site"],
        domain=plain.get("domain", DEFAULT_DOMAIN),
        version=plain.get("version", 1),
        learned_at=datetime.fromisoformat(learned_at) if learned_at else None,
        language=plain.get("language", ""),
        timezone=plain.get("timezone", ""),
        date_formats=tuple(plain.get("date_formats", ())),
        min_confidence=tuple(
            (field, round(float(least), _DIGITS)) for field, least in plain.get("min_confidence", {}).items()
        ),
        templates=tuple(_template_from_plain(template) for template in plain["templates"]),
        index=tuple(_index_from_plain(page) for page in plain.get("index", ())),
        render=plain.get("render", "static"),
    )


def rule_to_plain(rule: Rule) -> Plain:
    """Return one rule without its field name, which is the key it stands under."""
    plain = _scalars(rule, ("select", "remove", "take", "many", "match", "parse"))
    if rule.fields:
        plain["fields"] = _rules_to_plain(rule.fields)
    if rule.support is not None:
        plain["support"] = _scalars(rule.support, ("found", "sampled", "agreement", "length"))
    return plain | _scalars(rule, ("edited", "fragile"))


def _template_to_plain(template: Template) -> Plain:
    plain = _scalars(template, ("name",))
    if template.url:
        plain["url"] = template.url
    plain |= _scalars(template, ("probe", "render", "tagger"))
    if template.parts is not None:
        plain["parts"] = parts_to_plain(template.parts)
    return plain | {"rules": _rules_to_plain(template.rules)}


def parts_to_plain(parts: PartsRule) -> Plain:
    """Return where the other pages of stories are, as the file holds it."""
    return _scalars(parts, ("links", "most", "learned")) | ({"url": parts.url} if parts.url else {})


def _parts_from_plain(plain: Mapping[str, Any] | None) -> PartsRule | None:
    if plain is None:
        return None
    known = PartsRule()
    return PartsRule(
        links=tuple(plain.get("links", ())),
        url=plain.get("url", ""),
        most=plain.get("most", known.most),
        learned=plain.get("learned", False),
    )


def _rules_to_plain(rules: Iterable[Rule]) -> Plain:
    grouped: dict[str, list[Plain]] = {}
    for rule in rules:
        grouped.setdefault(rule.field, []).append(rule_to_plain(rule))
    return {
        field: alternatives if len(alternatives) > 1 else alternatives[0] for field, alternatives in grouped.items()
    }


def _template_from_plain(plain: Mapping[str, Any]) -> Template:
    return Template(
        name=plain["name"],
        url=plain.get("url", ""),
        probe=plain.get("probe", ""),
        rules=_rules_from_plain(plain["rules"]),
        tagger=tuple(plain.get("tagger", ())),
        parts=_parts_from_plain(plain.get("parts")),
        render=plain.get("render"),
    )


def _rules_from_plain(plain: Mapping[str, Any]) -> tuple[Rule, ...]:
    return tuple(
        _rule_from_plain(field, rule)
        for field, entry in plain.items()
        for rule in (entry if isinstance(entry, list) else [entry])
    )


def _rule_from_plain(field: str, plain: Mapping[str, Any]) -> Rule:
    support = plain.get("support")
    return Rule(
        field=field,
        select=tuple(plain.get("select", ())),
        remove=tuple(plain.get("remove", ())),
        take=plain.get("take", TAKE_TEXT),
        many=plain.get("many", False),
        match=plain.get("match", ""),
        parse=plain.get("parse", ""),
        fields=_rules_from_plain(plain.get("fields", {})),
        support=_support_from_plain(support) if support else None,
        edited=plain.get("edited", False),
        fragile=plain.get("fragile", False),
    )


def _support_from_plain(plain: Mapping[str, Any]) -> Support:
    agreement = plain.get("agreement")
    return Support(
        plain["found"], plain["sampled"], None if agreement is None else float(agreement), plain.get("length")
    )


def _index_to_plain(page: IndexPage) -> Plain:
    plain = _scalars(page, _INDEX_ORDER)
    return {ARTICLES if key == ITEMS and page.says_articles else key: value for key, value in plain.items()}


def _index_from_plain(plain: Mapping[str, Any]) -> IndexPage:
    return IndexPage(
        url=plain["url"],
        items=tuple(plain.get(ITEMS, plain.get(ARTICLES, ()))),
        lists=tuple(plain.get("lists", ())),
        next=tuple(plain.get("next", ())),
        weight=plain.get("weight", 1),
        seed=tuple(plain.get("seed", ())),
        banned=tuple(plain.get("banned", ())),
        category=plain.get("category", ""),
        render=plain.get("render"),
        says_articles=ARTICLES in plain,
    )


def _scalars(value: Any, names: Iterable[str]) -> Plain:
    """Return these attributes as plain values, leaving out those at their default."""
    defaults = {field.name: field.default for field in fields(value)}
    plain: Plain = {}
    for name in names:
        item = getattr(value, name)
        if name not in _ALWAYS and item == (None if defaults[name] is MISSING else defaults[name]):
            continue
        if isinstance(item, tuple):
            item = list(item)
        elif isinstance(item, datetime):
            item = item.isoformat()
        plain[name] = item
    return plain
