"""The names, words and address of a page in, what its links have to do with its story out: nothing, or all of it."""

import re
from collections.abc import Iterator
from itertools import takewhile
from urllib.parse import urlsplit

from turbohtml import Element

from sitewright.links.counters import PlainAddress
from sitewright.links.paging_signs import LONGEST_MARKUP, LONGEST_TEXT, read_number, sign_of_words
from sitewright.parse import Document, clean_line

_ELSEWHERE = re.compile(
    r"comment(?!ary)|disqus|(?<![a-z])response|(?<![a-z])repl(?:y|ies)|feedback|discussion|forum|"
    r"related|recommend|suggest|similar|(?<![a-z])more-?(?:stories|articles|news|posts)|teaser|trending|popular|"
    r"most-?(?:read|viewed)|latest|(?<![a-z-])side-?bar|(?<![a-z-])(?:text)?widget(?![a-z-])|(?<![a-z-])footer-|"
    r"newsletter|advert|sponsor|(?:article|post|news|story|blog)s?[_-]?(?:list|grid|archive|feed|loop|river|stream)|"
    r"infinite|(?<![a-z])(?:loop|repeater|masonry|streams?|listing|archive)(?![a-z])|dynamic-list|collection-|"
    r"carousel-?(?:news|posts)|(?<![\w-])view view-|view-(?:content|id-|dom)|views-element|(?<![a-z])older|"
    r"posts-navigation|nav-(?:below|single)",
    re.IGNORECASE,
)
"""Names of what stands beside a story: its comments, other stories, lists of a content management system."""
_ABOUT = re.compile(r"(?<!\S)(?:tag|category|format|author)-\S+", re.IGNORECASE)
"""Names that tell what a story is about, as weblogs put them on its element."""
_THREAD = re.compile(
    r"(?:view|show)_?(?:topic|thread)|forums?|foren|threads?(?:-\d.*)?|bbs|boards?|discussions?|tiezi|phpbb\d?",
    re.IGNORECASE,
)
_TOPIC = re.compile(r"/(?:t|topics?)/(?:[^/]*/)?(?!(?:19|20)\d\d/)\d{3,}", re.IGNORECASE)
_DISCUSSION_TYPES = ("DiscussionForumPosting", "QAPage")
_ENGINES = re.compile(
    r"discourse|vbulletin|phpbb|xenforo|mybb|invision|nodebb|flarum|simple machines|discuz", re.IGNORECASE
)
"""Programs of forums, as they name themselves in `<meta name=generator>`."""
_FORUM_MARKUP = "html#XF, body#phpbb, body#ipsLayout_body, [class*=ipsPagination], .cPost, [id^=elComment_]"
OLDER = frozenset(
    "older entries posts anteriores antiguos starší ältere älteren älterer παλαιότερα παλιότερα vanemad eldre ældre "
    "äldre oudere starsze старіші starije more load cargar charger mehr もっと見る 過去の記事 加载更多 더보기 "
    "vecāki senesni régebbi korábbi starejše eldri lama раньше".split()
)
"""Words of links to what came before, or to more of the same: they go on with lists, not with stories."""
_SERIAL = re.compile(r"(?:part|teil|vol|episode|chapter|kapitel|folge)s?[-_]?\d+$", re.IGNORECASE)
ALL_WORDS = re.compile(
    r"(?:view|show|read|see)?\s*(?:it )?(?:as |on )?(?:all|(?:a |one |1 |single[ -])page)(?: pages?| on one page)?|"
    r"full (?:article|story)|(?:alles )?auf einer seite(?: lesen| anzeigen)?|tout afficher|"
    r"(?:tout afficher|lire|afficher) (?:sur|en) une (?:seule )?page|ver todo|todo en una página|mostra tutto|"
    r"leggi (?:tutto )?in una pagina|(?:tampilkan|baca|show) semua(?: halaman)?|semua halaman|alles op één pagina|"
    r"(?:показать|читать) (?:всё|все|целиком|на одной странице)|全文(?:表示|閲読|阅读)?|"
    r"(?:本页|单页)?(?:显示|阅读|查看)全文|余下全文|展开全文|"
    r"全部ページ(?:表示)?|1ページで(?:表示|読む)|전체보기|한 페이지로 보기",
    re.IGNORECASE,
)
"""What links to a page with the whole story say."""


def is_discussion(document: Document) -> bool:
    """Tell whether a page is a thread of a forum, or a question with its answers."""
    address = urlsplit(document.url)
    names = [*(address.hostname or "").split("."), *(name.partition(".")[0] for name in address.path.split("/"))]
    named = any(map(_THREAD.fullmatch, names)) or _TOPIC.search(address.path) is not None
    return named or _says_discussion(document)


def _says_discussion(document: Document) -> bool:
    if any(kind in str(node.get("@type")) for node in document.metadata.jsonld.roots for kind in _DISCUSSION_TYPES):
        return True
    if document.tree.select_one(", ".join(f'[itemtype$="/{kind}"]' for kind in _DISCUSSION_TYPES)) is not None:
        return True
    generator = document.tree.select_one('meta[name="generator" i][content]')
    named = generator is not None and _ENGINES.search(generator.attr("content") or "")
    return bool(named) or document.tree.select_one(_FORUM_MARKUP) is not None


def is_elsewhere(element: Element) -> bool:
    """Tell whether a link stands beside the story: in its comments, in a list of others."""
    around = takewhile(_is_beside_headline, _ancestors(element))
    return any(ancestor.tag == "aside" or _ELSEWHERE.search(_names(ancestor)) for ancestor in (element, *around))


def _ancestors(element: Element) -> Iterator[Element]:
    return (ancestor for ancestor in element.ancestors if isinstance(ancestor, Element))


def _is_beside_headline(element: Element) -> bool:
    """Tell whether an element does not hold the headline, and with it the story."""
    return element.tag not in ("body", "html", "main", "article") and element.select_one("h1") is None


def says_older(text: str) -> bool:
    """Tell whether a link goes on to what came before, or shows more.

    >>> [says_older(text) for text in ("« Older Entries", "Load more", "Next page »")]
    [True, True, False]
    """
    return not OLDER.isdisjoint(text.casefold().strip("»›→ ").split())


def is_serial(address: PlainAddress) -> bool:
    """Tell whether an address is that of one of several stories that are counted in their names (`bees-part-2`)."""
    return bool(address.path) and _SERIAL.search(address.path[-1]) is not None and not address.path[-1][:1].isdigit()


def _names(element: Element) -> str:
    return _ABOUT.sub("", f"{element.attr('class') or ''} {element.attr('id') or ''}")


def is_button(element: Element) -> bool:
    """Tell whether a link is an entry to choose, a number, a word or arrow of direction, or a picture without words."""
    if element.tag == "option" or says_direction(element):
        return True
    return not clean_line(element.text) and element.select_one("img, picture, svg") is not None


def says_direction(element: Element) -> bool:
    """Tell whether a link leads on or back by its words, or bears the number of a page."""
    text = clean_line(element.text) if len(element.text) <= LONGEST_MARKUP else element.text
    return (
        element.tag == "a"
        and len(text) <= LONGEST_TEXT
        and (read_number(text) is not None or sign_of_words(text) is not None)
    )
