"""A document in, the links of its pagination out: the next page, the previous one, and those that bear a number.

What a link says ("next", "»", "3", `rel=next`, `class="older"`) only makes it a candidate. Where it leads decides: its
address must be the page's own with a counter one step on. So the next story, slide or month is not taken for a page.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Literal, get_args
from urllib.parse import parse_qsl, unquote, urlsplit

from turbohtml import Element

from sitewright.parse import Document, absolute_url, clean_line

NEXT_WORDS = {
    "ar": "التالي التالية المزيد",
    "az": "növbəti sonrakı",
    "be": "наступная далей",
    "bg": "следваща следващи следващо напред още",
    "bn": "পরবর্তী পরের",
    "ca": "següent següents",
    "cs": "další následující starší",
    "da": "næste ældre flere",
    "de": "nächste nächsten nächster vor weiter weitere ältere mehr vorwärts",
    "el": "επόμενη επόμενο επόμενα παλαιότερα παλιότερα",
    "en": "next nextpage older earlier more load forward",
    "es": "siguiente siguientes próxima próximo más antiguos anteriores cargar",
    "et": "järgmine vanemad",
    "eu": "hurrengoa",
    "fa": "بعدی بعد",
    "fi": "seuraava seuraavat vanhemmat lisää",
    "fr": "suivant suivante suivants suivantes suite plus charger",
    "gl": "seguinte seguintes",
    "he": "הבא הבאה",
    "hi": "अगला अगले आगे",
    "hr": "sljedeća sljedeće slijedeća starije",
    "hu": "következő tovább régebbi korábbi",
    "hy": "հաջորդ",
    "id": "berikutnya selanjutnya lanjut lama",
    "is": "næsta eldri",
    "it": "successiva successivo successivi successive avanti prossima prossimo altri",
    "ja": "次 次へ 次のページ 次ページ 次の 次を見る もっと見る 過去の記事",
    "ka": "შემდეგი",
    "kk": "келесі",
    "ko": "다음 다음페이지 더보기 이전글",
    "lt": "kitas kita toliau senesni",
    "lv": "nākamā nākošā tālāk vecāki",
    "mk": "следна следно",
    "ms": "seterusnya",
    "nb": "neste eldre flere",
    "nl": "volgende volgend verder oudere meer",
    "pl": "następna następne następny dalej starsze więcej",
    "pt": "próxima próximo próximas seguinte seguintes mais antigas avançar",
    "ro": "următoarea următorul următor înainte",
    "ru": "следующая следующие след далее дальше вперёд вперед ещё еще раньше",
    "sk": "ďalšia ďalšie ďalší nasledujúca staršie",
    "sl": "naslednja naprej starejše",
    "sq": "tjetra",
    "sr": "sledeća sledeće следећа старије",
    "sv": "nästa äldre fler",
    "ta": "அடுத்த",
    "th": "ถัดไป หน้าถัดไป",
    "tr": "sonraki ileri daha",
    "uk": "наступна наступні далі вперед",
    "ur": "اگلا",
    "vi": "sau tiếp",
    "zh": "下一页 下一頁 下页 下頁 后一页 后页 下一张 加载更多 更多",
}
"""Words of links to the next page of a list, by language. In blogs, older is next."""
PREVIOUS_WORDS = {
    "ar": "السابق السابقة",
    "az": "əvvəlki",
    "bg": "предишна предишни назад",
    "bn": "পূর্ববর্তী আগের",
    "ca": "anterior",
    "cs": "předchozí předešlá předešlé novější",
    "da": "forrige nyere",
    "de": "vorherige vorheriger vorige zurück neuere",
    "el": "προηγούμενη προηγούμενο νεότερα",
    "en": "previous prev newer back",
    "es": "anterior recientes nuevos",
    "et": "eelmine uuemad",
    "fa": "قبلی قبل",
    "fi": "edellinen edelliset uudemmat",
    "fr": "précédent précédente précédents précédentes retour",
    "he": "הקודם הקודמת",
    "hi": "पिछला पिछले",
    "hr": "prethodna prethodne novije",
    "hu": "előző újabb",
    "id": "sebelumnya baru",
    "is": "fyrri",
    "it": "precedente precedenti indietro",
    "ja": "前 前へ 前のページ 前ページ 前の",
    "ko": "이전 이전페이지",
    "lt": "ankstesnis atgal",
    "lv": "iepriekšējā atpakaļ",
    "nb": "forrige nyere",
    "nl": "vorige terug nieuwere",
    "pl": "poprzednia poprzednie poprzedni wstecz nowsze",
    "pt": "voltar recentes",
    "ro": "precedenta anterioară înapoi",
    "ru": "предыдущая предыдущие пред назад",
    "sk": "predchádzajúca predošlá novšie",
    "sl": "prejšnja nazaj novejše",
    "sr": "prethodna претходна новије",
    "sv": "föregående nyare",
    "th": "ก่อนหน้า หน้าก่อน",
    "tr": "önceki geri",
    "uk": "попередня попередні назад",
    "vi": "trước",
    "zh": "上一页 上一頁 上页 上頁 前一页 前页 上一张",
}
"""Words of links to the previous page."""
_NEXT = frozenset(" ".join(NEXT_WORDS.values()).casefold().split())
_PREVIOUS = frozenset(" ".join(PREVIOUS_WORDS.values()).casefold().split())
_NEXT_ARROWS = frozenset(">›»→⇒▶►▸⟩》〉❯➔➜➡⟶")
_PREVIOUS_ARROWS = frozenset("<‹«←⇐◀◄◂⟨《〈❮⬅⟵")
_AROUND_WORDS = "".join(sorted(_NEXT_ARROWS | _PREVIOUS_ARROWS)) + ".,:;!…()[]|+-–\ufe0f"
_NEXT_NAME = re.compile(
    r"(?:(?<![a-z])|(?<=[a-z])(?=N))(?i:next|nxt)|(?i:older|load-?_?more|(?:chevron|arrow|angle|caret)[\w-]*right)"
)
_PREVIOUS_NAME = re.compile(
    r"(?:(?<![a-z])|(?<=[a-z])(?=P))(?i:prev)|(?i:newer|(?:chevron|arrow|angle|caret)[\w-]*left)"
)
_NAMED = ", ".join(
    f'{kind}*="{name}" i]'
    for kind in ("[class", "[id", "a img[src")
    for name in "next nxt prev older newer load right left".split()
)
_DISABLED = re.compile(r"(?<![a-z])disabled?(?![a-z])", re.IGNORECASE)
_CURRENT = (
    "[aria-current], [class*=current i], [class*=active i], [class*=selected i], strong, b, em, span[class~=on], li.on"
)

_PAGE = (
    "pages?|paged|pagina|página|paginas|pagine|pag|pg|pn|p|seite|sida|side|sivu|strona|stranica|strana|stranka|страница|"
    "index|list|oldal|sayfa|lapa|puslapis|trang|halaman|hal|slide|part|teil|ページ|页"
)
_PAGE_NAME = re.compile(rf"{_PAGE}|[\w-]*pag(?:e|ina|ing)\w*", re.IGNORECASE)
_OFFSET_NAME = re.compile(r"\w*(?:start|offset|skip|first|begin)\w*|from|st|o|s", re.IGNORECASE)
_NO_COUNTER = re.compile(
    r"comment|repl[iy]|size|per_?-?page|rating|stars|sort|order|year|month|week|day|date|time|limit(?!start)|"
    r"lang|width|height|sess|token|cache|view|count|article|story|carousel|slider|tab",
    re.IGNORECASE,
)
"""Numbers of these names count something else than the pages of a list."""
_CURSOR_NAME = re.compile(r"after|before|cursor|max_?id|max_?time|until|since|\w*page_?token", re.IGNORECASE)

_AROUND = re.escape(_AROUND_WORDS) + r"·\s"
_WRITTEN = re.compile(
    rf"[{_AROUND}]*(?:(?:{_PAGE})[\s.:]*)?(\d{{1,3}}(?:[.,\s]\d{{3}})+|\d{{1,6}})[{_AROUND}]*", re.IGNORECASE
)
_COUNTER = re.compile(
    rf"(?P<before>.*?)(?P<mark>[-_.,;:=+~]?(?:(?<![^\W\d_])(?P<name>{_PAGE})[-_.,;:=+~]?)?)"
    r"(?P<value>\d{1,6})",
    re.IGNORECASE,
)
_INSIDE = re.compile(r"^#|#[\w-]*(?:comment(?!s$)|cmt)|comments?[/-]page|\bcpage=", re.IGNORECASE)
"""Links to a place on the page, or to its comments; `#comments` alone also ends the links of forums."""
_ID = re.compile(r"\d{4}")
"""Parameters like this name one item; a list without it is another list."""
_NUMBER = re.compile(r"(\d+)")
_INDEX = re.compile(r"(?:index|default|home)\.\w{2,5}", re.IGNORECASE)
_EXTENSION = re.compile(r"\.(?:s?html?|php|aspx?|jsp)$", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")
_ARCHIVED = re.compile(r"^https?://web\.archive\.org/web/\d{4,14}(?:[a-z]{2}_)?/(?=https?:/)")
_SESSION = re.compile(r";jsessionid=[^/;]*")
_TRACKING = ("utm_", "fbclid", "gclid", "srsltid", "phpsessid", "jsessionid", "oscsid", "zenid", "session_id")
_NOWHERE = "https://page.invalid/"
"""Stands in for the address of a page that came without one."""

# Measured on the 76 labelled pages of folds 1 and 2 and on 1,149 pages of folds 1 to 4 that are no articles.
LONGEST_MARKUP, LONGEST_TEXT, MOST_WORDS = 200, 40, 5
"""Links that say more, in characters with and without the white space of the source and in words, are no buttons; the
longest labelled one has 25 characters."""
LONGEST_NUMBER, MOST_DIGITS = 12, 6
"""What is longer, with and without words and brackets, is no number of a page."""
LONGEST_ADDRESS = 2000
MOST_CANDIDATES = 400
"""Of more candidates the first and the last are looked at: a pagination stands above or below its list. One page of
1,225 has more (5,155, a table of numbers), the next 198."""
CLIMB, LONGEST_PAGINATION = 6, 2000
"""A pagination ends so many levels above its first link, and where there is so much text, source and all; the largest
of 185 took 3 levels and 1,453 characters."""
MOST_PAGES, MOST_UNNAMED = 10_000, 100
"""Larger numbers are those of stories (`?p=72620`); the longest list has 9,464 pages. The lower bound holds where
nothing says that a number counts pages."""
NAMING = 5
"""Parts of an address this long name one page: a link that repeats one speaks of that page."""

Kind = Literal["page", "offset", "number", "slug"]
"""What a counter is: named as one of pages, or of items; unnamed; unnamed at the end of a slug (`bees-2`)."""
_KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Paging:
    """The links of a page's pagination; what is not there is None or empty."""

    next: Element | None = None
    """The link to the next page of this list."""
    previous: Element | None = None
    pages: tuple[Element, ...] = ()
    """The links that bear the number of a page, in document order; each as often as it is there."""
    reason: str = ""
    """Why `next` is the next page, in a few words."""


