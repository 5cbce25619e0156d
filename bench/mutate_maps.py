"""A random generator in, map files out: some that are right and odd, some that are broken text."""

# ruff: noqa: E501 -- lists of odd things read best as they are

import json
from collections.abc import Sequence
from random import Random
from typing import Any

from bench.generic_map import CANDIDATES

SELECTORS = (
    "h1", "p", "article p", "*", "a[href]", "img, figure", ":not(p)", "p:nth-child(2n+1)", "div > p + p", "p ~ p", ":is(h1, h2) a", "p:has(a)",
    "[class*=story]", "body *", "//p", "//p/text()", "//a/@href", "string(//h1)", "//p[contains(., 'a')]", "count(//p)", "//*[@class]", "(//p)[last()]",
    "//p/ancestor::*", "//p/following::*", "xpath:h1", "./p", "..", "//text()", "//comment()", "//p | //h1", "boolean(//p)", "//p[position() mod 2 = 1]",
    "html", ":root", "head", "script", "template *", "p:first-of-type", "[hidden]", "normalize-space(//title)", "id('a')", ":scope > *",
)  # fmt: skip
"""Most of these are right, some are not; none is taken from a real map."""
PIECES = (
    "a", "p", "*", ".x", "#y", "[z]", "[z=", "]", ":not(", ")", "(", ">", "+", "~", "||", ",", "::", ":", "//", "/", "@", "text()", "ancestor::", "|", "1", "'",
    '"', "\\", "\x00", "é", ":nth-child(", "2n+", "-n", ":has(", ":is(", "{", "and", "or", "not(", "count(", "=", "!=", "<", "div", "mod", "$", "xpath:", "..", " ",
    "position()", "last()", "[1]", "[", "string(", "translate(", "re:test(", "i]", "999999999999999999999", "\ud800",
)  # fmt: skip
PATTERNS = (
    "", "(a+)+$", r"(\w+\s?)*$", r"(.*)*x", r"(\d+)", "(?P<a>x)|y", "(x)|(y)", r"^(?=.*a)(?=.*b)", "(", "[", "(?i)a", r"\p{L}", "a{1,65536}", "(?:a?){30}a{30}", ".*",
    r"(?<=a)b", "x*", "()", "(?P<a>)(?P<a>)", "\x00", r"([^,]*,)*z", "(?s:.)", "\\",
)  # fmt: skip
TAKES = (
    "text", "html", "@href", "@content", "@datetime", "@class", "jsonld:headline", "jsonld:NewsArticle.author.name", "jsonld:articleBody", "jsonld:image",
    "jsonld:*.url", "jsonld:@type", "jsonld:keywords", "jsonld:datePublished", "@src", "@style", "jsonld:author", "attr",
)  # fmt: skip
PARSERS = (
    "",
    "date.v1",
    "text.v1",
    "line.v1",
    "list.v1",
    "authors.v1",
    "image.v1",
    "url.v1",
    "price.v1",
    "date.v2",
    "none",
)
FIELDS = (
    "title",
    "subtitle",
    "published",
    "modified",
    "text",
    "authors",
    "categories",
    "tags",
    "images",
    "extra",
    "price",
)
FORMATS = (
    "%d.%m.%Y",
    "%d %d",
    "%Y-%m-%dT%H:%M:%S%z",
    "%",
    "%%",
    "%Q",
    "%c",
    "%j %U",
    "(",
    "%d[",
    "%Y %B %d",
    "\x00",
    "%z",
    "%y%y",
    "%-d",
)
ZONES = (
    "Europe/Moscow",
    "",
    "UTC",
    "Nowhere/None",
    "../../etc/passwd",
    "Europe",
    "\x00",
    "a" * 300,
    "America/New_York",
    "/etc/localtime",
    ".",
)

