import subprocess
import sys

import pytest

from sitewright.errors import MapInvalid, MapSyntaxError
from sitewright.maps import parse_map

GOOD = """\
sitewright: 1
site: example.com
domain: news
timezone: Europe/Moscow
templates:
  - name: article
    url: "^https"
    probe: h1
    rules:
      title: {select: [h1]}
      text:
        select:
          - p
          - h2
        remove: [.ad]
        match: "(a)"
        parse: text.v1
  - name: gallery
    rules:
      title:
        - {select: [h1]}
        - select: [h2]
index:
  - url: https://example.com/
    articles:
      - a
"""


def problems_of(text: str) -> list[tuple[int, str, str]]:
    with pytest.raises(MapInvalid) as caught:
        parse_map(text, "x.map.yaml")
    assert all(problem.file == "x.map.yaml" for problem in caught.value.problems)
    assert str(caught.value).splitlines() == [str(problem) for problem in caught.value.problems]
    return [(problem.line, problem.path, problem.message) for problem in caught.value.problems]


def test_the_file_that_the_tables_below_spoil_is_good() -> None:
    assert parse_map(GOOD).site == "example.com"


@pytest.mark.parametrize(
    ("old", "new", "line", "path", "words"),
    [
        ("sitewright: 1", "sitewright: 2", 1, "sitewright", "expected 1, found 2"),
        ("sitewright: 1", "sitewright: 1\nsites: x", 2, "sites", "unknown entry 'sites'"),
        ("sitewright: 1\n", "", 1, "", "missing sitewright"),
        ("site: example.com\n", "", 1, "", "missing site"),
        ("site: example.com", "site: 3", 2, "site", "expected string, found a number"),
        ("site: example.com", "site: [a]", 2, "site", "found a list"),
        ("site: example.com", "site:", 2, "site", "found nothing"),
        ("site: example.com", "site: ''", 2, "site", ""),
        ("domain: news", "domain: sport", 3, "domain", "no such domain 'sport'; expected one of jobs, news, recipe, shop"),
        ("domain: news", "domain: News!", 3, "domain", "'News!' is not of the form"),
        ("domain: news", "version: 0", 3, "version", ""),
        ("domain: news", "version: true", 3, "version", "expected integer, found true/false"),
        ("domain: news", "version: '1'", 3, "version", "expected integer, found text"),
        ("domain: news", "language: 'english!'", 3, "language", "is not of the form"),
        ("domain: news", "render: maybe", 3, "render", "expected static or browser, found 'maybe'"),
        ("domain: news", "date_formats: '%d'", 3, "date_formats", "expected array, found text"),
        ("domain: news", "learned_at: yesterday", 3, "learned_at", ""),
        ("domain: news", "min_confidence: {title: 2}", 3, "min_confidence.title", "2"),
        ("domain: news", "min_confidence: {title: much}", 3, "min_confidence.title", "expected number, found text"),
        ("domain: news", "min_confidence: 0.5", 3, "min_confidence", "expected object, found a number"),
        ("Europe/Moscow", "Europe/Nowhere", 4, "timezone", "no such time zone 'Europe/Nowhere'"),
        ("Europe/Moscow", "../etc", 4, "timezone", "no such time zone"),
        ("name: article", "name: 'a b'", 6, "templates[0].name", "is not of the form"),
        ('url: "^https"', 'url: "("', 7, "templates[0].url", "'(' is not a regular expression"),
        ('url: "^https"', "urls: x", 7, "templates[0].urls", "unknown entry 'urls'"),
        ("probe: h1", "tagger: authors", 8, "templates[0].tagger", "expected array, found text"),
        ("probe: h1", "probe: 'h1['", 8, "templates[0].probe[0]", "'h1[' is not a selector"),
        ("title: {select: [h1]}\n", "title: {select: h1}\n", 10, "templates[0].rules.title.select", "expected array, found text"),
        ("title: {select: [h1]}\n", "title: h1\n", 10, "templates[0].rules.title", "expected object, found text"),
        ("title: {select: [h1]}\n", "title: {}\n", 10, "templates[0].rules.title", "a rule needs select or take"),
        ("title: {select: [h1]}\n", "title: []\n", 10, "templates[0].rules.title", ""),
        ("title: {select: [h1]}\n", "title:\n", 10, "templates[0].rules.title", "expected object, found nothing"),
        ("title: {select: [h1]}\n", "title: {take: '@href'}\n", 10, "templates[0].rules.title", "select is missing"),
        ("title: {select: [h1]}\n", "title: {select: [], take: text}\n", 10, "templates[0].rules.title", "select is missing"),
        ("title: {select: [h1]}\n", "title: {select: []}\n", 10, "templates[0].rules.title", "select is missing"),
        ("title: {select: [h1]}\n", "title: {select: [h1], take: href}\n", 10, "templates[0].rules.title.take", "text, html, @attribute"),
        ("title: {select: [h1]}\n", "title: {select: [h1], many: 1}\n", 10, "templates[0].rules.title.many", "expected boolean"),
        ("title: {select: [h1]}\n", "ti tle: {select: [h1]}\n", 10, "templates[0].rules.ti tle", "ti tle"),
        ("title: {select: [h1]}\n", '"title\\n": {select: [h1]}\n', 10, "templates[0].rules.title\\n", "is not a field's name"),
        ("title: {select: [h1]}\n", '"title ": {select: [h1]}\n', 10, "templates[0].rules.title ", "is not a field's name"),
        ("title: {select: [h1]}\n", '" title": {select: [h1]}\n', 10, "templates[0].rules. title", "is not a field's name"),
        ("title: {select: [h1]}\n", 'title: {select: [h1], fields: {"a\\n": {select: [b]}}}\n', 10, "templates[0].rules.title.fields.a\\n", "is not a field's name"),
        ("title: {select: [h1]}\n", 'title: {select: [h1], take: "text\\n"}\n', 10, "templates[0].rules.title.take", "is not of the form"),
        ("title: {select: [h1]}\n", "error_code: {select: [h1]}\n", 10, "templates[0].rules.error_code", "is taken"),
        ("title: {select: [h1]}\n", "error_detail: {select: [h1]}\n", 10, "templates[0].rules.error_detail", "is taken"),
        ("name: article", 'name: "article\\n"', 6, "templates[0].name", "is not of the form"),
        ("domain: news", 'language: "en\\n"', 3, "language", "is not of the form"),
        ("site: example.com", "site: {a: b}", 2, "site", "found an object"),
        ("- h2\n        remove", "- 'h2..'\n        remove", 14, "templates[0].rules.text.select[1]", "'h2..' is not a selector"),
        ("- h2\n        remove", "- '//h2['\n        remove", 14, "templates[0].rules.text.select[1]", "'//h2[' is not a selector"),
        ("- h2\n        remove", "- 3\n        remove", 14, "templates[0].rules.text.select[1]", "expected string, found a number"),
        ("- h2\n        remove", "- ''\n        remove", 14, "templates[0].rules.text.select[1]", ""),
        ("remove: [.ad]", "remove: ['..ad']", 15, "templates[0].rules.text.remove[0]", "is not a selector"),
        ('match: "(a)"', 'match: "(a"', 16, "templates[0].rules.text.match", "is not a regular expression"),
        ('match: "(a)"', 'match: "a{99999999999}"', 16, "templates[0].rules.text.match", "it repeats too much"),
        ('url: "^https"', 'url: "a{99999999999}"', 7, "templates[0].url", "is not a regular expression"),
        ('match: "(a)"', f'match: "{"(" * 5000}{")" * 5000}"', 16, "templates[0].rules.text.match", "nested too deep"),
        ("parse: text.v1", "parse: text.v9", 17, "templates[0].rules.text.parse", "no such parser 'text.v9'; expected one of authors.v1"),
        ("parse: text.v1", "parse: text", 17, "templates[0].rules.text.parse", "is not of the form"),
        ("parse: text.v1", "pars: text.v1", 17, "templates[0].rules.text.pars", "unknown entry 'pars'"),
        ("parse: text.v1", "support: {found: -1, sampled: 2}", 17, "templates[0].rules.text.support.found", ""),
        ("parse: text.v1", "support: {found: 1}", 17, "templates[0].rules.text.support", "missing sampled"),
        ("parse: text.v1", "fields: {name: {select: ['b[']}}", 17, "templates[0].rules.text.fields.name.select[0]", "is not a selector"),
        ("parse: text.v1", "fields: {name: {parse: line.v1}}", 17, "templates[0].rules.text.fields.name", "a rule needs select or take"),
        ('match: "(a)"\n        parse: text.v1', "take: '@href'\n        fields: {name: {select: [b]}}", 16, "templates[0].rules.text.take", "fields read nodes, and @href gives none"),
        ('match: "(a)"\n        parse: text.v1', "take: html\n        fields: {name: {select: [b]}}", 16, "templates[0].rules.text.take", "fields read nodes, and html gives none"),
        ('match: "(a)"\n        parse: text.v1', "take: jsonld:A.b\n        fields: {name: {select: [b]}}", 16, "templates[0].rules.text.take", "fields read nodes"),
        ("parse: text.v1", "fields: {name: {select: [b]}}", 16, "templates[0].rules.text.match", "fields read nodes, and match gives none"),
        ("name: gallery", "name: article", 18, "templates[1].name", "a second template named 'article'"),
        ("- select: [h2]", "- select: ['h2[']", 22, "templates[1].rules.title[1].select[0]", "is not a selector"),
        ("- select: [h2]", "- selectt: [h2]", 22, "templates[1].rules.title[1].selectt", "unknown entry"),
        ("url: https://example.com/\n", "", 24, "index[0]", "missing url"),
        ("url: https://example.com/\n", "url: https://example.com/\n    weight: 0\n", 25, "index[0].weight", ""),
        ("articles:", "seed: ['re:(']\n    articles:", 25, "index[0].seed[0]", "not a regular expression"),
        ("articles:", "banned: ['re:']\n    articles:", 25, "index[0].banned[0]", ""),
        ("articles:", "category: ' '\n    articles:", 25, "index[0].category", ""),
        ("      - a\n", "      - 'a['\n", 26, "index[0].articles[0]", "is not a selector"),
    ],
)  # fmt: skip
def test_a_problem_is_told_with_its_line(old: str, new: str, line: int, path: str, words: str) -> None:
    assert GOOD.count(old) >= 1
    text = GOOD.replace(old, new, 1)
    if old.startswith("url: https://example.com/") and not new:
        text = GOOD.replace("  - url: https://example.com/\n    articles:", "  - articles:")
    found = problems_of(text)
    assert (line, path) in [(problem[0], problem[1]) for problem in found]
    message = next(problem[2] for problem in found if problem[:2] == (line, path))
    assert words in message


