"""A robots.txt in, which paths we may fetch out (RFC 9309)."""

import re
from dataclasses import dataclass
from urllib.parse import quote

from sitewright.errors import RobotsForbid
from sitewright.fetch.target import Target

MOST_CHARACTERS = 512_000
"""What lies beyond is not read: RFC 9309 asks for 500 KiB at least."""
LONGEST_DELAY = 30.0
"""Sites that want to be read more slowly than this want not to be read."""
_LASTS, _FAILURE_LASTS = 24 * 3600.0, 600.0
"""How long the rules of a site are remembered (RFC 9309: not longer than a day), and that they cannot be read."""
_LINE = re.compile(r"\s*([A-Za-z-]+)\s*:\s*([^#\r\n]*)")
_PRODUCT = re.compile(r"(?<![\w/.-])[\w-]+(?=/\d)")
_DELAY = "crawl-delay"
_FIELDS = frozenset(("allow", "disallow", _DELAY))
_RobotsGroup = list[tuple[str, str]]
_ESCAPED = re.compile("%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


@dataclass(frozen=True, slots=True)
class RobotsRule:
    """A pattern of paths, and whether they may be fetched."""

    pattern: str
    allow: bool

    def matches(self, path: str) -> bool:
        """Tell whether the pattern fits: `*` stands for anything, `$` for the end; takes time in proportion."""
        anchored = self.pattern.endswith("$")
        first, *others = self.pattern.removesuffix("$").split("*")
        if not path.startswith(first):
            return False
        if not others:
            return not anchored or path == first
        position = len(first)
        for part in others[:-1]:
            position = path.find(part, position)
            if position < 0:
                return False
            position += len(part)
        last = others[-1]
        if anchored:
            return len(path) - len(last) >= position and path.endswith(last)
        return path.find(last, position) >= 0


@dataclass(frozen=True, slots=True)
class Robots:
    """What a site asks of us."""

    rules: tuple[RobotsRule, ...] = ()
    delay: float = 0.0
    """Seconds it wants between two pages."""

    @property
    def lasts(self) -> float:
        """Seconds after which to ask again."""
        return _FAILURE_LASTS if self is FORBID_ALL else _LASTS

    def allows(self, path: str) -> bool:
        """Tell whether a path (with its query) may be fetched: the longest rule that fits decides.

        >>> robots = parse_robots("User-agent: *\\nDisallow: /news\\nAllow: /news/$\\n", "Sitewright")
        >>> robots.allows("/news/1"), robots.allows("/news/"), robots.allows("/sport")
        (False, True, True)
        """
        path = _comparable(path)
        if path == "/robots.txt":
            return True
        fitting = (rule for rule in self.rules if rule.matches(path))
        decisive = max(fitting, key=lambda rule: (len(rule.pattern), rule.allow), default=None)
        return decisive is None or decisive.allow


FORBID_ALL = Robots((RobotsRule("/", allow=False),))
"""The rules of a site that cannot be read for now."""


def robots_of_answer(status: int, body: bytes, user_agent: str) -> Robots:
    """Read an answer: a site that has no rules allows all, one that is out of order allows nothing for now.

    >>> robots_of_answer(404, b"", "Sitewright").allows("/a"), robots_of_answer(503, b"", "Sitewright").allows("/a")
    (True, False)
    """
    if status >= 500 or status == 429:
        return FORBID_ALL
    return Robots() if status >= 300 else parse_robots(body.decode("utf-8", "replace"), user_agent)


def refuse_forbidden(target: Target, robots: Robots) -> None:
    """Raise `RobotsForbid` where a site's rules do not allow an address."""
    if robots is FORBID_ALL:
        raise RobotsForbid(
            f"{target.origin}/robots.txt cannot be read for now, so nothing of the site is fetched; try again in "
            f"{_FAILURE_LASTS / 60:.0f} minutes"
        )
    if not robots.allows(target.path):
        raise RobotsForbid(
            f"{target.url}: the site's robots.txt asks not to fetch it; leave the address out, or ask the site"
        )


def parse_robots(text: str, user_agent: str) -> Robots:
    """Read the rules for a program; a page in place of a robots.txt has none.

    >>> parse_robots("User-agent: *\\nDisallow: /\\n\\nUser-agent: sitewright\\nCrawl-delay: 2", "Sitewright/1.0")
    Robots(rules=(), delay=2.0)
    """
    text = text[:MOST_CHARACTERS].removeprefix("\ufeff")
    if text.lstrip().startswith("<"):
        return Robots()
    groups = _groups(text)
    own = [group for name in _products(user_agent) for group in groups.get(name, ())]
    fields = [field for group in own or groups.get("*", []) for field in group]
    return Robots(
        tuple(RobotsRule(_comparable(value), name == "allow") for name, value in fields if name != _DELAY and value),
        max((_seconds(value) for name, value in fields if name == _DELAY), default=0.0),
    )


def _groups(text: str) -> dict[str, list[_RobotsGroup]]:
    """Return the groups of fields by the names of the programs they are for."""
    groups: dict[str, list[_RobotsGroup]] = {}
    group: _RobotsGroup = []
    naming = False
    for line in text.splitlines():
        found = _LINE.match(line)
        name, value = (found[1].lower(), found[2].strip()) if found else ("", "")
        if name == "user-agent":
            group = group if naming else []
            groups.setdefault(value.partition("/")[0].strip().lower(), []).append(group)
            naming = True
        elif name in _FIELDS:
            naming = False
            group.append((name, value))
    return groups


def _products(user_agent: str) -> list[str]:
    """Return the names under which a robots.txt may address a program.

    >>> _products("Mozilla/5.0 (compatible; BeeBot/2.1; +https://example.com/)"), _products("Bees")
    (['beebot'], ['bees'])
    """
    names = [name.lower() for name in _PRODUCT.findall(user_agent)] or user_agent.lower().split()[:1]
    return [name for name in names if name != "mozilla"]


def _seconds(value: str) -> float:
    try:
        return max(0.0, float(value))
    except ValueError:
        return 0.0


def _comparable(path: str) -> str:
    """Return a path in the one spelling in which paths and patterns are compared.

    >>> _comparable("/%7ebees/\u00e9"), _comparable("/a%2fb*$")
    ('/~bees/%C3%A9', '/a%2Fb*$')
    """
    quoted = quote(path, safe="%/*$?=&:;,+@!~'()[]#|", errors="replace")
    return _ESCAPED.sub(_plain_if_unreserved, quoted)


def _plain_if_unreserved(found: re.Match[str]) -> str:
    character = chr(int(found[1], 16))
    return character if character in _UNRESERVED else found[0].upper()
