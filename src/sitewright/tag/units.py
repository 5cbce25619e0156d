"""Document in, its text-bearing units out, in document order: what the page states about itself, then what it displays.

A unit is a run of text between two block boundaries (a paragraph, a heading, an entry of a list), a part of such a run
(a link, a `<time>`, the text beside them), or a value that the page's metadata states. Taggers score units; a unit
knows the element that holds it, so that rules can be learned from scored units.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from turbohtml import Element, Text

from sitewright.domains import DEFAULT_DOMAIN, Domain, domain_of
from sitewright.domains.labels import Labels
from sitewright.parse import TITLE_SEPARATOR, Document, clean_line
from sitewright.tag.stated import stated_values

MOST_UNITS = 20_000
"""What a page beyond all measure may cost; the longest page of the training folds has 9,000."""
_BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure "
    "footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup p pre section "
    "summary table tbody td tfoot th thead tr ul".split()
)
_UNSEEN = frozenset(
    "script style template noscript head svg iframe object canvas audio video select button textarea math input".split()
)
PRESSED = "button"
_PRESSED_INPUTS = frozenset({"submit", "button", "image"})
_LONGEST_PRESSED = 60
"""What people press says what it does in so many characters; longer ones hold whole lists."""
_HIDING = re.compile(r"display:\s*none|visibility:\s*hidden", re.IGNORECASE)
_STREAMED = re.compile(r"S:[0-9a-f]+")
"""React sends parts of a page hidden under such ids, for a script to put in their places at once."""
_NEXT_TO_NOTHING = 600
"""A page that displays less without its scripts is read with all that it hides."""
_WHOLE_STORY = 1000
"""A `<noscript>` with so many characters is no notice but a copy of what a script would fetch."""
_LONG_RUN = 250
"""A longer run whose text is mostly outside of links is a paragraph: its links are no candidates for anything."""
_MOST_PARTS = 80
_BETWEEN_ENTRIES = re.compile(
    r"\s*[,;|｜،、，；•·]\s*|\s*[>›»]+\s*|\s+[/-]\s+|\s+(?=#\w)|\s+(?=[^\s:：]{2,10}[:：](?!\d))"
)
_SENTENCE_ENDS = (".", "!", "?", "。", "！", "？", "…", "”", "।")
_LONGEST_ENUMERATION, _LONGEST_ENTRY, _MOST_ENTRIES = 300, 60, 30
_MOST_CUTS = 4
_LONGEST_LABELLED = 120
_ASIDES = re.compile(
    r"^.{0,30}?([（(【\[〔][^（）()【】\[\]]{2,40}[）)】\]〕])|([（(【\[〔][^（）()【】\[\]]{2,120}[）)】\]〕])\W{0,2}$"
    r"|^([^\s\d]{2,12}\d{1,2}(?:月\d{1,2})?日[电電讯訊])|(?:^|[\s/=])([가-힣ㆍ·]{2,20}\s?(?:기자|특파원))(?=\s*(?:[=\])]|\S*@|$))"
)
"""What stands in brackets where a paragraph begins or ends, and what is signed there: the byline of many papers is
there ("（记者 王小明）", "/문호남 기자 munonam@")."""
_AS_BYLINE = 60
"""A run of this length that is no paragraph may have its byline elsewhere."""
_TITLED = re.compile("title|headline")
"""Sources with such names state what the page is called, in whatever vocabulary."""


Attributes = Mapping[str, str | list[str] | None]


class UnitKind(IntEnum):
    """Where a unit's text comes from."""

    RUN = 0
    PART = 1
    """An inline element within a run."""
    PIECE = 2
    """Text within a run (or a stated title) that no element of its own holds."""
    STATED = 3


@dataclass(slots=True)
class UnitPlace:
    """A block element on the way from the root to a unit."""

    element: Element
    tag: str
    attrs: Attributes
    above: "UnitPlace | None"
    depth: int


