"""`sitewright map PAGES`, and what `extract` and `map diff` make of learned maps, as people run them."""

import csv
import json
import random
import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from tests.program import Program, clean_environment

from sitewright.maps import dump_map, load_map, parse_map
from sitewright.maps.file import is_untouched
from sitewright.types import ExtractionMap, Rule

pytestmark = pytest.mark.slow

Sitewright = Callable[..., subprocess.CompletedProcess[bytes]]
Row = dict[str, Any]

PAGES = 4
PEOPLE = ("Ann Lee", "Ben Okafor", "Clara Winter", "Dario Rossi", "Eva Lind", "Farid Aziz")
SPOTS = ("harbour", "library", "market hall", "river bridge", "tram depot", "city garden", "old brewery")
TOPICS = ("Bees", "Trams", "Bridges", "Floods", "Schools", "Harbours", "Books")
POLICY = '<meta http-equiv="Content-Security-Policy" content="default-src \'none\''


def story(number: int) -> Row:
    """Return what is known of a made-up story."""
    draw = random.Random(number)
    spot = SPOTS[number % len(SPOTS)]
    paragraphs = [
        f"The {draw.choice(SPOTS)} counted {draw.randint(100, 9999):,} visitors in {draw.randint(1950, 2023)}, said "
        f"{draw.choice(PEOPLE)}, and the {spot} had {draw.randint(3, 90)} percent more of them than the year before."
        for _ in range(6)
    ]
    return {
        "title": f"The {spot} of Corwick reopens after {number + 3} years",
        "published": f"2024-05-{1 + number % 28:02}T08:{draw.randint(10, 59)}:00+01:00",
        "text": "\n".join(paragraphs),
        "authors": [draw.choice(PEOPLE)],
        "tags": draw.sample(TOPICS, 2),
    }


def page(number: int, host: str = "www.example.com") -> Row:
    """Return a story as the site shows it."""
    told = story(number)
    facts = {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "headline": told["title"],
        "datePublished": told["published"],
        "author": {"@type": "Person", "name": told["authors"][0]},
    }
    text = "".join(f"<p>{paragraph}</p>" for paragraph in told["text"].split("\n"))
    tags = "".join(f'<a rel="tag" href="/tag/{tag.lower()}">{tag}</a>' for tag in told["tags"])
    more = "".join(
        f'<li class="teaser"><a href="/{n}">{story(n)["title"]}</a></li>' for n in (number + 50, number + 51)
    )
    html = (
        f'<!DOCTYPE html><html lang="en"><head><title>{told["title"]} | Corwick Post</title>'
        f'<script type="application/ld+json">{json.dumps(facts)}</script></head><body>'
        '<nav class="menu"><a href="/">Home</a><a href="/sport">Sport</a></nav><main>'
        f'<h1 class="headline">{told["title"]}</h1><p class="byline">By {told["authors"][0]}</p>'
        f'<time class="date" datetime="{told["published"]}">{told["published"][:10]}</time>'
        f'<div class="story">{text}</div><p class="tags">{tags}</p>'
        f'<ul class="facts"><li>Built in {1700 + number}</li><li>Known to {number * 31 + 7} guests</li>'
        f"<li>Open for {number + 11} weeks</li></ul></main>"
        f"<aside><h2>More</h2><ul>{more}</ul></aside><footer>All rights reserved.</footer></body></html>"
    )
    return {"url": f"https://{host}/news/{number}", "html": html, "time": "2024-06-15T12:00:00Z"}


def old_page(number: int) -> Row:
    """Return a story in the design that the site had before."""
    told = story(number)
    text = "".join(f'<p class="para">{paragraph}</p>' for paragraph in told["text"].split("\n"))
    html = (
        f'<!DOCTYPE html><html lang="en"><head><title>{told["title"]} | Corwick Post</title></head><body id="page">'
        '<div class="masthead"><a class="logo" href="/">Corwick Post</a><span class="slogan">Since 1871</span></div>'
        f'<div class="wrapper"><div class="article-head"><h2 class="article-title">{told["title"]}</h2>'
        f'<div class="article-meta"><span class="writer">By {told["authors"][0]}</span> '
        f'<span class="when">{told["published"][:10]}</span></div></div><div class="article-body">{text}</div>'
        '<div class="article-foot"><span class="share">Share this</span></div></div>'
        '<div class="bottom">Imprint</div></body></html>'
    )
    return {"url": f"https://www.example.com/2010/{number}", "html": html, "time": "2024-06-15T12:00:00Z"}


