"""What a kind of site is: its items, its fields, what is known of each; code asks this and knows no field by name."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from sitewright.domains import kinds
from sitewright.types import OTHER, PageKind

Meaning = Literal["", "heading", "summary", "main", "published", "modified"]
RESERVED = frozenset("url error error_code error_detail language confidence template via map_version id rules".split())
"""What a record says of itself; no field of a page can have these names."""


class FieldWords(NamedTuple):
    """Regular expressions over names of elements, meta tags and JSON-LD keys: what speaks for a field or against it."""

    for_it: str = ""
    against: str = ""


NO_WORDS = FieldWords()


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSpec:
    """One field of a domain."""

    name: str
    kind: str = kinds.LINE
    parse: str = "line.v1"
    many: bool = False
    required: bool = False
    means: Meaning = ""
    """What it is to a reader: an item's heading, its summary, its main text, when it came out, when it was changed."""
    distinct: bool = False
    """Whether values differ from page to page: one that repeats is the template's."""
    whole: bool = False
    """Whether the entries of its lists are right together or wrong together."""
    rival: str = ""
    """The field it is most easily taken for."""
    words: FieldWords = NO_WORDS
    sources: tuple[str, ...] = ()
    """Where metadata may state it (`jsonld:headline`, `meta:og:title`), most trustworthy first."""
    exact: tuple[str, ...] = ()
    """Sources that state nothing more than it, where what is displayed says more."""


@dataclass(frozen=True, slots=True)
class Item:
    """What the pages hold that a site of the domain is collected for."""

    kind: PageKind
    """The kind of their pages and the role of links to them."""
    called: str
    """With its article: `an article`."""
    plural: str

    @property
    def noun(self) -> str:
        """The word alone.

        >>> Item("article", "an article", "articles").noun
        'article'
        """
        return self.called.partition(" ")[2] or self.called


@dataclass(frozen=True, kw_only=True)
class Domain:
    """A kind of site and its fields, in the order in which they are shown."""

    name: str
    fields: Mapping[str, FieldSpec]
    item: Item
    inner: Mapping[str, str] = field(default_factory=dict)
    """Parsers of fields that objects within a field have, such as the `url` of an item."""
    levels: tuple[PageKind, ...] = ()
    """The kinds of pages on the way from a front page to an item, which is the last."""
    types: tuple[str, ...] = ()
    """The schema.org types of the items; JSON-LD and microdata of these state the fields."""
    of_other_types: tuple[str, ...] = ()
    """Keys that are believed of JSON-LD of other types, too."""
    designs: frozenset[str] = frozenset()
    """Words in addresses that tell what a template of its own is for."""
    models: str = ""
    """The domain whose trained models read its pages; without any, pages are believed as to their metadata."""
    reference: str = ""
    """What `load_domain` finds it by: its name, or the path of its file."""

    def parser_of(self, field: str, *, inner: bool = False) -> str:
        """Return the default parser of a field; one that the domain does not know is a line of text."""
        if inner and field in self.inner:
            return self.inner[field]
        spec = self.fields.get(field)
        return spec.parse if spec else "line.v1"

    def spec_of(self, field: str) -> FieldSpec:
        """Return what is known of a field; one that the domain does not know is a line of text."""
        return self.fields.get(field) or FieldSpec(name=field)

    def fields_of_kind(self, *kinds: str) -> tuple[str, ...]:
        """Return the fields whose values are of some kinds.

        >>> from sitewright.domains import load_domain
        >>> load_domain("news").fields_of_kind("date", "names")
        ('published', 'modified', 'authors')
        """
        return tuple(name for name, spec in self.fields.items() if spec.kind in kinds)

    @cached_property
    def heading(self) -> str:
        """The field that says what an item is called; empty where none does, as with all of these."""
        return self._meaning("heading")

    @cached_property
    def summary(self) -> str:
        """The field that sums an item up."""
        return self._meaning("summary")

    @cached_property
    def main_text(self) -> str:
        """The field with an item's text, whose length tells whether a page was read."""
        return self._meaning("main")

    @cached_property
    def published(self) -> str:
        """The field with the moment that an item is shown by."""
        return self._meaning("published")

    @cached_property
    def modified(self) -> str:
        """The field with the moment of its last change."""
        return self._meaning("modified")

    def _meaning(self, meaning: Meaning) -> str:
        return next((name for name, spec in self.fields.items() if spec.means == meaning), "")

    @cached_property
    def required(self) -> tuple[str, ...]:
        """The fields without which a page is not read."""
        return tuple(name for name, spec in self.fields.items() if spec.required)

    @cached_property
    def kinds(self) -> tuple[PageKind, ...]:
        """The kinds of pages, an item's first."""
        return (*reversed(self.levels), OTHER)

    @cached_property
    def sources(self) -> frozenset[str]:
        """All places where metadata may state a field."""
        return frozenset(source for spec in self.fields.values() for source in spec.sources)