@dataclass(slots=True)
class Unit:
    """One candidate."""

    text: str
    kind: UnitKind
    run: int
    """The index of the run (or the stated value) that it is a part of; its own where it is a whole."""
    element: Element | None = None
    """The lowest element that holds all of it; for a piece, the element around."""
    place: UnitPlace | None = None
    """The block it stands in; None for what metadata states."""
    chain: tuple[Element, ...] = ()
    """The inline elements around all of it, outermost first."""
    linked: int = 0
    """How many of its characters are in links."""
    source: str = ""
    """Where metadata states it (`jsonld:headline`)."""


@dataclass(slots=True)
class _Piece:
    text: str
    chain: tuple[Element, ...]


@dataclass(slots=True)
class _Walk:
    """The state of a walk through the page: units found so far, and the run that is being read."""

    units: list[Unit]
    hidden_too: bool = False
    pressed_too: bool = False
    pieces: list[_Piece] = field(default_factory=list)
    after_break: bool = False

    def down(self, place: UnitPlace, element: Element, chain: tuple[Element, ...]) -> None:
        """Walk what is inside of an element; one call a level, since pages may be as deep as calls may be."""
        for child in element:
            if isinstance(child, Text):
                if text := child.data:
                    self.pieces.append(_Piece(text, chain))
                    self.after_break = self.after_break and text.isspace()
            elif isinstance(child, Element) and self._enters(place, child, chain):
                if child.tag in _BLOCKS or child.tag == PRESSED:
                    below = UnitPlace(child, child.tag, child.attrs, place, place.depth + 1)
                    self.down(below, child, ())
                    self.flush(below)
                else:
                    self.down(place, child, (*chain, child))

    def _enters(self, place: UnitPlace, child: Element, chain: tuple[Element, ...]) -> bool:
        """Do what an element calls for where it begins; tell whether to walk what is inside."""
        tag, attrs = child.tag, child.attrs
        if tag == "br":
            if self.after_break:
                self.flush(place)
            self.pieces.append(_Piece(" ", chain))
            self.after_break = True
            return False
        if tag == "input" and self.pressed_too and (text := _pressed_text(attrs)):
            self._press(place, child, text)
        if self._is_unseen(child, tag, attrs) or len(self.units) >= MOST_UNITS:
            return False
        if tag in _BLOCKS or tag == PRESSED:
            self.flush(place)
        elif tag == "time" and not child.text.strip() and isinstance(stated := attrs.get("datetime"), str):
            self.units.append(Unit(stated, UnitKind.PART, len(self.units), child, place, (*chain, child)))
        return True

    def _press(self, place: UnitPlace, element: Element, text: str) -> None:
        """Add what an `<input>` says that people press, as the button that it is."""
        self.flush(place)
        below = UnitPlace(element, PRESSED, element.attrs, place, place.depth + 1)
        self.units.append(Unit(text, UnitKind.RUN, len(self.units), element, below))

    def _is_unseen(self, element: Element, tag: str, attrs: Attributes) -> bool:
        if tag == "noscript":
            return not self.hidden_too and len(element.text) < _WHOLE_STORY
        if tag == PRESSED and self.pressed_too and len(element.text.strip()) <= _LONGEST_PRESSED:
            return not self.hidden_too and _is_hidden(attrs)
        return tag in _UNSEEN or (not self.hidden_too and _is_hidden(attrs))

    def flush(self, place: UnitPlace) -> None:
        """End the run."""
        if not self.pieces:
            return
        pieces = [piece for piece in self.pieces if not piece.text.isspace()]
        all_pieces, self.pieces, self.after_break = self.pieces, [], False
        if not pieces or len(self.units) >= MOST_UNITS:
            return
        text = clean_line("".join(piece.text for piece in all_pieces))
        if not text:
            return
        number = len(self.units)
        chain = _shared(pieces)
        run = Unit(text, UnitKind.RUN, number, chain[-1] if chain else place.element, place, chain, _linked(pieces))
        self.units.append(run)
        if len(pieces) > 1 and (len(text) <= _LONG_RUN or run.linked * 2 > len(text)):
            self._parts(run, all_pieces, len(chain), number + _MOST_PARTS)
        else:
            self._entries(run)
        if len(text) >= _AS_BYLINE:
            self._asides(run)

    def _parts(self, whole: Unit, pieces: Sequence[_Piece], depth: int, limit: int) -> None:
        """Add the parts of a run: each inline element, and the text between them."""
        for part in _groups(pieces, depth):
            if len(self.units) > limit:
                return
            solid = [piece for piece in part if not piece.text.isspace()]
            text = clean_line("".join(piece.text for piece in part)) if solid else ""
            if not text or text == whole.text:
                continue
            chain = _shared(solid)
            kind = UnitKind.PART if len(chain) > depth else UnitKind.PIECE
            if kind is UnitKind.PIECE and not any(map(str.isalnum, text)):
                continue  # what parts the others
            element = chain[-1] if chain else whole.element
            self.units.append(Unit(text, kind, whole.run, element, whole.place, chain, _linked(solid)))
            if kind is UnitKind.PART and len(solid) > 1:
                self._parts(self.units[-1], part, len(chain), limit)
            else:
                self._entries(self.units[-1])

    def _asides(self, whole: Unit) -> None:
        """Add what stands in brackets at the beginning and the end of a paragraph."""
        for found in _ASIDES.finditer(whole.text):
            text = next(filter(None, found.groups()))
            self.units.append(Unit(text, UnitKind.PIECE, whole.run, whole.element, whole.place, whole.chain))

    def _entries(self, whole: Unit) -> None:
        """Add the entries of an enumeration that is written as plain text ("Home > Sport > Football")."""
        text = whole.text
        if len(text) > _LONGEST_ENUMERATION or text.endswith(_SENTENCE_ENDS):
            return
        entries = [entry for entry in _BETWEEN_ENTRIES.split(text) if any(map(str.isalnum, entry))]
        if 2 <= len(entries) <= _MOST_ENTRIES and max(map(len, entries)) <= _LONGEST_ENTRY:
            share = whole.linked / len(text)
            for entry in entries:
                piece = Unit(
                    entry, UnitKind.PIECE, whole.run, whole.element, whole.place, whole.chain, int(share * len(entry))
                )
                self.units.append(piece)