@dataclass(frozen=True, slots=True)
class _Address:
    """Where a link leads, without what does not matter: scheme, `www.`, fragment, `index.html`, doubled slashes."""

    host: str
    path: tuple[str, ...]
    query: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Turn:
    """The counter in which one address differs from another; None where an address does not have it."""

    own: int | None
    other: int | None
    kind: Kind
    exact: bool
    """Nothing else differs."""

    @property
    def back(self) -> "_Turn":
        """The same, seen from the other page."""
        return _Turn(self.other, self.own, self.kind, self.exact)


@dataclass(frozen=True, slots=True)
class _Sign:
    """What makes a link look like one of a pagination."""

    direction: int
    """1: next, -1: previous, 0: it does not say."""
    strength: int
    reason: str
    number: int | None = None


@dataclass(frozen=True, slots=True)
class _Candidate:
    element: Element
    address: _Address
    sign: _Sign

    @property
    def number(self) -> int:
        """The number that the link bears; 0: none."""
        return self.sign.number or 0


@dataclass(frozen=True, slots=True)
class _Series:
    """Numbered links, and the number of the page that they are on."""

    links: tuple[_Candidate, ...]
    current: int
    exact: bool
    """By their addresses they are pages of this list, and nothing else differs."""


def find_paging(document: Document) -> Paging:
    """Find the next page, the previous page and the numbered pages of the list that a page is a part of.

    >>> from sitewright.parse import parse
    >>> from sitewright.types import Page
    >>> links = "<b>2</b> <a href='?page=3'>3</a> <a href='?page=3'>»</a> <a href='/bees'>Next story</a>"
    >>> find_paging(parse(Page(url="https://example.com/news?page=2", body=links))).reason
    'text »'
    """
    candidates = _candidates(document)
    runs = _runs(candidates)
    paging = Paging()
    for own in _own_addresses(document):
        paging = _paging_at(own, candidates, runs)
        if paging != Paging():
            break
    return paging