def test_all_problems_are_told_in_the_order_of_the_file() -> None:
    text = (
        GOOD.replace("domain: news", "domain: sport").replace("probe: h1", "probe: 'h1['").replace("text.v1", "text.v9")
    )
    assert [line for line, _, _ in problems_of(text)] == [3, 8, 17]


def test_no_problem_is_told_twice() -> None:
    assert [path for _, path, _ in problems_of("version: 1\n")] == [""]


def test_a_problem_reads_like_that_of_a_compiler() -> None:
    with pytest.raises(MapInvalid) as caught:
        parse_map(GOOD.replace("domain: news", "domain: sport"), "a/x.map.yaml")
    assert (
        str(caught.value) == "a/x.map.yaml:3: domain: no such domain 'sport'; expected one of jobs, news, recipe, shop"
    )


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: [", 1),
        ("a: b\n  c: d\n", 2),
        ("a: 1\nb: 2\na: 3\n", 3),
        ("a:\n\t- b\n", 2),
        ("{a: 1", 1),
        ("a: *missing\n", 1),
        ("a: 'open\n", 1),
        ("--- a\n--- b\n", 2),
        ("a: \x07\n", 1),
    ],
)
def test_what_is_not_yaml_is_told_with_its_line(text: str, line: int) -> None:
    with pytest.raises(MapSyntaxError) as caught:
        parse_map(text, "x")
    place = str(caught.value).split(": ")[0]
    assert place.startswith("x:")
    assert abs(int(place.removeprefix("x:")) - line) <= 1  # an open bracket may be told where it opens or where it ends


