import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.domains import load_domain
from sitewright.errors import OutputError
from sitewright.output.export import FORMATS, columns_of, encoder_of, format_of, open_writer
from sitewright.output.markdown import markdown_of
from sitewright.output.rows import failure_row, row_of
from sitewright.types import Failure, Photo, Record, Rule, Value
from sitewright.values.as_json import json_of

FIELDS = ["title", "published", "text", "authors", "tags", "images"]


def columns(fields: list[str], domain: str = "news") -> dict[str, str]:
    rules = tuple(Rule(field=field, select=("x",)) for field in fields)
    return columns_of(rules, load_domain(domain), fields)


NEWS = columns(FIELDS)
ROWS: list[dict[str, Any]] = [
    {
        "url": "https://example.com/1",
        "title": 'Quotes " and, commas; "x"',
        "published": "2024-05-06T07:08:09+03:00",
        "text": "One.\nTwo — 中文 😀\n# no heading\n1. no list",
        "authors": ["Ann Lee", "Bo Ek"],
        "tags": [],
        "images": [{"url": "https://example.com/a.jpg", "caption": "C", "credit": "D", "width": 640, "height": 480}],
        "language": "en",
        "confidence": {"title": 0.9, "text": 0.95},
        "template": "article",
        "map_version": 3,
    },
    {
        "url": "https://example.com/2",
        "error": {"code": "not_html", "stage": "parse", "detail": "the page is served as image/png"},
    },
    {"url": "https://example.com/3", "title": "'; DROP TABLE x; --\t", "confidence": {"title": 0.9}, "map_version": 3},
]


def write(target: str, rows: list[dict[str, Any]], kind: str = "", table: dict[str, str] = NEWS) -> None:
    kind = kind or format_of(target)
    encode = encoder_of(kind, table)
    writer = open_writer(target, kind, table)
    for row in rows:
        writer.write(encode(row))
    writer.close()


def test_jsonl(tmp_path: Path) -> None:
    write(str(tmp_path / "a.jsonl"), ROWS)
    lines = (tmp_path / "a.jsonl").read_bytes().split(b"\n")
    assert lines.pop() == b""
    assert [json.loads(line) for line in lines] == ROWS