def unsigned(number: int) -> Row:
    """Return a story whose byline is where no other page has it, and is stated nowhere."""
    row, name = page(number), story(number)["authors"][0]
    html = row["html"].replace(f'<p class="byline">By {name}</p>', f"<div>By {name}</div>")
    return {**row, "html": re.sub(r', "author": \{[^}]*\}', "", html)}


def section(number: int) -> Row:
    """Return a page that lists stories."""
    entries = "".join(
        f'<li class="item"><h2><a href="/news/{number}-{n}">Story number {n} of section {number}</a></h2>'
        f'<p class="teaser">What happened in {number}-{n}, in short.</p></li>'
        for n in range(25)
    )
    html = (
        f'<html lang="en"><head><title>Section {number}</title></head><body><nav><a href="/">Home</a></nav>'
        f'<h1>Section {number}</h1><ul>{entries}</ul><a href="?page=2">Next page</a></body></html>'
    )
    return {"url": f"https://www.example.com/section/{number}", "html": html}


def lines(*entries: Row | str) -> bytes:
    return b"".join((row if isinstance(row, str) else json.dumps(row)).encode() + b"\n" for row in entries)


def rows(content: bytes) -> list[Row]:
    return [json.loads(line) for line in content.splitlines()]


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory, program: Program) -> str:
    """Return the map of the first pages, which most tests begin with."""
    folder = tmp_path_factory.mktemp("learned")
    (folder / "a.jsonl").write_bytes(lines(*map(page, range(PAGES))))
    done = program.call("map", "a.jsonl", "-o", "a.map.yaml", "-q", folder=folder, environment=clean_environment())
    done.check_returncode()
    return (folder / "a.map.yaml").read_text("utf-8")


@pytest.fixture
def folder(tmp_path: Path, learned: str) -> Path:
    """Return a folder with pages, other pages, and the map of the first."""
    (tmp_path / "a.jsonl").write_bytes(lines(*map(page, range(PAGES))))
    (tmp_path / "b.jsonl").write_bytes(lines(*map(page, range(10, 10 + PAGES))))
    (tmp_path / "a.map.yaml").write_text(learned, "utf-8")
    return tmp_path


def names(folder: Path) -> set[str]:
    return {entry.name for entry in folder.iterdir()}


def contents(folder: Path) -> dict[str, bytes | None]:
    """Return what is in the files of a folder; None stands for a folder."""
    return {entry.name: entry.read_bytes() if entry.is_file() else None for entry in folder.iterdir()}


def rules_of(extraction_map: ExtractionMap, field: str) -> list[Rule]:
    return [rule for rule in extraction_map.rules if rule.field == field]


def as_learned(text: str) -> str:
    """Return a map without what is different each time: the moment."""
    return dump_map(replace(parse_map(text), learned_at=None))


def refused(done: subprocess.CompletedProcess[bytes], code: str) -> bool:
    """Tell whether a call ended with an error of this code, and said so in one line of its own."""
    told = [line for line in done.stderr.decode().splitlines() if line.startswith("error[")]
    assert b"Traceback" not in done.stderr
    return (done.returncode, done.stdout, len(told)) == (2, b"", 1) and told[0].startswith(f"error[{code}]: ")


# Learning.


