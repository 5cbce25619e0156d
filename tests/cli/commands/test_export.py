"""`sitewright export`: what was collected comes out in every format, and reads back as it is in the store."""

import csv
import json
from collections.abc import Callable
from datetime import UTC
from hashlib import sha256
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import duckdb
import pytest

from sitewright.actions import export as exporting
from sitewright.fetch import open_archive
from sitewright.links.feeds import read_feed
from sitewright.output.rows import row_of
from sitewright.store.database import Store, open_store
from sitewright.values.as_json import json_of

pytestmark = pytest.mark.slow

Call = Callable[..., Any]
NOTES = "notes.example"
ATOM = "{http://www.w3.org/2005/Atom}"


def rows(content: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in content.splitlines()]


def parsed(content: bytes) -> ET.Element:
    return ET.fromstring(content)  # noqa: S314 -- what we wrote ourselves


def pages_in(file: str) -> list[str]:
    return [place.load().url for place in open_archive(file).places()]


@pytest.fixture
def titles(newspaper: Any) -> list[str]:
    return [newspaper.site.truth[path].title for path in newspaper.paths[:-1]]


def test_lines_are_the_records_of_the_store(call: Call, store: Store, newspaper: Any, titles: list[str]) -> None:
    done = call("export", newspaper.name)
    assert done.status == 0
    assert done.err == f"11 records of {newspaper.name}\n"
    assert [row["url"] for row in rows(done.out)] == newspaper.stored
    assert [row["title"] for row in rows(done.out)] == titles
    assert done.out.splitlines() == [
        json_of(row_of(stored.record)) for stored in store.records() if stored.record.site == newspaper.name
    ]


def test_without_a_name_all_sites_are_written(call: Call, folder: Path) -> None:
    done = call("export", "-o", "all.jsonl")
    assert done.err == "13 records of 2 sites in all.jsonl\n"
    assert len(rows((folder / "all.jsonl").read_bytes())) == 13


def test_several_sites_each_once(call: Call, folder: Path, newspaper: Any) -> None:
    assert len(rows(call("export", NOTES, newspaper.name, NOTES).out)) == 13


def test_quiet(call: Call, folder: Path) -> None:
    assert call("export", "-q", "-o", "all.jsonl").err == ""


def test_csv(call: Call, folder: Path, newspaper: Any, titles: list[str]) -> None:
    assert call("export", newspaper.name, "-o", "a.csv").status == 0
    with (folder / "a.csv").open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    assert [row["title"] for row in found] == titles
    assert list(found[0])[:4] == ["url", "title", "subtitle", "published"]
    truth = newspaper.site.truth[newspaper.paths[0]]
    assert (found[0]["text"], found[0]["tags"]) == (truth.text, "; ".join(truth.tags))


def test_parquet(call: Call, folder: Path, newspaper: Any, titles: list[str]) -> None:
    assert call("export", newspaper.name, "-o", "a.parquet").status == 0
    with duckdb.connect() as connection:
        found = connection.sql("SELECT title, tags, images, confidence FROM 'a.parquet'")
        assert list(map(str, found.types))[:2] == ["VARCHAR", "VARCHAR[]"]
        got = found.fetchall()
    truth = newspaper.site.truth[newspaper.paths[0]]
    assert [row[0] for row in got] == titles
    assert got[0][1] == list(truth.tags)
    assert [image["url"] for image in got[0][2]] == [url for url, _, _ in truth.images]
    assert got[0][3]["title"] == 0.9


def test_columns_in_which_sites_differ_are_json(call: Call, folder: Path) -> None:
    assert call("export", "-o", "a.parquet").status == 0
    with duckdb.connect() as connection:
        found = connection.sql("SELECT title, rating FROM 'a.parquet' WHERE rating IS NOT NULL ORDER BY url")
        assert list(map(str, found.types)) == ["JSON", "VARCHAR"]
        assert found.fetchall() == [('["Note 1","Below"]', "1 stars"), ('["Note 2","Below"]', "2 stars")]


