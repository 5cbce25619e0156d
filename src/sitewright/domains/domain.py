"""What a kind of site is: its items, its fields, what is known of each; code asks this and knows no field by name."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from sitewright.domains import kinds
from sitewright.domains.labels import Labels
from sitewright.domains.word_lists import WordLists
from sitewright.types import LIST, OTHER, PageKind

Meaning = Literal["", "heading", "summary", "main", "published", "modified", "section"]
Stated = Literal["given", "apart", "never"]
"""What becomes of a value that metadata state and the page does not display: it is as good as any other; it is given,
marked as such, where nothing is displayed; it is none."""
RESERVED = frozenset("url error error_code error_detail language confidence template via map_version id rules".split())
"""What a record says of itself; no field of a page can have these names."""


class FieldWords(NamedTuple):
    """Regular expressions over names of elements, meta tags and JSON-LD keys: what speaks for a field or against it."""

    for_it: str = ""
    against: str = ""


NO_WORDS = FieldWords()
Distinct = Literal["no", "all", "mostly"]
"""Whether values differ from page to page: all do, so that one that repeats is the template's; most do, so that one
that many pages share is (a car is sold with several engines)."""
Look = Literal["", "price", "number", "code", "phrase", "line", "text", "stars"]
"""What a value looks like, where its kind does not settle it."""
ATTRIBUTES: Mapping[str, float] = {"itemprop": 1.5, "id": 1.2, "class": 1.0, "name": 1.0, "rel": 1.0, "data-": 0.8}
"""The attributes that name elements, and how much each is believed; the last stands for all that begin so."""


@dataclass(frozen=True, slots=True)
class FieldMatch:
    """The word list of a field: how its elements are named, what is beside its values, what these look like."""

    names: Mapping[str, float] = field(default_factory=dict)
    """Words in the names of elements, each with its weight; a part of a word counts half."""
    against: Mapping[str, float] = field(default_factory=dict)
    """Words in names that speak for something else."""
    labels: tuple[str, ...] = ()
    """What is written beside a value or before it ("Art. no.:"), in any language."""
    other_labels: tuple[str, ...] = ()
    """What is written beside values that look the same and are something else ("You save:")."""
    look: Look = ""
    phrases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The phrases that a value is made of, by what they mean ("sold out" is OutOfStock)."""
    there: tuple[str, ...] = ()
    """Which of these meanings say that an item can be had."""
    unsaid: str = ""
    """What is meant where an item has a price and its page says nothing of this."""


NO_MATCH = FieldMatch()


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSpec:
    """One field of a domain."""

    name: str
    kind: str = kinds.LINE
    parse: str = "line.v1"
    many: bool = False
    required: bool = False
    means: Meaning = ""
    """What it is to a reader: an item's heading, its summary, its main text, when it came out, when it was changed,
    what part of its site it is of."""
    distinct: Distinct = "no"
    """Whether values differ from page to page."""
    framed: bool = False
    """Whether sites display it with words of their own around it ("New … at Autos", "… [Paperback]")."""
    opens: bool = False
    """Whether headings often begin with it, as names of products do with their brand."""
    whole: bool = False
    """Whether the entries of its lists are right together or wrong together."""
    rival: str = ""
    """The field it is most easily taken for."""
    words: FieldWords = NO_WORDS
    match: FieldMatch = NO_MATCH
    sources: tuple[str, ...] = ()
    """Where metadata may state it (`jsonld:headline`, `meta:og:title`), most trustworthy first."""
    hints: tuple[str, ...] = ()
    """Where metadata, attributes, fields of forms or the address may tell it, where nothing else on a page does."""
    exact: tuple[str, ...] = ()
    """Sources that state nothing more than it, where what is displayed says more."""
    stated: Stated = "given"
    unlike: tuple[str, ...] = ()
    """Fields whose values are not its own: a subtitle is not the title; a text does not begin with either."""
    not_before: str = ""
    """The field whose moment its own does not come before."""
    not_site: bool = False
    """Whether what the site is called is none of its values."""
    absent: tuple[str, ...] = ()
    """What a page says where it does not state it ("price on request")."""
    never: tuple[str, ...] = ()
    """Regular expressions: what one of them is, as a whole, is no value ("Home" among sections, "Share" among tags)."""
    least: int = 1
    """Of fields whose values are objects: fewer are none."""
    parts: Mapping[str, "FieldSpec"] = field(default_factory=dict)
    """Of fields whose values are objects: what each is made of; sources of parts are keys within the object."""

    @property
    def is_checked(self) -> bool:
        """Whether some values are refused."""
        return self.kind == kinds.PRICE or bool(
            self.unlike or self.not_before or self.not_site or self.never or self.match.phrases
        )


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
    attributes: Mapping[str, float] = field(default_factory=lambda: ATTRIBUTES)
    """The attributes that name elements, and how much each is believed."""
    actions: tuple[str, ...] = ()
    """Words in the names and texts of what people press on an item's page ("add to cart")."""
    same: tuple[tuple[str, ...], ...] = ()
    """What tells that two items are one and the same: the values of the fields of one of these groups together."""
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

    @cached_property
    def section(self) -> str:
        """The field that says what part of its site an item is of."""
        return self._meaning("section")

    def _meaning(self, meaning: Meaning) -> str:
        return next((name for name, spec in self.fields.items() if spec.means == meaning), "")

    @cached_property
    def checked_fields(self) -> tuple[str, ...]:
        """The fields some values of which are refused."""
        return tuple(name for name, spec in self.fields.items() if spec.is_checked)

    @cached_property
    def required(self) -> tuple[str, ...]:
        """The fields without which a page is not read."""
        return tuple(name for name, spec in self.fields.items() if spec.required)

    @cached_property
    def kinds(self) -> tuple[PageKind, ...]:
        """The kinds of pages, an item's first."""
        return (*reversed(self.levels), OTHER)

    @cached_property
    def is_walked(self) -> bool:
        """Whether its sites are walked down level by level: lists are found on pages above them.

        >>> from sitewright.domains import load_domain
        >>> load_domain("shop").is_walked, load_domain("news").is_walked
        (True, False)
        """
        return LIST in self.levels[1:]

    @cached_property
    def price(self) -> str:
        """The field with what an item costs: the first of its prices; empty where it has none."""
        return next(iter(self.fields_of_kind(kinds.PRICE)), "")

    @cached_property
    def stock(self) -> str:
        """The field that says whether an item can be had: the first whose values are phrases; empty where none does."""
        return next((name for name, spec in self.fields.items() if spec.match.phrases), "")

    def can_be_had(self, stock: str) -> bool:
        """Tell whether an item of which this is said can be had."""
        return bool(self.stock) and stock in self.fields[self.stock].match.there

    @cached_property
    def word_lists(self) -> WordLists:
        """What its elements are named."""
        return WordLists([(spec.match.names, spec.match.against) for spec in self.fields.values()], self.attributes)

    @cached_property
    def labels(self) -> Labels:
        """What is written beside the values of its fields."""
        return Labels([spec.match.labels for spec in self.fields.values()])

    @cached_property
    def other_labels(self) -> Labels:
        """What is written beside what its fields are easily taken for."""
        return Labels([spec.match.other_labels for spec in self.fields.values()])

    @cached_property
    def has_word_lists(self) -> bool:
        """Whether fields say how their elements are named."""
        return any(spec.match is not NO_MATCH for spec in self.fields.values())

    @cached_property
    def sources(self) -> frozenset[str]:
        """All places where metadata may state a field."""
        return frozenset(source for spec in self.fields.values() for source in spec.sources)