def test_a_map_goes_to_standard_output_and_a_table_to_standard_error(sitewright: Sitewright, folder: Path) -> None:
    done = sitewright("map", "a.jsonl")
    assert done.returncode == 0
    checked = sitewright("map", "check", "-", stdin=done.stdout)
    assert (checked.returncode, checked.stderr) == (0, b"")
    assert checked.stdout.startswith(b"standard input: fine (1 template, ")
    found, table = parse_map(done.stdout.decode()), done.stderr.decode()
    assert (found.site, found.domain, found.version, found.language) == ("example.com", "news", 1, "en")
    assert {"title", "published", "text", "authors", "tags"} <= set(found.fields)
    assert f"example.com: {PAGES} pages" in table
    told = {cells[1].strip(): cells for line in table.splitlines() if len(cells := re.split("[│┃]", line)) > 5}
    for name in ("title", "text", "authors"):
        _, _, rate, agrees, rule, value, *_ = map(str.strip, told[name])
        assert (rate, agrees.endswith("%")) == (f"{PAGES}/{PAGES}", True)
        assert rule == ", ".join(rules_of(found, name)[0].select)
        shown = ", ".join(entry) if isinstance(entry := story(0)[name], list) else entry
        assert value.removesuffix("…")
        assert shown.startswith(value.removesuffix("…"))


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["-q", "--jobs", "1", "--limit", str(PAGES), "a.jsonl", "b.jsonl"], id="options in front"),
        pytest.param(["learn", "-q", "-"], id="by its name, from standard input"),
    ],
)
def test_ways_to_ask_for_the_same_map(sitewright: Sitewright, folder: Path, learned: str, arguments: list[str]) -> None:
    done = sitewright("map", *arguments, stdin=(folder / "a.jsonl").read_bytes())
    assert (done.returncode, done.stderr) == (0, b"")
    assert as_learned(done.stdout.decode()) == as_learned(learned)


def test_a_map_in_a_file(sitewright: Sitewright, folder: Path, learned: str) -> None:
    before = names(folder)
    done = sitewright("map", "-o", "maps/new.map.yaml", "a.jsonl", "-q")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    text = (folder / "maps" / "new.map.yaml").read_text("utf-8")
    assert as_learned(text) == as_learned(learned)
    assert text.startswith(f"#: Learned from {PAGES} pages on ")
    assert is_untouched(text)
    assert names(folder) - before == {"maps"}
    assert names(folder / "maps") == {"new.map.yaml"}


def test_a_learned_map_reads_other_pages(sitewright: Sitewright, folder: Path) -> None:
    done = sitewright("extract", "b.jsonl", "--map", "a.map.yaml", "-q")
    assert (done.returncode, done.stderr) == (0, b"")
    for number, row in enumerate(rows(done.stdout), 10):
        assert {name: row[name] for name in story(number)} == story(number)
        assert (row["template"], row["map_version"], "via" in row) == ("article", 1, False)


# The report.


def test_the_report_shows_rules_and_where_the_tagger_sees_something_else(sitewright: Sitewright, folder: Path) -> None:
    (folder / "c.jsonl").write_bytes(lines(*map(page, range(PAGES)), unsigned(6), "nonsense"))
    done = sitewright("map", "c.jsonl", "-o", "c.map.yaml", "--report", "c.html", "-q")
    assert (done.returncode, done.stdout) == (0, b"")
    report, found = (folder / "c.html").read_text("utf-8"), load_map(folder / "c.map.yaml")
    assert report.startswith("<!DOCTYPE html>")
    assert report.endswith("</html>\n")
    assert POLICY in report
    assert "<script" not in report
    assert "the map c.map.yaml, learned from these pages." in report
    for number in (*range(PAGES), 6):
        assert page(number)["url"] in report
        assert story(number)["title"] in report
    rule = rules_of(found, "title")[0].select[0]
    assert re.search(rf"article/title#0<.{{,80}}{re.escape(rule)}<", report)
    assert re.search(rf"no rule gives it.{{,200}}the tagger \([0-9.]+\): {story(6)['authors'][0]}", report)
    assert "bad_page_line" in report


# Examples.


def facts_of(number: int) -> list[str]:
    return [f"Built in {1700 + number}", f"Known to {number * 31 + 7} guests", f"Open for {number + 11} weeks"]


