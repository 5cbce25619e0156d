"""Real pages in, how often the choice between static and rendered is right out; and a long run of the browser.

python -m bench.rendering pairs [--folds 1 2 3 4] [--pages 120] [--floor 0.95]
python -m bench.rendering browser [--pages 1000] [--at-once 4]

`pairs` makes of every page a second one, as a script would have changed it: either a little (another time, other
advertisements, other teasers), and the page as served is enough; or much (the page as served lacks its text or its
list), and a browser is needed. Text and article links are taken out by the labels of the corpora, not by what the
package thinks they are. Fold 0 is for validation: aggregates only.
"""

import argparse
import asyncio
import os
import random
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import turbohtml
from turbohtml import Element, Text

from bench.labelled import Row, front_rows, kind_of, news_rows, spread, text_is_sure
from bench.samples import STORY_KINDS
from sitewright.errors import PageError
from sitewright.fetch.fingerprint import THRESHOLD, Fingerprint, Level, decide, fingerprint
from sitewright.parse import fold_words, parse
from sitewright.types import Page, Render

FOLDS = (1, 2, 3, 4)
PAGES = 120
"""Of list and item each, evenly over the corpus; some minutes on two cores."""
_DIGITS = re.compile(r"\d")
_LEAST_TEXT = 300
"""Characters of text that an article must have: one line taken away is not what a script would have filled in."""
_LEAST_LINKS = 8
_LEAST_LIST = 0.3
"""Of the text of all links, the share that a group must have to be the list of its page."""
_LEAST_SHOWN = 500
"""Characters of links that a page must have to be a list at all; some were stored as shells."""
_AD = '<div class="{name}"><a href="https://ads.example/{number}">{text}</a><p>{text}</p></div>'
_AD_NAMES = ("ad-slot", "billboard", "x7f3", "sponsored", "teaser-ext")
_AD_TEXT = "Save up to half on everything for your garden this week only"
_CONSENT = '<div id="cmp-box" role="dialog"><h2>Your privacy</h2><p>{0}</p><p>{0}</p><button>Accept all</button></div>'
_CONSENT_TEXT = (
    "We and our 842 partners store and read information on a device, such as cookies, to show you what we do."
)
_COMMENT = (
    '<li class="comment"><b>reader{0}</b><p>I have seen the same thing here, and nobody did anything about it.</p></li>'
)

Change = Callable[[turbohtml.Document, random.Random, Row], bool]
"""Changes a tree; False where there is nothing to change."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of pair: what was done, to the rendered page or to the one as served, and what is right then."""

    name: str
    right: Render
    served: tuple[Change, ...] = ()
    rendered: tuple[Change, ...] = ()
    levels: tuple[Level, ...] = ("index", "list", "item")


@dataclass(frozen=True, slots=True)
class Pair:
    """One comparison."""

    level: Level
    kind: Kind
    static: Fingerprint
    rendered: Fingerprint


# --- what scripts change a little


def nothing(_tree: turbohtml.Document, _dice: random.Random, _row: Row) -> bool:
    """Leave the page as it is."""
    return True


def other_times(tree: turbohtml.Document, dice: random.Random, _row: Row) -> bool:
    """Change the digits of short texts: times, counters, temperatures."""
    for text in _text_nodes(tree):
        if len(text.data) < 40 and _DIGITS.search(text.data):
            text.data = _DIGITS.sub(lambda _: str(dice.randrange(10)), text.data)
    return True


def other_ads(tree: turbohtml.Document, dice: random.Random, _row: Row) -> bool:
    """Put advertisements into the page, some under names that say nothing, and a consent dialog over it."""
    places = [element for element in tree.select("div, section, article, li") if element.parent is not None]
    for number in range(6):
        name = dice.choice(_AD_NAMES)
        html = _AD.format(name=name, number=number, text=_AD_TEXT)
        if places:
            dice.choice(places).insert_adjacent_html("afterend", html)
    _body(tree).insert_adjacent_html("beforeend", _CONSENT.format(_CONSENT_TEXT))
    return True