def _own_addresses(document: Document) -> Iterator[_Address | None]:
    """Yield the address of the page, then the one that it states itself: it may have been moved."""
    own = _read_address(document.url)
    yield own
    link = document.tree.select_one('link[rel~="canonical" i][href]')
    stated = _read_address(absolute_url(link.attr("href") or "", document.base_url)) if link is not None else None
    if stated and stated != own:
        yield stated


def _paging_at(own: _Address | None, candidates: Sequence[_Candidate], runs: Iterable[Sequence[_Candidate]]) -> Paging:
    """Find the links of the pagination of a page that has this address."""
    series = [found for run in runs if (found := _read_series(run, own))]
    following = _best(candidates, own, series, 1)
    previous = _best(candidates, own, series, -1)
    return Paging(
        next=following.element if following else None,
        previous=previous.element if previous else None,
        pages=tuple(link.element for found in series for link in found.links),
        reason=_reason(following) if following else "",
    )


def next_url(document: Document) -> str:
    """Return the absolute address of the next page; empty where there is none."""
    following = find_paging(document).next
    return absolute_url(following.attr("href") or "", document.base_url) if following is not None else ""


def _reason(following: _Candidate) -> str:
    return following.sign.reason or f"page {following.number} after current {following.number - 1}"


def _best(
    candidates: Sequence[_Candidate], own: _Address | None, series: Sequence[_Series], direction: int
) -> _Candidate | None:
    """Return the likeliest link one page on (or back); of equals the first, and links in the head last."""
    best, best_rank, at_end = None, (False, False, 0, 0), _is_end(series, direction)
    numbered = [
        (link.address, 4 if found.exact else 3)
        for found in series
        for link in found.links
        if link.number == found.current + direction
    ]
    for candidate in candidates:
        shown = candidate.element.tag == "a"
        if candidate.address == own or _is_disabled(candidate.element) or (at_end and not shown):
            continue
        by_number = next((surety for address, surety in numbered if address == candidate.address), 0)
        surety = by_number or _surety(candidate, own, direction, counted=bool(series))
        rank = (surety > 2, shown, surety, candidate.sign.strength)
        if surety and rank > best_rank:
            best, best_rank = candidate, rank
    return best