def test_columns_of_what_an_older_version_of_the_map_read(call: Call, store: Store) -> None:
    newest = store.load_map(NOTES)
    assert newest is not None
    changed = newest.text.replace("[h1, h2], many: true", "[h1]").replace("      rating: {select: [b]}\n", "")
    store.save_map(changed, "person")
    assert call("export", NOTES, "-o", "a.parquet").status == 0
    with duckdb.connect() as connection:
        found = connection.sql("SELECT title, rating FROM 'a.parquet' ORDER BY url LIMIT 1")
        assert list(map(str, found.types)) == ["JSON", "VARCHAR"]
        assert found.fetchall() == [('["Note 1","Below"]', "1 stars")]


def test_markdown(call: Call, folder: Path, newspaper: Any, titles: list[str]) -> None:
    assert call("export", newspaper.name, "-o", "stories/").status == 0
    files = sorted((folder / "stories").iterdir())
    assert len(files) == 11
    assert f"# {titles[0]}\n" in files[0].read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "kind"), [("a.rss", "rss"), ("a.xml", "rss"), ("a.atom", "atom"), ("-", "rss"), ("-", "atom")]
)
def test_feeds(call: Call, folder: Path, newspaper: Any, titles: list[str], name: str, kind: str) -> None:
    done = call("export", newspaper.name, "-o", name, *(["--format", kind] if name == "-" else []))
    content = done.out if name == "-" else (folder / name).read_bytes()
    assert done.status == 0
    assert parsed(content).tag == ("rss" if kind == "rss" else f"{ATOM}feed")
    feed = read_feed(content, "https://feeds.example/")
    assert sorted(entry.title for entry in feed.entries) == sorted(titles)
    dates = [entry.published for entry in feed.entries]
    assert dates == sorted(dates, reverse=True)


def test_a_feed_is_the_same_at_every_call(call: Call, folder: Path, newspaper: Any) -> None:
    first, second = (call("export", newspaper.name, "--format", "atom").out for _ in range(2))
    assert first == second
    both = call("export", "--format", "atom").out
    assert parsed(both).findtext(f"{ATOM}id") != parsed(first).findtext(f"{ATOM}id")


def test_a_feed_has_an_end(call: Call, folder: Path, newspaper: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exporting, "FEED_RECORDS", 3)
    assert len(read_feed(call("export", "--format", "rss").out, "https://feeds.example/").entries) == 3
    assert len(read_feed(call("export", "--format", "rss", "--limit", "5").out, "https://feeds.example/").entries) == 5


def test_all_pages_of_a_site_as_a_web_archive(call: Call, folder: Path, newspaper: Any) -> None:
    done = call("export", newspaper.name, "-o", "site.warc.gz")
    assert (done.status, done.err) == (0, f"14 pages of {newspaper.name} in site.warc.gz\n")
    assert {*newspaper.stored, newspaper.unread, newspaper.url("/gone.html")} < set(pages_in("site.warc.gz"))
    page = next(place.load() for place in open_archive("site.warc.gz").places() if place.name == newspaper.unread)
    assert page.body == newspaper.site.pages[newspaper.paths[-1]].html


def test_pages_of_chosen_records_as_a_web_archive(call: Call, folder: Path, newspaper: Any) -> None:
    assert call("export", newspaper.name, "-o", "site.warc.gz", "--template", "video").status == 0
    assert pages_in("site.warc.gz") == [url for url in newspaper.stored if "/video/" in url]
    assert call("export", newspaper.name, "-o", "two.warc.gz", "--limit", "2").status == 0
    assert pages_in("two.warc.gz") == newspaper.stored[:2]


def test_a_damaged_page_is_left_out_of_a_web_archive(call: Call, store: Store, newspaper: Any) -> None:
    stored = next(store.records())
    location = stored.location
    assert location is not None
    with Path("sitewright-pages", location.file).open("rb+") as file:
        file.seek(location.offset)
        file.write(b"torn")
    done = call("export", newspaper.name, "-o", "site.warc.gz")
    assert done.status == 1
    where = f"sitewright-pages/{location.file}: the record at byte {location.offset:,} is damaged"
    assert f"left out: {stored.record.urls[0]}: {where}" in done.err
    assert done.err.endswith(f"13 pages of {newspaper.name} in site.warc.gz; 1 page left out\n")
    assert len(pages_in("site.warc.gz")) == 13