def read_units(document: Document, domain: Domain | str = DEFAULT_DOMAIN) -> list[Unit]:
    """Return the units of a page.

    >>> from sitewright import Page
    >>> from sitewright.parse import parse
    >>> page = Page(url="", body="<title>Bees</title><h1>Bees</h1><p>By <a href=/ann>Ann Lee</a>")
    >>> [(unit.kind.name, unit.text) for unit in read_units(parse(page))]
    [('STATED', 'Bees'), ('RUN', 'Bees'), ('RUN', 'By Ann Lee'), ('PIECE', 'By'), ('PART', 'Ann Lee')]
    """
    known = domain_of(domain)
    headings = known.spec_of(known.heading).sources
    stated: list[Unit] = []
    for source, text in stated_values(document, known):
        whole = Unit(text, UnitKind.STATED, len(stated), source=source)
        stated.append(whole)
        if source in headings or _TITLED.search(source):
            stated.extend(_cuts(whole))
    pressed_too = bool(known.actions)
    units = _displayed(document, stated, hidden_too=False, pressed_too=pressed_too)
    if sum(len(unit.text) for unit in units[len(stated) :] if unit.kind is UnitKind.RUN) < _NEXT_TO_NOTHING:
        units = _displayed(document, stated, hidden_too=True, pressed_too=pressed_too)
    units = _with_cut_headings(units)
    labels = known.labels
    return [*units, *_labelled(units, labels)] if labels else units