def _is_end(series: Sequence[_Series], direction: int) -> bool:
    """Tell whether the numbers say that this page is the last (or first), though its head may promise one more."""
    return bool(series) and all(
        (found.current - link.number) * direction >= 0 for found in series for link in found.links
    )


def _surety(candidate: _Candidate, own: _Address | None, direction: int, *, counted: bool) -> int:
    """Tell how surely a link leads one page on (or back): 4 and 3 by its address, 2 and 1 by its word, 0 not at all."""
    says_so = candidate.sign.direction == direction
    if candidate.sign.direction == 0:
        return 0
    if own is None:
        return 2 if says_so and (_named_counter(candidate.address) or _has_cursor(candidate.address)) else 0
    turn = _turn(own, candidate.address)
    if turn is None or not turn.exact:
        turn = _distant_turn(own, candidate.address) or turn
    if turn is None:
        return 1 if says_so and _is_cursor(own, candidate.address) else 0
    turn = turn if direction > 0 else turn.back
    plain = turn.own is None and (turn.other == 1 or counted or not turn.exact)
    if plain and not says_so:
        return 0  # a plain address need not be that of the first page
    return (4 if turn.exact else 3) if _leads_on(turn) else 0


def _is_disabled(element: Element) -> bool:
    """Tell whether a link is drawn in grey: there is no such page."""
    if element.attr("aria-disabled") == "true":
        return True
    parent = element.parent
    around = _names(parent) if isinstance(parent, Element) and parent.tag == "li" else ""
    return bool(_DISABLED.search(f"{_names(element)} {around}"))