def other_teasers(tree: turbohtml.Document, dice: random.Random, row: Row) -> bool:
    """Give a third of the longer links that are not in the text another text."""
    links = [link for link in tree.select("a[href]") if len(link.text.strip()) > 20]
    words = fold_words(row["labels"].get("text") or " ".join(link.text for link in links))
    if len(links) < 3 or len(words) < 50:
        return False
    for link in dice.sample(links, max(1, len(links) // 3)):
        _retell(link, words, dice)
    return True


def hydrated(tree: turbohtml.Document, dice: random.Random, _row: Row) -> bool:
    """Add the class names, attributes and wrappers that a framework adds when it takes a page over."""
    body = _body(tree)
    body.add_class("js-ready")
    for element in tree.select("div, section, img, a"):
        if dice.random() < 0.2:
            element.add_class(dice.choice(("is-visible", "lazyloaded", "js-done", "css-1x2y3z")))
        if dice.random() < 0.1:
            element.attrs["data-v"] = str(dice.randrange(10**6))
    body.wrap_children(Element("div", {"id": "__app"}))
    return True


def comments(tree: turbohtml.Document, _dice: random.Random, _row: Row) -> bool:
    """Add what readers said below the page."""
    entries = "".join(_COMMENT.format(number) for number in range(12))
    _body(tree).insert_adjacent_html("beforeend", f'<section class="comments"><ul>{entries}</ul></section>')
    return True


# --- what a page lacks without its scripts


def emptied(tree: turbohtml.Document, _dice: random.Random, _row: Row) -> bool:
    """Leave the shell of a single-page application."""
    _body(tree).set_inner_html('<noscript>Please turn on JavaScript.</noscript><div id="root"></div><script></script>')
    return True


def frame_only(tree: turbohtml.Document, _dice: random.Random, _row: Row) -> bool:
    """Leave header, menus and footer, and a spinner."""
    body = _body(tree)
    kept = [node.serialize() for node in tree.select("body header, body nav, body footer") if not _inside_kept(node)]
    if not kept:
        return False
    body.set_inner_html("".join(kept) + '<main><div class="spinner">Loading …</div></main>')
    return True


def no_text(tree: turbohtml.Document, _dice: random.Random, row: Row) -> bool:
    """Take the labelled text out."""
    return _drop_text(tree, row, keep=0.0, blank=False)


def blank_text(tree: turbohtml.Document, _dice: random.Random, row: Row) -> bool:
    """Leave the elements of the labelled text, empty."""
    return _drop_text(tree, row, keep=0.0, blank=True)


def first_lines(tree: turbohtml.Document, _dice: random.Random, row: Row) -> bool:
    """Leave the first fifth of the labelled text."""
    return _drop_text(tree, row, keep=0.2, blank=False)


def no_items(tree: turbohtml.Document, _dice: random.Random, row: Row) -> bool:
    """Take the items of the list out."""
    return _drop_items(tree, row, keep=0.0, blank=False)


def blank_items(tree: turbohtml.Document, _dice: random.Random, row: Row) -> bool:
    """Leave the elements of the items, empty."""
    return _drop_items(tree, row, keep=0.0, blank=True)


def first_items(tree: turbohtml.Document, _dice: random.Random, row: Row) -> bool:
    """Leave the first fifth of the items, as lists do that grow when one scrolls."""
    return _drop_items(tree, row, keep=0.2, blank=False)


_NOISE: tuple[Change, ...] = (other_times, other_ads, hydrated)
_LISTS: tuple[Level, ...] = ("index", "list")
KINDS = (
    Kind("the same", "static"),
    Kind("another time", "static", rendered=(other_times,)),
    Kind("other ads, consent", "static", rendered=(other_ads,)),
    Kind("ads as served", "static", served=(other_ads,)),
    Kind("other teasers", "static", rendered=(other_teasers,)),
    Kind("taken over", "static", rendered=(hydrated,)),
    Kind("comments added", "static", rendered=(comments,)),
    Kind("all of these", "static", rendered=(other_times, other_ads, other_teasers, hydrated, comments)),
    Kind("emptied", "browser", served=(emptied,), rendered=_NOISE),
    Kind("frame only", "browser", served=(frame_only,), rendered=_NOISE),
    Kind("text removed", "browser", served=(no_text,), rendered=_NOISE, levels=("item",)),
    Kind("text blank", "browser", served=(blank_text,), rendered=_NOISE, levels=("item",)),
    Kind("first fifth of text", "browser", served=(first_lines,), rendered=_NOISE, levels=("item",)),
    Kind("items removed", "browser", served=(no_items,), rendered=_NOISE, levels=_LISTS),
    Kind("items blank", "browser", served=(blank_items,), rendered=_NOISE, levels=_LISTS),
    Kind("first fifth of items", "browser", served=(first_items,), rendered=_NOISE, levels=_LISTS),
)
NEXT_SNAPSHOT = Kind("next snapshot", "static", levels=("index",))
"""The same front page some hours later, as it really was."""


def _body(tree: turbohtml.Document) -> Element:
    body = tree.select_one("body")
    if body is None:
        raise ValueError("a page without body")
    return body


def _text_nodes(tree: turbohtml.Document) -> Iterator[Text]:
    for element in tree.select("body *"):
        if element.tag not in {"script", "style", "template", "noscript"}:
            yield from (child for child in list(element) if isinstance(child, Text))


def _retell(link: Element, words: Sequence[str], dice: random.Random) -> None:
    """Give a link another text of about its length, in the element that holds most of it."""
    texts = [node for node in (link, *link.select("*")) if any(isinstance(child, Text) for child in node)]
    holder = max(
        texts, key=lambda node: sum(len(child.data) for child in node if isinstance(child, Text)), default=link
    )
    start = dice.randrange(len(words))
    count = max(3, len(link.text.split()))
    for child in [child for child in holder if isinstance(child, Text)]:
        child.extract()
    holder.append(Text(" ".join((words * 2)[start : start + count])))


def _inside_kept(node: Element) -> bool:
    return any(isinstance(above, Element) and above.tag in {"header", "nav", "footer"} for above in node.ancestors)


def _drop_text(tree: turbohtml.Document, row: Row, *, keep: float, blank: bool) -> bool:
    """Take out the text nodes that are part of the label, with their blocks."""
    label = " ".join(fold_words(row["labels"]["text"]))
    found = []
    for text in _text_nodes(tree):
        words = " ".join(fold_words(text.data))
        if len(words) > 15 and words in label:
            found.append(text)
    total, passed = sum(len(text.data) for text in found), 0
    if total < _LEAST_TEXT:
        return False
    for text in found:
        passed += len(text.data)
        if passed > keep * total:
            _drop(text.parent if isinstance(text.parent, Element) else None, text, blank=blank)
    return True


def _drop(parent: Element | None, text: Text, *, blank: bool) -> None:
    if parent is None:
        return
    if blank or parent.tag in {"body", "html", "article", "main", "div", "section", "td"}:
        text.extract()
    elif parent.parent is not None:
        parent.extract()


def _drop_items(tree: turbohtml.Document, row: Row, *, keep: float, blank: bool) -> bool:
    """Take out the links to articles, each with the item it stands in."""
    items = _items(_item_links(tree, row))
    everything = sum(len(link.text.strip()) for link in tree.select("a[href]") if not _inside_kept(link))
    in_items = sum(len(link.text.strip()) for item in items for link in _links_in(item))
    if len(items) < _LEAST_LINKS or in_items < _LEAST_LIST * everything:
        return False
    for item in items[round(keep * len(items)) :]:
        for link in _links_in(item) if blank else ():
            link.set_inner_html("")
        if not blank and item.parent is not None:
            item.extract()
    return True


def _items(links: Sequence[Element]) -> list[Element]:
    """Return of each link the largest element around it that holds none of the others that lead elsewhere."""
    within: dict[Element, set[str]] = defaultdict(set)
    for link in links:
        for above in link.ancestors:
            if isinstance(above, Element):
                within[above].add(str(link.attrs.get("href")))
    items: dict[Element, None] = {}
    for link in links:
        item = link
        while isinstance(item.parent, Element) and len(within[item.parent]) == 1 and item.parent.tag != "body":
            item = item.parent
        items[item] = None
    return list(items)


def _links_in(item: Element) -> list[Element]:
    return [item] if item.tag == "a" else item.select("a[href]")


def _item_links(tree: turbohtml.Document, row: Row) -> list[Element]:
    """Return the labelled article links of a front page; of other lists the links of the group with most text."""
    links = tree.select("a[href]")
    if "links" in row and len(links) == len(row["links"]):
        return [link for link, label in zip(links, row["links"], strict=True) if label["article"] and link.text.strip()]
    groups: dict[tuple[str, str], list[Element]] = defaultdict(list)
    for link in links:
        above = link.parent if isinstance(link.parent, Element) else link
        if link.text.strip() and not _inside_kept(link):
            groups[str(above.attrs.get("class")), str(link.attrs.get("class"))].append(link)
    return max(groups.values(), key=lambda group: sum(len(link.text.strip()) for link in group), default=[])


def make_pairs(level: Level, row: Row, following: Row | None) -> Iterator[Pair]:
    """Yield all pairs of a page, the changes drawn by a seed of its own."""
    plain = _fingerprint(level, row["html"])
    for kind in KINDS:
        if level not in kind.levels:
            continue
        dice = random.Random(f"{row['url']} {kind.name}")  # noqa: S311 -- a seed, no secret
        served = _changed(row, kind.served, dice)
        rendered = _changed(row, kind.rendered, dice)
        if served is not None and rendered is not None:
            static = _fingerprint(level, served) if kind.served else plain
            yield Pair(level, kind, static, _fingerprint(level, rendered) if kind.rendered else plain)
    if following is not None:
        yield Pair(level, NEXT_SNAPSHOT, plain, _fingerprint(level, following["html"]))


def _changed(row: Row, changes: Sequence[Change], dice: random.Random) -> str | None:
    """Return the page after all changes; None where one of them had nothing to change."""
    tree = turbohtml.parse(row["html"])
    if not all(change(tree, dice, row) for change in changes):
        return None
    html: str = tree.serialize()
    return html


def _fingerprint(level: Level, html: str) -> Fingerprint:
    return fingerprint(parse(Page(url="https://site.example/", body=html)), level)


def load(folds: Sequence[int], most: int) -> Iterator[tuple[Level, Row, Row | None]]:
    """Yield the pages to make pairs of, with the next snapshot where there is one."""
    fronts = [{**row, "labels": {}} for row in front_rows(folds)]
    for row, later in zip(fronts, [*fronts[1:], None], strict=True):
        same = later is not None and later["site"] == row["site"] and later["time"][:10] == row["time"][:10]
        yield "index", row, later if same else None
    rows = news_rows(folds)
    lists = [row for row in rows if kind_of(row) == "list" and _shows_links(row)]
    items = [row for row in rows if kind_of(row) == "article" and text_is_sure(row)]
    yield from (("list", row, None) for row in spread(lists, most))
    yield from (("item", row, None) for row in spread(items, most))


def _shows_links(row: Row) -> bool:
    tree = turbohtml.parse(row["html"])
    return sum(len(link.text.strip()) for link in tree.select("a[href]") if not _inside_kept(link)) >= _LEAST_SHOWN


def _measure(arguments: tuple[Level, Row, Row | None]) -> list[tuple[str, str, str, float, dict[float, bool]]]:
    found: list[tuple[str, str, str, float, dict[float, bool]]] = []
    try:
        made = list(make_pairs(*arguments))
    except PageError:  # not to be parsed at all
        return found
    for pair in made:
        chosen = decide(pair.static, pair.rendered)
        at = {
            step / 20: decide(pair.static, pair.rendered, step / 20).choice == pair.kind.right for step in range(8, 20)
        }
        at[THRESHOLD] = chosen.choice == pair.kind.right
        found.append((pair.level, pair.kind.name, pair.kind.right, chosen.similarity, at))
    return found


def pairs(folds: Sequence[int], most: int) -> float:
    """Print the table; return the share that is right."""
    from multiprocessing import Pool

    with Pool(2) as pool:
        found = [entry for some in pool.imap(_measure, load(folds, most), chunksize=8) for entry in some]
    counts: Counter[tuple[str, str, str]] = Counter()
    rights: Counter[tuple[str, str, str]] = Counter()
    for level, name, right, _, at in found:
        counts[right, name, level] += 1
        rights[right, name, level] += at[THRESHOLD]
    print(f"folds {', '.join(map(str, folds))}: share of pairs decided rightly (pairs), at {THRESHOLD}\n")
    print("| right choice | change | index | list | item |\n|---|---|---|---|---|")
    for right, name in dict.fromkeys((right, name) for _, name, right, _, _ in found):
        cells = [_cell(rights[right, name, level], counts[right, name, level]) for level in ("index", "list", "item")]
        print(f"| {right} | {name} | {' | '.join(cells)} |")
    for right in ("static", "browser"):
        cells = [_total(rights, counts, right, level) for level in ("index", "list", "item")]
        print(f"| **{right}** | all | {' | '.join(cells)} |")
    total = sum(rights.values()) / sum(counts.values())
    print(f"\nall pairs: {total:.2%} of {sum(counts.values()):,}")
    for threshold in sorted(found[0][4]):
        print(f"  at {threshold:.2f}: {sum(entry[4][threshold] for entry in found) / len(found):.2%}")
    return total


def _cell(right: int, count: int) -> str:
    return f"{100 * right / count:.1f} ({count})" if count else "–"


def _total(rights: Counter[tuple[str, str, str]], counts: Counter[tuple[str, str, str]], right: str, level: str) -> str:
    keys = [key for key in counts if key[0] == right and key[2] == level]
    return _cell(sum(rights[key] for key in keys), sum(counts[key] for key in keys))


# --- a long run of the browser


def browser(count: int, at_once: int) -> bool:
    """Render so many pages of a generated newspaper; tell whether all came and no process is left."""
    from sitewright.demo import generate_site, serve

    with serve(lambda base_url: generate_site(1, stories=40, base_url=base_url)) as base_url:
        pages = generate_site(1, stories=40, base_url=base_url).pages.values()
        paths = [page.path for page in pages if page.kind in STORY_KINDS]
        return asyncio.run(_browse([f"{base_url}{path}" for path in paths], count, at_once))


async def _browse(urls: Sequence[str], count: int, at_once: int) -> bool:
    from sitewright.fetch.browser import BrowserFetcher, BrowserOptions
    from sitewright.fetch.process_tree import alive, megabytes_of, tree_of
    from sitewright.types import FetchSettings

    own = os.getpid()
    seen, failed, peaks, begin = set(tree_of(own)), 0, [0.0] * 10, time.monotonic()
    before = set(seen)
    options = BrowserOptions(pages_at_once=at_once, quiet_seconds=0.1)
    async with BrowserFetcher(FetchSettings(allow_hosts=("127.0.0.1",)), options=options) as fetcher:
        for start in range(0, count, at_once):
            numbers = range(start, min(start + at_once, count))
            some = (fetcher.fetch(f"{urls[number % len(urls)]}?{number}") for number in numbers)
            failed += sum(not isinstance(one, Page) for one in await asyncio.gather(*some, return_exceptions=True))
            tree = tree_of(own)
            seen.update(tree)
            tenth = start * 10 // count
            peaks[tenth] = max(peaks[tenth], megabytes_of(tree))
    left = alive(seen - before)
    seconds = time.monotonic() - begin
    print(f"{count:,} pages in {seconds:.0f} s ({count / seconds:.1f} a second), {failed} failed")
    print(f"processes: {len(seen - before):,} started, {len(left)} left behind")
    print(f"megabytes (PSS, all processes), peak of each tenth: {' '.join(f'{peak:.0f}' for peak in peaks)}")
    return not failed and not left


def main() -> int:
    """Measure what was asked for; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.rendering", description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    choices = commands.add_parser("pairs")
    choices.add_argument("--folds", type=int, nargs="+", default=list(FOLDS))
    choices.add_argument("--pages", type=int, default=PAGES)
    choices.add_argument("--floor", type=float, default=0.95)
    run = commands.add_parser("browser")
    run.add_argument("--pages", type=int, default=1000)
    run.add_argument("--at-once", type=int, default=4)
    options = parser.parse_args()
    if options.command == "browser":
        return 0 if browser(options.pages, options.at_once) else 1
    return 0 if pairs(options.folds, options.pages) >= options.floor else 1


if __name__ == "__main__":
    sys.exit(main())
