"""A list and its domain in, which column is which field out: what entries are called, cost, and lead to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urljoin

from turbohtml import Element

from sitewright.domains import Domain, FieldSpec, kinds
from sitewright.domains.word_lists import WordLists
from sitewright.parse import visible_text
from sitewright.repeats.columns import Column, columns_of
from sitewright.repeats.steps import Steps
from sitewright.values import PARSERS, Context
from sitewright.values.prices import PRICE

URL, IMAGE = "url", "image"
"""The fields of an entry that all domains have, beside the heading and the prices."""
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_STRUCK = frozenset({"del", "s", "strike"})
_SHORTEST_NAME, _LONGEST_NAME = 2, 250
_LEAST_NAME, _LEAST_PRICE = 0.4, 0.35
_OFTEN = 0.5


@dataclass(frozen=True)
class ItemFields:
    """The columns of the fields that were told; a field has several where entries show it in different ways."""

    columns: Mapping[str, Sequence[Column]]

    def __contains__(self, field: str) -> bool:
        return field in self.columns


def item_fields(items: Sequence[Element], domain: Domain) -> ItemFields:
    """Tell the fields of a list's entries."""
    columns = columns_of(items, Steps())
    words = domain.word_lists
    found: dict[str, list[Column]] = {}
    heading = domain.heading
    if heading and (name := _name(columns, items, words, list(domain.fields).index(heading))):
        found[heading] = [name]
    for spec in domain.fields.values():
        if spec.kind == kinds.PRICE:
            place = list(domain.fields).index(spec.name)
            taken = [column for own in found.values() for column in own]
            rest = [column for column in columns if column not in taken]
            if prices := _prices(rest, items, spec, words, place, domain):
                found[spec.name] = prices
    if url := _url(columns, items, next(iter(found.get(heading, [])), None)):
        found[URL] = [url]
    if image := _image(columns, items):
        found[IMAGE] = [image]
    return ItemFields(found)


def _name(columns: Sequence[Column], items: Sequence[Element], words: WordLists, place: int) -> Column | None:
    best, found = _LEAST_NAME, None
    for column in columns:
        if column.kind != "text":
            continue
        score = _name_score(column, len(items), words, place)
        if score > best:
            best, found = score, column
    return found


def _name_score(column: Column, count: int, words: WordLists, place: int) -> float:
    values = column.values
    fit = [
        _SHORTEST_NAME <= len(v) <= _LONGEST_NAME and any(map(str.isalpha, v)) and not PRICE.fullmatch(v)
        for v in values
    ]
    share = sum(fit) / len(values) * column.share(count)
    elements = [element for element, _ in column.cells.values()]
    around = _around(elements[0])
    tags = {outer.tag for outer in around}
    said = words.of_element(elements[0].attrs)
    outer = max((words.of_element(o.attrs)[place] for o in around[1:3]), default=0.0)
    against = max(float(words.of_element(o.attrs)[words.count + place]) for o in around[:2])
    heading = not _HEADINGS.isdisjoint(tags) or any(e.select_one("h1,h2,h3,h4,h5,h6") is not None for e in elements[:3])
    linked = "a" in tags or any(e.select_one("a[href]") is not None for e in elements[:3])
    prices = sum(PRICE.search(v) is not None for v in values) / len(values)
    length = min(sum(len(v) for v in values) / len(values), 30) / 30
    score = (
        0.6
        + 0.8 * heading
        + 0.7 * linked
        + 0.6 * min(float(said[place]), 1.0)
        + 0.2 * min(float(outer), 1.0)
        + 0.4 * length
    )
    return score * share * (0.3 + 0.7 * column.distinct) * (1 - 0.8 * prices) - 0.5 * min(against, 1.0)


def _around(element: Element) -> list[Element]:
    """Return an element and those around it, as far as they hold nothing else."""
    found = [element]
    for outer in element.ancestors:
        if not isinstance(outer, Element) or len(outer.text.strip()) > len(element.text.strip()) + 3:
            break
        found.append(outer)
    return found


def _prices(
    columns: Sequence[Column], items: Sequence[Element], spec: FieldSpec, words: WordLists, place: int, domain: Domain
) -> list[Column]:
    """Return the columns that show a price, the best first, each for entries that those before it lack."""
    is_first = spec.name == domain.price
    scored = [(_price_score(column, len(items), words, place, is_first), column) for column in columns]
    found: list[Column] = []
    known: set[int] = set()
    for score, column in sorted(scored, key=lambda pair: -pair[0])[:_MOST_ALTERNATIVES]:
        if score > (_LEAST_PRICE if not found else _LEAST_ALTERNATIVE) and not known.issuperset(column.cells):
            found.append(column)
            known.update(column.cells)
    return found


