"""A run's counts and some of its pages in, one HTML file out that shows what was found where.

The file stands for itself: nothing is loaded and nothing runs, which its content policy makes sure of, for what it
shows was written by strangers.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from html import escape
from itertools import groupby, islice
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from sitewright.output.frame import FramedPage, frame_text
from sitewright.output.markup import Markup, address, certainty, heading, join, page_head, refused, share, tag, warned
from sitewright.parse import host_of
from sitewright.types import Failure, Record
from sitewright.values.words import counted, short_at_word

FAILURES_SHOWN = 24
FRAMED = 8
"""So many pages are shown whole, with what was found outlined; the report stays a file that can be mailed."""
_HUES = 10
"""So many colours there are in the style sheet; a field beyond shares one, and has its own label."""
_OUTLINES = (
    *("#0072B2", "#56B4E9", "#E69F00", "#A66A00", "#009E73"),
    *("#CC79A7", "#F0E442", "#B0A400", "#D55E00", "#7F7F7F"),
)
"""The same colours as in the style sheet: those of Okabe and Ito, which all eyes tell apart, and three beside them."""
_SHORT_VALUE, _SHORT_LINE, _SHORT_LIST = 240, 300, 12
_SHORT_SAMPLE = 90
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
    """The name of the rule, or what the tagger took it from."""
    selector: str = ""
    """What the rule looks for."""
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
    language: str = ""
    fields: tuple[ReportField, ...] = ()
    lines: tuple[ReportLine, ...] = ()
    frame: FramedPage | None = None
    """The page itself, with its fields outlined."""
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
    sample: Any = None
    """What it finds on a page, before that is parsed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportHead:
    """What stands above a report."""

    read_by: str
    """The map or the tagger, in words."""
    site: str = ""
    """Empty: the host of the pages."""
    made_at: datetime | None = None
    warnings: Sequence[str] = ()
    """What a person should look at, beside what the report itself notices."""


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
    target: str, summary: RunSummary, pages: Iterable[ReportPage], head: ReportHead, rules: Sequence[ReportRule] = ()
) -> None:
    """Write the report of a run."""
    try:
        with Path(target).open("w", encoding="utf-8", errors="replace") as file:  # half surrogates have no UTF-8
            _write(file, summary, list(pages), head, rules)
    except OSError as error:
        raise refused(target, error) from error


def _write(
    file: TextIO, summary: RunSummary, pages: Sequence[ReportPage], head: ReportHead, rules: Sequence[ReportRule]
) -> None:
    colours = {name: f"c{number % _HUES}" for number, name in enumerate(summary.fields)}
    title = f"{head.site or _site_of(pages) or 'Sitewright'}: what was found"
    samples = _Samples(pages)
    file.write(page_head(title))
    file.write(heading(title, head.made_at, f"Read by {head.read_by}") + "\n")
    file.write(warned([*head.warnings, *_noticed(summary, pages, rules)]) + "\n")
    file.write(_summary(summary, samples, colours) + "\n")
    if rules:
        file.write(_rules(rules, samples, colours) + "\n")
    file.write(tag("h2", "A sample of the pages") + _legend(colours) + "\n")
    file.writelines(_page(number, page, colours) + "\n" for number, page in enumerate(pages, 1))
    file.write("</main>\n</body>\n</html>\n")


def _site_of(pages: Iterable[ReportPage]) -> str:
    """Return whose pages these are."""
    hosts = list(dict.fromkeys(filter(None, (host_of(page.url) for page in pages))))
    return f"{hosts[0]} and {counted(len(hosts) - 1, 'other')}" if len(hosts) > 1 else "".join(hosts)


# What a person should look at.