@pytest.mark.parametrize(
    ("options", "days"),
    [
        (["--since", "2025-05-18"], ("2025-05-18", "9999")),
        (["--since", "2025-05-17", "--until", "2025-05-17"], ("2025-05-17", "2025-05-18")),
        (["--until", "2025-05-16"], ("", "2025-05-17")),
        (["--until", "9999-12-31"], ("", "9999")),
    ],
)
def test_records_of_some_days(
    call: Call, folder: Path, newspaper: Any, options: list[str], days: tuple[str, str]
) -> None:
    moments = {newspaper.url(path): truth.published.astimezone(UTC) for path, truth in newspaper.site.truth.items()}
    wanted = [url for url in newspaper.stored if days[0] <= moments[url].isoformat() < days[1]]
    assert wanted
    assert [row["url"] for row in rows(call("export", newspaper.name, *options).out)] == wanted


@pytest.mark.parametrize(
    ("options", "number"),
    [
        (["--template", "article"], 8),
        (["--limit", "3"], 3),
        (["--limit", "0"], 0),
        (["--template", "article", "--since", "2025-05-17", "--limit", "2"], 2),
    ],
)
def test_some_records(call: Call, folder: Path, newspaper: Any, options: list[str], number: int) -> None:
    assert len(rows(call("export", newspaper.name, *options).out)) == number


def test_the_newest_first(call: Call, folder: Path) -> None:
    found = rows(call("export", "--newest").out)
    assert [row["url"] for row in found[-2:]] == ["https://notes.example/2", "https://notes.example/1"]
    (only,) = rows(call("export", "--newest", "--limit", "1").out)
    assert only == found[0]


def test_some_fields_and_where_they_are_from(call: Call, folder: Path, newspaper: Any) -> None:
    row, *_ = rows(call("export", newspaper.name, "--fields", "tags, title", "--explain").out)
    assert list(row) == ["url", "title", "tags", "language", "confidence", "template", "map_version", "id", "rules"]
    assert row["rules"] == {"title": "article/title#0", "tags": "article/tags#0"}
    header = call("export", newspaper.name, "--fields", "tags, title", "--format", "csv").out.splitlines()[0]
    assert header.startswith(b"url,tags,title,language,")


@pytest.mark.parametrize("name", ["no.jsonl", "no.csv", "no.parquet", "no/", "no.rss", "no.atom", "no.warc.gz"])
def test_nothing_found_is_an_empty_file(call: Call, folder: Path, newspaper: Any, name: str) -> None:
    done = call("export", newspaper.name, "--since", "2090-01-01", "-o", name)
    assert done.status == 0
    assert done.err.startswith(("no records of ", "no pages of "))
    if name == "no.jsonl":
        assert (folder / name).read_bytes() == b""
    elif name == "no.csv":
        assert (folder / name).read_text("utf-8").startswith("url,title,")
    elif name == "no.parquet":
        with duckdb.connect() as connection:
            assert connection.sql("SELECT count(*) FROM 'no.parquet'").fetchall() == [(0,)]
    elif name == "no/":
        assert list((folder / name).iterdir()) == []
    elif name == "no.warc.gz":
        assert pages_in(name) == []
    else:
        assert read_feed((folder / name).read_bytes(), "https://feeds.example/").entries == ()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ["nowhere.example"],
            "there is no site nowhere.example in the store; there are notes.example, the-daily-lantern",
        ),
        (["--fields", "titel"], "there is no field 'titel'; there are title, published, rating, subtitle,"),
        (["-o", "a.doc"], "a.doc: no format ends in .doc; known are .jsonl, "),
        (["--format", "warc"], "a WARC file holds whole pages and needs a name"),
        (["-o", "a.warc.gz", "--fields", "title"], "a WARC file holds whole pages"),
        (["--format", "rss", "--explain"], "--explain goes with jsonl, csv, parquet, markdown"),
        (["--format", "parquet"], "a Parquet file cannot be written to standard output"),
        (["-o", "sitewright.db", "--format", "csv"], "sitewright.db is an input of this run and would be lost"),
        (["-o", "sitewright-pages/a.csv"], "sitewright-pages/a.csv would lie among the pages of the store"),
        (["-o", "sitewright-pages/"], "sitewright-pages/ would lie among the pages of the store"),
        (["-o", "no/such/a.warc.gz"], "cannot write no/such/a.warc.gz: there is no such folder"),
        (["-o", "no/such/a.csv"], "cannot write no/such/a.csv: No such file or directory"),
        (["-o", "a.warc.gz", "--pages", "elsewhere"], "there is no folder elsewhere with the pages of the store"),
        (["--store", "sqlite:///no.db"], "there is no store no.db; begin with: sitewright collect URL"),
    ],
)
def test_what_cannot_be_done_is_told(call: Call, folder: Path, arguments: list[str], told: str) -> None:
    done = call("export", *arguments)
    assert done.status == 2
    assert told in done.err
    assert done.out == b""
    assert not (folder / "no.db").exists()


