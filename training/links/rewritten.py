"""Observed pages in, the same pages on sites whose addresses say less, or nothing, out.

Labels of front pages follow addresses, so a model that always sees them learns the labels' own rules back. Here every
address is exchanged for a number or a meaningless word, the same one wherever it stands on the pages of a site.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from random import Random
from urllib.parse import urlsplit

from sitewright.links.addresses import same_page
from sitewright.links.observe import read_addresses
from training.links.pages import LabelledLinks, story_shape

_WORDS = "p a n id node item view post read news story article artikel content doc show detail nota x s".split()
_PAGES = "index.php view.asp article.jsp show.php default.aspx".split()
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
Name = Callable[[], str]
"""Gives the next address of a site, from its host on."""


def rewritten(pages: Sequence[LabelledLinks], way: int) -> list[LabelledLinks]:
    """Return the pages of a site with other addresses; ways differ in what they look like, and the first is `/p/7`."""
    random = Random(f"{pages[0].site} {way}")
    name = _numbered("/p/", count(1)) if way == 0 else _naming(random)
    keeps_plain = way > 0 and random.random() < 0.3
    own = {same_page(page.url) for page in pages}
    known: dict[str, str] = {}

    def new(href: str) -> str:
        key = same_page(href)
        if key in own or (keeps_plain and not story_shape(href)):
            return href
        if key not in known:
            parts = urlsplit(key)
            known[key] = f"{parts.scheme}://{parts.netloc}{name()}"
        return known[key]

    return [_with_addresses(page, new) for page in pages]


def _with_addresses(page: LabelledLinks, new: Callable[[str], str]) -> LabelledLinks:
    hrefs = [new(href) for href in page.observed.hrefs]
    words, table = read_addresses(hrefs, page.url)
    observed = replace(
        page.observed, hrefs=hrefs, pages=[same_page(href) for href in hrefs], address_words=words, address=table
    )
    return replace(page, observed=observed)


def _numbered(before: str, numbers: Iterator[int]) -> Name:
    return lambda: f"{before}{next(numbers)}"


def _naming(random: Random) -> Name:
    """Return one of the ways in which sites name pages without saying anything of them."""
    word, page = random.choice(_WORDS), random.choice(_PAGES)
    before = random.choice([f"/{word}/", "/", f"/?{word}=", f"/{page}?id="])
    first = random.choice([0, 1, 10, 1_000, 20_000, 3_000_000])
    if random.random() < 0.5:
        return _numbered(before, count(first, random.choice([1, 1, 3])))
    letters, length = random.choice([("0123456789abcdef", 12), (_LETTERS, 8), ("0123456789", random.choice([3, 5, 7]))])
    return _unlike(random, before, letters, length)


def _unlike(random: Random, before: str, letters: str, length: int) -> Name:
    """Return names of random letters, each once."""
    given: set[str] = set()

    def name() -> str:
        while (found := before + "".join(random.choices(letters, k=length))) in given:
            pass
        given.add(found)
        return found

    return name