def test_jsonl_appends_where_asked(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write(str(path), ROWS[:1])
    writer = open_writer(str(path), "jsonl", NEWS, append=True)
    writer.write(b"{}")
    writer.close()
    assert len(path.read_bytes().splitlines()) == 2


def test_csv(tmp_path: Path) -> None:
    write(str(tmp_path / "a.csv"), ROWS)
    with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as file:
        first, failed, third = csv.DictReader(file)
    assert list(first) == [
        "url",
        *FIELDS,
        "language",
        "page_kind",
        "confidence",
        "template",
        "via",
        "map_version",
        "error_code",
        "error_detail",
    ]
    assert first["title"] == ROWS[0]["title"]
    assert first["text"] == ROWS[0]["text"]
    assert first["authors"] == "Ann Lee; Bo Ek"
    assert json.loads(first["images"]) == ROWS[0]["images"]
    assert json.loads(first["confidence"]) == ROWS[0]["confidence"]
    assert (failed["url"], failed["error_code"], failed["title"]) == ("https://example.com/2", "not_html", "")
    assert third["title"] == ROWS[2]["title"]


def test_parquet(tmp_path: Path) -> None:
    path = tmp_path / "it's a.parquet"
    write(str(path), ROWS)
    with duckdb.connect() as connection:
        found = connection.read_parquet(str(path))
        rows = [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]
    assert [row["url"] for row in rows] == [row["url"] for row in ROWS]
    first = rows[0]
    assert {name: first[name] for name in ("title", "text", "authors", "images", "map_version", "published")} == {
        name: ROWS[0][name] for name in ("title", "text", "authors", "images", "map_version", "published")
    }
    assert dict(first["confidence"]) == {"title": 0.9, "text": 0.95}
    assert (rows[1]["error_code"], rows[1]["title"]) == ("not_html", None)
    assert rows[2]["title"] == ROWS[2]["title"]
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_parquet_without_rows(tmp_path: Path) -> None:
    write(str(tmp_path / "a.parquet"), [])
    with duckdb.connect() as connection:
        found = connection.read_parquet(str(tmp_path / "a.parquet"))
        assert found.fetchall() == []
        assert found.columns[:2] == ["url", "title"]


def test_parquet_of_a_shop(tmp_path: Path) -> None:
    row = {"url": "u", "price": {"amount": 9.5, "currency": "EUR"}, "items": [{"name": "Lamp"}], "odd": "x"}
    write(str(tmp_path / "a.parquet"), [row], table=columns(["price", "items", "odd"], "shop"))
    with duckdb.connect() as connection:
        (found,) = connection.read_parquet(str(tmp_path / "a.parquet")).fetchall()
    assert found[1] == {"amount": 9.5, "currency": "EUR"}
    assert json.loads(found[2]) == [{"name": "Lamp"}]
    assert found[3] == "x"


def test_markdown(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    write(f"{folder}/", ROWS)
    names = sorted(entry.name for entry in folder.iterdir())
    assert names == ["000001-quotes-and-commas-x.md", "000003-drop-table-x.md", "failures.jsonl"]
    text = (folder / names[0]).read_text("utf-8")
    assert 'url: "https://example.com/1"' in text
    assert '\n# Quotes " and, commas; "x"\n' in text
    assert "\n\nOne.\n\nTwo — 中文 😀\n\n\\# no heading\n\n1\\. no list\n\n" in text
    assert "![C](<https://example.com/a.jpg>)" in text
    assert json.loads((folder / "failures.jsonl").read_bytes()) == ROWS[1]


def test_markdown_without_failures_has_no_list_of_them(tmp_path: Path) -> None:
    write(str(tmp_path / "out"), ROWS[:1], "markdown")
    assert len(list((tmp_path / "out").iterdir())) == 1


def test_markdown_of_pictures_without_a_caption(tmp_path: Path) -> None:
    images = [{"url": "https://example.com/a.jpg"}]
    write(str(tmp_path / "out"), [{"url": "u", "title": "T", "images": images}], "markdown")
    (path,) = (tmp_path / "out").iterdir()
    assert "![](<https://example.com/a.jpg>)" in path.read_text("utf-8")


@pytest.mark.parametrize("title", ["/etc/passwd", "..", "a" * 500, "😀", "Привет, мир", "", "a/b\\c:d"])
def test_markdown_file_names_are_harmless(tmp_path: Path, title: str) -> None:
    write(str(tmp_path / "out"), [{"url": "u", "title": title}], "markdown")
    (path,) = (tmp_path / "out").iterdir()
    assert path.name.startswith("000001-")
    assert path.suffix == ".md"


@pytest.mark.parametrize("kind", ["parquet", "markdown"])
def test_what_cannot_go_to_standard_output_says_so(kind: str) -> None:
    with pytest.raises(OutputError, match="-o"):
        open_writer("-", kind, NEWS)


@pytest.mark.parametrize("kind", FORMATS)
def test_a_target_that_cannot_be_written_is_an_output_error(tmp_path: Path, kind: str) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    with pytest.raises(OutputError, match="cannot write"):
        open_writer(str(tmp_path / "file" / "a"), kind, NEWS)


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_standard_output(kind: str) -> None:
    script = (
        "from sitewright.output import encoder_of, open_writer\n"
        f"output = {kind!r}, {{'url': 'VARCHAR', 'title': 'VARCHAR'}}\n"
        "w = open_writer('-', *output)\n"
        'w.write(encoder_of(*output)({"url": "u", "title": "\\u4e2d\\u6587"}))\nw.close()\nprint(\'after\')'
    )
    done = subprocess.run(
        [sys.executable, "-X", "utf8=0", "-c", script], capture_output=True, check=True, env={"LC_ALL": "C"}
    )
    lines = done.stdout.decode("utf-8").splitlines()
    assert "中文" in lines[-2]
    assert lines[-1] == "after"


@pytest.mark.parametrize(
    ("target", "kind"),
    [
        ("a.csv", "csv"),
        ("a.CSV", "csv"),
        ("a.parquet", "parquet"),
        ("a/", "markdown"),
        ("-", "jsonl"),
        ("a.jsonl", "jsonl"),
        ("a", "jsonl"),
    ],
)
def test_the_format_follows_from_the_name(target: str, kind: str) -> None:
    assert format_of(target) == kind


def test_an_existing_folder_is_for_markdown(tmp_path: Path) -> None:
    assert format_of(str(tmp_path)) == "markdown"


def test_rows_of_failures() -> None:
    row = failure_row(Failure("u", "parse", "not_html", "d"))
    assert row == {"url": "u", "error": {"code": "not_html", "stage": "parse", "detail": "d"}}


def test_json_of_records() -> None:
    photo = Photo(url="https://example.com/a.jpg", caption="C", width=3)
    row = json.loads(json_of({"images": [photo], "half": "a\ud800b", "none": None}))
    assert row == {
        "images": [{"url": "https://example.com/a.jpg", "caption": "C", "credit": "", "width": 3}],
        "half": "a?b",
        "none": None,
    }


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(alphabet=st.characters(exclude_categories=[])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(max_size=5), JSON, max_size=4))
def test_any_row_is_one_line_of_json(row: dict[str, Any]) -> None:
    line = json_of(row)
    assert b"\n" not in line
    assert json.loads(line) == json.loads(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace"))


def test_an_unknown_kind_of_value_is_refused() -> None:
    with pytest.raises(TypeError):
        json_of({"x": object()})


def test_row_of_leaves_out_what_is_not_there() -> None:
    record = Record(site="s", urls=("u",), fields={"title": Value("T", 0.9, "t/title#0")})
    assert row_of(record) == {"url": "u", "title": "T", "confidence": {"title": 0.9}}


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("<img src=x onerror=y>", r"\<img src=x onerror=y\>"),
        ("[x](javascript:y)", r"\[x\](javascript:y)"),
        ("---", r"\---"),
        ("- no item", r"\- no item"),
        ("-3 degrees", "-3 degrees"),
        ("2024. It was", r"2024\. It was"),
        ("plain text, as most is.", "plain text, as most is."),
    ],
)
def test_text_of_a_page_is_no_markup(text: str, written: str) -> None:
    assert markdown_of({"url": "u", "text": text}).split("\n\n")[1].strip() == written


def test_an_unknown_ending_is_refused() -> None:
    for target in ("a.md", "a.jsonl.gz", "a.xlsx"):
        with pytest.raises(OutputError, match="no format ends in"):
            format_of(target)


def test_columns_that_differ_only_in_case_are_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="only in case"):
        open_writer(str(tmp_path / "a.parquet"), "parquet", columns(["title", "Title"]))