EXAMPLES = {
    "headline": ([story(1)["title"]], lambda number: story(number)["title"]),
    "built": ([facts_of(2)[0]], lambda number: facts_of(number)[0]),
    "fact": ([facts_of(1)[0], facts_of(1)[2]], facts_of),
    "title": ([story(3)["title"]], lambda number: story(number)["title"]),
}
"""Of a field of any name, of one entry of a list, two of a list, a field that the domain knows; and what they teach."""


def test_fields_by_example(sitewright: Sitewright, folder: Path) -> None:
    examples = [("--example", f"{field}={value}") for field, (shown, _) in EXAMPLES.items() for value in shown]
    done = sitewright("map", "a.jsonl", *chain.from_iterable(examples), "-o", "example.map.yaml", "-q")
    assert (done.returncode, done.stderr) == (0, b"")
    found = rows(sitewright("extract", "b.jsonl", "--map", "example.map.yaml", "-q").stdout)
    for field, (_, expected) in EXAMPLES.items():
        assert [row[field] for row in found] == [expected(n) for n in range(10, 10 + PAGES)]
    assert [row["text"] for row in found] == [story(n)["text"] for n in range(10, 10 + PAGES)]


@pytest.mark.parametrize(
    ("example", "code", "words"),
    [
        ("title", "input_error", "'title' is not FIELD=VALUE"),
        ("=Built in 1701", "input_error", "'=Built in 1701' is not FIELD=VALUE"),
        ("fact=Built in 1950", "bad_example", "none of the pages shows fact = 'Built in 1950'"),
    ],
)
def test_examples_that_teach_nothing(sitewright: Sitewright, folder: Path, example: str, code: str, words: str) -> None:
    before = names(folder)
    done = sitewright("map", "a.jsonl", "--example", example, "-o", "new.map.yaml")
    assert refused(done, code)
    assert words in done.stderr.decode()
    assert names(folder) == before


# Learning again.


def test_merging_refines_the_map_that_is_there(sitewright: Sitewright, folder: Path, learned: str) -> None:
    done = sitewright("map", "b.jsonl", "--merge", "-o", "a.map.yaml", "-q")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    text, before = (folder / "a.map.yaml").read_text("utf-8"), parse_map(learned)
    after = parse_map(text)
    assert (before.version, after.version) == (1, 2)
    for name in ("title", "published", "text", "authors"):
        rule, earlier = rules_of(after, name)[0], rules_of(before, name)[0]
        assert (rule.select, rule.take, rule.remove) == (earlier.select, earlier.take, earlier.remove)
        assert rule.support is not None
        assert (rule.support.found, rule.support.sampled) == (PAGES * 2, PAGES * 2)
    assert is_untouched(text)
    assert text.startswith(f"#: Learned from {PAGES * 2} pages, the last {PAGES} of them on ")
    assert names(folder) == {"a.jsonl", "b.jsonl", "a.map.yaml"}
    assert sitewright("map", "check", "a.map.yaml").returncode == 0


EDITED = "      title: {select: [nav a], edited: true} # Ann wants it so\n"


def edited(text: str) -> str:
    """Return a map in which a person changed the rules of the title."""
    return re.sub(r"      title:.*?\n(?=      \w)", EDITED, text, flags=re.DOTALL)


def test_edited_rules_survive_merging(sitewright: Sitewright, folder: Path, learned: str) -> None:
    (folder / "a.map.yaml").write_text(f"# Ask Ann before you touch this.\n{edited(learned)}", "utf-8")
    done = sitewright("map", "b.jsonl", "--merge", "-o", "a.map.yaml", "-q")
    assert (done.returncode, done.stderr) == (0, b"")
    text = (folder / "a.map.yaml").read_text("utf-8")
    assert EDITED in text
    assert "# Ask Ann before you touch this.\n" in text
    assert re.findall(r"#: Learned from (\d+) pages", text) == [str(PAGES * 2)], "the old heading made way"
    found = parse_map(text)
    assert found.version == 2
    assert rules_of(found, "title") == [Rule(field="title", select=("nav a",), edited=True)]
    rule = rules_of(found, "authors")[0]
    assert rule.support is not None
    assert rule.support.sampled == PAGES * 2
    assert not is_untouched(text), "a person's work is in it still"
    assert refused(sitewright("map", "b.jsonl", "-o", "a.map.yaml"), "map_exists")