def test_a_duplicate_key_names_the_line_of_the_second() -> None:
    with pytest.raises(MapSyntaxError, match=r"^x:2: .*duplicate key"):
        parse_map("site: a\nsite: b\n", "x")


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", "- a\n- b\n", "text", "3", "null", "[]", "{}"])
def test_a_file_of_another_shape_is_no_map(text: str) -> None:
    assert problems_of(text)[0][0] == 1


def test_a_huge_file_is_refused_before_it_is_read() -> None:
    with pytest.raises(MapSyntaxError, match=r"^x:1: .*5,000,000"):
        parse_map("#" * 5_000_000, "x")


BOMB = "  - &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"  - &{name} [{', '.join([f'*{before}'] * 10)}]\n" for name, before in zip("bcdefghij", "abcdefghi", strict=True)
)
"""Ten thousand million strings in ten lines."""


@pytest.mark.parametrize("entry", ["unknown", "date_formats", "index", "templates"])
def test_an_anchor_bomb_is_refused_at_no_great_cost(entry: str) -> None:
    script = (
        "import resource, sys\n"
        "from sitewright.errors import MapError\n"
        "from sitewright.maps import parse_map\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2 * 10**9, 2 * 10**9))\n"
        "resource.setrlimit(resource.RLIMIT_CPU, (5, 5))\n"
        "try:\n    parse_map(sys.stdin.read(), 'x')\n"
        "except MapError as error:\n    print(error.code, len(str(error)) < 20_000)\n"
    )
    text = f"{entry}:\n{BOMB}{GOOD.replace('templates', 'other') if entry == 'templates' else GOOD}"
    text = text if entry != "index" else f"{GOOD.partition('index')[0]}index:\n{BOMB}"
    done = subprocess.run([sys.executable, "-c", script], input=text, capture_output=True, text=True, check=False)
    assert done.stdout == "map_syntax True\n", (done.returncode, done.stderr[-300:])


