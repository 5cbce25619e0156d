"""A run's counts and some of its pages in, one HTML file out that shows what was found where.

The file stands for itself: nothing is loaded and nothing runs, which its content policy makes sure of, for what it
shows was written by strangers.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files
from itertools import groupby, islice
from pathlib import Path
from typing import Any, TextIO
from urllib.parse import urlsplit

import orjson

from sitewright.errors import OutputError
from sitewright.types import Failure

FAILURES_SHOWN = 24
_HUES = 10
"""So many colours there are in the style sheet; a field beyond shares one, and has its own label."""
_SHORT_VALUE, _SHORT_LINE, _SHORT_ADDRESS, _SHORT_LIST = 240, 300, 160, 12
_SHORT_GAP = 2
"""Up to so many lines that were not taken are shown between those that were: there the mistakes are."""
_LONG_STRETCH, _STRETCH_ENDS = 16, 5
"""Of a longer stretch of lines of one field, as most texts are, so many at both ends are shown, the others folded."""
_MOST_LEFT_OUT = 300
"""So many lines of one gap are written; what is beyond is a list of links or the like."""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


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


@dataclass(slots=True)
class RunSummary:
    """Counts a run's output lines as they go by."""

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

    def count(self, line: bytes) -> None:
        """Note one output line."""
        row = orjson.loads(line)
        if "confidence" not in row:
            error = row["error"]
            self.failures[error["code"]] += 1
            if len(self.failed) < FAILURES_SHOWN:
                self.failed.append(Failure(row["url"], error["stage"], error["code"], error["detail"]))
            return
        self.read += 1
        self.kinds[row.get("template") or row.get("page_kind") or "no template"] += 1
        for name, confidence in row["confidence"].items():
            self.found[name] += 1
            self.confidence[name] = self.confidence.get(name, 0.0) + confidence

    def share(self, name: str) -> float:
        """Return the share of the pages that have a field."""
        return self.found[name] / self.read if self.read else 0.0

    def mean_confidence(self, name: str) -> float | None:
        """Return how sure the values of a field are, where there are any."""
        return self.confidence[name] / self.found[name] if self.found[name] else None


def prepare_report(target: str) -> None:
    """Find out whether a report can be written there, before any work is done."""
    if target == "-":
        raise OutputError("a report cannot be written to standard output; name a file")
    path = Path(target)
    is_new = not path.exists()
    try:
        path.open("ab").close()
        if is_new:
            path.unlink()
    except OSError as error:
        raise _refused(target, error) from error


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
        raise _refused(target, error) from error


def _refused(target: str, error: OSError) -> OutputError:
    return OutputError(f"cannot write {target}: {error.strerror or error}")


def _write(
    file: TextIO, summary: RunSummary, pages: Iterable[ReportPage], read_by: str, rules: Sequence[ReportRule]
) -> None:
    style = files("sitewright.store").joinpath("report.css").read_text("utf-8")
    colours = {name: f"c{number % _HUES}" for number, name in enumerate(summary.fields)}
    file.write(
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n<meta name="color-scheme" content="light dark">\n'
        f"<title>Sitewright: what was found</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
    )
    file.write(_tag("header", _tag("h1", "What was found"), _tag("p", f"Read by {read_by}")) + "\n")
    file.write(_summary(summary, colours) + "\n")
    if rules:
        file.write(_rules(rules, colours) + "\n")
    file.write(_tag("h2", "A sample of the pages") + _legend(colours) + "\n")
    file.writelines(_page(number, page, colours) + "\n" for number, page in enumerate(pages, 1))
    file.write("</body>\n</html>\n")


class _Markup(str):
    """HTML that is safe as it is; all other text is escaped."""

    __slots__ = ()


def _tag(name: str, *content: str, **attributes: str) -> _Markup:
    """Write an element.

    >>> _tag("p", "1 < 2", _tag("b", "so"), class_='"')
    '<p class="&quot;">1 &lt; 2<b>so</b></p>'
    """
    given = "".join(f' {key.rstrip("_")}="{escape(value)}"' for key, value in attributes.items())
    return _Markup(f"<{name}{given}>{_join(content)}</{name}>")


def _join(parts: Iterable[str]) -> _Markup:
    return _Markup("".join(part if isinstance(part, _Markup) else escape(part) for part in parts))


# The summary.


def _summary(summary: RunSummary, colours: Mapping[str, str]) -> _Markup:
    failed = summary.failures.total()
    tiles = [_tile(summary.read, "page read" if summary.read == 1 else "pages read"), _tile(failed, "failed")]
    tiles += [_tile(count, kind) for kind, count in summary.kinds.most_common()]
    heads = _join(_tag("th", head, scope="col") for head in ("Field", "Pages that have it", "Mean confidence"))
    rows = [
        _tag(
            "tr",
            _tag("th", _label(name, colours), scope="row"),
            _cell("Pages that have it", _bar(summary.share(name), f"{summary.share(name):.0%}")),
            _cell("Mean confidence", _confidence(summary.mean_confidence(name))),
        )
        for name in summary.fields
    ]
    table = _tag("table", _tag("thead", _tag("tr", heads)), _tag("tbody", *rows), class_="fields summary")
    return _tag("section", _tag("div", *tiles, class_="tiles"), table, _failures(summary))