def _labelled(units: Sequence[Unit], labels: Labels) -> Iterator[Unit]:
    """Yield what follows labels within lines, as units of their own ("AB-12" of "SKU: AB-12")."""
    for unit in units:
        if unit.place is not None and unit.kind is not UnitKind.PIECE and len(unit.text) <= _LONGEST_LABELLED:
            rest, fields = labels.cut(unit.text)
            if rest and fields:
                yield Unit(rest, UnitKind.PIECE, unit.run, unit.element, unit.place, unit.chain)


def _displayed(document: Document, stated: Sequence[Unit], *, hidden_too: bool, pressed_too: bool) -> list[Unit]:
    """Return what is stated and, behind it, what is displayed (or only scripts would display)."""
    walk = _Walk(list(stated), hidden_too, pressed_too)
    root = document.tree.root
    if root is not None:
        place = UnitPlace(root, root.tag, root.attrs, None, 0)
        walk.down(place, root, ())
        walk.flush(place)
    return walk.units


def _with_cut_headings(units: list[Unit]) -> list[Unit]:
    """Add the cuts of the first main headings behind all others, so that no index changes."""
    headings = [
        unit for unit in units if unit.kind is UnitKind.RUN and unit.place is not None and unit.place.tag == "h1"
    ]
    return units + [cut for heading in headings[:3] for cut in _cuts(heading)]


def _cuts(whole: Unit) -> Iterator[Unit]:
    """Yield a title without its last and first segments ("Bees | The Lantern")."""
    if len(whole.text) > _LONGEST_ENUMERATION:
        return
    found = list(TITLE_SEPARATOR.finditer(whole.text))
    texts = [whole.text[: cut.start()].strip() for cut in reversed(found)]
    texts += [whole.text[cut.end() :].strip() for cut in found[:1]]
    for text in list(dict.fromkeys(filter(None, texts)))[:_MOST_CUTS]:
        yield Unit(text, UnitKind.PIECE, whole.run, whole.element, whole.place, whole.chain, source=whole.source)


def _pressed_text(attrs: Attributes) -> str:
    """Return what an `<input>` that people press says; empty where it is for writing, or hidden."""
    if attrs.get("type") not in _PRESSED_INPUTS or _is_hidden(attrs):
        return ""
    texts = (attrs.get(name) for name in ("value", "alt"))
    return next((text for text in map(_line, texts) if 0 < len(text) <= _LONGEST_PRESSED), "")


def _line(value: str | list[str] | None) -> str:
    return clean_line(value) if isinstance(value, str) else ""


def _is_hidden(attrs: Attributes) -> bool:
    if not attrs:
        return False
    style = attrs.get("style")
    if "hidden" in attrs and not _STREAMED.fullmatch(str(attrs.get("id") or "")):
        return True
    return isinstance(style, str) and _HIDING.search(style) is not None


def _shared(pieces: Sequence[_Piece]) -> tuple[Element, ...]:
    """Return the inline elements that are around all of the pieces."""
    chain = pieces[0].chain
    for piece in pieces[1:]:
        other = piece.chain
        if other is not chain:
            length = next((n for n, (a, b) in enumerate(zip(chain, other, strict=False)) if a is not b), None)
            chain = chain[: min(len(chain), len(other)) if length is None else length]
            if not chain:
                break
    return chain


def _groups(pieces: Sequence[_Piece], depth: int) -> Iterator[list[_Piece]]:
    """Yield the pieces of one inline element (at a depth of the chain) together, those of none together."""
    group: list[_Piece] = []
    holder: Element | None = None
    for piece in pieces:
        element = piece.chain[depth] if len(piece.chain) > depth else None
        if group and element is not holder:
            yield group
            group = []
        holder = element
        group.append(piece)
    if group:
        yield group


def _linked(pieces: Sequence[_Piece]) -> int:
    return sum(
        len(piece.text.strip())
        for piece in pieces
        if piece.chain and any(element.tag == "a" for element in piece.chain)
    )
