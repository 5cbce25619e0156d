import csv
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
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


def test_a_csv_file_is_readable_at_any_time_and_loses_its_empty_columns_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    writer, encode = open_writer(str(path), "csv", NEWS), encoder_of("csv", NEWS)
    writer.write(encode(ROWS[2] | {"text": "x" * 200_000}))
    writer.close()
    lines = path.read_text("utf-8").splitlines()
    assert lines[0] == "url,title,text,confidence,map_version"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.csv"]
    assert path.stat().st_size > 200_000


def test_a_csv_file_without_rows_names_all_columns(tmp_path: Path) -> None:
    write(str(tmp_path / "a.csv"), [])
    assert (tmp_path / "a.csv").read_text("utf-8").strip().split(",") == list(NEWS)


def test_a_csv_file_with_fixed_columns_keeps_them(tmp_path: Path) -> None:
    writer = open_writer(str(tmp_path / "a.csv"), "csv", NEWS, fixed=True)
    writer.write(encoder_of("csv", NEWS)(ROWS[2]))
    writer.close()
    assert (tmp_path / "a.csv").read_text("utf-8").splitlines()[0].split(",") == list(NEWS)


def test_a_pipe_gets_csv_without_empty_columns_too(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(pipe.read_text, "utf-8")
        write(str(pipe), [ROWS[2]], "csv")
        assert read.result().splitlines()[0] == "url,title,confidence,map_version"


def test_markdown_in_one_file(tmp_path: Path) -> None:
    write(str(tmp_path / "a.md"), ROWS)
    text = (tmp_path / "a.md").read_text("utf-8")
    assert text.count("\n# ") == 2
    assert "not_html" not in text


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
        *(field for field in FIELDS if field != "tags"),
        "language",
        "confidence",
        "template",
        "map_version",
        "error_code",
        "error_detail",
    ], "columns that no record fills are left out"
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
    assert {name: first[name] for name in ("title", "text", "authors", "images", "map_version")} == {
        name: ROWS[0][name] for name in ("title", "text", "authors", "images", "map_version")
    }
    assert first["published"] == datetime(2024, 5, 6, 4, 8, 9, tzinfo=UTC)
    assert dict(first["confidence"]) == {"title": 0.9, "text": 0.95}
    assert (rows[1]["error_code"], rows[1]["title"]) == ("not_html", None)
    assert rows[2]["title"] == ROWS[2]["title"]
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("published", "wanted"),
    [
        ("2024-05-06", datetime(2024, 5, 6, tzinfo=UTC)),
        (date(2024, 5, 6), datetime(2024, 5, 6, tzinfo=UTC)),
        ("2024-05-06T10:30:00", datetime(2024, 5, 6, 10, 30, tzinfo=UTC)),
        (datetime.fromisoformat("2024-05-06T10:30:00+01:00"), datetime(2024, 5, 6, 9, 30, tzinfo=UTC)),
        ("0001-01-01", datetime(1, 1, 1, tzinfo=UTC)),
        ("soon", None),
    ],
)
def test_dates_are_moments_in_parquet(tmp_path: Path, published: object, wanted: datetime | None) -> None:
    write(str(tmp_path / "a.parquet"), [{"url": "u", "published": published}], table=columns(["published"]))
    with duckdb.connect() as connection:
        found = connection.read_parquet(str(tmp_path / "a.parquet"))
        assert str(found.types[1]) == "TIMESTAMP WITH TIME ZONE"
        assert found.fetchall()[0][1] == wanted


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
    assert "![C](https://example.com/a.jpg)\n\n*C (D)*\n" in text
    assert json.loads((folder / "failures.jsonl").read_bytes()) == ROWS[1]


def test_markdown_without_failures_has_no_list_of_them(tmp_path: Path) -> None:
    write(str(tmp_path / "out"), ROWS[:1], "markdown")
    assert len(list((tmp_path / "out").iterdir())) == 1


def test_markdown_of_pictures_without_a_caption(tmp_path: Path) -> None:
    images = [{"url": "https://example.com/a.jpg"}]
    write(str(tmp_path / "out"), [{"url": "u", "title": "T", "images": images}], "markdown")
    (path,) = (tmp_path / "out").iterdir()
    assert "![](https://example.com/a.jpg)" in path.read_text("utf-8")