def _rules(rules: Sequence[ReportRule], colours: Mapping[str, str]) -> _Markup:
    """Write the rules of a map: what each rests on, and on how many pages it gives a value."""
    heads = _join(_tag("th", head, scope="col") for head in ("Rule", "Where it looks", "Pages", "Agreement"))
    rows = [
        _tag(
            "tr",
            _tag(
                "th", _label(rule.field, colours), " ", _tag("small", f"#{rule.name.rpartition('#')[2]}"), scope="row"
            ),
            _cell("Where it looks", _join([_tag("code", rule.where), *([" (fragile)"] if rule.fragile else [])])),
            _cell("Pages", f"{rule.found} of {rule.sampled}"),
            _cell("Agreement", _confidence(rule.agreement)),
        )
        for rule in rules
    ]
    table = _tag("table", _tag("thead", _tag("tr", heads)), _tag("tbody", *rows), class_="fields")
    return _tag("section", _tag("h2", "The rules"), table)


def _tile(count: int, name: str) -> _Markup:
    return _tag("div", _tag("b", f"{count:,}"), " ", name, class_="tile")


def _failures(summary: RunSummary) -> _Markup:
    if not summary.failures:
        return _Markup()
    counts = ", ".join(f"{code} {count:,}" for code, count in summary.failures.most_common())
    entries = [
        _tag("li", _address(failure.url), " ", _tag("code", failure.code), " ", failure.detail)
        for failure in summary.failed
    ]
    left = summary.failures.total() - len(entries)
    more = [_tag("li", f"and {left:,} more")] if left else []
    return _tag("details", _tag("summary", f"Failures: {counts}"), _tag("ul", *entries, *more), class_="failures")


def _legend(colours: Mapping[str, str]) -> _Markup:
    labels = [_label(name, colours) for name in colours]
    left_out = _tag("span", "not taken", class_="label")
    return _tag("p", *labels, left_out, class_="legend")


# One page.


def _page(number: int, page: ReportPage, colours: Mapping[str, str]) -> _Markup:
    kind = [_tag("span", page.kind, class_="kind")] if page.kind else []
    head = _tag("h3", _tag("span", f"{number}", class_="number"), _address(page.url), *kind)
    if page.failure is not None:
        told = (_tag("code", page.failure.code), f" ({page.failure.stage}) {page.failure.detail}")
        return _tag("article", head, _tag("p", *told, class_="failure"))
    return _tag("article", head, _fields(page, colours), _outline(page.lines, colours))


def _fields(page: ReportPage, colours: Mapping[str, str]) -> _Markup:
    has_metadata = any(found.agrees or found.differs for found in page.fields)
    heads = ["Field", "Value", "Confidence", "Where", *(["Agreement"] if has_metadata else [])]
    rows = [
        _tag(
            "tr",
            _tag("th", _label(found.name, colours), scope="row"),
            _cell("Value", _value(found.value), class_="value"),
            _cell("Confidence", _confidence(found.confidence)),
            _cell("Where", _tag("code", found.where)),
            *([_cell("Agreement", _stated(found))] if has_metadata else []),
        )
        for found in page.fields
    ]
    table = _tag(
        "table",
        _tag("thead", _tag("tr", *(_tag("th", head, scope="col") for head in heads))),
        _tag("tbody", *rows),
        class_="fields",
    )
    present = {found.name for found in page.fields}
    missing = [name for name in colours if name not in present]
    note = [_tag("p", f"Not found: {', '.join(missing)}", class_="missing")] if missing else []
    return _join([*([table] if rows else []), *note])


def _cell(head: str, content: str, **attributes: str) -> _Markup:
    """Write a cell that knows its head, which narrow screens show beside it."""
    return _Markup(_tag("td", content, **attributes).replace("<td", f'<td data-head="{escape(head)}"', 1))


def _label(name: str, colours: Mapping[str, str]) -> _Markup:
    return _tag("span", name, class_=f"label {colours.get(name, '')}".strip())


def _bar(share: float, text: str) -> _Markup:
    filled = _tag("i", style=f"width:{min(max(share, 0.0), 1.0) * 100:.0f}%")
    return _join([_tag("span", filled, class_="bar"), _tag("span", text, class_="figure")])


def _confidence(confidence: float | None) -> _Markup:
    return _bar(confidence, f"{confidence:.2f}") if confidence is not None else _Markup("–")


def _stated(found: ReportField) -> _Markup:
    agrees = _tag("div", "✓ agrees: ", ", ".join(found.agrees), class_="agrees") if found.agrees else ""
    differs = _tag("div", "✗ differs: ", ", ".join(found.differs), class_="differs") if found.differs else ""
    return _join([agrees, differs]) or _Markup("–")