WIDE_RULES: dict[str, Any] = {
    "title": [{"select": ["article h1", "h1"]}, {"take": "jsonld:headline"}, {"select": ["title"]}],
    "subtitle": [{"select": ["h2"], "match": "(.{3,200})"}, {"take": "jsonld:description"}],
    "published": [
        {"select": ["time[datetime]"], "take": "@datetime"},
        {"select": ["meta[property='article:published_time']", "meta[itemprop=datePublished]"], "take": "@content"},
        {"select": ["time", "[class*=date]"]},
        {"take": "jsonld:datePublished"},
    ],
    "modified": {"take": "jsonld:dateModified"},
    "text": {"select": ["article", "p", "td", "li"], "many": True, "remove": ["figure", "aside", "nav"]},
    "authors": [
        {"select": ["[rel=author]"], "many": True},
        {"take": "jsonld:author", "many": True},
        {"select": ["[class*=author]"]},
    ],
    "categories": [{"select": ["nav a"], "many": True}, {"take": "jsonld:articleSection"}],
    "tags": [
        {"take": "jsonld:keywords", "many": True},
        {"select": ["[rel=tag]", "meta[name=keywords]"], "take": "@content"},
    ],
    "images": [{"select": ["figure", "img"], "many": True}, {"take": "jsonld:image", "many": True}],
    "body": {"take": "jsonld:articleBody", "many": True, "parse": "text.v1"},
    "source": {"select": ["//p/text()", "//h1"], "many": True, "parse": "text.v1"},
    "markup": {"select": ["article"], "take": "html"},
    "canonical": {"select": ["link[rel=canonical]", "base"], "parse": "url.v1"},
    "cost": {"select": ["[class*=price]", "td"], "parse": "price.v1"},
    "links": {
        "select": ["a[href]"],
        "many": True,
        "fields": {
            "url": {"select": ["xpath:."], "parse": "url.v1"},
            "text": {"select": ["*", "xpath:."], "parse": "line.v1"},
        },
    },
}
"""Every parser and every kind of take, so that a mutated page meets all of them."""


def wide_map() -> str:
    """Return a map that uses everything."""
    return _text(
        {
            "templates": [{"name": "all", "rules": WIDE_RULES}],
            "timezone": "Europe/Moscow",
            "date_formats": ["%d.%m.%Y", "%d/%m/%Y %H:%M"],
        }
    )


def random_map(chance: Random) -> str:
    """Return a map of the right shape with random rules, most of which are valid."""
    rules = {field: _rules(chance, field) for field in chance.sample(FIELDS, chance.randint(1, 6))}
    template: dict[str, Any] = {"name": "t", "rules": rules}
    if chance.random() < 0.15:
        template["url"] = chance.choice(PATTERNS)
    if chance.random() < 0.15:
        template["probe"] = _selector(chance)
    facts: dict[str, Any] = {"templates": [template]}
    if chance.random() < 0.3:
        facts["date_formats"] = chance.sample(FORMATS, 2)
    if chance.random() < 0.2:
        facts["timezone"] = chance.choice(ZONES)
    if chance.random() < 0.2:
        facts["language"] = chance.choice(("en", "xx", "zh-Hans", "ru", "tlh", "de-AT"))
    if chance.random() < 0.1:
        facts["version"] = chance.choice((0, 2, 2**53, 2**64, 10**400, 1.0, True))
    if chance.random() < 0.1:
        facts["domain"] = chance.choice(("shop", "news", "film", "../news"))
    return _text(facts)


def broken_map(chance: Random, good: Sequence[str]) -> str:
    """Return the text of a map file after some damage."""
    text = chance.choice((*good, random_map(chance), wide_map()))
    for _n in range(chance.randint(1, 2)):
        text = chance.choice(DAMAGES)(chance, text)
    return text


def _rules(chance: Random, field: str) -> list[dict[str, Any]]:
    rules = [_rule(chance) for _n in range(chance.randint(1, 2))]
    if field in ("published", "modified"):  # read as dates always, so that they can be checked as such
        return [{**rule, "parse": "date.v1"} for rule in rules]
    return rules


