"""A URL in, what its address alone tells out: which page it is, its shape, its words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import parse_qsl, unquote, urlsplit

_WRAPPING_KEYS = frozenset("url u q to target dest destination redirect redirect_url r goto link out href".split())
_SHARING = re.compile(
    r"share|intent|submit|tweet|pin/create|bookmark|mailto|login|signin|register|print", re.IGNORECASE
)
"""What an address has that does something with the page it names, and does not lead to it."""
_ARCHIVE = re.compile(r"^https?://web\.archive\.org/web/\d{4,14}(?:[a-z]{2}_)?/(?=https?:/.)")
_ADVERTISER = re.compile(
    r"(?:^|\.)(?:doubleclick|googlesyndication|googleadservices|adnxs|adform|adition|adtech\w*|taboola|outbrain|criteo|"
    r"ligatus|plista|awin1?|zanox|tradedoubler|webgains|belboon|affili\w*|partner-?ads|smartadserver|teads|mgid|"
    r"revcontent|exoclick|adroll|amazon-adsystem|adserver|ads?|adclick|click|clk|track(?:er|ing)?|banners?)\."
)
_ADVERT_PATH = re.compile(
    r"/(?:ad-?click|clk|redir(?:ect)?|affiliates?|gampad|adserv\w*|banners?)(?:[/.]|$)", re.IGNORECASE
)
"""Hosts and folders that count clicks on advertisements: of 156 such links of folds 1 and 2 none led to an article."""
_DAY = re.compile(r"(?:^|[/_.-])((?:19|20)\d\d)[/_.-]?(0?[1-9]|1[0-2])(?:[/_.-]?(0?[1-9]|[12]\d|3[01]))?(?=[/_.-]|$)")
_WORD = re.compile(r"[^\W\d_]+")
_PARTS = re.compile(r"[^\W_]+")
_EXTENSION = re.compile(r"\.([a-z]{2,5}\d?)$", re.IGNORECASE)
_FILE = re.compile(
    r"\.(?:jpe?g|png|gif|webp|avif|bmp|tiff?|svg|ico|mp3|m4[abpv]|ogg|oga|opus|wav|flac|mp4|mov|avi|wmv|webm|flv|mkv|m3u8?|"
    r"pdf|epub|mobi|docx?|xlsx?|pptx?|od[tsp]|rtf|csv|zip|rar|7z|t?gz|exe|dmg|apk|ics|vcf|css|js|json)$",
    re.IGNORECASE,
)
"""Names of what is shown or played by itself, or kept: no page that could hold a story."""
_NUMBER = re.compile(r"\d+")
_HEX = re.compile(r"^(?=.*\d)(?=.*[a-f])[0-9a-f-]{8,}$", re.IGNORECASE)
LONG_NUMBER, SLUG_WORDS = 5, 4
"""Numbers of so many digits, and parts of so many words, mostly name stories: of the labelled links of 52 front pages
of folds 1 and 2, 84 % of those to articles and 19 % of the others have such a number, 85 % and 9 % such a part."""
_LONGEST_NAME = 30
"""Longer parts of a path are no names of sections, even if they have few words."""
_MOST_PARAMETERS = 6
"""The words of further parameters would push those of the host out of what is read of an address."""


def same_page(url: str) -> str:
    """Return the address without what does not change the page: fragment and closing slash.

    >>> same_page("https://example.com/bees/#comments")
    'https://example.com/bees'
    """
    return url.partition("#")[0].rstrip("/")


def without_archive(url: str) -> str:
    """Return the address of which a web archive has a copy; of other addresses the address itself."""
    return _ARCHIVE.sub("", url)


def unwrap(url: str) -> str:
    """Return where a link leads that goes through a counter, a search engine or a web archive; else itself.

    >>> unwrap("https://example.com/go?u=https%3A%2F%2Fexample.org%2Fbees&s=1")
    'https://example.org/bees'
    >>> unwrap("https://web.archive.org/web/20240506083000/https://example.org/bees")
    'https://example.org/bees'
    >>> unwrap("https://social.example/sharer?u=https%3A%2F%2Fexample.org%2Fbees")
    'https://social.example/sharer?u=https%3A%2F%2Fexample.org%2Fbees'
    """
    if (archived := without_archive(url)) != url:
        return archived
    place, _, query = url.partition("?")
    if "http" not in query or _SHARING.search(place):
        return url
    for key, value in parse_qsl(query):
        if key.lower() in _WRAPPING_KEYS and value.startswith(("http://", "https://")):
            return value
    return url


@dataclass(frozen=True, slots=True)
class Address:
    """What the address of a link tells by itself."""

    host: str
    segments: tuple[str, ...]
    """The path, part by part, without extension."""
    shape: str
    """The address with its words and numbers replaced by their kind: links to pages of one kind share it."""
    words: tuple[str, ...]
    """The words of its short parts, which name kinds of pages (`tag`, `author`), of parameters, and of the host."""
    slug_words: int
    """How many words the longest part has."""
    digits: int
    """The length of the longest number."""
    day: int
    """3 where it states a day, 2 a month, 0 neither."""
    parameters: int
    extension: str
    advert: bool
    """Whether it leads through a counter of clicks on advertisements."""
    file: bool
    """Whether it is that of a picture, a recording or a document."""


@lru_cache(maxsize=50_000)
def read_address(url: str) -> Address:
    """Read an address.

    >>> read_address("https://example.com/news/2024/05/06/why-bees-dance-all-day-1234567.html?ref=top").shape
    'w/YYYY/0/0/slug-#.html?ref'
    >>> read_address("https://example.com/sport/football/").shape
    'w/w'
    """
    try:
        parts = urlsplit(unwrap(url))
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return Address("", (), "", (), 0, 0, 0, 0, "", advert=False, file=False)
    path = unquote(parts.path)
    extension = found[1].lower() if (found := _EXTENSION.search(path)) else ""
    bare = path[: -len(extension) - 1] if extension else path
    segments = tuple(filter(None, bare.split("/")))
    keys = tuple(key for key, _ in parse_qsl(parts.query, keep_blank_values=True))
    day = _DAY.search(bare)
    return Address(
        host=host,
        segments=segments,
        shape=_shape(segments, keys, extension, parts.query),
        words=tuple(dict.fromkeys((*_naming_words(segments), *_query_words(keys), *_host_words(host)))),
        slug_words=max((len(_WORD.findall(segment)) for segment in segments), default=0),
        digits=max((len(number) for number in _NUMBER.findall(bare + parts.query)), default=0),
        day=0 if day is None else 3 if day[3] else 2,
        parameters=len(keys),
        extension=extension,
        advert=bool(_ADVERTISER.search(host) or _ADVERT_PATH.search(path)),
        file=bool(_FILE.search(path)),
    )


def _shape(segments: tuple[str, ...], keys: tuple[str, ...], extension: str, query: str) -> str:
    path = "/".join(map(_kind, segments))
    named = "&".join(sorted(dict.fromkeys(key.lower() for key in keys)))
    long = any(len(number) >= LONG_NUMBER for number in _NUMBER.findall(query))
    return path + (f".{extension}" if extension else "") + (f"?{named}{'=#' if long else ''}" if keys else "")


def _kind(segment: str) -> str:
    """Return the kind of a part of a path.

    >>> [_kind(part) for part in ("2024", "05", "sport", "local-news", "why-bees-dance-so", "tale-123456", "89af01bc")]
    ['YYYY', '0', 'w', 'w-w', 'slug', 'w-#', 'hex']
    """
    if segment.isdigit():
        year = len(segment) == 4 and segment[:2] in ("19", "20")
        return "YYYY" if year else "#" if len(segment) >= LONG_NUMBER else "00" if len(segment) > 2 else "0"
    if _HEX.match(segment):
        return "hex"
    words = len(_WORD.findall(segment))
    named = "slug" if words >= SLUG_WORDS else "w-w" if words > 1 else "w" if words else ""
    numbers = [len(number) for number in _NUMBER.findall(segment)]
    number = "#" if max(numbers, default=0) >= LONG_NUMBER else "0" if numbers and words < SLUG_WORDS else ""
    return "-".join(filter(None, (named, number))) or "x"


def _query_words(keys: tuple[str, ...]) -> Iterator[str]:
    return (f"?{key.lower()}" for key in keys[:_MOST_PARAMETERS])


def _host_words(host: str) -> Iterator[str]:
    """Yield the parts of a host before its last, which tell shops, job boards and advertisers from papers."""
    return (f"@{part}" for part in host.split(".")[:-1])


def _naming_words(segments: tuple[str, ...]) -> Iterator[str]:
    for segment in segments:
        words = _PARTS.findall(segment.lower())
        if len(words) < SLUG_WORDS and len(segment) <= _LONGEST_NAME:
            yield from (word for word in words if not word.isdigit())
