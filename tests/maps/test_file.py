import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML

from sitewright.errors import InputError, MapExists, MapInvalid, MapSyntaxError, OutputError
from sitewright.maps import dump_map, load_map, parse_map, save_map, schema
from sitewright.types import ExtractionMap, IndexPage, PartsRule, Rule, Support, Template
from sitewright.values import PARSERS

MINIMAL = "sitewright: 1\nsite: example.com\ntemplates:\n  - name: a\n    rules:\n      title: {select: [h1]}\n"

HAND_WRITTEN = """\
# The paper of Saltby.
sitewright: 1
site: example.com
domain: news
version: 3
timezone: Europe/London   # dates name no zone
templates:
  # The usual story
  - name: article
    url: "^https://example\\\\.com/news/"
    probe: "article h1"
    rules:
      title: {select: ["article h1"]}  # there is always one
      # The date stands twice.
      published:
        - {select: [time], take: "@datetime"}
        - {take: "jsonld:NewsArticle.datePublished"}
      text:
        select: [".body p"]
        remove: [.ad]     # in the middle of the text
        many: true
  - name: gallery
    rules:
      title: {select: [h1]}
index:
  - {url: "https://example.com/", articles: ["a.card"], weight: 10}
render: static
"""

WORDS = st.sampled_from(
    ["h1", "article > p", ".story__body", "//div[@id='x']/p", "time[datetime]", "p:not(.ad)", "string(//h1)"]
)
SELECTORS = st.lists(WORDS, max_size=3).map(tuple)
SOME_SELECTORS = st.lists(WORDS, min_size=1, max_size=3).map(tuple)
TAKES = st.sampled_from(
    ["text", "html", "@datetime", "@data-src", "@xml:lang", "jsonld:NewsArticle.author.name", "jsonld:headline"]
)
PATTERNS = st.sampled_from(
    ["", r"\d{4}", r"^(.*) - \w+$", "# not a comment", "a: b", "'\"", "yes", "1", "~", r"\\", "中文", "tab\t", " x "]
)
SUPPORTS = st.none() | st.builds(
    Support, st.integers(0, 99), st.integers(0, 99), st.none() | st.integers(0, 1000).map(lambda share: share / 1000)
)
FIELD_NAMES = st.sampled_from(
    ["title", "text", "authors", "my_field", "on", "null", "yes", "no", "n", "y", "True", "_x", "a-b", "e3"]
)


def sound(rule: Rule) -> Rule:
    """A rule with fields takes nodes, and matches nothing in them."""
    return replace(rule, take="text", match="") if rule.fields else rule


def rules_of(inner: st.SearchStrategy[tuple[Rule, ...]]) -> st.SearchStrategy[tuple[Rule, ...]]:
    """Rules of one field stand together, as in the file."""
    rule = st.builds(
        Rule,
        field=FIELD_NAMES,
        select=SOME_SELECTORS,
        remove=SELECTORS,
        take=TAKES,
        many=st.booleans(),
        match=PATTERNS,
        parse=st.sampled_from(["", *PARSERS]),
        fields=inner,
        support=SUPPORTS,
        edited=st.booleans(),
        fragile=st.booleans(),
    )
    return st.lists(rule.map(sound), max_size=4).map(
        lambda rules: tuple(sorted(rules, key=lambda rule: [other.field for other in rules].index(rule.field)))
    )


TEMPLATES = st.lists(
    st.builds(
        Template,
        name=st.sampled_from(["article", "gallery", "live.v2", "no", "1", "новость", "a-b"]),
        url=PATTERNS,
        probe=st.sampled_from(["", "h1", "//article"]),
        tagger=st.sampled_from([(), ("authors",), ("authors", "tags")]),
        rules=rules_of(rules_of(st.just(()))),
        render=st.sampled_from([None, "static", "browser"]),
    ),
    min_size=1,
    max_size=3,
    unique_by=lambda template: template.name,
).map(tuple)

MOMENTS = st.none() | st.datetimes(
    min_value=datetime(1990, 1, 1), max_value=datetime(2100, 1, 1), timezones=st.sampled_from([None, UTC])
)