def _noticed(summary: RunSummary, pages: Sequence[ReportPage], rules: Sequence[ReportRule]) -> Iterator[str]:
    """Yield what looks wrong, the worst first."""
    if failed := summary.failures.total():
        codes = ", ".join(f"{code} {count:,}" for code, count in summary.failures.most_common())
        yield f"{counted(failed, 'page')} of {summary.read + failed:,} failed: {codes}"
    if summary.read and (absent := [name for name in summary.fields if not summary.found[name]]):
        yield f"Found on no page: {', '.join(absent)}"
    means = {name: mean for name in summary.fields if (mean := summary.mean_confidence(name)) is not None}
    if doubtful := [f"{name} ({mean:.2f})" for name, mean in means.items() if certainty(mean)]:
        yield f"Not sure of the values of: {', '.join(doubtful)}"
    differing = Counter(found.name for page in pages for found in page.fields if found.differs)
    if differing:
        told = ", ".join(f"{name} ({counted(count, 'page')})" for name, count in differing.most_common())
        yield f"Something else is stated or read elsewhere: {told}"
    if fragile := list(dict.fromkeys(rule.field for rule in rules if rule.fragile)):
        yield f"Rules that rest on positions or generated names, and may break: {', '.join(fragile)}"


class _Samples:
    """Values to show beside fields and rules: the first that each gave."""

    def __init__(self, pages: Iterable[ReportPage]) -> None:
        self._by_field: dict[str, Markup] = {}
        self._by_rule: dict[str, Markup] = {}
        for page in pages:
            for found in page.fields:
                if found.value not in ("", None):
                    shown = _sample(found.value, page.language)
                    self._by_field.setdefault(found.name, shown)
                    self._by_rule.setdefault(found.where, shown)

    def of_field(self, name: str) -> Markup:
        """Return a value of a field."""
        return self._by_field.get(name, Markup("–"))

    def of_rule(self, rule: ReportRule) -> Markup:
        """Return a value that a rule gave, or would give: most are there in case that the first gives none."""
        if rule.name in self._by_rule:
            return self._by_rule[rule.name]
        return _sample(rule.sample, "") if rule.sample not in ("", None) else Markup("–")


def _sample(value: Any, language: str) -> Markup:
    return tag("span", short_at_word(_words(value), _SHORT_SAMPLE), dir="auto", class_="text", **_spoken(language))


def _words(value: Any) -> str:
    """Return a value as one line.

    >>> _words([{"url": "https://example.com/b.jpg", "width": 3}, "a\\nb"])
    'https://example.com/b.jpg, a b'
    """
    if isinstance(value, list):
        return ", ".join(map(_words, value))
    if isinstance(value, dict):
        return str(value.get("url") or json.dumps(value, ensure_ascii=False))
    return " ".join(value.split()) if isinstance(value, str) else json.dumps(value)


def _spoken(language: str) -> dict[str, str]:
    return {"lang": language} if language else {}


# The summary.


def _summary(summary: RunSummary, samples: _Samples, colours: Mapping[str, str]) -> Markup:
    failed = summary.failures.total()
    tiles = [_tile(summary.read, "page read" if summary.read == 1 else "pages read"), _tile(failed, "failed")]
    tiles += [_tile(count, kind) for kind, count in summary.kinds.most_common()]
    heads = ("Field", "For example", "Pages that have it", "Mean confidence")
    rows = [
        tag(
            "tr",
            tag("th", _label(name, colours), scope="row"),
            _cell(heads[1], samples.of_field(name), class_="value"),
            _cell(heads[2], share(summary.share(name))),
            _cell(heads[3], _confidence(summary.mean_confidence(name))),
        )
        for name in summary.fields
    ]
    return tag("section", tag("div", *tiles, class_="tiles"), _table(heads, rows), _failures(summary))


def _table(heads: Sequence[str], rows: Sequence[Markup]) -> Markup:
    """Write a table whose cells stand below one another on narrow screens."""
    head = tag("thead", tag("tr", *(tag("th", head, scope="col") for head in heads)))
    return tag("table", head, tag("tbody", *rows), class_="fields")


def _rules(rules: Sequence[ReportRule], samples: _Samples, colours: Mapping[str, str]) -> Markup:
    """Write the rules of a map: what each looks for, on how many pages it gives a value, and one of them."""
    heads = ("Rule", "What it looks for", "For example", "Pages", "Agreement")
    rows = [
        tag(
            "tr",
            tag("th", _label(rule.field, colours), " ", tag("small", f"#{rule.name.rpartition('#')[2]}"), scope="row"),
            _cell(heads[1], join([tag("code", rule.where), *([_fragile()] if rule.fragile else [])])),
            _cell(heads[2], samples.of_rule(rule), class_="value"),
            _cell(heads[3], tag("span", f"{rule.found} of {rule.sampled}", class_="share")),
            _cell(heads[4], _confidence(rule.agreement)),
        )
        for rule in rules
    ]
    about = "Of the rules of a field the first that gives a value counts. Agreement is with the tagger, page by page."
    return tag("section", tag("h2", "The rules"), tag("p", about, class_="about"), _table(heads, rows))


