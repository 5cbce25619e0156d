"""Which links of a front page lead to articles: plain rules, the paper's classifier of texts and the rules of peers.

    python -m bench.link_baselines [--folds 0] [--news-please PYTHON]

Needs the corpora and their scorer beside the repository; prints a table in Markdown. Fold 0 is for validation.

* The paper (shared/seeds, 3.1) learns from the words of links, and refuses links of less than four words; links without
  text are none of its. It trains a model a language; here one learns from all, since most languages of the corpus have
  one site or two. No site is judged by what was learned from it.
* newspaper4k takes the links of a page that `urls.valid_url` lets through (`Source.build`). It sees addresses alone.
* news-please recognises articles after it has fetched them: by `og_type`, and by `linked_headlines`, the share of the
  fetched page's own headings that are links. By a link alone its default settings decide only which ones the
  RecursiveCrawler follows: not mail, scripts and telephones, not files, not other domains. `is_not_from_subdomain`
  could be asked as well, but is off by default. It wants an environment of its own; the option names the Python of it.
* courlan filters addresses for trafilatura. `extract_links` is strict unless told otherwise; `filter_links` is what
  trafilatura's spider does, and sets navigation apart.
* fundus goes by sitemaps and feeds; it has nothing that looks at links.
"""

import argparse
import json
import logging
import lzma
import math
import re
import subprocess
import sys
import unicodedata
import warnings
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from urllib.parse import urljoin, urlsplit

from turbohtml import Element

from bench.frontpages import PARTS, VALIDATION, Decide, FrontPage, LinkScore, front_pages, measure
from bench.markdown import Cell, markdown
from bench.samples import NEWS, has_shared
from sitewright.parse import parse
from sitewright.types import Page

Example = tuple[str, bool]
"""The text of a link, and whether it leads to an article."""
TRAINING = (1, 2)
"""The folds with front pages that may be learned from."""
TITLE_FOLDS = (1, 2, 3, 4)
GROUPS = 5
"""A site of the training folds is measured with what was learned from the other four groups of sites."""
_TWINS = {"web.de": "gmx.net"}
"""Two fronts of one newsroom, with the same stories: neither may teach about the other."""
LEAST_WORDS = 4
"""Links of fewer words lead to no article (the rule of the paper)."""
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_CHARACTER = re.compile(rf"[{_UNSPACED}]")
_PIECE = re.compile(rf"[{_UNSPACED}]|[^{_UNSPACED}]+")
_SYLLABIC = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
CHARACTERS_A_WORD, LETTERS_A_WORD = 2, 4
"""Of scripts that part no words: characters of Chinese and Japanese, letters of Thai, Lao, Burmese and Khmer. A rule of
thumb about running text; the training folds have no front page in these scripts to measure it on."""
_NO_WORDS = {code: " " for code in range(0x11000) if unicodedata.category(chr(code))[0] in "PSZ"}
"""Punctuation and symbols; not marks, which belong to the words of many scripts (and which `\\w` leaves out)."""
_HEADING = "h1, h2, h3, h4, h5, h6"


def count_words(text: str) -> float:
    """Count the words between blanks; of scripts that part no words, so many characters count as one.

    >>> count_words("Bees return – at last"), count_words("শাহি সমাচার"), count_words("東京で桜が開花")
    (4, 2, 3.5)
    """
    spaced = sum(any(map(str.isalnum, word)) for word in _CHARACTER.sub(" ", text).split())
    letters = [character for character in _CHARACTER.findall(text) if character.isalnum()]
    syllables = sum(bool(_SYLLABIC.match(letter)) for letter in letters)
    unspaced = syllables / CHARACTERS_A_WORD + (len(letters) - syllables) / LETTERS_A_WORD
    return spaced + unspaced if letters else spaced


def words_of(text: str) -> list[str]:
    """Return the words of a text for comparing; of scripts that part no words, the characters.

    >>> words_of("L’Été, enfin: 開花")
    ['l', 'été', 'enfin', '開', '花']
    """
    return [piece for word in text.casefold().translate(_NO_WORDS).split() for piece in _PIECE.findall(word)]