def test_a_store_without_sites(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    open_store("sqlite:///sitewright.db").close()
    done = call("export")
    assert (done.status, done.err) == (
        2,
        "error[input_error]: there is no site in the store yet; begin with: sitewright collect URL\n",
    )


def test_a_reader_leaves_the_archive_as_it_is(call: Call, folder: Path) -> None:
    (file,) = (folder / "sitewright-pages").glob("*.warc.gz")
    with file.open("ab") as end:
        end.write(b"\x1f\x8b half a record of a process that is gone")
    before = file.read_bytes()
    assert call("export", "-o", "a.warc.gz").status == 0
    assert file.read_bytes() == before


def test_a_sample_is_the_same_for_its_seed(call: Call, folder: Path) -> None:
    one, same, other = (call("export", "--sample", "4", "--seed", seed).out for seed in ("1", "1", "2"))
    assert one == same != other
    assert len(rows(one)) == 4
    assert [row["url"] for row in rows(one)] == [
        row["url"] for row in rows(call("export").out) if row["url"] in {row["url"] for row in rows(one)}
    ]
    assert len(rows(call("export", "--sample", "99").out)) == 13
    assert call("export", "-o", "a.warc.gz", "--sample", "3").status == 0
    assert len(pages_in("a.warc.gz")) == 3
    assert "name one of them" in call("export", "--sample", "3", "--limit", "3").err


@pytest.mark.parametrize("output", ["all.jsonl", "all.csv", "all.parquet", "all/", "all.rss", "all.warc.gz"])
def test_a_manifest_says_what_a_file_holds(call: Call, folder: Path, output: str) -> None:
    done = call("export", "-o", output, "--since", "2000-01-01", "notes.example")
    assert done.status == 0
    manifest = json.loads((folder / f"{output.rstrip('/')}.manifest.json").read_text("utf-8"))
    assert manifest["written"] == 2
    assert manifest["query"]["sites"] == [NOTES]
    assert manifest["query"]["since"] == "2000-01-01T00:00:00+00:00"
    assert manifest["sitewright"]
    if not output.endswith(".warc.gz"):
        assert manifest["sites"] == [{"site": NOTES, "records": 2, "map_versions": [{"version": 1, "records": 2}]}]
    for file in manifest["files"]:
        place = folder / output / file["name"] if output.endswith("/") else folder / file["name"]
        assert sha256(place.read_bytes()).hexdigest() == file["sha256"]
        assert place.stat().st_size == file["bytes"]
    assert len(manifest["files"]) == (2 if output.endswith("/") else 1)


def test_a_manifest_of_standard_output_is_asked_for(call: Call, folder: Path) -> None:
    call("export", "--manifest", "said.json")
    assert json.loads((folder / "said.json").read_text("utf-8"))["files"] == []
    call("export", "-o", "a.csv", "--no-manifest")
    assert [path.name for path in folder.glob("*manifest*")] == []
