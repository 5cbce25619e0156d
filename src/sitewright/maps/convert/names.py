"""Names of foreign files in, names that a map may hold out; also what domain a set of fields speaks of."""

import re
from collections.abc import Iterable
from functools import cache

from sitewright.domains import DEFAULT_DOMAIN, RESERVED, domain_names, load_domain

_FIELD = re.compile(r"[A-Za-z_][\w-]*", re.ASCII)


@cache
def _known_fields() -> frozenset[str]:
    return frozenset(field for domain in domain_names() for field in load_domain(domain).fields)


def field_name(foreign: str) -> str:
    """Return a field name for a foreign one: the domain's where they are equal, else a valid identifier.

    >>> field_name("Title"), field_name("user-date"), field_name("Product Listing"), field_name("2nd"), field_name("名")
    ('title', 'user-date', 'product_listing', '_2nd', '_名')
    """
    if foreign.lower() in _known_fields():
        return foreign.lower()
    name = foreign if _FIELD.fullmatch(foreign) else _made_field(foreign)
    return f"{name}_" if name in RESERVED else name


def _made_field(foreign: str) -> str:
    plain = re.sub(r"\W+", "_", foreign.lower()).strip("_")
    return plain if re.match("[a-z_]", plain) else f"_{plain}"


def template_name(foreign: str) -> str:
    """Return a template name for a foreign one.

    >>> template_name("news article"), template_name("v1.2"), template_name("")
    ('news_article', 'v1.2', 'page')
    """
    return re.sub(r"[^\w.-]+", "_", foreign).strip("_") or "page"


def item_template(domain: str) -> str:
    """Return what the template of a site with one kind of page is called.

    >>> item_template("news"), item_template("shop")
    ('article', 'product')
    """
    return load_domain(domain).item.kind


def identifier(name: str) -> str:
    """Return a Python identifier of ASCII letters, digits and single underscores, in lower case.

    >>> identifier("news.example-1.com"), identifier("24.hu"), identifier("__preis_m²"), identifier("名")
    ('news_example_1_com', '_24_hu', 'preis_m', 'unnamed')
    """
    plain = re.sub(r"[^0-9A-Za-z]+", "_", name).strip("_").lower() or "unnamed"
    return plain if plain.isidentifier() else f"_{plain}"


def unique(name: str, used: set[str]) -> str:
    """Return the name, with a number behind it where it is taken, and take it.

    >>> used = {"title"}
    >>> unique("title", used), unique("title", used), unique("text", used)
    ('title_2', 'title_3', 'text')
    """
    candidate, number = name, 2
    while candidate in used:
        candidate, number = f"{name}_{number}", number + 1
    used.add(candidate)
    return candidate


def guess_domain(fields: Iterable[str]) -> str:
    """Return the domain that knows most of these fields; news where none knows more.

    >>> guess_domain(["name", "price"]), guess_domain(["title"]), guess_domain([])
    ('shop', 'news', 'news')
    """
    names = set(fields)
    known = {domain: len(names & set(load_domain(domain).fields)) for domain in domain_names()}
    return max(known, key=lambda domain: (known[domain], domain == DEFAULT_DOMAIN))


def class_name(site: str, ending: str) -> str:
    """Return a class name for a site.

    >>> class_name("news.example-1.com", "Spider"), class_name("24.hu", "Page")
    ('NewsExample1ComSpider', 'Site24HuPage')
    """
    words = identifier(site)
    start = "Site" if words.startswith("_") else ""
    return start + "".join(word.capitalize() for word in words.split("_")) + ending
