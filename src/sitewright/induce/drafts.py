"""A rule that might be learned: where it looks, what it takes, what it costs to rest on it."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from sitewright.types import TAKE_TEXT, Rule, Support
from sitewright.values import Taken, string_of

_VAGUEST = 4.0
_NAME = re.compile(r"[.#][\w-]+|\[[^\]]+\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A candidate for a rule."""

    field: str
    cost: float
    select: str = ""
    jsonld: str = ""
    """A path into JSON-LD, instead of a selector."""
    take: str = TAKE_TEXT
    many: bool = False
    match: str = ""
    parse: str = ""
    own: bool = False
    """Whether only its nodes' own text is read, without the elements within them."""
    fragile: bool = False

    @property
    def of_text(self) -> bool:
        """Whether it finds texts rather than elements."""
        return "text()" in self.select

    @property
    def origin(self) -> str:
        """Where its values come from: what is displayed, a meta tag, JSON-LD."""
        if self.jsonld:
            return "jsonld"
        return "meta" if self.select.startswith(("meta[", "title", "link[")) else "displayed"

    @property
    def where(self) -> str:
        """The names it goes by."""
        return self.jsonld or f"{self.select} {self.take}"

    @property
    def names(self) -> frozenset[str]:
        """The classes, ids and attributes in its selector, without the tags."""
        return names_in(self.select)

    def vagueness(self, nodes: float) -> float:
        """Return what finding so many nodes a page costs, where one is wanted: which comes first is by chance."""
        return 0.0 if self.many or nodes <= 1 else min(math.log2(nodes), _VAGUEST)

    def matched(self, items: Sequence[Taken]) -> Sequence[Taken]:
        """Return what the pattern keeps of the items."""
        found = [re.search(self.match, string_of(item)) for item in items]
        return [match[1 if match.re.groups else 0] for match in found if match]

    def rule(self, support: Support | None = None) -> Rule:
        """Return it as a rule of a map."""
        return Rule(
            field=self.field,
            select=(self.select,) if self.select else (),
            remove=(f"{self.select} > *",) if self.own else (),
            take=f"jsonld:{self.jsonld}" if self.jsonld else self.take,
            many=self.many,
            match=self.match,
            parse=self.parse,
            support=support,
            fragile=self.fragile,
        )


def names_in(selector: str) -> frozenset[str]:
    """Return the classes, ids and attributes that a selector names.

    >>> sorted(names_in("div.story#main > p[lang]"))
    ['#main', '.story', '[lang]']
    """
    return frozenset(_NAME.findall(selector))