class NaiveBayes:
    """Multinomial Naive Bayes on TF-IDF of words, set as usual (as in scikit-learn).

    That is: IDF as if one more text held every word, vectors of length one, one added to the sum of every word.
    """

    def __init__(self, examples: Iterable[Example]) -> None:
        """Learn; there have to be examples of both kinds."""
        bags = [(Counter(words_of(text)), article) for text, article in examples]
        kinds = Counter(article for _, article in bags)
        frequencies = Counter(word for bag, _ in bags for word in bag)
        self._idf = {word: math.log((1 + len(bags)) / (1 + count)) + 1 for word, count in frequencies.items()}
        sums: dict[bool, dict[str, float]] = {True: defaultdict(float), False: defaultdict(float)}
        for bag, article in bags:
            for word, weight in self._weigh(bag).items():
                sums[article][word] += weight
        totals = {kind: sum(found.values()) + len(frequencies) for kind, found in sums.items()}
        self._prior = math.log(kinds[True] / kinds[False])
        self._gain = {
            word: math.log((sums[True][word] + 1) / totals[True]) - math.log((sums[False][word] + 1) / totals[False])
            for word in frequencies
        }

    def score(self, text: str) -> float:
        """Return the logarithm of the odds that a link with this text leads to an article."""
        weights = self._weigh(Counter(word for word in words_of(text) if word in self._idf))
        return self._prior + sum(weight * self._gain[word] for word, weight in weights.items())

    def _weigh(self, bag: Counter[str]) -> dict[str, float]:
        weights = {word: count * self._idf[word] for word, count in bag.items()}
        length = math.hypot(*weights.values()) or 1.0
        return {word: weight / length for word, weight in weights.items()}


class OutOfSite:
    """The classifier of the paper, for each site one that has not seen it."""

    def __init__(self, examples: Mapping[str, Collection[Example]]) -> None:
        """Keep the examples by site; learn when first asked."""
        self._examples = examples
        self._models: dict[int | None, NaiveBayes] = {}

    def decide(self, page: FrontPage) -> list[bool]:
        """Judge the links of a page by their text."""
        group = None if page.fold == VALIDATION else group_of(page.site)
        if group not in self._models:
            others = (texts for site, texts in self._examples.items() if group is None or group_of(site) != group)
            self._models[group] = NaiveBayes(example for texts in others for example in texts)
        model = self._models[group]
        return [bool(link.text.strip()) and model.score(link.text) > 0 for link in page.links]


def group_of(site: str) -> int:
    """Return the group of a site, the same in every run."""
    return zlib.crc32(_TWINS.get(site, site).encode()) % GROUPS


def link_examples(pages: Iterable[FrontPage]) -> dict[str, set[Example]]:
    """Return the distinct texts of links of each site."""
    examples: dict[str, set[Example]] = defaultdict(set)
    for page in pages:
        examples[page.site] |= {(link.text, link.article) for link in page.links if link.text.strip()}
    return examples


