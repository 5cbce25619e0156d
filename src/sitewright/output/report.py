"""A run's counts and some of its pages in, one HTML file out that shows what was found where.

The file stands for itself: nothing is loaded and nothing runs, which its content policy makes sure of, for what it
shows was written by strangers.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import groupby, islice
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from sitewright.output.markup import Markup, address, bar, join, page_head, refused, tag
from sitewright.types import Failure, Record
from sitewright.values.words import short_at_word

FAILURES_SHOWN = 24
_HUES = 10
"""So many colours there are in the style sheet; a field beyond shares one, and has its own label."""
_SHORT_VALUE, _SHORT_LINE, _SHORT_LIST = 240, 300, 12
_SHORT_GAP = 2
"""Up to so many lines that were not taken are shown between those that were: there the mistakes are."""
_LONG_STRETCH, _STRETCH_ENDS = 16, 5
"""Of a longer stretch of lines of one field, as most texts are, so many at both ends are shown, the others folded."""
_MOST_LEFT_OUT = 300
"""So many lines of one gap are written; what is beyond is a list of links or the like."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportField:
    """A field of a page: its value as output files have it, and where that comes from."""

    name: str
    value: Any
    confidence: float
    where: str
    agrees: tuple[str, ...] = ()
    """The sources of metadata that state the same."""
    differs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A run of text of a page, and the fields it was taken for."""

    text: str
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPage:
    """One page: what was found, and all its lines in document order; or why it failed."""

    url: str
    kind: str = ""
    fields: tuple[ReportField, ...] = ()
    lines: tuple[ReportLine, ...] = ()
    failure: Failure | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRule:
    """A rule of a learned map: what it rests on, and how well it is founded."""

    name: str
    field: str
    where: str
    found: int
    sampled: int
    agreement: float | None = None
    fragile: bool = False


class PageCount(NamedTuple):
    """What is counted of a page that was read."""

    kind: str
    """Its template; without one, what it seems to be."""
    confidence: Mapping[str, float]
    """Of each field that was found."""


def page_count(record: Record) -> PageCount:
    """Return what is counted of a record."""
    found = {name: value.confidence for name, value in record.fields.items()}
    return PageCount(record.template or record.kind or "", found)


@dataclass(slots=True)
class RunSummary:
    """Counts the pages of a run as they go by."""

    fields: Sequence[str]
    """The fields that were asked for, in order."""
    read: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    confidence: dict[str, float] = field(default_factory=dict)
    """The sum over all pages that have the field."""
    failures: Counter[str] = field(default_factory=Counter)
    failed: list[Failure] = field(default_factory=list)
    """The first of them."""

    def count(self, page: PageCount | Failure) -> None:
        """Note one page."""
        if isinstance(page, Failure):
            self.failures[page.code] += 1
            if len(self.failed) < FAILURES_SHOWN:
                self.failed.append(page)
            return
        self.read += 1
        self.kinds[page.kind or "no template"] += 1
        for name, confidence in page.confidence.items():
            self.found[name] += 1
            self.confidence[name] = self.confidence.get(name, 0.0) + confidence

    def share(self, name: str) -> float:
        """Return the share of the pages that have a field."""
        return self.found[name] / self.read if self.read else 0.0

    def mean_confidence(self, name: str) -> float | None:
        """Return how sure the values of a field are, where there are any."""
        return self.confidence[name] / self.found[name] if self.found[name] else None


def write_report(
    target: str,
    summary: RunSummary,
    pages: Iterable[ReportPage],
    read_by: str,
    rules: Sequence[ReportRule] = (),
) -> None:
    """Write the report of a run; `read_by` names the map or the tagger."""
    try:
        with Path(target).open("w", encoding="utf-8", errors="replace") as file:  # half surrogates have no UTF-8
            _write(file, summary, pages, read_by, rules)
    except OSError as error:
        raise refused(target, error) from error


def _write(
    file: TextIO, summary: RunSummary, pages: Iterable[ReportPage], read_by: str, rules: Sequence[ReportRule]
) -> None:
    colours = {name: f"c{number % _HUES}" for number, name in enumerate(summary.fields)}
    file.write(page_head("Sitewright: what was found"))
    file.write(tag("header", tag("h1", "What was found"), tag("p", f"Read by {read_by}")) + "\n")
    file.write(_summary(summary, colours) + "\n")
    if rules:
        file.write(_rules(rules, colours) + "\n")
    file.write(tag("h2", "A sample of the pages") + _legend(colours) + "\n")
    file.writelines(_page(number, page, colours) + "\n" for number, page in enumerate(pages, 1))
    file.write("</body>\n</html>\n")


# The summary.


def _summary(summary: RunSummary, colours: Mapping[str, str]) -> Markup:
    failed = summary.failures.total()
    tiles = [_tile(summary.read, "page read" if summary.read == 1 else "pages read"), _tile(failed, "failed")]
    tiles += [_tile(count, kind) for kind, count in summary.kinds.most_common()]
    heads = join(tag("th", head, scope="col") for head in ("Field", "Pages that have it", "Mean confidence"))
    rows = [
        tag(
            "tr",
            tag("th", _label(name, colours), scope="row"),
            _cell("Pages that have it", bar(summary.share(name), f"{summary.share(name):.0%}")),
            _cell("Mean confidence", _confidence(summary.mean_confidence(name))),
        )
        for name in summary.fields
    ]
    table = tag("table", tag("thead", tag("tr", heads)), tag("tbody", *rows), class_="fields summary")
    return tag("section", tag("div", *tiles, class_="tiles"), table, _failures(summary))


def _rules(rules: Sequence[ReportRule], colours: Mapping[str, str]) -> Markup:
    """Write the rules of a map: what each rests on, and on how many pages it gives a value."""
    heads = join(tag("th", head, scope="col") for head in ("Rule", "Where it looks", "Pages", "Agreement"))
    rows = [
        tag(
            "tr",
            tag("th", _label(rule.field, colours), " ", tag("small", f"#{rule.name.rpartition('#')[2]}"), scope="row"),
            _cell("Where it looks", join([tag("code", rule.where), *([" (fragile)"] if rule.fragile else [])])),
            _cell("Pages", f"{rule.found} of {rule.sampled}"),
            _cell("Agreement", _confidence(rule.agreement)),
        )
        for rule in rules
    ]
    table = tag("table", tag("thead", tag("tr", heads)), tag("tbody", *rows), class_="fields")
    return tag("section", tag("h2", "The rules"), table)


def _tile(count: int, name: str) -> Markup:
    return tag("div", tag("b", f"{count:,}"), " ", name, class_="tile")


def _failures(summary: RunSummary) -> Markup:
    if not summary.failures:
        return Markup()
    counts = ", ".join(f"{code} {count:,}" for code, count in summary.failures.most_common())
    entries = [
        tag("li", address(failure.url), " ", tag("code", failure.code), " ", failure.detail)
        for failure in summary.failed
    ]
    left = summary.failures.total() - len(entries)
    more = [tag("li", f"and {left:,} more")] if left else []
    return tag("details", tag("summary", f"Failures: {counts}"), tag("ul", *entries, *more), class_="failures")


def _legend(colours: Mapping[str, str]) -> Markup:
    labels = [_label(name, colours) for name in colours]
    left_out = tag("span", "not taken", class_="label")
    return tag("p", *labels, left_out, class_="legend")


# One page.


def _page(number: int, page: ReportPage, colours: Mapping[str, str]) -> Markup:
    kind = [tag("span", page.kind, class_="kind")] if page.kind else []
    head = tag("h3", tag("span", f"{number}", class_="number"), address(page.url), *kind)
    if page.failure is not None:
        told = (tag("code", page.failure.code), f" ({page.failure.stage}) {page.failure.detail}")
        return tag("article", head, tag("p", *told, class_="failure"))
    return tag("article", head, _fields(page, colours), _outline(page.lines, colours))


def _fields(page: ReportPage, colours: Mapping[str, str]) -> Markup:
    has_metadata = any(found.agrees or found.differs for found in page.fields)
    heads = ["Field", "Value", "Confidence", "Where", *(["Agreement"] if has_metadata else [])]
    rows = [
        tag(
            "tr",
            tag("th", _label(found.name, colours), scope="row"),
            _cell("Value", _value(found.value), class_="value"),
            _cell("Confidence", _confidence(found.confidence)),
            _cell("Where", tag("code", found.where)),
            *([_cell("Agreement", _stated(found))] if has_metadata else []),
        )
        for found in page.fields
    ]
    table = tag(
        "table",
        tag("thead", tag("tr", *(tag("th", head, scope="col") for head in heads))),
        tag("tbody", *rows),
        class_="fields",
    )
    present = {found.name for found in page.fields}
    missing = [name for name in colours if name not in present]
    note = [tag("p", f"Not found: {', '.join(missing)}", class_="missing")] if missing else []
    return join([*([table] if rows else []), *note])


def _cell(head: str, content: str, **attributes: str) -> Markup:
    """Write a cell that knows its head, which narrow screens show beside it."""
    return Markup(tag("td", content, **attributes).replace("<td", f'<td data-head="{escape(head)}"', 1))


def _label(name: str, colours: Mapping[str, str]) -> Markup:
    return tag("span", name, class_=f"label {colours.get(name, '')}".strip())


def _confidence(confidence: float | None) -> Markup:
    return bar(confidence, f"{confidence:.2f}") if confidence is not None else Markup("–")


def _stated(found: ReportField) -> Markup:
    agrees = tag("div", "✓ agrees: ", ", ".join(found.agrees), class_="agrees") if found.agrees else ""
    differs = tag("div", "✗ differs: ", ", ".join(found.differs), class_="differs") if found.differs else ""
    return join([agrees, differs]) or Markup("–")


def _value(value: Any) -> Markup:
    if isinstance(value, str):
        return _long_text(value)
    if isinstance(value, list):
        return _list(value)
    if isinstance(value, dict):
        return _object(value)
    return join([json.dumps(value)])


def _long_text(text: str) -> Markup:
    if len(text) <= _SHORT_VALUE:
        return tag("span", text, dir="auto", class_="text")
    size = f"all {len(text):,} characters, {text.count(chr(10)) + 1:,} lines"
    whole = tag("details", tag("summary", size), tag("div", text, dir="auto", class_="text"))
    return join([tag("span", short_at_word(text, _SHORT_VALUE), dir="auto", class_="text"), whole])


def _list(values: Sequence[Any]) -> Markup:
    entries = [tag("li", _value(value)) for value in values]
    first, rest = entries[:_SHORT_LIST], entries[_SHORT_LIST:]
    more = tag("details", tag("summary", f"{len(rest):,} more"), tag("ul", *rest)) if rest else ""
    return join([tag("ul", *first), more])


def _object(value: Mapping[str, Any]) -> Markup:
    """Write an object, as pictures are: its address, and what else there is of it."""
    url = value.get("url")
    parts: list[str] = [address(url)] if isinstance(url, str) else []
    numbers = ", ".join(f"{name} {inner}" for name, inner in value.items() if isinstance(inner, int | float))
    for name, inner in value.items():
        if inner in ("", None) or isinstance(inner, int | float) or (name == "url" and isinstance(inner, str)):
            continue
        text = inner if isinstance(inner, str) else json.dumps(inner, ensure_ascii=False)
        parts.append(tag("div", tag("small", f"{name}: "), tag("span", text, dir="auto")))
    return join([*parts, tag("div", tag("small", numbers)) if numbers else ""])


# The outline.


def _outline(lines: Sequence[ReportLine], colours: Mapping[str, str]) -> Markup:
    taken = sum(1 for line in lines if line.fields)
    parts: list[str] = []
    for fields, group in groupby(lines, key=lambda line: line.fields):
        stretch = list(group)
        parts += _stretch(stretch, colours) if fields else _gap(stretch, colours)
    head = tag("summary", f"The page, line by line: {taken:,} of {len(lines):,} taken")
    return tag("details", head, tag("div", *parts, class_="outline"), class_="page", open="")


def _stretch(lines: Sequence[ReportLine], colours: Mapping[str, str]) -> Iterator[Markup]:
    """Yield lines that were taken for the same; the middle folded, where there are many."""
    shown = [_line(line, colours) for line in lines]
    if len(shown) <= _LONG_STRETCH:
        yield from shown
        return
    middle = shown[_STRETCH_ENDS:-_STRETCH_ENDS]
    name, colour = ", ".join(lines[0].fields), colours.get(lines[0].fields[0], "")
    head = tag("summary", tag("b", name), f"{len(middle):,} more lines", class_=f"line {colour}".strip())
    yield from shown[:_STRETCH_ENDS]
    yield tag("details", head, *middle, class_="stretch")
    yield from shown[-_STRETCH_ENDS:]


def _gap(lines: Sequence[ReportLine], colours: Mapping[str, str]) -> Iterator[Markup]:
    """Yield lines that were not taken: folded, where there are many."""
    shown = [_line(line, colours) for line in islice(lines, _MOST_LEFT_OUT)]
    if len(lines) <= _SHORT_GAP:
        yield from shown
        return
    if left := len(lines) - len(shown):
        shown.append(tag("div", f"and {left:,} more", class_="line"))
    yield tag("details", tag("summary", f"{len(lines):,} lines not taken"), *shown, class_="gap")


def _line(line: ReportLine, colours: Mapping[str, str]) -> Markup:
    first = line.fields[0] if line.fields else ""
    label = tag("b", ", ".join(line.fields) or "–")
    text = tag("span", short_at_word(line.text, _SHORT_LINE), dir="auto")
    return tag("div", label, text, class_=f"line {colours.get(first, '')}".strip())