def test_edited_rules_are_replaced_when_told(sitewright: Sitewright, folder: Path, learned: str) -> None:
    (folder / "a.map.yaml").write_text(edited(learned), "utf-8")
    done = sitewright("map", "b.jsonl", "--merge", "--replace-edited", "-o", "a.map.yaml", "-q")
    assert (done.returncode, done.stderr) == (0, b"")
    found = load_map(folder / "a.map.yaml")
    assert not any(rule.edited for rule in found.rules)
    read = sitewright("extract", "b.jsonl", "--map", "a.map.yaml", "--tagger", "none", "-q")
    assert [row["title"] for row in rows(read.stdout)] == [story(n)["title"] for n in range(10, 10 + PAGES)]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["b.jsonl", "--merge", "-o", "missing.map.yaml"], "input_error"),
        (["b.jsonl", "--merge"], "input_error"),
        (["b.jsonl", "--merge", "-o", "broken.map.yaml"], "map_syntax"),
        (["one.jsonl", "--merge", "-o", "a.map.yaml"], "too_few_pages"),
    ],
)
def test_a_map_that_cannot_be_learned_again_stays(
    sitewright: Sitewright, folder: Path, arguments: list[str], code: str
) -> None:
    (folder / "one.jsonl").write_bytes(lines(page(20)))
    (folder / "broken.map.yaml").write_text("a: [", "utf-8")
    before = contents(folder)
    assert refused(sitewright("map", *arguments), code)
    assert contents(folder) == before


# A file that is there.


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda text: text.replace("select: [", "select: [h5, ", 1), id="a rule changed"),
        pytest.param(lambda text: f"{text}# checked\n", id="a comment added"),
        pytest.param(lambda text: dump_map(parse_map(text)), id="no heading"),
        pytest.param(lambda _: "Notes of mine.\n", id="no map at all"),
    ],
)
def test_a_persons_work_is_never_written_over(
    sitewright: Sitewright, folder: Path, learned: str, change: Callable[[str], str]
) -> None:
    text = change(learned)
    assert text != learned
    (folder / "a.map.yaml").write_text(text, "utf-8")
    before = names(folder)
    done = sitewright("map", "b.jsonl", "-o", "a.map.yaml")
    assert refused(done, "map_exists")
    assert "--merge" in done.stderr.decode()
    assert "--force" in done.stderr.decode()
    assert (folder / "a.map.yaml").read_text("utf-8") == text
    assert names(folder) == before


def test_the_same_map_is_not_written_again(sitewright: Sitewright, folder: Path, learned: str) -> None:
    before = names(folder)
    done = sitewright("map", "a.jsonl", "-o", "a.map.yaml")
    assert refused(done, "map_exists")
    assert "the same" in done.stderr.decode()
    assert (folder / "a.map.yaml").read_text("utf-8") == learned
    assert names(folder) == before


def test_a_map_as_it_was_learned_makes_way(sitewright: Sitewright, folder: Path, learned: str) -> None:
    (folder / "c.jsonl").write_bytes(lines(*map(page, range(30, 33))))
    for pages, aside, number in (("b.jsonl", "a.map.yaml.~1~", PAGES), ("c.jsonl", "a.map.yaml.~2~", 3)):
        before = (folder / "a.map.yaml").read_text("utf-8")
        done = sitewright("map", pages, "-o", "a.map.yaml", "-q")
        assert (done.returncode, done.stdout) == (0, b"")
        assert done.stderr.decode() == f"the map that was there is kept as {aside}\n"
        assert (folder / aside).read_text("utf-8") == before
        text = (folder / "a.map.yaml").read_text("utf-8")
        assert is_untouched(text)
        assert text.startswith(f"#: Learned from {number} pages on ")
    assert (folder / "a.map.yaml.~1~").read_text("utf-8") == learned


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda text: edited(text).encode(), id="a person's work"),
        pytest.param(lambda _: b"a: [", id="no YAML"),
        pytest.param(lambda _: b"&a [*a]", id="YAML without an end"),
        pytest.param(lambda _: b"\xff\xfe", id="no text"),
    ],
)
def test_force_writes_over_anything(
    sitewright: Sitewright, folder: Path, learned: str, change: Callable[[str], bytes]
) -> None:
    (folder / "a.map.yaml").write_bytes(change(learned))
    before = names(folder)
    done = sitewright("map", "a.jsonl", "-o", "a.map.yaml", "--force", "-q")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert as_learned((folder / "a.map.yaml").read_text("utf-8")) == as_learned(learned)
    assert names(folder) == before