_LEAST_ALTERNATIVE, _MOST_ALTERNATIVES = 0.1, 6


def _price_score(column: Column, count: int, words: WordLists, place: int, is_first: bool) -> float:
    """Return how well a column of texts does as a price: what one pays is not struck through, the former price is."""
    if column.kind != "text":
        return 0.0
    counts = [len(PRICE.findall(value)) for value in column.values]
    share = sum(n > 0 for n in counts) / len(counts)
    elements = [element for element, _ in column.cells.values()][:5]
    if share < _OFTEN or not elements:
        return 0.0
    own = [words.of_element(e.attrs) for e in elements]
    near = [o for o in list(elements[0].ancestors)[:2] if isinstance(o, Element)]
    outer = [words.of_element(o.attrs) for o in near]
    speaks_for = max(float(row[place]) for row in own) + 0.5 * max((float(row[place]) for row in outer), default=0.0)
    against = max(float(row[words.count + place]) for row in (*own, *outer))
    struck = any(_is_struck(element) for element in elements)
    if not is_first and not struck and speaks_for < _OFTEN:
        return 0.0
    several = sum(n > 1 for n in counts) / len(counts)
    extra = sum(map(len, column.values)) / len(counts)
    score = share * column.share(count) * (1 + min(speaks_for, 1.5)) - 0.8 * several - 0.004 * min(extra, 150)
    return score - min(against, 1.0) + (-1.5 if is_first else 1.2) * struck


def _is_struck(element: Element) -> bool:
    around = [element, *[outer for outer in element.ancestors if isinstance(outer, Element)][:3]]
    return any(outer.tag in _STRUCK for outer in around)


def _url(columns: Sequence[Column], items: Sequence[Element], name: Column | None) -> Column | None:
    """Return the links that most entries have, each its own, best those around or inside of the name."""
    links = [column for column in columns if column.kind == "link"]
    cells = list(name.cells.values()) if name is not None else []
    named = {element for element, _ in cells}
    around = {outer for element, _ in cells for outer in _around(element)}

    def score(column: Column) -> float:
        elements = [element for element, _ in column.cells.values()]
        holds = any(e in around or not named.isdisjoint(e.select("*")) for e in elements)
        return column.share(len(items)) * column.distinct + 0.5 * holds

    return max(links, key=score, default=None)


def _image(columns: Sequence[Column], items: Sequence[Element]) -> Column | None:
    pictures = [column for column in columns if column.kind == "picture"]
    return max(pictures, key=lambda c: c.share(len(items)) * (0.3 + c.distinct), default=None)


def item_values(
    items: Sequence[Element], fields: ItemFields, domain: Domain, context: Context
) -> list[dict[str, object]]:
    """Return the entries of a list as objects; those without a name are left out where others have one."""
    heading = domain.heading
    rows = []
    for number in range(len(items)):
        row: dict[str, object] = {}
        for name, columns in fields.columns.items():
            cells = (column.cells[number] for column in columns if number in column.cells)
            values = (_value(name, cell, domain, context) for cell in cells)
            if (value := next((one for one in values if one is not None), None)) is not None:
                row[name] = value
        if row and (heading not in fields or heading in row):
            rows.append(row)
    return rows


def _value(name: str, cell: tuple[Element, str], domain: Domain, context: Context) -> object | None:
    element, text = cell
    if name in (URL, IMAGE):
        return urljoin(context.base_url, text)
    spec = domain.fields[name]
    if spec.kind == kinds.PRICE:
        found = PRICE.search(_unstruck(element, text) if spec.name == domain.price else text)
        parsed = PARSERS[spec.parse]([found[0] if found else text], False, context)
    else:
        parsed = PARSERS[spec.parse]([text], False, context)
    return parsed.value if parsed is not None else None


def _unstruck(element: Element, text: str) -> str:
    """Return a text of several prices without those that are struck through; a text of one as it is."""
    if len(PRICE.findall(text)) < 2:
        return text
    rest = text
    for struck in element.select(", ".join(sorted(_STRUCK))):
        rest = rest.replace(visible_text(struck), " ", 1)
    return rest if PRICE.search(rest) else text