MAPS = st.builds(
    ExtractionMap,
    site=st.sampled_from(["example.com", "пример.рф", "no", "1.2", "a b # c", "0x1f", "2024-01-01"]),
    domain=st.sampled_from(["news", "shop"]),
    version=st.integers(1, 10**9),
    learned_at=MOMENTS,
    language=st.sampled_from(["", "en", "no", "zh-Hans", "pt-BR"]),
    timezone=st.sampled_from(["", "UTC", "Europe/Moscow", "Asia/Kolkata"]),
    min_confidence=st.dictionaries(
        st.sampled_from(["title", "text"]), st.integers(0, 1000).map(lambda part: part / 1000)
    ).map(lambda floors: tuple(floors.items())),
    date_formats=st.lists(st.sampled_from(["%d.%m.%Y", "%H:%M, %d %B %Y", "%Y年%m月%d日"]), max_size=2).map(tuple),
    templates=TEMPLATES,
    index=st.lists(
        st.builds(
            IndexPage,
            url=st.sampled_from(["https://example.com/", "https://example.com/a?b=c#d", "no"]),
            items=SELECTORS,
            next=SELECTORS,
            weight=st.integers(1, 99),
            seed=st.lists(st.sampled_from(["/news/", "re:a+"]), max_size=2).map(tuple),
            banned=st.lists(st.sampled_from(["/ad/", "re:b$"]), max_size=2).map(tuple),
            category=st.sampled_from(["", "World"]),
        ),
        max_size=3,
    ).map(tuple),
    render=st.sampled_from(["static", "browser"]),
)


@pytest.mark.slow
@given(MAPS)
def test_what_is_written_is_read_back(extraction_map: ExtractionMap) -> None:
    assert parse_map(dump_map(extraction_map)) == extraction_map


@pytest.mark.slow
@given(MAPS)
def test_writing_is_stable(extraction_map: ExtractionMap) -> None:
    text = dump_map(extraction_map)
    assert dump_map(parse_map(text)) == text
    assert dump_map(extraction_map, like=text) == text


@pytest.mark.slow
@given(MAPS, MAPS)
def test_writing_over_another_map_loses_nothing(old: ExtractionMap, new: ExtractionMap) -> None:
    assert parse_map(dump_map(new, like=dump_map(old))) == new


@pytest.mark.slow
@given(MAPS)
def test_writing_over_a_hand_written_map_loses_nothing(extraction_map: ExtractionMap) -> None:
    assert parse_map(dump_map(extraction_map, like=HAND_WRITTEN)) == extraction_map


@pytest.mark.slow
@given(MAPS)
def test_the_schema_accepts_what_is_written(extraction_map: ExtractionMap) -> None:
    plain = YAML(typ="safe", pure=True).load(dump_map(extraction_map))
    plain["learned_at"] = str(plain.get("learned_at", ""))
    assert list(Draft202012Validator(schema()).iter_errors(plain)) == []


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(schema())
    assert schema()["$schema"] == Draft202012Validator.META_SCHEMA["$id"]


def test_a_hand_written_map_is_read() -> None:
    found = parse_map(HAND_WRITTEN)
    assert found == ExtractionMap(
        site="example.com",
        version=3,
        timezone="Europe/London",
        templates=(
            Template(
                name="article",
                url=r"^https://example\.com/news/",
                probe="article h1",
                rules=(
                    Rule(field="title", select=("article h1",)),
                    Rule(field="published", select=("time",), take="@datetime"),
                    Rule(field="published", take="jsonld:NewsArticle.datePublished"),
                    Rule(field="text", select=(".body p",), remove=(".ad",), many=True),
                ),
            ),
            Template(name="gallery", rules=(Rule(field="title", select=("h1",)),)),
        ),
        index=(IndexPage(url="https://example.com/", items=("a.card",), weight=10),),
    )


def test_a_map_that_did_not_change_is_written_as_it_was() -> None:
    assert dump_map(parse_map(HAND_WRITTEN), like=HAND_WRITTEN) == HAND_WRITTEN


def words(line: str) -> list[str]:
    """Return a line without what a writer may choose: quotes, and the space before a comment."""
    return line.replace('"', "").split()


