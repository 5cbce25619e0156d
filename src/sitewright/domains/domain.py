"""Domain files: what fields a kind of site has."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from ruamel.yaml import YAML

from sitewright.errors import UnknownDomain


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSpec:
    """One field of a domain."""

    name: str
    kind: str
    parse: str = "line.v1"
    many: bool = False
    required: bool = False


@dataclass(frozen=True, slots=True)
class Domain:
    """A kind of site and its fields, in the order in which they are shown."""

    name: str
    fields: Mapping[str, FieldSpec]
    inner: Mapping[str, str]
    """Parsers of fields that objects within a field have, such as the `url` of an item."""

    def parser_of(self, field: str, *, inner: bool = False) -> str:
        """Return the default parser of a field; one that the domain does not know is a line of text."""
        if inner and field in self.inner:
            return self.inner[field]
        spec = self.fields.get(field)
        return spec.parse if spec else "line.v1"


@cache
def domain_names() -> tuple[str, ...]:
    """Return the names of the domains that are there.

    >>> domain_names()
    ('news', 'shop')
    """
    found = (entry.name for entry in files("sitewright.domains").iterdir())
    return tuple(sorted(name.removesuffix(".yaml") for name in found if name.endswith(".yaml")))


@cache
def load_domain(name: str) -> Domain:
    """Read a domain file.

    >>> load_domain("news").parser_of("published")
    'date.v1'
    """
    if name not in domain_names():
        raise UnknownDomain(f"no domain {name!r}; there are {', '.join(domain_names())}")
    text = files("sitewright.domains").joinpath(f"{name}.yaml").read_text("utf-8")
    plain = YAML(typ="safe", pure=True).load(text)
    fields = {field: FieldSpec(name=field, **spec) for field, spec in plain["fields"].items()}
    return Domain(plain["name"], fields, plain["inner"])