@pytest.mark.parametrize("title", ["/etc/passwd", "..", "a" * 500, "😀", "Привет, мир", "", "a/b\\c:d"])
def test_markdown_file_names_are_harmless(tmp_path: Path, title: str) -> None:
    write(str(tmp_path / "out"), [{"url": "u", "title": title}], "markdown")
    (path,) = (tmp_path / "out").iterdir()
    assert path.name.startswith("000001-")
    assert path.suffix == ".md"


def test_what_cannot_go_to_standard_output_says_so() -> None:
    with pytest.raises(OutputError, match="-o"):
        open_writer("-", "parquet", NEWS)


@pytest.mark.parametrize("kind", FORMATS)
def test_a_target_that_cannot_be_written_is_an_output_error(tmp_path: Path, kind: str) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    with pytest.raises(OutputError, match="cannot write"):
        open_writer(str(tmp_path / "file" / "a"), kind, NEWS)


@pytest.mark.parametrize("kind", ["jsonl", "csv", "markdown"])
def test_standard_output(kind: str) -> None:
    script = (
        "from sitewright.output import encoder_of, open_writer\n"
        f"output = {kind!r}, {{'url': 'VARCHAR', 'title': 'VARCHAR'}}\n"
        "w = open_writer('-', *output)\n"
        'w.write(encoder_of(*output)({"url": "u", "title": "\\u4e2d\\u6587"}))\nw.close()\nprint(\'after\')'
    )
    env = {"LC_ALL": "C", "PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    done = subprocess.run([sys.executable, "-X", "utf8=0", "-c", script], capture_output=True, check=True, env=env)
    lines = done.stdout.decode("utf-8").splitlines()
    assert any("中文" in line for line in lines[:-1])
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
        ("a.md", "markdown"),
        ("a.feed.json", "jsonfeed"),
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
        ("<img src=x onerror=y>", r"\<img src=x onerror=y>"),
        ("[x](javascript:y)", r"\[x\](javascript:y)"),
        ("---", r"\---"),
        ("- no item", r"\- no item"),
        ("-3 degrees", r"\-3 degrees"),
        ("2024. It was", r"2024\. It was"),
        ("plain text, as most is.", "plain text, as most is."),
    ],
)
def test_text_of_a_page_is_no_markup(text: str, written: str) -> None:
    assert markdown_of({"url": "u", "text": text}).split("\n\n")[1].strip() == written


def test_an_unknown_ending_is_refused() -> None:
    for target in ("a.txt", "a.jsonl.gz", "a.xlsx"):
        with pytest.raises(OutputError, match="no format ends in"):
            format_of(target)


def test_columns_that_differ_only_in_case_are_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="only in case"):
        open_writer(str(tmp_path / "a.parquet"), "parquet", columns(["title", "Title"]))


@pytest.mark.parametrize(("raw", "shown"), [(False, "'=HYPERLINK(1)"), (True, "=HYPERLINK(1)")])
def test_csv_holds_no_formulas_unless_asked_for(tmp_path: Path, raw: bool, shown: str) -> None:
    path = tmp_path / "o.csv"
    writer = open_writer(str(path), "csv", NEWS)
    row = {"url": "https://a.example/", "title": "=HYPERLINK(1)", "authors": ["+1", "Ann"], "text": "-"}
    writer.write(encoder_of("csv", NEWS, raw_csv=raw)(row))
    writer.close()
    (read,) = csv.DictReader(path.read_text("utf-8").splitlines())
    assert read["title"] == shown
    assert read["url"] == "https://a.example/"
    assert read["authors"].endswith("+1; Ann")


def test_pairs_are_objects_in_parquet_and_lines_in_csv(tmp_path: Path) -> None:
    pairs = [{"name": "Weight", "value": "2 kg"}, {"name": "Blade", "value": "steel"}]
    record = Record(
        site="s.example",
        urls=("https://s.example/p",),
        domain="shop",
        fields={"name": Value("Spade", 0.9, "x"), "specifications": Value(pairs, 0.9, "x")},
    )
    names = columns(["name", "specifications"], "shop")
    for kind in ("parquet", "csv"):
        target = str(tmp_path / f"out.{kind}")
        encode = encoder_of(kind, names)
        writer = open_writer(target, kind, names)
        writer.write(encode(row_of(record)))
        writer.close()
    with duckdb.connect() as connection:
        found = connection.read_parquet(str(tmp_path / "out.parquet")).project("specifications").fetchall()
    assert found == [(pairs,)]
    assert "Weight: 2 kg; Blade: steel" in (tmp_path / "out.csv").read_text("utf-8")