def test_a_changed_rule_leaves_comments_and_order_around_it() -> None:
    old = parse_map(HAND_WRITTEN)
    article = old.templates[0]
    rules = tuple(Rule(field="title", select=("h1.new",)) if rule.field == "title" else rule for rule in article.rules)
    templates = (Template(name=article.name, url=article.url, probe=article.probe, rules=rules), old.templates[1])
    new = ExtractionMap(
        site=old.site, version=4, timezone=old.timezone, templates=templates, index=old.index, render=old.render
    )
    text = dump_map(new, like=HAND_WRITTEN)
    assert parse_map(text) == new
    changed = HAND_WRITTEN.replace("version: 3", "version: 4").replace(
        'title: {select: ["article h1"]}', "title: {select: [h1.new]}"
    )
    assert [words(line) for line in text.splitlines()] == [words(line) for line in changed.splitlines()]


def test_comments_follow_their_template_when_another_is_put_before_it() -> None:
    old = parse_map(HAND_WRITTEN)
    new = ExtractionMap(
        site=old.site,
        version=old.version,
        timezone=old.timezone,
        templates=(Template(name="video", rules=(Rule(field="title", select=("h2",)),)), *old.templates),
        index=old.index,
    )
    text = dump_map(new, like=HAND_WRITTEN)
    assert parse_map(text) == new
    for comment in (
        "# The paper of Saltby.",
        "# dates name no zone",
        "# there is always one",
        "# in the middle of the text",
    ):
        assert comment in text


def test_rules_that_fit_stand_on_one_line() -> None:
    assert "      title: {select: [h1]}\n" in dump_map(parse_map(MINIMAL))