def test_anchors_that_are_no_bomb_work() -> None:
    text = GOOD.replace("title: {select: [h1]}\n", "title: &t {select: [h1]}\n").replace(
        "        - select: [h2]", "        - *t"
    )
    assert parse_map(text).templates[1].rules[1].select == ("h1",)


def test_an_anchor_that_holds_itself_is_refused() -> None:
    with pytest.raises((MapInvalid, MapSyntaxError)):
        parse_map(GOOD.replace("remove: [.ad]", "fields: &x {name: {select: [b], fields: *x}}"), "x")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("&a {sitewright: 1, site: x, templates: [*a]}", 1),
        ("&a [*a]", 1),
        ("# ours\n--- &a\nsitewright: 1\ntemplates: [*a]\n", 2),
        ("&a !!pairs [b: *a]", 1),
    ],
)
def test_an_alias_for_what_it_is_part_of_is_refused(text: str, line: int) -> None:
    with pytest.raises(MapSyntaxError, match=rf"^x:{line}: an alias stands for what it is part of"):
        parse_map(text, "x")


@pytest.mark.parametrize("text", ["a: &a\n  b: 1\n  <<: *a\n", "? [a, {b: c}]\n: 1\n"])
def test_keys_that_no_map_can_have_are_refused(text: str) -> None:
    with pytest.raises(MapSyntaxError):
        parse_map(text, "x")


def test_deep_nesting_is_refused() -> None:
    with pytest.raises((MapInvalid, MapSyntaxError)):
        parse_map("site: " + "[" * 1500 + "]" * 1500, "x")


def test_dates_may_stand_without_quotes() -> None:
    text = GOOD.replace("domain: news", "learned_at: 2024-05-06T07:08:09+00:00")
    assert str(parse_map(text).learned_at) == "2024-05-06 07:08:09+00:00"


@pytest.mark.parametrize("wanted", ["%d %B", "%H:%M", "%d %d %Y", "100% %Y"])
def test_a_date_format_that_cannot_give_a_date_is_refused(wanted: str) -> None:
    text = f"sitewright: 1\nsite: example.com\ndate_formats: ['{wanted}']\ntemplates:\n  - {{name: a, rules: {{}}}}\n"
    with pytest.raises(MapInvalid) as caught:
        parse_map(text)
    assert [(problem.line, problem.path) for problem in caught.value.problems] == [(3, "date_formats[0]")]