# What another map does to the values.

OLD = """\
sitewright: 1
site: example.com
templates:
  - name: article
    rules:
      title: {select: [h1]}
      text: {select: [.story]}
      authors: {select: [.byline]}
"""
NEW = """\
sitewright: 1
site: example.com
templates:
  - name: article
    rules:
      title: {select: [h2]}
      published: {select: [time]}
      text: {select: [div.story]}
"""


def test_diff_counts_the_values_that_change(sitewright: Sitewright, folder: Path) -> None:
    (folder / "old.map.yaml").write_text(OLD, "utf-8")
    (folder / "new.map.yaml").write_text(NEW, "utf-8")
    (folder / "c.jsonl").write_bytes(lines(page(1), unsigned(2), page(3)))
    done = sitewright("map", "diff", "old.map.yaml", "new.map.yaml", "--pages", "c.jsonl", "--show", "1")
    assert (done.returncode, done.stderr) == (1, b"")
    rules, _, effect = done.stdout.decode().partition("\n\n")
    assert rules.splitlines()[0] == "~ article/title#0"
    assert effect.splitlines() == [
        "On 3 pages:",
        "title: 3 values changed",
        f"    {page(1)['url']}",
        f"    - {story(1)['title']}",
        "    + More",
        "text: the same on all",
        "authors: 2 values changed (2 lost)",
        f"    {page(1)['url']}",
        f'    - ["{story(1)["authors"][0]}"]',
        "    + nothing",
        "published: 3 values changed (3 new)",
        f"    {page(1)['url']}",
        "    - nothing",
        f"    + {story(1)['published']}",
    ]


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["old.map.yaml", "old.map.yaml", "--pages", "a.jsonl"], 0, "no difference\n"),
        (
            ["old.map.yaml", "new.map.yaml", "--pages", "a.jsonl", "--pages", "-", "--show", "0"],
            1,
            f"On {PAGES + 1} pages:\n",
        ),
        (["old.map.yaml", "same.map.yaml", "--pages", "a.jsonl"], 1, "title: the same on all\n"),
        (["old.map.yaml", "new.map.yaml", "--pages", "missing.jsonl"], 2, ""),
    ],
)
def test_the_status_of_diff(
    sitewright: Sitewright, folder: Path, arguments: list[str], status: int, words: str
) -> None:
    (folder / "old.map.yaml").write_text(OLD, "utf-8")
    (folder / "new.map.yaml").write_text(NEW, "utf-8")
    (folder / "same.map.yaml").write_text(OLD.replace("[h1]", "[h1.headline]"), "utf-8")
    done = sitewright("map", "diff", *arguments, stdin=lines(page(7)))
    assert done.returncode == status
    assert words in done.stdout.decode()
    assert (done.stderr == b"") == (status != 2)
    assert done.stderr[:19] in (b"", b"error[input_error]:")


# Bad input.