def _candidates(document: Document) -> list[_Candidate]:
    """Return the links that look like a part of a pagination."""
    links = document.tree.select("a[href], link[rel][href]")
    named = _named_links(document)
    signed = [(element, sign) for element in links if (sign := _read_sign(element, named.get(element, 0)))]
    if len(signed) > MOST_CANDIDATES:
        signed = signed[: MOST_CANDIDATES // 2] + signed[-MOST_CANDIDATES // 2 :]
    base = document.base_url if document.base_url.startswith("http") else _NOWHERE
    candidates = []
    for element, sign in signed:
        href = (element.attr("href") or "").strip()
        if len(href) > LONGEST_ADDRESS or _INSIDE.search(href):
            continue
        if address := _read_address(absolute_url(href, base)):
            candidates.append(_Candidate(element, address, sign))
    return candidates


def _read_sign(element: Element, named: int) -> _Sign | None:
    """Read what a link says of itself: by `rel`, a number, words, an arrow, or the names of its elements."""
    text = element.text
    text = clean_line(text) if len(text) <= LONGEST_MARKUP else text
    number = _read_number(text)
    if direction := _direction_of_relations(element.attr("rel") or ""):
        return _Sign(direction, 4, "rel=next" if direction > 0 else "rel=prev", number)
    if element.tag == "link" or len(text) > LONGEST_TEXT:
        return None
    if number is not None:
        return _Sign(0, 1, "", number)
    by_name = _Sign(named, 2, "class next" if named > 0 else "class previous") if named else None
    return _sign_of_words(text) or _sign_of_label(element, text) or by_name


def _direction_of_relations(relations: str) -> int:
    names = relations.lower().split() if relations else ()
    return 1 if "next" in names else -1 if "prev" in names or "previous" in names else 0


def _read_number(text: str) -> int | None:
    """Return the number that is all of a link's text.

    >>> [_read_number(text) for text in ("3", "[1425]", "1,390", "Page 2", "٣", "Top 10", "2-0", "")]
    [3, 1425, 1390, 2, 3, None, None, None]
    """
    if len(text) > LONGEST_NUMBER or not any(map(str.isdecimal, text)):
        return None
    if text.isdecimal():
        return int(text) if len(text) <= MOST_DIGITS else None
    found = _WRITTEN.fullmatch(text)
    return int(re.sub(r"\D", "", found[1])) if found else None


def _sign_of_words(text: str) -> _Sign | None:
    """Read the text of a button.

    >>> [_sign_of_words(text).direction for text in ("Next page »", "« Older posts", "次へ", "‹", "<< Zurück")]
    [1, 1, 1, -1, -1]
    >>> _sign_of_words("What comes next for the bees of the valley")
    """
    if not text:
        return None
    words = [word.strip(_AROUND_WORDS) for word in text.casefold().split()]
    if len(words) > MOST_WORDS:
        return None
    direction = (not _NEXT.isdisjoint(words)) - (not _PREVIOUS.isdisjoint(words))
    if direction:
        return _Sign(direction, 3, f"text {text}")
    if any(words):
        return None
    direction = (not _NEXT_ARROWS.isdisjoint(text)) - (not _PREVIOUS_ARROWS.isdisjoint(text))
    return _Sign(direction, 2, f"text {text}") if direction else None


def _sign_of_label(element: Element, text: str) -> _Sign | None:
    """Read the label that readers of a screen or of a hint get, or the description of a picture."""
    labels = [element.attr("aria-label"), element.attr("title")]
    if not text and (picture := element.select_one("img[alt], [title], [aria-label]")) is not None:
        labels += [picture.attr(name) for name in ("alt", "title", "aria-label")]
    for label in filter(None, labels):
        if len(label) <= LONGEST_TEXT and (sign := _sign_of_words(clean_line(label))):
            return _Sign(sign.direction, 3, f"label {clean_line(label)}")
    return None


def _named_links(document: Document) -> dict[Element, int]:
    """Return the links that the names of elements point to: their own, of an element around them, of an icon inside."""
    named: dict[Element, int] = {}
    for element in document.tree.select(_NAMED):
        direction = _direction_of_names(_names(element))
        if direction and (link := _link_of(element)) is not None:
            named.setdefault(link, direction)
    return named


def _link_of(element: Element) -> Element | None:
    """Return the link that an element is, is in, or holds as the only one."""
    link = element if element.tag == "a" else element.closest("a[href]")
    if link is not None:
        return link
    links = [child for child in element.children if isinstance(child, Element) and child.tag == "a"]
    return links[0] if len(links) == 1 else None


def _names(element: Element) -> str:
    """Return the class and id of an element, and the name of a picture's file."""
    file = (element.attr("src") or "").rpartition("/")[2] if element.tag == "img" else ""
    return f"{element.attr('class') or ''} {element.attr('id') or ''} {file}"


@lru_cache(maxsize=4096)
def _direction_of_names(names: str) -> int:
    """Tell where names of elements point to.

    >>> [_direction_of_names(names) for names in ("btn pageNext", "nav-previous", "fa fa-chevron-right", "next-prev")]
    [1, -1, 1, 0]
    """
    return bool(_NEXT_NAME.search(names)) - bool(_PREVIOUS_NAME.search(names))


def _runs(candidates: Sequence[_Candidate]) -> list[list[_Candidate]]:
    """Group numbered links whose numbers and addresses go up together."""
    runs: list[list[_Candidate]] = []
    for candidate in candidates:
        if candidate.sign.number is None:
            continue
        if runs and _continues(runs[-1], candidate):
            runs[-1].append(candidate)
        else:
            runs.append([candidate])
    return runs


def _continues(run: Sequence[_Candidate], candidate: _Candidate) -> bool:
    last = run[-1]
    if candidate.number <= last.number:
        return False
    step = _step(last, candidate)
    if step is None:
        turn = _turn(last.address, candidate.address)
        return last.number == 1 and turn is not None and turn.own is None  # the first page often has no counter
    return step > 0 and (_run_step(run) or step) == step


def _step(one: _Candidate, other: _Candidate) -> int | None:
    """Return by how much the counters of two links differ a page; 0: not by a whole number, None: not known."""
    turn = _turn(one.address, other.address)
    if turn is None or turn.other is None or (turn.own is None and turn.kind != "offset"):
        return None
    step, rest = divmod(turn.other - (turn.own or 0), other.number - one.number)
    return 0 if rest else step


def _run_step(run: Sequence[_Candidate]) -> int | None:
    """Return by how much the counter grows a page; None: the run is too short to tell."""
    return _step(run[-2], run[-1]) if len(run) > 1 else None


def _read_series(run: Sequence[_Candidate], own: _Address | None) -> _Series | None:
    """Return numbered links as the pages of this list; None where they lead elsewhere or number something else."""
    if all(_YEAR.fullmatch(str(link.number)) for link in run):
        return None
    if own is None:
        current = _shown_current(run) if len(run) > 1 and _named_counter(run[-1].address) else 0
        return _Series(tuple(run), current, False) if current else None
    turns = [(link, turn) for link in run if (turn := _turn(own, link.address)) and (turn.exact or turn.other)]
    if len(run) == 1 and not any(_leads_on(turn) or _leads_on(turn.back) for _, turn in turns):
        return None
    if not turns and not any(_distant_turn(own, link.address) for link in run):
        return None
    current = _current(run, own, turns)
    exact = bool(turns) and all(turn.exact for _, turn in turns)
    return _Series(tuple(run), current, exact) if _are_pages(run, current, turns) else None


def _are_pages(run: Sequence[_Candidate], current: int, turns: Sequence[tuple[_Candidate, _Turn]]) -> bool:
    """Tell pages from other numbers, such as the sizes of a list (10, 20, 50): they are named, or are neighbours."""
    numbers = {current, *(link.number for link in run)}
    named = all(turn.kind in ("page", "offset") for _, turn in turns)
    return named or any(number + 1 in numbers for number in numbers)


def _current(run: Sequence[_Candidate], own: _Address, turns: Sequence[tuple[_Candidate, _Turn]]) -> int:
    """Return the number of the page itself: by its address, else by what is marked, else it is the first."""
    for link in run:
        if link.address == own:
            return link.number
    step = _run_step(run)
    for link, turn in turns:
        if turn.own is None or turn.other is None:
            continue
        if step:
            return link.number - (turn.other - turn.own) // step
        if _leads_on(turn) or _leads_on(turn.back):
            return link.number - 1 if _leads_on(turn) else link.number + 1
    second = 2 if len(run) == 1 and run[0].number == 1 else 1
    return _shown_current(run) or second


def _shown_current(run: Sequence[_Candidate]) -> int:
    """Return the number that stands among numbered links without being one, or is marked as the current; else 0."""
    around = _around(run)
    linked = {link.number for link in run}
    for element in around.select(_CURRENT):
        number = _read_number(clean_line(element.text)) if len(element.text) < LONGEST_TEXT else None
        if number and (number not in linked or element.attr("aria-current")):
            return number
    shown = (_read_number(clean_line(text)) for text in around.stripped_strings)
    return next((n for n in shown if n and n not in linked and not linked.isdisjoint((n - 1, n + 1))), 0)


def _around(run: Sequence[_Candidate]) -> Element:
    """Return the smallest element around all links of a run and more."""
    first, last = run[0].element, run[-1].element
    beyond = {element for element in last.ancestors if isinstance(element, Element)} if len(run) > 1 else set()
    element = first
    for ancestor in islice(first.ancestors, CLIMB if beyond else CLIMB // 2):
        if not isinstance(ancestor, Element) or len(ancestor.text) > LONGEST_PAGINATION:
            break
        element = ancestor
        if ancestor in beyond:
            break
    return element


def _read_address(url: str) -> _Address | None:
    """Read an absolute address.

    >>> _read_address("https://www.example.com/blog//index.php?page=2#top")
    _Address(host='example.com', path=('blog',), query={'page': '2'})
    """
    try:
        parts = urlsplit(_ARCHIVED.sub("", url))
        host = parts.hostname or ""
    except ValueError:
        return None
    if parts.scheme not in {"http", "https"} or not host:
        return None
    path, query = _SESSION.sub("", parts.path.lower()), parts.query
    if "/" in query and "=" not in query:  # index.php?forums/bees/page-2
        path, query = f"{path}/{query.lower()}", ""
    names = [name for name in unquote(path).split("/") if name]
    if names and _INDEX.fullmatch(names[-1]):
        names.pop()
    stems = tuple(_EXTENSION.sub("", name) for name in names)
    pairs = parse_qsl(query.replace("&amp;", "&"))
    parameters = {name: value for name, value in pairs if not _says_nothing(name, value)}
    return _Address(host.removeprefix("www."), stems, parameters)


def _says_nothing(name: str, value: str) -> bool:
    """Tell whether a parameter can be left out: it tracks readers, or counts from zero and is there."""
    return name.lower().startswith(_TRACKING) or (value == "0" and _kind_of(name) in ("page", "offset"))


def _turn(own: _Address, other: _Address) -> _Turn | None:
    """Return the counter in which two addresses differ; None where they differ in something else."""
    if own.host != other.host:
        return None
    if own.path == other.path:
        return _query_turn(own.query, other.query)
    if len(own.path) > len(other.path):
        turn = _path_turn(other.path, own.path, own.query == other.query)
        return turn.back if turn else None
    return _path_turn(own.path, other.path, own.query == other.query)


def _query_turn(own: Mapping[str, str], other: Mapping[str, str]) -> _Turn | None:
    changed = [name for name in own.keys() | other.keys() if own.get(name) != other.get(name)]
    counters = [
        (_KINDS.index(kind), name, kind)
        for name in changed
        if _is_count(own.get(name, "0")) and _is_count(other.get(name, "0")) and (kind := _kind_of(name))
    ]
    if not counters:
        return None
    _, name, kind = min(counters)
    values = own.get(name), other.get(name)
    exact = all((own.get(also), other.get(also)) == values for also in changed)
    if not exact and (_drops_item(own, other) or (kind == "number" and (own.items() - other.items() or name in own))):
        return None
    return _Turn(_value(values[0]), _value(values[1]), kind, exact)


def _drops_item(own: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Tell whether what names one item in an address is missing in the other."""
    return any(_ID.search(value) and other.get(name) != value for name, value in own.items())


def _is_count(value: str) -> bool:
    return value.isdecimal() and len(value) <= MOST_DIGITS


def _value(text: str | None) -> int | None:
    return None if text is None else int(text)


@lru_cache(maxsize=1024)
def _kind_of(name: str) -> Kind | None:
    """Return what a number of this name counts; None: not pages.

    >>> [_kind_of(name) for name in ("page", "PAGEN_1", "start", "Offset", "x", "per_page", "comment-page")]
    ['page', 'page', 'offset', 'offset', 'number', None, None]
    """
    name = name.rstrip("0123456789_-") or name
    if _NO_COUNTER.search(name) or _CURSOR_NAME.fullmatch(name):
        return None
    return "page" if _PAGE_NAME.fullmatch(name) else "offset" if _OFFSET_NAME.fullmatch(name) else "number"


def _path_turn(own: tuple[str, ...], other: tuple[str, ...], exact: bool) -> _Turn | None:
    """Compare two paths, of which the second is not the shorter one."""
    if len(own) < len(other):
        turn = _added_turn(other[len(own) :], exact) if other[: len(own)] == own else None
        return turn if turn and (turn.kind == "page" or not _is_date(own)) else None
    places = [place for place, part in enumerate(own) if part != other[place]]
    if len(places) != 1:
        return None
    place = places[0]
    turn = _part_turn(own[place], other[place], own[:place], exact)
    return turn if turn and (turn.kind == "page" or place == len(own) - 1) else None


def _added_turn(added: Sequence[str], exact: bool) -> _Turn | None:
    """Read what a longer path has more: `2`, `page2` or `page/2`."""
    found = _COUNTER.fullmatch(added[-1])
    if len(added) > 2 or not found or found["before"] or (len(added) == 2 and found["mark"]):
        return None
    name = added[0] if len(added) == 2 else found["name"]
    kind = _kind_of(name) if name else "number"
    if kind is None or (len(added) == 2 and kind != "page"):
        return None
    return _Turn(None, int(found["value"]), kind, exact)


def _is_date(path: Sequence[str]) -> bool:
    """Tell whether a path ends in a year, or a year and a month."""
    return bool(path) and path[-1].isdecimal() and any(map(_YEAR.fullmatch, path[-2:]))


def _part_turn(own: str, other: str, path: Sequence[str], exact: bool) -> _Turn | None:
    """Compare two parts that come after the same path."""
    one, two = _COUNTER.fullmatch(own), _COUNTER.fullmatch(other)
    if one and two and one.group("before", "mark") == two.group("before", "mark"):
        kind = _kind_of_part(two, path)
        return _Turn(int(one["value"]), int(two["value"]), kind, exact) if kind else None
    if two and two["before"] == own:
        kind = _kind_of_part(two, path)
        return _Turn(None, int(two["value"]), kind, exact) if kind else None
    if one and one["before"] == other:
        kind = _kind_of_part(one, path)
        return _Turn(int(one["value"]), None, kind, exact) if kind else None
    return _inner_turn(own, other, exact)


def _inner_turn(own: str, other: str, exact: bool) -> _Turn | None:
    """Compare two names that may differ in one number anywhere (`thread-123-1-1` and `thread-123-2-1`)."""
    ours, theirs = _NUMBER.split(own), _NUMBER.split(other)
    changed = [pair for pair in zip(ours, theirs, strict=False) if pair[0] != pair[1]]
    if len(ours) != len(theirs) or len(changed) != 1 or not all(map(_is_count, changed[0])):
        return None
    return _Turn(int(changed[0][0]), int(changed[0][1]), "slug", exact)


def _kind_of_part(found: re.Match[str], path: Sequence[str]) -> Kind | None:
    if found["name"]:
        return _kind_of(found["name"])
    if found["before"]:
        return None if _NO_COUNTER.search(found["before"]) else "slug" if found["mark"] == "-" else "number"
    if not path or _is_date(path):
        return None if path else "number"
    return _kind_of(path[-1])


def _distant_turn(own: _Address, other: _Address) -> _Turn | None:
    """Return the counter of an address that is not the page's own with a counter, but goes on from it or names it."""
    counter = _named_counter(other)
    if own.host != other.host or counter is None or _drops_item(own.query, other.query):
        return None
    stem, value, kind = counter
    if (ours := _named_counter(own)) and ours[0] == stem:
        return _Turn(ours[1], value, kind, False)
    goes_on = own.path in (stem[: len(own.path)], stem[-len(own.path) :])
    name = own.path[-1] if own.path else ""
    names_it = len(name) >= NAMING and not name.isdecimal() and (name in stem or name in other.query.values())
    return _Turn(None, value, kind, False) if goes_on or names_it else None


def _named_counter(address: _Address) -> tuple[tuple[str, ...], int, Kind] | None:
    """Return the path before a counter that is named as one, its value and kind."""
    for name, text in address.query.items():
        if _is_count(text) and int(text) < MOST_PAGES and (kind := _kind_of(name)) in ("page", "offset"):
            return address.path, int(text), kind
    for parts in (1, 2):
        turn = _added_turn(address.path[-parts:], True) if len(address.path) >= parts else None
        if turn and turn.other is not None and turn.kind == "page":
            return address.path[:-parts], turn.other, turn.kind
    return None


def _leads_on(turn: _Turn) -> bool:
    """Tell whether the other address is one page after the own one."""
    if turn.other is None or turn.kind == "slug":
        return False
    if turn.own is None:
        return turn.other > 0 if turn.kind == "offset" else turn.other == 2 or (turn.other == 1 and turn.kind == "page")
    step = turn.other - turn.own
    if turn.kind == "offset":
        return step > 0 and turn.own % step in (0, 1)
    return step == 1 and turn.own < (MOST_PAGES if turn.kind == "page" else MOST_UNNAMED)


def _is_cursor(own: _Address, other: _Address) -> bool:
    """Tell whether an address is that of the same list from some item on."""
    if own.host != other.host or own.query == other.query:
        return False
    return "updated-max" in other.query or (own.path == other.path and _has_cursor(other))


def _has_cursor(address: _Address) -> bool:
    return any(map(_CURSOR_NAME.fullmatch, address.query))
