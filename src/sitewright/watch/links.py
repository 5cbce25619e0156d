"""Links of a source in, those that are new and to be followed out, and of the others why not."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import urlsplit

from sitewright.errors import SettingsError
from sitewright.parse import clean_url, host_of, is_of_site, signature_of_clean
from sitewright.parse.patterns import PatternTooSlow, check_pattern, fits
from sitewright.watch.traps import Traps

_REGEX = "re:"


@dataclass(frozen=True)
class LinkRules:
    """Which links of a source are followed: of the site, with a `seed` part if there are any, without a `banned` one.

    A part is searched in the address as it stands; after `re:` it is a regular expression.

    >>> rules = LinkRules("example.com", seed=("/news/",), banned=("/video/", r"re:\\.pdf$"))
    >>> rules.refusal("https://example.com/news/bees"), rules.refusal("https://example.com/news/bees.pdf")
    ('', 'banned: re:\\\\.pdf$')
    >>> rules.refusal("https://example.com/about"), rules.refusal("https://other.example/news/")
    ('none of the seeds: /news/', 'another site: other.example')
    """

    site: str
    seed: tuple[str, ...] = ()
    banned: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    """Further sites that count as this one, such as a paper's photo host."""
    slow: set[str] = field(default_factory=set, compare=False, repr=False)
    """The parts that were too slow to tell for some addresses: such links are not followed."""

    def __post_init__(self) -> None:
        """Refuse expressions that cannot be compiled now, not at the first link."""
        _ = self._patterns

    @cached_property
    def _patterns(self) -> dict[str, str]:
        return {part: _pattern(part) for part in (*self.seed, *self.banned)}

    def refusal(self, url: str) -> str:
        """Return why a link is not followed; empty if it is."""
        try:
            scheme = urlsplit(url).scheme
        except ValueError:
            return "not an address"
        if scheme not in ("http", "https"):
            return "not an address of the web"
        host = host_of(url)
        if not any(is_of_site(host, site) for site in (self.site, *self.also)):
            return f"another site: {host}"
        try:
            return self._refused_part(url)
        except PatternTooSlow as error:
            return f"too slow to tell: {error}"

    def _refused_part(self, url: str) -> str:
        for part in self.banned:
            if self._is_in(part, url):
                return f"banned: {part}"
        if self.seed and not any(self._is_in(part, url) for part in self.seed):
            return f"none of the seeds: {', '.join(self.seed)}"
        return ""

    def _is_in(self, part: str, url: str) -> bool:
        try:
            return fits(self._patterns[part], url)
        except PatternTooSlow:
            self.slow.add(part)
            raise


def _pattern(part: str) -> str:
    if not part.removeprefix(_REGEX):
        raise SettingsError("watch: seed and banned parts must not be empty")
    pattern = part.removeprefix(_REGEX) if part.startswith(_REGEX) else re.escape(part)
    if wrong := check_pattern(pattern):
        raise SettingsError(f"watch: {part} is no regular expression: {wrong}")
    return pattern


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """What a look at a source brought."""

    follow: dict[str, str] = field(default_factory=dict)
    """Links that nobody had seen: signature to address."""
    late: int = 0
    """How many are new here, but were known from other sources."""
    refused: dict[str, str] = field(default_factory=dict)
    """Address to reason."""
    listed: frozenset[str] = frozenset()
    """The signatures of all links that the rules let through, to be handed in as `before` next time."""


def find_news(
    links: Iterable[str], rules: LinkRules, traps: Traps, *, known: Collection[str], before: Collection[str], now: float
) -> News:
    """Return what is new among the links of a source.

    `known` holds the signatures of all links that were stored, and of those that are on their way or failed: what is
    fetched once more because it did not arrive is no news. `before` is what the source listed at the look before.
    """
    follow: dict[str, str] = {}
    refused: dict[str, str] = {}
    listed: set[str] = set()
    late = 0
    for link in links:
        if reason := rules.refusal(link):
            refused[link] = reason
            continue
        url = clean_url(link)
        name = signature_of_clean(url)
        if name in listed:
            continue
        listed.add(name)
        if name in known:
            late += name not in before
        elif reason := traps.refusal(url, now):
            refused[link] = reason
        else:
            follow[name] = url
    return News(follow=follow, late=late, refused=refused, listed=frozenset(listed))
