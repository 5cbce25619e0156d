"""A Document and the plain text of its record in, the same text as a clean tree out.

Clean: headings, paragraphs, lists, tables, quotes, code, pictures and links, and nothing else; addresses are those of
the web and absolute. Every line of the text is there, in its order. What the page displays it as comes from the page.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from turbohtml import Element, Text

from sitewright.body.align import Placed, align
from sitewright.body.inline import add_inline, loose_text
from sitewright.body.pictures import ASIDE, Pictures, PlacedPictures, place_pictures
from sitewright.body.runs import Run, read_runs
from sitewright.body.tables import data_tables
from sitewright.parse import Document, clean_line
from sitewright.types import Photo

_ENOUGH = 0.5
"""Where less of a text than this is found among what a page displays, it is looked for in what it hides, too."""
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LONGEST_HEADING, _MOST_HEADINGS = 200, 0.6
"""Some pages write paragraphs as headings: longer ones, and those that most runs of a text are, are none."""
_LISTS = frozenset({"ul", "ol", "menu"})
_CELLS = frozenset({"td", "th"})


@dataclass(frozen=True, slots=True)
class Body:
    """The text of a record with its structure, and what its page calls the site."""

    tree: Element
    """A `<div>` with blocks."""
    site_name: str = ""


@dataclass(slots=True)
class _Event:
    """What is written next: lines of a run, a text by itself (in the place of a run, where it has one), a picture."""

    number: int
    """The number of the run; of a text without one, that of its neighbour before."""
    lines: Sequence[int] = ()
    text: str = ""
    photo: Photo | None = None
    nowhere: bool = False
    """Whether no run displays it."""


def plain_body(text: str, pictures: Sequence[Photo] = ()) -> Element:
    """Return a text of which only its lines are known: each is a paragraph."""
    root = Element("div")
    for line in text.split("\n"):
        if cleaned := clean_line(line):
            paragraph = Element("p")
            paragraph.append(Text(cleaned))
            root.append(paragraph)
    for photo in pictures:
        root.append(_figure(photo, ""))
    return root


def body_of(document: Document, text: str, pictures: Pictures | None = None) -> Element:
    """Return a text as its page displays it, with these pictures (None: the figures that stand within it)."""
    lines = [line for line in map(clean_line, text.split("\n")) if line]
    runs = read_runs(document)
    placed = align(runs, lines)
    if _found(placed) < _ENOUGH:
        all_runs = read_runs(document, hidden_too=True)
        others = align(all_runs, lines)
        if _found(others) > _found(placed):
            runs, placed = all_runs, others
    events = _text_events(placed)
    own = {event.number for event in events if not event.nowhere}
    events += [_whole(number, runs) for number in sorted(_added(runs, own))]
    placed_pictures = place_pictures(runs, own, pictures, document.base_url)
    events = [event for event in events if not _is_caption(runs, event, placed_pictures.shown)]
    events += [_Event(number, photo=photo) for number, photo in placed_pictures.shown.items()]
    events.sort(key=lambda event: event.number)  # stable: a text without a run stays behind its neighbour
    builder = _Builder(document.base_url, runs, events)
    return builder.built(events, placed_pictures)


def _found(placed: Sequence[Placed]) -> float:
    """Return the share of a text that was found on its page."""
    return sum(len(entry.text) for entry in placed if entry.parts) / max(1, sum(len(entry.text) for entry in placed))


def _text_events(placed: Sequence[Placed]) -> list[_Event]:
    events: list[_Event] = []
    number = -1
    for entry in placed:
        if not entry.parts:
            events.append(_Event(number, text=entry.text, nowhere=True))
            continue
        number = entry.parts[0][0]
        if not entry.whole:
            events.append(_Event(number, text=entry.text))
            continue
        for run in dict.fromkeys(run for run, _ in entry.parts):
            events.append(_Event(run, lines=[line for other, line in entry.parts if other == run]))
            number = run
    return _joined(events)


def _joined(events: Sequence[_Event]) -> list[_Event]:
    """Make one event of lines of one run that follow each other."""
    joined: list[_Event] = []
    for event in events:
        last = joined[-1] if joined else None
        if last is not None and last.lines and event.lines and last.number == event.number:
            last.lines = [*last.lines, *event.lines]
        else:
            joined.append(event)
    return joined


def _whole(number: int, runs: Sequence[Run]) -> _Event:
    return _Event(number, lines=range(len(runs[number].lines)))


def _added(runs: Sequence[Run], own: set[int]) -> set[int]:
    """Return runs that belong to the text although it lacks them: sub-headings, and what is left of tables."""
    added = {number for table in data_tables(runs, own) for number in table if number not in own}
    return added | (_subheadings(runs, own | added) - own)


def _subheadings(runs: Sequence[Run], own: set[int]) -> set[int]:
    """Return the headings within a text right above one of its runs and beside it: boxes have theirs, too."""
    if not own:
        return set()
    texts = [number for number, run in enumerate(runs) if run.lines]
    first = min(own)
    return {
        number
        for number, below in pairwise(texts)
        if number > first and below in own and _heads(runs[number], runs[below])
    }


def _heads(run: Run, below: Run) -> bool:
    """Tell whether a run is the heading of the next one: a sibling of what holds it."""
    around = run.chain[:-1]
    return run.element.tag in _HEADINGS and not _is_aside(run) and below.chain[: len(around)] == around


def _is_aside(run: Run) -> bool:
    return any(element.tag in ASIDE for element in run.chain) or all(
        any(outer.tag == "a" for outer in piece.chain) for line in run.lines for piece in line if piece.text.strip()
    )


def _is_caption(runs: Sequence[Run], event: _Event, shown: Mapping[int, Photo]) -> bool:
    """Tell whether a run is what stands under a picture, which is written with it."""
    if event.nowhere:
        return any(event.text == photo.caption for photo in shown.values())
    figures = [element for element in runs[event.number].chain if element.tag == "figure"]
    return bool(figures) and any(figures[-1] in runs[number].chain for number in shown)


class _Builder:
    """Writes runs below each other, each in the lists, quotes and cells that are around it on the page."""

    def __init__(self, base_url: str, runs: Sequence[Run], events: Sequence[_Event]) -> None:
        self._base_url = base_url
        self._runs = runs
        written = {event.number for event in events if not event.nowhere}
        tables = data_tables(runs, written)
        self._tables = {_innermost(runs[number], "table") for table in tables for number in table}
        self._headings = _heading_tags([runs[number] for number in written])
        self._lists_of_all = {
            element
            for number in written
            if runs[number].element.tag in self._headings
            for element in runs[number].chain
            if element.tag in _LISTS
        }
        """Lists that hold whole sections: they are how the page is built."""
        self._root = Element("div")
        self._open: list[tuple[Element, Element]] = []
        self._cells: dict[Element, Element] = {}

    def built(self, events: Sequence[_Event], pictures: PlacedPictures) -> Element:
        """Write all; of pictures that the page does not display, one stands above all where no other does."""
        above = 0 if pictures.shown else 1
        self._figures(pictures.stated[:above])
        for event in events:
            self._add(event)
        self._figures(pictures.stated[above:])
        for table in self._root.select("table"):
            _even(table)
        return self._root

    def _figures(self, photos: Sequence[Photo]) -> None:
        for photo in photos:
            self._root.append(_figure(photo, ""))

    def _add(self, event: _Event) -> None:
        if event.photo is not None:
            run = self._runs[event.number]
            alt = clean_line((run.picture.attr("alt") if run.picture is not None else "") or "")
            self._holder(run.chain).append(_figure(event.photo, alt))
        elif event.nowhere:
            self._open.clear()
            self._root.append(_paragraph(event.text))
        else:
            self._add_run(self._runs[event.number], event)

    def _add_run(self, run: Run, event: _Event) -> None:
        holder = self._holder(run.chain)
        if holder.tag == "code":
            if not holder.text:
                holder.append(Text(self._open[-1][0].text.strip("\n")))
            return
        leaf = self._leaf(run, holder)
        if event.text:
            leaf.append(Text(event.text))
        else:
            bare = leaf.tag in _HEADINGS
            add_inline(leaf, [run.lines[line] for line in event.lines], self._base_url, bare=bare)

    def _leaf(self, run: Run, holder: Element) -> Element:
        """Return the element that takes the text of a run."""
        tag = run.element.tag
        if tag in self._headings and holder.tag not in _CELLS and _length(run) <= _LONGEST_HEADING:
            return _below(holder, f"h{max(2, int(tag[1]))}")
        if holder.tag in _CELLS:
            if holder.text:
                holder.append(Element("br"))
            return holder
        if holder.tag == "li" and next(iter(holder), None) is None:
            return holder
        paragraph = _below(holder, "p")
        return _below(paragraph, "strong") if tag == "dt" else paragraph

    def _holder(self, chain: Sequence[Element]) -> Element:
        """Return what holds a run: the innermost list item, quote, cell or code block, opened where it is new."""
        wanted = self._kept(chain)
        same = 0
        while same < min(len(wanted), len(self._open)) and self._open[same][0] == wanted[same]:
            same += 1
        del self._open[same:]
        for source in wanted[same:]:
            parent = self._open[-1][1] if self._open else self._root
            self._open.append((source, self._begun(source, parent)))
        return self._open[-1][1] if self._open else self._root

    def _kept(self, chain: Sequence[Element]) -> list[Element]:
        """Return the elements around a run that say what it is."""
        kept: list[Element] = []
        for place, element in enumerate(chain):
            tag, outer = element.tag, kept[-1].tag if kept else ""
            holds_item = tag in _LISTS and any(below.tag == "li" for below in chain[place + 1 : place + 2])
            if (
                (holds_item and element not in self._lists_of_all)
                or (tag == "li" and outer in _LISTS)
                or (tag == "blockquote" and outer not in _CELLS)
                or (tag == "pre" and outer not in _CELLS)
                or (tag == "table" and element in self._tables)
                or (tag == "tr" and outer == "table")
                or (tag in _CELLS and outer == "tr")
            ):
                kept.append(element)
        return kept

    def _begun(self, source: Element, parent: Element) -> Element:
        tag = source.tag
        if tag in _CELLS and source in self._cells:
            return self._cells[source]
        if tag == "pre":
            return _below(_below(parent, "pre"), "code")
        begun = _below(parent, "ul" if tag == "menu" else tag)
        if tag == "tr":
            cells = [cell for cell in source if isinstance(cell, Element) and cell.tag in _CELLS]
            self._cells.update({cell: _below(begun, cell.tag) for cell in cells})
        return begun


def _heading_tags(runs: Sequence[Run]) -> frozenset[str]:
    """Return the tags that make headings in a text."""
    tags = Counter(run.element.tag for run in runs)
    return frozenset(tag for tag in _HEADINGS if tags[tag] <= _MOST_HEADINGS * max(2, tags.total()))


def _length(run: Run) -> int:
    return sum(len(piece.text) for line in run.lines for piece in line)


def _innermost(run: Run, tag: str) -> Element | None:
    return next((element for element in reversed(run.chain) if element.tag == tag), None)


def _below(parent: Element, tag: str) -> Element:
    child = Element(tag)
    parent.append(child)
    return child


def _paragraph(text: str) -> Element:
    paragraph = Element("p")
    paragraph.append(Text(loose_text(text)))
    return paragraph


def _figure(photo: Photo, alt: str) -> Element:
    figure = Element("figure")
    figure.append(Element("img", {"src": photo.url, "alt": alt or photo.caption}))
    credit = f"({photo.credit})" if photo.caption and photo.credit else photo.credit
    if caption := " ".join(filter(None, [photo.caption, credit])):
        _below(figure, "figcaption").append(Text(caption))
    return figure


def _even(table: Element) -> None:
    """Give all rows of a table the same number of cells."""
    rows = table.select("tr")
    width = max((len(row.select("td, th")) for row in rows), default=0)
    for row in rows:
        for _ in range(width - len(row.select("td, th"))):
            _below(row, "td")