def title_examples() -> Iterator[tuple[str, Example]]:
    """Yield sites and titles of their articles, out of the training folds of the news."""
    with lzma.open(NEWS, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            title = row["labels"].get("title")
            if row["fold"] in TITLE_FOLDS and row["page_type"] == "article" and title:
                yield row["site"].removeprefix("www."), (title, True)


def long_enough(page: FrontPage) -> list[bool]:
    """Take links of four words and more."""
    return [count_words(link.text) >= LEAST_WORDS for link in page.links]


def both(first: Decide, second: Decide) -> Decide:
    """Take what both take."""
    return lambda page: [one and other for one, other in zip(first(page), second(page), strict=True)]


def in_heading(page: FrontPage) -> list[bool]:
    """Take links that stand in a heading, or hold one. Links are told by address: parsers differ in nested ones."""
    document = parse(Page(url=page.url, body=page.html))
    found = {_absolute(document.base_url, link) for link in document.tree.select("a[href]") if _has_heading(link)}
    return [link.href in found for link in page.links]


def _has_heading(link: Element) -> bool:
    return link.closest(_HEADING) is not None or link.select_one(_HEADING) is not None


def _absolute(base: str, link: Element) -> str:
    href = str(link.attr("href")).strip()
    try:
        return urljoin(base, href)
    except ValueError:
        return href


def newspaper4k() -> Decide:
    """Return the test that newspaper4k puts the links of a source to."""
    from newspaper.urls import valid_url

    def accepts(href: str) -> bool:
        try:
            return bool(valid_url(href))
        except ValueError:  # an address that cannot be taken apart
            return False

    return _by_href(lambda _url, href: accepts(href))


def courlan_strict() -> Decide:
    """Return the filter of courlan as it stands."""
    from courlan import extract_links

    return _by_href(lambda url, href: bool(extract_links(_anchor(href), url)))


def courlan_spider() -> Decide:
    """Return the filter that trafilatura's spider uses, which sets navigation apart."""
    from courlan import filter_links

    return _by_href(lambda url, href: bool(filter_links(_anchor(href), url)[0]))


def _anchor(href: str) -> str:
    return f'<a href="{href}">'  # not escaped: courlan finds links by a pattern and takes them as they are


def _by_href(accepts: Callable[[str, str], bool]) -> Decide:
    """Decide by the addresses of site and link."""
    remembered = lru_cache(maxsize=1 << 16)(accepts)
    return lambda page: [remembered(start_of(page), link.href) for link in page.links]


def start_of(page: FrontPage) -> str:
    """Return the address of the site that a page is the front of."""
    parts = urlsplit(page.url)
    return f"{parts.scheme}://{parts.netloc}/"


NEWS_PLEASE = """
import json, sys
from html import escape
from pathlib import Path
from types import SimpleNamespace

import newsplease
from newsplease.config import CrawlerConfig
from newsplease.helper_classes.heuristics import Heuristics
from newsplease.helper_classes.parse_crawler import ParseCrawler
from newsplease.helper_classes.url_extractor import UrlExtractor
from scrapy.http import HtmlResponse
from scrapy.utils.url import url_is_from_any_domain

config = CrawlerConfig.get_instance()
config.setup(str(Path(newsplease.__file__).parent / "config" / "config.cfg"))
ignored = "(%s)|" % config.section("Crawler")["ignore_regex"], config.section("Crawler")["ignore_file_extensions"]
spider = SimpleNamespace(parse=print)
heuristics = Heuristics({}, [], None)

def followed(start, domain, href):
    try:
        page = HtmlResponse(start, body=f'<a href="{escape(href)}">'.encode(), encoding="utf-8")
        requests = ParseCrawler.recursive_requests(page, spider, *ignored)
    except ValueError:
        return []
    return [request.url for request in requests if url_is_from_any_domain(request.url, [domain])]

found = {}
for start, hrefs in json.load(sys.stdin).items():
    domain = UrlExtractor.get_allowed_domain(start)
    site = {"url": "http://www." + domain}
    found[start] = {
        href: heuristics.is_not_from_subdomain(HtmlResponse(url), site)
        for href in hrefs for url in followed(start, domain, href)
    }
print("\\n" + json.dumps(found))
"""
"""Run where news-please is: says of each site which links are followed, and whether they stay off subdomains.

The site is written with `www.`, as in the examples of its settings: the heuristic takes the first part off blindly.
"""


def ask_news_please(python: str, hrefs: Mapping[str, Collection[str]]) -> dict[str, dict[str, bool]]:
    """Return of each site the links that news-please follows, and whether they stay off subdomains."""
    question = json.dumps({start: sorted(links) for start, links in hrefs.items()})
    try:
        done = subprocess.run([python, "-c", NEWS_PLEASE], input=question, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise ImportError(python) from error
    if "No module named 'newsplease'" in done.stderr:
        raise ImportError("newsplease")
    if done.returncode:
        raise SystemExit(f"news-please failed: {done.stderr[-500:]}")
    answer: dict[str, dict[str, bool]] = json.loads(done.stdout.splitlines()[-1])
    return answer


def news_please(python: str, pages: Iterable[FrontPage]) -> dict[str, Decide]:
    """Return what news-please follows by default, and with the heuristic about subdomains."""
    hrefs: dict[str, set[str]] = defaultdict(set)
    for page in pages:
        hrefs[start_of(page)] |= {link.href for link in page.links}
    found = ask_news_please(python, hrefs)
    return {
        "news-please, links it follows": lambda page: [link.href in found[start_of(page)] for link in page.links],
        "news-please, and is_not_from_subdomain": lambda page: [
            found[start_of(page)].get(link.href, False) for link in page.links
        ],
    }


PEERS: dict[str, Callable[[], Decide]] = {
    "newspaper4k, valid_url": newspaper4k,
    "courlan, extract_links (strict)": courlan_strict,
    "courlan, filter_links (trafilatura's spider)": courlan_spider,
}


def baselines(classifier: Decide) -> dict[str, Decide]:
    """Return the rules that need no peer."""
    return {
        "every link": lambda page: [True] * len(page.links),
        "link in or around a heading": in_heading,
        "four words or more": long_enough,
        "Naive Bayes (paper)": classifier,
        "Naive Bayes and four words or more (paper)": both(classifier, long_enough),
    }


def installed(makers: Mapping[str, Callable[[], Decide]]) -> tuple[dict[str, Decide], list[str]]:
    """Return the peers that are there, and the names of those that are not."""
    there: dict[str, Decide] = {}
    missing: list[str] = []
    for name, make in makers.items():
        try:
            there[name] = make()
        except ImportError:
            missing.append(name)
    return there, missing


def table(scores: Mapping[str, Mapping[str, LinkScore | None]], missing: Iterable[str]) -> str:
    """Return a row a way, with precision and recall of each part."""
    rows: dict[str, list[Cell]] = defaultdict(list)
    for part in PARTS:
        for name, score in scores[part].items():
            rows[name] += _cells(score)
    rows |= {f"{name} (not installed)": [None, None] * len(PARTS) for name in missing}
    head = ["way", *(f"{part} {column}" for part in PARTS for column in ("P", "R"))]
    return markdown(head, [[name, *cells] for name, cells in rows.items()])


def _cells(score: LinkScore | None) -> tuple[Cell, Cell]:
    return (score.precision, score.recall) if score else (None, None)


def learn() -> OutOfSite:
    """Return the classifier, with all examples that there are."""
    examples = link_examples(_pages(TRAINING))
    for site, example in title_examples():
        examples[site].add(example)
    return OutOfSite(examples)


def find_ways(folds: Collection[int], python: str) -> tuple[dict[str, Decide], list[str]]:
    """Return all ways that can be tried here, and the names of the peers that are not installed."""
    peers, missing = installed(PEERS)
    ways = baselines(learn().decide) | peers
    try:
        ways |= news_please(python, _pages(folds))
    except ImportError:
        missing.append("news-please")
    return ways, missing


def _pages(folds: Collection[int]) -> Iterator[FrontPage]:
    return (page for part in PARTS for page in front_pages(part, folds))


def main() -> int:
    """Measure all that are installed and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.link_baselines", description=__doc__.split("\n")[0])
    parser.add_argument("--folds", type=int, nargs="+", default=list(TRAINING))
    parser.add_argument("--news-please", default=sys.executable, metavar="PYTHON", help="of an environment that has it")
    options = parser.parse_args()
    if not has_shared():
        parser.error("the corpora are not there: ../shared/data")
    logging.disable(logging.CRITICAL)  # peers tell of every address they stumble over
    warnings.simplefilter("ignore")
    ways, missing = find_ways(options.folds, options.news_please)
    scores = {part: measure(front_pages(part, options.folds), ways) for part in PARTS}
    sites = {part: next((score.sites for score in scores[part].values() if score), 0) for part in PARTS}
    print(f"folds {options.folds}, sites: {', '.join(f'{count} {part}' for part, count in sites.items())}\n")
    print(table(scores, missing))
    return 0


if __name__ == "__main__":
    sys.exit(main())
