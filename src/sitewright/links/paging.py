"""A document in, the links of its pagination out: the next page, the previous one, and those that bear a number.

What a link says ("next", "»", "3", `rel=next`, `class="older"`) only makes it a candidate. Where it leads decides: its
address must be the page's own with a counter one step on. So the next story, slide or month is not taken for a page.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from turbohtml import Element

from sitewright.links.counters import (
    YEAR,
    PlainAddress,
    Turn,
    distant_turn,
    has_cursor,
    is_from_item_on,
    named_counter,
    read_plain_address,
    turn_between,
)
from sitewright.links.paging_signs import LONGEST_TEXT, NextCandidate, is_disabled, read_candidates, read_number
from sitewright.parse import Document, absolute_url, clean_line

_CURRENT = (
    "[aria-current], [class*=current i], [class*=active i], [class*=selected i], strong, b, em, span[class~=on], li.on"
)
CLIMB, LONGEST_PAGINATION = 6, 2000
"""A pagination ends so many levels above its first link, and where there is so much text, source and all; the largest
of 185 took 3 levels and 1,453 characters."""


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
class _Series:
    """Numbered links, and the number of the page that they are on."""

    links: tuple[NextCandidate, ...]
    current: int
    exact: bool
    """By their addresses they are pages of this list, and nothing else differs."""


def find_paging(document: Document, is_part: Callable[[Element], bool] | None = None) -> Paging:
    """Find the next page, the previous page and the numbered pages of the list that a page is a part of.

    Links that are no part, by what is asked of those that look like some, count as not there.

    >>> from sitewright.parse import parse
    >>> from sitewright.types import Page
    >>> links = "<b>2</b> <a href='?page=3'>3</a> <a href='?page=3'>»</a> <a href='/bees'>Next story</a>"
    >>> find_paging(parse(Page(url="https://example.com/news?page=2", body=links))).reason
    'text »'
    """
    candidates = [found for found in read_candidates(document) if is_part is None or is_part(found.element)]
    runs = _runs(candidates)
    paging = Paging()
    for own in own_addresses(document):
        paging = _paging_at(own, candidates, runs)
        if paging != Paging():
            break
    return paging


def next_url(document: Document) -> str:
    """Return the absolute address of the next page; empty where there is none."""
    following = find_paging(document).next
    return absolute_url(following.attr("href") or "", document.base_url) if following is not None else ""


def own_addresses(document: Document) -> Iterator[PlainAddress | None]:
    """Yield the address of the page, then the one that it states itself: it may have been moved."""
    own = read_plain_address(document.url)
    yield own
    link = document.tree.select_one('link[rel~="canonical" i][href]')
    stated = read_plain_address(absolute_url(link.attr("href") or "", document.base_url)) if link is not None else None
    if stated and stated != own:
        yield stated


def _paging_at(
    own: PlainAddress | None, candidates: Sequence[NextCandidate], runs: Iterable[Sequence[NextCandidate]]
) -> Paging:
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


def _reason(following: NextCandidate) -> str:
    return following.sign.reason or f"page {following.number} after current {following.number - 1}"


def _best(
    candidates: Sequence[NextCandidate], own: PlainAddress | None, series: Sequence[_Series], direction: int
) -> NextCandidate | None:
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
        if candidate.address == own or is_disabled(candidate.element) or (at_end and not shown):
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


def _surety(candidate: NextCandidate, own: PlainAddress | None, direction: int, *, counted: bool) -> int:
    """Tell how surely a link leads one page on (or back): 4 and 3 by its address, 2 and 1 by its word, 0 not at all."""
    says_so = candidate.sign.direction == direction
    if candidate.sign.direction == 0:
        return 0
    if own is None:
        return 2 if says_so and (named_counter(candidate.address) or has_cursor(candidate.address)) else 0
    turn = turn_between(own, candidate.address)
    if turn is None or not turn.exact:
        turn = distant_turn(own, candidate.address) or turn
    if turn is None:
        return 1 if says_so and is_from_item_on(own, candidate.address) else 0
    turn = turn if direction > 0 else turn.back
    plain = turn.own is None and (turn.other == 1 or counted or not turn.exact)
    if plain and not says_so:
        return 0  # a plain address need not be that of the first page
    return (4 if turn.exact else 3) if turn.leads_on else 0


def _runs(candidates: Sequence[NextCandidate]) -> list[list[NextCandidate]]:
    """Group numbered links whose numbers and addresses go up together."""
    runs: list[list[NextCandidate]] = []
    for candidate in candidates:
        if candidate.sign.number is None:
            continue
        if runs and _continues(runs[-1], candidate):
            runs[-1].append(candidate)
        else:
            runs.append([candidate])
    return runs


def _continues(run: Sequence[NextCandidate], candidate: NextCandidate) -> bool:
    last = run[-1]
    if candidate.number <= last.number:
        return False
    step = _step(last, candidate)
    if step is None:
        turn = turn_between(last.address, candidate.address)
        return last.number == 1 and turn is not None and turn.own is None  # the first page often has no counter
    return step > 0 and (_run_step(run) or step) == step


def _step(one: NextCandidate, other: NextCandidate) -> int | None:
    """Return by how much the counters of two links differ a page; 0: not by a whole number, None: not known."""
    turn = turn_between(one.address, other.address)
    if turn is None or turn.other is None or (turn.own is None and turn.kind != "offset"):
        return None
    step, rest = divmod(turn.other - (turn.own or 0), other.number - one.number)
    return 0 if rest else step


def _run_step(run: Sequence[NextCandidate]) -> int | None:
    """Return by how much the counter grows a page; None: the run is too short to tell."""
    return _step(run[-2], run[-1]) if len(run) > 1 else None


def _read_series(run: Sequence[NextCandidate], own: PlainAddress | None) -> _Series | None:
    """Return numbered links as the pages of this list; None where they lead elsewhere or number something else."""
    if all(YEAR.fullmatch(str(link.number)) for link in run):
        return None
    if own is None:
        current = _shown_current(run) if len(run) > 1 and named_counter(run[-1].address) else 0
        return _Series(tuple(run), current, False) if current else None
    turns = [(link, turn) for link in run if (turn := turn_between(own, link.address)) and (turn.exact or turn.other)]
    if len(run) == 1 and not any(turn.leads_on or turn.back.leads_on for _, turn in turns):
        return None
    if not turns and not any(distant_turn(own, link.address) for link in run):
        return None
    current = _current(run, own, turns)
    exact = bool(turns) and all(turn.exact for _, turn in turns)
    return _Series(tuple(run), current, exact) if _are_pages(run, current, turns) else None


def _are_pages(run: Sequence[NextCandidate], current: int, turns: Sequence[tuple[NextCandidate, Turn]]) -> bool:
    """Tell pages from other numbers, such as the sizes of a list (10, 20, 50): they are named, or are neighbours."""
    numbers = {current, *(link.number for link in run)}
    named = all(turn.kind in ("page", "offset") for _, turn in turns)
    return named or any(number + 1 in numbers for number in numbers)


def _current(run: Sequence[NextCandidate], own: PlainAddress, turns: Sequence[tuple[NextCandidate, Turn]]) -> int:
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
        if turn.leads_on or turn.back.leads_on:
            return link.number - 1 if turn.leads_on else link.number + 1
    second = 2 if len(run) == 1 and run[0].number == 1 else 1
    return _shown_current(run) or second


def _shown_current(run: Sequence[NextCandidate]) -> int:
    """Return the number that stands among numbered links without being one, or is marked as the current; else 0."""
    around = _around(run)
    linked = {link.number for link in run}
    for element in around.select(_CURRENT):
        number = read_number(clean_line(element.text)) if len(element.text) < LONGEST_TEXT else None
        if number and (number not in linked or element.attr("aria-current")):
            return number
    shown = (read_number(clean_line(text)) for text in around.stripped_strings)
    return next((n for n in shown if n and n not in linked and not linked.isdisjoint((n - 1, n + 1))), 0)


def _around(run: Sequence[NextCandidate]) -> Element:
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