def _fragile() -> Markup:
    return tag("span", "fragile", class_="level unsure")


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
    shown = page.frame if number <= FRAMED else None
    framed = [_frame(page, shown, colours, is_open=number == 1)] if shown is not None else []
    return tag("article", head, _fields(page, colours), *framed, _outline(page.lines, colours, is_open=not framed))


def _frame(page: ReportPage, frame: FramedPage, colours: Mapping[str, str], *, is_open: bool) -> Markup:
    """Write the page itself: in a frame that can do nothing, of markup that was rebuilt."""
    names = list(dict.fromkeys(found.name for found in page.fields if found.value not in ("", None)))
    unseen = [name for name in names if name not in frame.marked]
    note = [tag("p", f"Not seen on the page: {', '.join(unseen)}", class_="missing")] if unseen else []
    opened = {"open": ""} if is_open else {}
    text = frame_text(frame, {name: _OUTLINES[int(colour[1:])] for name, colour in colours.items()})
    shown = tag("iframe", srcdoc=text, sandbox="", title=f"The page {page.url}, fields outlined")
    about = "Styles and pictures are left out. Dashed: the value is from metadata, and stands here too."
    inner = (tag("p", about, class_="about"), *note, shown)
    return tag("details", tag("summary", "The page, with its fields outlined"), *inner, class_="page", **opened)


def _fields(page: ReportPage, colours: Mapping[str, str]) -> Markup:
    has_metadata = any(found.agrees or found.differs for found in page.fields)
    heads = ["Field", "Value", "Confidence", "Where", *(["Agreement"] if has_metadata else [])]
    rows = [
        tag(
            "tr",
            tag("th", _label(found.name, colours), scope="row"),
            _cell("Value", _value(found.value), class_="value", **_spoken(page.language)),
            _cell("Confidence", _confidence(found.confidence)),
            _cell("Where", _where(found)),
            *([_cell("Agreement", _stated(found))] if has_metadata else []),
        )
        for found in page.fields
    ]
    present = {found.name for found in page.fields}
    missing = [name for name in colours if name not in present]
    note = [tag("p", f"Not found: {', '.join(missing)}", class_="missing")] if missing else []
    return join([*([_table(heads, rows)] if rows else []), *note])


def _where(found: ReportField) -> Markup:
    """Write the name of a rule, and beside it what it looks for."""
    name = tag("code", found.where)
    return join([name, tag("code", found.selector, class_="selector")]) if found.selector else name


def _cell(head: str, content: str, **attributes: str) -> Markup:
    """Write a cell that knows its head, which narrow screens show beside it."""
    return Markup(tag("td", content, **attributes).replace("<td", f'<td data-head="{escape(head)}"', 1))


def _label(name: str, colours: Mapping[str, str]) -> Markup:
    return tag("span", name, class_=f"label {colours.get(name, '')}".strip())


def _confidence(confidence: float | None) -> Markup:
    return share(confidence, f"{confidence:.2f}", certainty(confidence)) if confidence is not None else Markup("–")


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


def _outline(lines: Sequence[ReportLine], colours: Mapping[str, str], *, is_open: bool) -> Markup:
    taken = sum(1 for line in lines if line.fields)
    parts: list[str] = []
    for fields, group in groupby(lines, key=lambda line: line.fields):
        stretch = list(group)
        parts += _stretch(stretch, colours) if fields else _gap(stretch, colours)
    head = tag("summary", f"The page, line by line: {taken:,} of {len(lines):,} taken")
    opened = {"open": ""} if is_open else {}
    return tag("details", head, tag("div", *parts, class_="outline"), class_="page", **opened)


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