class TestSaving:
    def test_and_loading(self, tmp_path: Path) -> None:
        path = tmp_path / "deep" / "er" / "example.map.yaml"
        save_map(parse_map(HAND_WRITTEN), path)
        assert load_map(path) == parse_map(HAND_WRITTEN)
        assert load_map(str(path)) == load_map(path)

    def test_refuses_to_write_over_a_map(self, tmp_path: Path) -> None:
        path = tmp_path / "example.map.yaml"
        path.write_text(HAND_WRITTEN, "utf-8")
        with pytest.raises(MapExists, match=r"example\.map\.yaml"):
            save_map(parse_map(MINIMAL), path)
        assert path.read_text("utf-8") == HAND_WRITTEN

    def test_over_a_map_keeps_its_comments(self, tmp_path: Path) -> None:
        path = tmp_path / "example.map.yaml"
        path.write_text(HAND_WRITTEN, "utf-8")
        save_map(parse_map(HAND_WRITTEN), path, overwrite=True)
        assert path.read_text("utf-8") == HAND_WRITTEN

    def test_leaves_nothing_else_behind(self, tmp_path: Path) -> None:
        path = tmp_path / "example.map.yaml"
        for _ in range(2):
            save_map(parse_map(MINIMAL), path, overwrite=True)
        assert [entry.name for entry in tmp_path.iterdir()] == ["example.map.yaml"]

    def test_replaces_the_file_in_one_step(self, tmp_path: Path) -> None:
        """A reader that has the old file open goes on reading the old file."""
        path = tmp_path / "example.map.yaml"
        path.write_text(HAND_WRITTEN, "utf-8")
        with path.open(encoding="utf-8") as reader:
            save_map(parse_map(MINIMAL), path, overwrite=True)
            assert reader.read() == HAND_WRITTEN
        assert load_map(path) == parse_map(MINIMAL)

    def test_where_that_is_not_possible_is_an_output_error(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("x", "utf-8")
        with pytest.raises(OutputError, match="cannot write"):
            save_map(parse_map(MINIMAL), tmp_path / "file" / "example.map.yaml")

    def test_over_something_that_is_no_map_says_so_and_leaves_it(self, tmp_path: Path) -> None:
        path = tmp_path / "example.map.yaml"
        path.write_text("a: [", "utf-8")
        with pytest.raises(MapSyntaxError):
            save_map(parse_map(MINIMAL), path, overwrite=True)
        assert path.read_text("utf-8") == "a: ["


class TestLoading:
    def test_a_missing_file(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"missing\.map\.yaml"):
            load_map(tmp_path / "missing.map.yaml")

    def test_a_folder(self, tmp_path: Path) -> None:
        with pytest.raises(InputError):
            load_map(tmp_path)

    def test_a_file_that_is_not_utf8(self, tmp_path: Path) -> None:
        path = tmp_path / "a.map.yaml"
        path.write_bytes(MINIMAL.encode().replace(b"h1", b"\xff"))
        with pytest.raises(InputError, match="not UTF-8"):
            load_map(path)

    def test_names_the_file_in_problems(self, tmp_path: Path) -> None:
        path = tmp_path / "a.map.yaml"
        path.write_text("site: x\n", "utf-8")
        with pytest.raises(MapInvalid) as caught:
            load_map(path)
        assert str(caught.value).startswith(f"{path}:1: ")

    def test_accepts_windows_line_ends_and_a_byte_order_mark(self, tmp_path: Path) -> None:
        path = tmp_path / "a.map.yaml"
        path.write_bytes(b"\xef\xbb\xbf" + MINIMAL.replace("\n", "\r\n").encode())
        assert load_map(path) == parse_map(MINIMAL)

    def test_accepts_json(self) -> None:
        text = '{"sitewright": 1, "site": "example.com", "templates": [{"name": "a", "rules": {"title": {"select": ["h1"]}}}]}'
        assert parse_map(text) == parse_map(MINIMAL)


class TestItemsOfIndexPages:
    OLD = """\
sitewright: 1
site: a.com
templates: [{name: x, rules: {}}]
index:
  - {url: "https://a.com/", articles: [a.b]}
"""

    def test_articles_are_read_as_items_for_ever(self) -> None:
        old, new = parse_map(self.OLD), parse_map(self.OLD.replace("articles:", "items:"))
        assert old == new
        assert old.index[0].items == ("a.b",)

    def test_what_was_written_stays_where_it_stands(self) -> None:
        changed = replace(parse_map(self.OLD), index=(replace(parse_map(self.OLD).index[0], items=("a.c",)),))
        for text in (dump_map(changed, like=self.OLD), dump_map(changed)):
            assert "articles: [a.c]" in text
            assert "items:" not in text

    def test_new_entries_have_items(self) -> None:
        old = parse_map(self.OLD)
        added = replace(old, index=(*old.index, IndexPage(url="https://a.com/b", items=("a.d",))))
        text = dump_map(added, like=self.OLD)
        assert "articles: [a.b]" in text
        assert "items: [a.d]" in text
        assert parse_map(text) == added

    def test_one_entry_has_one_of_them(self) -> None:
        with pytest.raises(MapInvalid, match=r"index\[0\]\.articles: the same as items; expected one of them"):
            parse_map(self.OLD.replace("articles: [a.b]", "articles: [a.b], items: [a.b]"))


PARTS = """\
sitewright: 1
site: example.com
templates:
  - name: gallery
    parts: {links: [nav a], url: '{page}?page={n}', most: 60}
    rules:
      title: {select: [h1]}
"""


def test_where_the_other_pages_of_stories_are_comes_back() -> None:
    known = parse_map(PARTS)
    assert known.templates[0].parts == PartsRule(links=("nav a",), url="{page}?page={n}", most=60)
    assert parse_map(dump_map(known)) == known
    assert "parts: {links: [nav a]" in dump_map(known, like=PARTS)
    assert parse_map(PARTS.replace("links: [nav a], ", "").replace(", most: 60", "")).templates[0].parts == PartsRule(
        url="{page}?page={n}"
    )


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("{page}?page={n}", "?page={n}", "has to hold"),
        ("{page}?page={n}", "{page}", "has to hold"),
        ("[nav a]", "['nav[']", "is not a selector"),
        ("most: 60", "most: 0", "0"),
        ("most: 60", "least: 2", "least"),
    ],
)
def test_faults_of_it_are_told(old: str, new: str, words: str) -> None:
    with pytest.raises(MapInvalid, match=re.escape(words)):
        parse_map(PARTS.replace(old, new))