def _value(value: Any) -> _Markup:
    if isinstance(value, str):
        return _long_text(value)
    if isinstance(value, list):
        return _list(value)
    if isinstance(value, dict):
        return _object(value)
    return _join([json.dumps(value)])


def _long_text(text: str) -> _Markup:
    if len(text) <= _SHORT_VALUE:
        return _tag("span", text, dir="auto", class_="text")
    size = f"all {len(text):,} characters, {text.count(chr(10)) + 1:,} lines"
    whole = _tag("details", _tag("summary", size), _tag("div", text, dir="auto", class_="text"))
    return _join([_tag("span", _shortened(text, _SHORT_VALUE), dir="auto", class_="text"), whole])


def _list(values: Sequence[Any]) -> _Markup:
    entries = [_tag("li", _value(value)) for value in values]
    first, rest = entries[:_SHORT_LIST], entries[_SHORT_LIST:]
    more = _tag("details", _tag("summary", f"{len(rest):,} more"), _tag("ul", *rest)) if rest else ""
    return _join([_tag("ul", *first), more])


def _object(value: Mapping[str, Any]) -> _Markup:
    """Write an object, as pictures are: its address, and what else there is of it."""
    url = value.get("url")
    parts: list[str] = [_address(url)] if isinstance(url, str) else []
    numbers = ", ".join(f"{name} {inner}" for name, inner in value.items() if isinstance(inner, int | float))
    for name, inner in value.items():
        if inner in ("", None) or isinstance(inner, int | float) or (name == "url" and isinstance(inner, str)):
            continue
        text = inner if isinstance(inner, str) else json.dumps(inner, ensure_ascii=False)
        parts.append(_tag("div", _tag("small", f"{name}: "), _tag("span", text, dir="auto")))
    return _join([*parts, _tag("div", _tag("small", numbers)) if numbers else ""])


def _address(url: str) -> _Markup:
    """Write an address, as a link where following it opens a web page and nothing else."""
    try:
        parts = urlsplit(url)
        is_web = parts.scheme in {"http", "https"} and bool(parts.netloc)
    except ValueError:
        is_web = False
    shown = _shortened(url, _SHORT_ADDRESS)
    return _tag("a", shown, href=url, rel="noopener noreferrer") if is_web else _tag("span", shown)


# The outline.


def _outline(lines: Sequence[ReportLine], colours: Mapping[str, str]) -> _Markup:
    taken = sum(1 for line in lines if line.fields)
    parts: list[str] = []
    for fields, group in groupby(lines, key=lambda line: line.fields):
        stretch = list(group)
        parts += _stretch(stretch, colours) if fields else _gap(stretch, colours)
    head = _tag("summary", f"The page, line by line: {taken:,} of {len(lines):,} taken")
    return _tag("details", head, _tag("div", *parts, class_="outline"), class_="page", open="")


def _stretch(lines: Sequence[ReportLine], colours: Mapping[str, str]) -> Iterator[_Markup]:
    """Yield lines that were taken for the same; the middle folded, where there are many."""
    shown = [_line(line, colours) for line in lines]
    if len(shown) <= _LONG_STRETCH:
        yield from shown
        return
    middle = shown[_STRETCH_ENDS:-_STRETCH_ENDS]
    name, colour = ", ".join(lines[0].fields), colours.get(lines[0].fields[0], "")
    head = _tag("summary", _tag("b", name), f"{len(middle):,} more lines", class_=f"line {colour}".strip())
    yield from shown[:_STRETCH_ENDS]
    yield _tag("details", head, *middle, class_="stretch")
    yield from shown[-_STRETCH_ENDS:]


def _gap(lines: Sequence[ReportLine], colours: Mapping[str, str]) -> Iterator[_Markup]:
    """Yield lines that were not taken: folded, where there are many."""
    shown = [_line(line, colours) for line in islice(lines, _MOST_LEFT_OUT)]
    if len(lines) <= _SHORT_GAP:
        yield from shown
        return
    if left := len(lines) - len(shown):
        shown.append(_tag("div", f"and {left:,} more", class_="line"))
    yield _tag("details", _tag("summary", f"{len(lines):,} lines not taken"), *shown, class_="gap")


def _line(line: ReportLine, colours: Mapping[str, str]) -> _Markup:
    first = line.fields[0] if line.fields else ""
    label = _tag("b", ", ".join(line.fields) or "–")
    text = _tag("span", _shortened(line.text, _SHORT_LINE), dir="auto")
    return _tag("div", label, text, class_=f"line {colours.get(first, '')}".strip())


def _shortened(text: str, length: int) -> str:
    """Cut a text at a word, where one ends nearby.

    >>> _shortened("one two three", 9), _shortened("one", 9)
    ('one two …', 'one')
    """
    if len(text) <= length:
        return text
    cut = text[:length]
    start, space, _ = cut.rpartition(" ")
    return f"{start if space and len(start) > length // 2 else cut} …"