def _rule(chance: Random, depth: int = 0) -> dict[str, Any]:
    if chance.random() < 0.4:
        rule = dict(chance.choice(chance.choice(list(CANDIDATES.values()))))
    else:
        rule = {"select": [_selector(chance) for _n in range(chance.randint(1, 3))]}
        if chance.random() < 0.4:
            rule["take"] = chance.choice(TAKES)
    if chance.random() < 0.3:
        rule["remove"] = [_selector(chance)]
    if chance.random() < 0.08:
        rule["match"] = chance.choice(PATTERNS)
    if chance.random() < 0.4:
        rule["parse"] = chance.choice(PARSERS)
    if chance.random() < 0.5:
        rule["many"] = True
    if depth < 3 and chance.random() < 0.1:
        rule["fields"] = {"inner": _rule(chance, depth + 1)}
    return {name: value for name, value in rule.items() if value != ""}


def _selector(chance: Random) -> str:
    if chance.random() < 0.9:
        return chance.choice(SELECTORS)
    return "".join(chance.choices(PIECES, k=chance.randint(1, 8))).encode("utf-8", "replace").decode() or "p"


def _text(facts: dict[str, Any]) -> str:
    return json.dumps({"sitewright": 1, "site": "example.com", "version": 1, **facts}, ensure_ascii=False)


def _cut(chance: Random, text: str) -> str:
    return text[: chance.randrange(len(text) + 1)]


def _drop(chance: Random, text: str) -> str:
    start = chance.randrange(len(text) + 1)
    return text[:start] + text[start + chance.choice((1, 5, 50)) :]


def _strew(chance: Random, text: str) -> str:
    start = chance.randrange(len(text) + 1)
    piece = chance.choice(
        ("\t", ": ", "- ", "{", "}", "[", "]", "&a ", "*a", "!!python/object:os.system ", "!!binary x", "!!timestamp 2001-13-45", "|", ">", "\n---\n", "\x00", "\ud800", "é", "? ",
         "<<: *a", "%YAML 9.9\n", "0x", "1e999", "2024-01-01", "~", "null", "true", "'", '"', "#", "\r", "\u2028", "9" * 5000, "!!float x", "!!int y", "!!set {a}", "@", "`")
    )  # fmt: skip
    return text[:start] + piece + text[start:]


def _swap_value(chance: Random, text: str) -> str:
    """Put another kind of value where one stands."""
    odd = chance.choice(
        (
            "null",
            "[]",
            "{}",
            "0",
            "-1",
            "1.5",
            "true",
            '""',
            "[[]]",
            "{a: {b: {}}}",
            "2024-01-01",
            "2024-01-01T00:00:00Z",
            "9" * 400,
            ".nan",
            "!!binary aGk=",
            "1:30",
        )
    )
    places = [place for place in range(len(text)) if text[place] == ":"]
    if not places:
        return text
    place = chance.choice(places) + 1
    end = min((found for mark in ",\n}" if (found := text.find(mark, place)) >= 0), default=len(text))
    return f"{text[:place]} {odd}{text[end:]}"


def _nest(chance: Random, text: str) -> str:
    depth = chance.choice((100, 900, 3000, 20_000))
    return chance.choice(("[" * depth, "{a: " * depth, "- " * depth, text + "\nx: " + "[" * depth + "]" * depth))


def _laugh(_: Random, text: str) -> str:
    """Append aliases of aliases, as bombs do."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    return text.rstrip("}") + "\n" + "\n".join(lines)


def _merge_keys(_: Random, text: str) -> str:
    return text + "\nbase: &b {select: [p]}\nother: {<<: *b, <<: [*b, *b]}\nself: &s [*s]\n"


DAMAGES = (
    _cut,
    _drop,
    _drop,
    _strew,
    _strew,
    _strew,
    _swap_value,
    _swap_value,
    _swap_value,
    _nest,
    _laugh,
    _merge_keys,
)
