"""The report of a run: complete, closed in itself, and deaf to what hostile pages say."""

import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.errors import OutputError
from sitewright.output.frame import FramedPage
from sitewright.output.markup import prepare_report
from sitewright.output.report import (
    FRAMED,
    ReportField,
    ReportHead,
    ReportLine,
    ReportPage,
    ReportRule,
    RunSummary,
    page_count,
    write_report,
)
from sitewright.types import Failure, Record, Value

EVIL = "</style></title>\"'><script>alert(1)</script><img src=x onerror=alert(1)>&amp;"


class Reader(HTMLParser):
    """Collects what a browser would make of the file."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.elements: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.links: list[str | None] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.elements.append((tag, attrs))
        self.attributes += attrs
        self.links += [value for name, value in attrs if name in {"href", "src"}]
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def found(name: str, value: Any, **more: Any) -> ReportField:
    return ReportField(name=name, value=value, confidence=0.5, where=f"article/{name}#0", **more)


def written(tmp_path: Path, *pages: ReportPage, summary: RunSummary | None = None, read_by: str = "a map") -> str:
    target = tmp_path / "r.html"
    write_report(str(target), summary or RunSummary(["title", "text"]), pages, ReportHead(read_by=read_by))
    return target.read_text("utf-8")


def page(*fields: ReportField, lines: tuple[ReportLine, ...] = (), url: str = "https://example.com/a") -> ReportPage:
    return ReportPage(url=url, kind="article", fields=fields, lines=lines)


def test_the_counts_are_of_all_lines() -> None:
    summary = RunSummary(["title", "text", "tags"])
    for confidence, template in ((0.5, "a"), (1.0, "a"), (None, "")):
        fields = {"title": Value("T", confidence, "r")} if confidence is not None else {}
        summary.count(page_count(Record(site="s", urls=("u",), fields=fields, template=template)))
    summary.count(page_count(Record(site="s", urls=("u",), fields={}, kind="list")))
    for number in range(30):
        summary.count(Failure(f"u{number}", "parse", "not_html", "a picture"))
    assert (summary.read, summary.failures) == (4, {"not_html": 30})
    assert summary.kinds == {"a": 2, "no template": 1, "list": 1}
    assert (summary.share("title"), summary.mean_confidence("title")) == (0.5, 0.75)
    assert (summary.share("text"), summary.mean_confidence("text")) == (0.0, None)
    assert [failure.url for failure in summary.failed] == [f"u{number}" for number in range(24)]


def test_an_empty_run_has_a_report(tmp_path: Path) -> None:
    assert "0 pages read" in Reader(written(tmp_path)).text


def test_failures_are_told_with_code_and_detail(tmp_path: Path) -> None:
    failure = Failure("https://example.com/x", "parse", "not_html", "served as image/png")
    summary = RunSummary(["title"])
    for _ in range(25):
        summary.count(failure)
    text = Reader(written(tmp_path, ReportPage(url=failure.url, failure=failure), summary=summary)).text
    assert "Failures: not_html 25" in text
    assert "and 1 more" in text
    assert "not_html (parse) served as image/png" in text


@pytest.mark.parametrize(
    "fields",
    [
        [found("title", EVIL)],
        [found("text", f"{EVIL}\n" * 100)],
        [found("tags", [EVIL] * 40)],
        [found("images", [{"url": f"https://example.com/{EVIL}", "caption": EVIL, "credit": EVIL, "width": 3}])],
        [found("price", {EVIL: [EVIL, {EVIL: EVIL}]})],
        [ReportField(name=EVIL, value=EVIL, confidence=2.0, where=EVIL, agrees=(EVIL,), differs=(EVIL,))],
    ],
)
def test_nothing_of_a_page_becomes_markup(tmp_path: Path, fields: list[ReportField]) -> None:
    lines = (ReportLine(EVIL), *(ReportLine(EVIL, (EVIL,)) for _ in range(40)), *(ReportLine(EVIL) for _ in range(400)))
    failure = Failure(EVIL, EVIL, EVIL, EVIL)
    summary = RunSummary([EVIL, "title"])
    summary.count(failure)
    evil_page = ReportPage(url=f"https://example.com/{EVIL}", kind=EVIL, fields=tuple(fields), lines=lines)
    pages = (evil_page, ReportPage(url=EVIL, failure=failure))
    report = written(tmp_path, *pages, summary=summary, read_by=EVIL)
    seen = Reader(report)
    assert seen.open == []
    assert {"script", "img"}.isdisjoint(seen.tags)
    assert not [name for name, _ in seen.attributes if name.startswith("on")]
    assert "<script>alert(1)</script>" in seen.text
    assert seen.tags.count("style") == seen.tags.count("title") == 1


@pytest.mark.parametrize(
    ("url", "is_link"),
    [
        ("https://example.com/a?b=c&d", True),
        ("HTTP://example.com/", True),
        ("javascript:alert(1)", False),
        ("JavaScript:alert(1)//https://example.com", False),
        ("java\nscript:alert(1)", False),
        (" javascript:alert(1)", False),
        ("data:text/html,<b>x", False),
        ("file:///etc/passwd", False),
        ("//example.com/", False),
        ("https:", False),
        ("http://[broken", False),
        ("pages.jsonl:3", False),
        ("", False),
    ],
)
def test_only_web_addresses_become_links(tmp_path: Path, url: str, is_link: bool) -> None:
    seen = Reader(written(tmp_path, page(found("images", [{"url": url}]), url=url)))
    assert seen.links == ([url] * 2 if is_link else [])
    assert url.strip() in seen.text


def test_the_file_needs_no_other(tmp_path: Path) -> None:
    report = written(tmp_path, page(found("title", "T")))
    assert not re.search(r"<(?:link|script|img|iframe)\b|url\(|@import", report)
    assert "default-src 'none'" in report
    assert "prefers-color-scheme: dark" in report
    assert 'name="viewport"' in report


@pytest.mark.parametrize(
    ("taken", "expected"),
    [
        ("", []),
        ("-", ["– -"]),
        ("--", ["– -", "– -"]),
        ("---", ["3 lines not taken"]),
        ("t--x", ["title t", "– -", "– -", "text x"]),
        ("-----txx", ["5 lines not taken", "title t", "text x", "text x"]),
        ("x" * 16, ["text x"] * 16),
        ("x" * 17, [*["text x"] * 5, "text 7 more lines", *["text x"] * 5]),
    ],
)
def test_lines_are_labelled_and_those_not_taken_are_folded(tmp_path: Path, taken: str, expected: list[str]) -> None:
    names = {"t": ("title",), "x": ("text",), "-": ()}
    report = written(tmp_path, page(lines=tuple(ReportLine(letter, names[letter]) for letter in taken)))
    outline = report.partition('class="outline"')[2].partition("</article>")[0]
    folded = re.sub(r"(</summary>).*?</details>", r"\1", outline)
    shown = re.findall(r'class="line[^"]*"><b>([^<]*)</b>(?:<span[^>]*>)?([^<]*)|<summary>([^<]*)', folded)
    assert [f"{label} {text}" if label else gap for label, text, gap in shown] == expected
    assert f"{sum(letter != '-' for letter in taken)} of {len(taken)} taken" in report


def test_a_long_text_is_shortened_and_there_in_full(tmp_path: Path) -> None:
    text = "\n".join(f"Line {number} of many." for number in range(100))
    report = Reader(written(tmp_path, page(found("text", text)))).text
    assert text in report
    assert f"all {len(text):,} characters, 100 lines" in report


def test_what_a_page_lacks_is_named(tmp_path: Path) -> None:
    assert "Not found: text" in written(tmp_path, page(found("title", "T")))
    assert "Not found" not in written(tmp_path, page(found("title", "T"), found("text", "T")))


def test_what_metadata_says_is_told(tmp_path: Path) -> None:
    stated = found("title", "T", agrees=("meta:og:title",), differs=("jsonld:headline", "title"))
    text = Reader(written(tmp_path, page(stated))).text
    assert "agrees: meta:og:title" in text
    assert "differs: jsonld:headline, title" in text
    assert "Agreement" not in Reader(written(tmp_path, page(found("title", "T")))).text


@given(st.text(st.characters(exclude_categories=()), max_size=50))
def test_any_text_can_be_written(text: str) -> None:
    from tempfile import TemporaryDirectory  # noqa: PLC0415 -- Hypothesis and tmp_path do not go together

    with TemporaryDirectory() as folder:
        report = written(Path(folder), page(found("title", text), lines=(ReportLine(text, ("title",)),), url=text))
    assert Reader(report).open == []


@pytest.mark.parametrize("target", ["-", "no/such/folder.html", "."])
def test_a_report_that_cannot_be_written_is_told_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OutputError):
        prepare_report(target)
    if target != "-":
        with pytest.raises(OutputError):
            write_report(target, RunSummary([]), [], ReportHead(read_by=""))


def test_looking_keeps_an_older_report(tmp_path: Path) -> None:
    target = tmp_path / "r.html"
    target.write_text("older", "utf-8")
    prepare_report(str(target))
    assert target.read_text("utf-8") == "older"


def counting(**means: float) -> RunSummary:
    summary = RunSummary([*means, "rare"])
    fields = {name: Value("x", mean, "r") for name, mean in means.items()}
    summary.count(page_count(Record(site="s", urls=("u",), fields=fields, template="a")))
    return summary


def test_site_date_and_warnings_stand_first(tmp_path: Path) -> None:
    head = ReportHead(
        read_by="a map", site="paper.example", made_at=datetime(2026, 3, 2, 6, 30, tzinfo=UTC), warnings=["it is short"]
    )
    rule = ReportRule(name="a/tags#0", field="tags", where="li:nth-child(3)", found=1, sampled=2, fragile=True)
    summary = counting(title=0.9, text=0.4)
    summary.count(Failure("u", "parse", "not_html", "a picture"))
    differing = page(found("title", "T", differs=("the tagger (0.90): U",)))
    write_report(str(tmp_path / "r.html"), summary, [differing], head, [rule])
    report = (tmp_path / "r.html").read_text("utf-8")
    assert "<title>paper.example: what was found</title>" in report
    assert '<time datetime="2026-03-02T06:30+00:00">2026-03-02 06:30 UTC</time>' in report
    warnings = re.findall(r"<li>(.*?)</li>", report.partition('class="warnings"')[2].partition("</section>")[0])
    assert warnings == [
        "it is short",
        "1 page of 2 failed: not_html 1",
        "Found on no page: rare",
        "Not sure of the values of: text (0.40)",
        "Something else is stated or read elsewhere: title (1 page)",
        "Rules that rest on positions or generated names, and may break: tags",
    ]
    assert report.index('class="warnings"') < report.index('class="tiles"')


def test_the_site_is_that_of_the_pages_where_none_is_named(tmp_path: Path) -> None:
    assert "<h1>example.com: what was found</h1>" in written(tmp_path, page())
    assert "<h1>example.com and 1 other: what was found</h1>" in written(
        tmp_path, page(), page(url="https://b.example/")
    )
    assert "Nothing to warn of" in written(tmp_path, summary=RunSummary([]))


@pytest.mark.parametrize(("confidence", "word"), [(0.95, ""), (0.7, "unsure"), (0.2, "low")])
def test_low_confidence_is_a_word_too(tmp_path: Path, confidence: float, word: str) -> None:
    unsure = ReportField(name="title", value="T", confidence=confidence, where="a/title#0")
    report = written(tmp_path, page(unsure))
    assert re.findall(r'class="level (\w+)">(\w+)<', report) == ([(word, word)] if word else [])


def test_a_selector_stands_beside_the_rule_and_a_value_beside_both(tmp_path: Path) -> None:
    rules = [
        ReportRule(name="article/title#0", field="title", where="h1.big", found=2, sampled=2),
        ReportRule(name="article/title#1", field="title", where="meta", found=1, sampled=2, sample=["Other", "One"]),
    ]
    summary = RunSummary(["title"])
    shown = page(found("title", "Bees\nhum", selector="h1.big"))
    write_report(str(tmp_path / "r.html"), summary, [shown], ReportHead(read_by="a map"), rules)
    report = (tmp_path / "r.html").read_text("utf-8")
    assert '<code>article/title#0</code><code class="selector">h1.big</code>' in report
    first, second = re.findall(r"<tr><th[^>]*>.*?</tr>", report.partition("The rules")[2])[1:3]
    assert "h1.big" in first
    assert ">Bees hum<" in first
    assert ">Other, One<" in second


def test_few_pages_are_framed_in_frames_that_can_do_nothing(tmp_path: Path) -> None:
    frame = FramedPage(body="<p>\"quoted\" &amp; 'so'</p>", language="ar", direction="rtl", marked=frozenset(["title"]))
    shown = ReportPage(
        url="https://example.com/", language="ar", fields=(found("title", "T"), found("tags", ["a"])), frame=frame
    )
    seen = Reader(report := written(tmp_path, *[shown] * (FRAMED + 3)))
    assert seen.tags.count("iframe") == FRAMED
    framed = [dict(attributes) for tag, attributes in seen.elements if tag == "iframe"]
    assert {one["sandbox"] for one in framed} == {""}
    inner = Reader(str(framed[0]["srcdoc"]))
    assert inner.text.endswith("\"quoted\" & 'so'")
    assert ("lang", "ar") in inner.attributes
    assert ("dir", "rtl") in inner.attributes
    assert any("default-src 'none'" in str(value) for _, value in inner.attributes)
    assert "Not seen on the page: tags" in report
    assert '<td data-head="Value" class="value" lang="ar">' in report