@pytest.mark.parametrize(
    ("entries", "code", "words"),
    [
        pytest.param([page(1)], "too_few_pages", "1 page", id="one page"),
        pytest.param([page(1), page(1), page(1)], "too_few_pages", "3 pages that are all the same", id="copies"),
        pytest.param([], "input_error", "there is no page in bad.jsonl", id="an empty file"),
        pytest.param(
            ["nonsense", "[]", '{"a": 1}'], "too_few_pages", "left out: bad.jsonl:2: bad_page_line", id="noise"
        ),
        pytest.param(
            [page(1), page(2), page(3, "www.example.org"), page(4, "www.example.org")],
            "mixed_sites",
            "example.com (2), example.org (2)",
            id="two sites",
        ),
        pytest.param([section(n) for n in range(3)], "no_articles", "3 list", id="no article"),
    ],
)
def test_what_no_map_can_be_learned_from(
    sitewright: Sitewright, folder: Path, entries: list[Row | str], code: str, words: str
) -> None:
    (folder / "bad.jsonl").write_bytes(lines(*entries))
    before = names(folder)
    done = sitewright("map", "bad.jsonl", "-o", "new.map.yaml", "--report", "new.html")
    assert refused(done, code)
    assert words in done.stderr.decode()
    assert names(folder) == before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["missing.jsonl"], "error[input_error]: there is no file missing.jsonl"),
        (["a.jsonl", "--report", "-"], "error[output_error]"),
        (["a.jsonl", "--report", "no/such/folder/r.html"], "error[output_error]"),
        (["a.jsonl", "--report", "a.jsonl"], "error[output_error]: a.jsonl is an input"),
        (["a.jsonl", "--report", "new", "-o", "new", "--force"], "error[output_error]: new is the output"),
        (["a.jsonl", "--replace-edited"], "error[input_error]: --replace-edited goes with --merge"),
        (["a.jsonl", "-o", "empty"], "error[input_error]: cannot read empty"),
        (["a.jsonl", "--domain", "weather"], "--domain"),
        ([], "map [OPTIONS] COMMAND"),
    ],
)
def test_what_cannot_be_done_is_status_two(
    sitewright: Sitewright, folder: Path, arguments: list[str], words: str
) -> None:
    (folder / "empty").mkdir()
    before = contents(folder)
    done = sitewright("map", *arguments)
    assert done.returncode == 2
    assert words in done.stderr.decode()
    assert b"Traceback" not in done.stderr
    assert (done.stdout, contents(folder)) == (b"", before)


def test_a_broken_page_among_good_ones_is_named_and_left_out(
    sitewright: Sitewright, folder: Path, learned: str
) -> None:
    good = [page(number) for number in range(PAGES)]
    (folder / "c.jsonl").write_bytes(lines(*good[:2], "nonsense", *good[2:], {**page(8), "html": "<div>" * 600}))
    done = sitewright("map", "c.jsonl", "-o", "new.map.yaml", "-q")
    assert done.returncode == 0
    first, second = done.stderr.decode().splitlines()
    assert first.startswith("left out: c.jsonl:3: bad_page_line: ")
    assert second.startswith(f"left out: {page(8)['url']}: page_too_deep: ")
    assert as_learned((folder / "new.map.yaml").read_text("utf-8")) == as_learned(learned)


def test_pages_that_do_not_belong_are_left_out_with_a_warning_even_when_quiet(
    sitewright: Sitewright, folder: Path, learned: str
) -> None:
    others = [page(0), page(1), page(8, "www.example.org"), section(1)]
    (folder / "c.jsonl").write_bytes(lines(*map(page, range(PAGES)), *others))
    done = sitewright("map", "c.jsonl", "-o", "new.map.yaml", "-q")
    assert done.returncode == 0
    text = (folder / "new.map.yaml").read_text("utf-8")
    heading, _, _ = text.partition("sitewright: 1")
    warnings = done.stderr.decode().splitlines()
    expected = ["copies of others", "example.org (1); only those of example.com", f"no article: {section(1)['url']}"]
    for warning, words in zip(warnings, expected, strict=True):
        assert warning.startswith("warning: ")
        assert words in warning
        assert words in heading
    assert as_learned(text) == as_learned(learned)


