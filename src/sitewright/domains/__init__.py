"""A kind of site in, by its name or its file, all that is particular to it out: its items, its fields, their words."""

from sitewright.domains import kinds
from sitewright.domains.domain import RESERVED, Domain, FieldSpec, FieldWords, Item
from sitewright.domains.load import domain_names, domain_of, lasting_reference, load_domain, parse_domain
from sitewright.domains.sanity import is_never, meaning_of, named_levels, names_host, sane_fields
from sitewright.types import DEFAULT_DOMAIN

__all__ = [
    "DEFAULT_DOMAIN",
    "RESERVED",
    "Domain",
    "FieldSpec",
    "FieldWords",
    "Item",
    "domain_names",
    "domain_of",
    "is_never",
    "kinds",
    "lasting_reference",
    "load_domain",
    "meaning_of",
    "named_levels",
    "names_host",
    "parse_domain",
    "sane_fields",
]
