"""The links of a site's index pages in, one table of evidence out: what links that are alike say of one another."""

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import numpy as np

from sitewright.links.addresses import LONG_NUMBER, SLUG_WORDS, Address, read_address, same_page
from sitewright.links.bags import Floats, probability
from sitewright.links.lifetimes import Lifetime, Snapshot, lifetimes
from sitewright.links.page import LOCAL, PageLinks
from sitewright.links.patterns import Pattern, cluster
from sitewright.parse import host_of, is_of_site, owner_of

GROUPS = ("cluster", "place", "list", "shape", "tail", "host", "branch")
"""In what links may be alike: markup, place in the page, the list they stand in, shape of the address, shape of its
end, host, first folder."""
COLUMNS = (
    *LOCAL,
    *(f"{what} of {group}" for group in GROUPS for what in ("texts", "links", "names")),
    "begins others", "continues a story", "ending on others", "like others but for numbers", "number in others",
    "headline against its number", "text on others", "own page", "links in all", "texts in all", "share of its shape",
    "own site of place", "own site of list",
)  # fmt: skip
ALONE = -1.0
"""Stands for what others say where there are none."""
_HOLDERS = 20
"""Of the links that have a long number so many are compared: one that more have is not that of an article."""
_MOST_SHARING = 5
"""With how many links a number is shared is counted so far."""
_PART = re.compile(r"[/?&]")
"""What parts an address: folders, and parameters of the same page."""
_SLASH = re.compile("/")
_LONG_NUMBER = re.compile(rf"\d{{{LONG_NUMBER},}}")
_NUMBER = re.compile(r"\d{3,}")
"""Shorter ones are days and months, or belong to a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFacts:
    """What is known of a link beside numbers; of one that several pages have, what the first says."""

    page: str
    href: str
    text: str
    pattern: Pattern
    signature: str
    list: tuple[int, int]
    """The page, and the list of the page, that it was first met in."""
    address: Address
    lifetime: Lifetime | None


class SiteLinks:
    """All links of the index pages of one site, each once."""

    def __init__(self, pages: Sequence[PageLinks]) -> None:
        """Merge pages; a link that several have counts once, with the mean of what they say."""
        self.pages = pages
        self.host = host_of(pages[0].url) if pages else ""
        self.site = owner_of(self.host)
        self._sums: dict[str, Floats] = {}
        self._first: dict[str, tuple[int, int]] = {}
        self._counts: Counter[str] = Counter()
        for number, page in enumerate(pages):
            for row, key in enumerate(page.pages):
                self._counts[key] += 1
                if key in self._first:
                    self._sums[key] = self._sums[key] + page.evidence[row]
                else:
                    self._first[key] = number, row
                    self._sums[key] = page.evidence[row]
        self.lifetimes = lifetimes(Snapshot(page.url, page.time, frozenset(page.pages)) for page in pages)

    @cached_property
    def facts(self) -> list[LinkFacts]:
        """What is known of each link, in the order in which they were met."""
        return [self._facts(key, *place) for key, place in self._first.items()]

    def _facts(self, key: str, number: int, row: int) -> LinkFacts:
        page = self.pages[number]
        return LinkFacts(
            page=key,
            href=page.hrefs[row],
            text=page.texts[row],
            pattern=page.patterns[row],
            signature=page.signatures[row],
            list=(number, page.lists[row]),
            address=read_address(page.hrefs[row]),
            lifetime=self.lifetimes.get(key),
        )

    @cached_property
    def clusters(self) -> dict[Pattern, int]:
        """The number of the cluster of each pattern."""
        return cluster(Counter(fact.pattern for fact in self.facts))

    @cached_property
    def local(self) -> Floats:
        """A row a link: the mean of what the pages say."""
        if not self._sums:
            return np.zeros((0, len(LOCAL)), dtype=np.float32)
        counts = np.array([[self._counts[key]] for key in self._sums], dtype=np.float32)
        result: Floats = np.stack(list(self._sums.values())) / counts
        return result

    @cached_property
    def headlines(self) -> Floats:
        """How likely the text of each link is a headline."""
        return probability(self.local[:, LOCAL.index("text")])

    @cached_property
    def groups(self) -> dict[str, list[Hashable]]:
        """For each way of being alike the group of each link; None where it is in none."""
        own = [is_of_site(fact.address.host, self.site) for fact in self.facts]
        return {
            "cluster": [self.clusters.get(fact.pattern) for fact in self.facts],
            "place": [fact.signature for fact in self.facts],
            "list": [fact.list for fact in self.facts],
            "shape": [(ours, fact.address.shape) for ours, fact in zip(own, self.facts, strict=True)],
            "tail": [(ours, _tail(fact.address.shape)) for ours, fact in zip(own, self.facts, strict=True)],
            "host": [fact.address.host for fact in self.facts],
            "branch": [(fact.address.host, fact.address.segments[:1]) for fact in self.facts],
        }

    @cached_property
    def prefixes(self) -> Counter[str]:
        """How many links begin with the address of another and go on behind it."""
        known = {fact.page for fact in self.facts}
        return Counter(begin for fact in self.facts for begin in beginnings(fact.page) if begin in known)

    @cached_property
    def table(self) -> Floats:
        """A row a link; the columns are `COLUMNS`."""
        local, facts = self.local, self.facts
        texts, names = self.headlines, probability(local[:, LOCAL.index("names on average")])
        columns: list[Floats] = [local]
        for group in GROUPS:
            members = self.groups[group]
            columns += [mean_of_others(texts, members), _sizes(members), mean_of_others(names, members)]
        columns += [
            _column(np.log1p(self.prefixes[fact.page]) for fact in facts),
            _column(_continues_story(facts, texts)),
            _column(_ending_on_others(facts)),
            _column(_like_others(facts)),
            *_number_columns(facts, texts),
            _column(_text_on_others(facts)),
            _column(_own_page(facts, self.pages)),
            np.full(len(facts), np.log1p(len(facts)), dtype=np.float32),
            np.full(len(facts), texts.mean() if len(facts) else 0.0, dtype=np.float32),
            (np.expm1(_sizes(self.groups["shape"])) / max(len(facts), 1)).astype(np.float32),
            *(mean_of_others(local[:, LOCAL.index("own site")], self.groups[group]) for group in ("place", "list")),
        ]
        return np.column_stack(columns).astype(np.float32)

    def column(self, name: str) -> Floats:
        """Return a column of the table."""
        return self.table[:, COLUMNS.index(name)]


def beginnings(page: str) -> Iterator[str]:
    """Yield the addresses that an address goes on from, the host first.

    >>> list(beginnings("https://example.com/sport/golf/a-bee-on-the-green"))
    ['https://example.com', 'https://example.com/sport', 'https://example.com/sport/golf']
    """
    return (page[: slash.start()] for slash in islice(_SLASH.finditer(page), 2, None))


def mean_of_others(values: Floats, members: Sequence[Hashable]) -> Floats:
    """Return for each link the mean of the others in its group; `ALONE` where there are none."""
    sums: dict[Hashable, float] = defaultdict(float)
    counts: Counter[Hashable] = Counter(members)
    listed = values.tolist()
    for value, member in zip(listed, members, strict=True):
        sums[member] += value
    return _column(
        (sums[member] - value) / (counts[member] - 1) if member is not None and counts[member] > 1 else ALONE
        for value, member in zip(listed, members, strict=True)
    )


def _sizes(members: Sequence[Hashable]) -> Floats:
    counts: Counter[Hashable] = Counter(members)
    return _column(np.log1p(counts[member]) if member is not None else 0.0 for member in members)


def _column(values: Iterable[float]) -> Floats:
    return np.fromiter(values, dtype=np.float32)


def _tail(shape: str) -> str:
    """Return the shape without the sections that it begins with.

    >>> _tail("w/w-w/YYYY/0/slug.html")
    'YYYY/0/slug.html'
    """
    parts = shape.split("/")
    while len(parts) > 1 and parts[0] in ("w", "w-w"):
        parts = parts[1:]
    return "/".join(parts)


def _continues_story(facts: Sequence[LinkFacts], texts: Floats) -> Iterable[float]:
    """Yield how much of a headline the link has whose address this one continues: comments and galleries of a story."""
    stories = {
        fact.page: text
        for fact, text in zip(facts, texts.tolist(), strict=True)
        if fact.address.slug_words >= SLUG_WORDS or fact.address.digits >= LONG_NUMBER
    }
    for fact in facts:
        ends = [found.start() for found in _PART.finditer(fact.page)][3:]
        yield next((stories[fact.page[:end]] for end in reversed(ends) if fact.page[:end] in stories), ALONE)


def _ending_on_others(facts: Sequence[LinkFacts]) -> Iterable[float]:
    """Yield how many other links end with the same part: that of a story is its own."""
    endings = [fact.address.segments[-1] if fact.address.segments else "" for fact in facts]
    counts = Counter(endings)
    return (np.log1p(counts[ending] - 1) for ending in endings)


def _like_others(facts: Sequence[LinkFacts]) -> Iterable[float]:
    """Yield how many links have the same address once numbers are replaced: pages of a list, issues of a series."""
    numberless = [_NUMBER.sub("#", fact.page) for fact in facts]
    counts = Counter(numberless)
    return (np.log1p(counts[address]) for address in numberless)


def _number_columns(facts: Sequence[LinkFacts], texts: Floats) -> tuple[Floats, Floats]:
    """Return with how many links of other shapes each shares a long number, and how much more of a headline it has.

    The comments and the gallery of an article often have its number, and seldom its headline.
    """
    holders: dict[str, list[int]] = defaultdict(list)
    numbers = [set(_LONG_NUMBER.findall(fact.page)) for fact in facts]
    for row, own in enumerate(numbers):
        for number in own:
            if len(holders[number]) < _HOLDERS:
                holders[number].append(row)
    counts, leads = [], []
    for row, own in enumerate(numbers):
        shape = facts[row].address.shape
        others = [other for number in own for other in holders[number] if facts[other].address.shape != shape]
        counts.append(min(len(others), _MOST_SHARING))
        leads.append(float(texts[row]) - max(float(texts[other]) for other in others) if others else 0.0)
    return _column(counts), _column(leads)


def _text_on_others(facts: Sequence[LinkFacts]) -> Iterable[float]:
    counts = Counter(fact.text for fact in facts)
    return (np.log1p(counts[fact.text] - 1) if fact.text else ALONE for fact in facts)


def _own_page(facts: Sequence[LinkFacts], pages: Sequence[PageLinks]) -> Iterable[bool]:
    own = {same_page(page.url) for page in pages}
    return (fact.page in own for fact in facts)