def test_two_designs_in_one_sample_are_two_templates(sitewright: Sitewright, folder: Path) -> None:
    (folder / "c.jsonl").write_bytes(lines(*map(page, range(4)), *map(old_page, range(4, 7))))
    done = sitewright("map", "c.jsonl", "-o", "c.map.yaml")
    assert done.returncode == 0
    assert "warning: the pages are of 2 designs" in done.stderr.decode()
    found = load_map(folder / "c.map.yaml")
    assert (len(found.templates), found.templates[-1].name) == (2, "article")
    (folder / "d.jsonl").write_bytes(lines(page(11), old_page(12), page(13), old_page(14)))
    read = sitewright("extract", "d.jsonl", "--map", "c.map.yaml", "--tagger", "none", "-q")
    for number, row in enumerate(rows(read.stdout), 11):
        told = story(number)
        assert (row["title"], row["text"], row["authors"]) == (told["title"], told["text"], told["authors"])
    assert [row["template"] == "article" for row in rows(read.stdout)] == [True, False, True, False]


# What a learned map does not know.


@pytest.fixture
def drifted(folder: Path) -> Path:
    """Return a folder with two pages that the map knows, one that lacks a field, one of another design, a broken one."""
    (folder / "c.jsonl").write_bytes(lines(page(11), unsigned(12), old_page(13), "nonsense", page(14)))
    return folder


def test_extract_hands_over_what_the_map_does_not_know(sitewright: Sitewright, drifted: Path) -> None:
    done = sitewright("extract", "c.jsonl", "--map", "a.map.yaml", "--explain")
    found = rows(done.stdout)
    assert done.returncode == 1
    assert [row.get("via") for row in found] == [None, "map, tagger", "tagger", None, None]
    assert [row.get("template") for row in found] == ["article", "article", None, None, "article"]
    assert [found[n].get("title") for n in (0, 1, 2, 4)] == [story(number)["title"] for number in (11, 12, 13, 14)]
    assert found[1]["authors"] == story(12)["authors"]
    assert found[1]["rules"]["authors"].startswith("tagger/authors")
    assert found[1]["rules"]["title"] == "article/title#0"
    assert (found[2]["page_kind"], found[2]["map_version"]) == ("article", 1)
    assert all(rule.startswith("tagger/") for rule in found[2]["rules"].values())
    assert "1 failed (bad_page_line 1); 2 (40%) handed to the tagger, 1 in part" in done.stderr.decode()


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        pytest.param(["--tagger", "none"], "", id="told not to"),
        pytest.param([], OLD, id="a map by hand"),
    ],
)
def test_extract_hands_nothing_over(
    sitewright: Sitewright, drifted: Path, learned: str, arguments: list[str], text: str
) -> None:
    (drifted / "by.map.yaml").write_text(text or learned, "utf-8")
    done = sitewright("extract", "c.jsonl", "--map", "by.map.yaml", *arguments)
    found = rows(done.stdout)
    assert [row["url"] for row in found if "via" in row] == []
    assert "authors" not in found[1]
    assert "title" not in found[2]
    assert "handed" not in done.stderr.decode()


def test_tables_have_the_values_of_handed_pages(sitewright: Sitewright, drifted: Path) -> None:
    assert sitewright("extract", "c.jsonl", "--map", "a.map.yaml", "-o", "c.csv", "-q").returncode == 1
    with (drifted / "c.csv").open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    _, unsigned_row, old_row, failed, _ = table
    assert [row["via"] for row in table] == ["", "map, tagger", "tagger", "", ""]
    assert (unsigned_row["authors"], unsigned_row["template"]) == (story(12)["authors"][0], "article")
    assert (old_row["title"], old_row["page_kind"], old_row["template"]) == (story(13)["title"], "article", "")
    assert old_row["text"] == story(13)["text"]
    assert failed["error_code"] == "bad_page_line"


def test_tables_have_columns_for_what_only_the_tagger_gives(
    sitewright: Sitewright, drifted: Path, learned: str
) -> None:
    no_text = re.sub(r"      text:.*?\n(?=      \w|\w)", "", learned, flags=re.DOTALL)
    (drifted / "a.map.yaml").write_text(no_text, "utf-8")
    assert "text" not in load_map(drifted / "a.map.yaml").fields
    done = sitewright("extract", "c.jsonl", "--map", "a.map.yaml", "--format", "csv", "-q")
    first, *_ = csv.DictReader(done.stdout.decode().splitlines(keepends=True))
    assert first["text"] == story(11)["text"]
