import gzip
import io
import json
import lzma
import pickle
import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.errors import BadPageLine, InputError, UnknownFormat
from sitewright.fetch import open_archive, page_from_line
from sitewright.types import Page

PAGES = [
    {
        "url": f"https://example.com/{number}",
        "html": f"<p>Seite {number} — 中文</p>",
        "time": f"2024-05-0{number}T07:08:09Z",
    }
    for number in range(1, 4)
]
LINES = b"".join(json.dumps(page, ensure_ascii=False).encode() + b"\n" for page in PAGES)


def pages(path: Path | str) -> list[Page]:
    return [place.load() for place in open_archive(str(path)).places()]


def write(path: Path, content: bytes) -> Path:
    if path.suffix == ".gz":
        content = gzip.compress(content)
    elif path.suffix == ".xz":
        content = lzma.compress(content)
    path.write_bytes(content)
    return path


LINE_FILES = ["a.jsonl", "a.ndjson", "a.json", "A.JSONL", "a.jsonl.gz", "a.jsonl.xz", "a.json.gz"]


@pytest.mark.parametrize("name", LINE_FILES)
class TestLineFiles:
    @pytest.mark.parametrize(
        "content",
        [
            LINES,
            LINES.rstrip(b"\n"),
            LINES.replace(b"\n", b"\r\n"),
            b"\n\n" + LINES.replace(b"\n", b"\n  \n\t\n") + b"\n",
        ],
        ids=["plain", "no final newline", "crlf", "blank lines"],
    )
    def test_give_their_pages_in_order(self, tmp_path: Path, name: str, content: bytes) -> None:
        found = pages(write(tmp_path / name, content))
        assert [(page.url, page.body) for page in found] == [(page["url"], page["html"]) for page in PAGES]
        assert [page.fetched_at for page in found] == [datetime(2024, 5, day, 7, 8, 9, tzinfo=UTC) for day in (1, 2, 3)]

    @pytest.mark.parametrize("content", [b"", b"\n", b" \n\n"])
    def test_may_be_empty(self, tmp_path: Path, name: str, content: bytes) -> None:
        assert pages(write(tmp_path / name, content)) == []

    def test_places_name_file_and_line_travel_and_know_their_size(self, tmp_path: Path, name: str) -> None:
        path = write(tmp_path / name, b"\n" + LINES)
        places = [pickle.loads(pickle.dumps(place)) for place in open_archive(str(path)).places()]  # noqa: S301
        assert [place.name for place in places] == [f"{path}:{line}" for line in (2, 3, 4)]
        assert sum(place.size for place in places) == len(LINES)
        assert [place.load().url for place in places] == [page["url"] for page in PAGES]

    def test_progress_ends_at_one(self, tmp_path: Path, name: str) -> None:
        archive = open_archive(str(write(tmp_path / name, LINES)))
        seen = [archive.progress() for _ in archive.places()]
        assert all(share is not None and 0 <= share <= 1 for share in seen)
        assert seen == sorted(seen, key=lambda share: share or 0)
        assert archive.progress() == 1.0

    def test_a_bad_line_does_not_stop_the_others(self, tmp_path: Path, name: str) -> None:
        lines = LINES.splitlines(keepends=True)
        path = write(tmp_path / name, b"".join([lines[0], b'{"url": "x", "html": \n', lines[1], b"[]\n", lines[2]]))
        outcomes = []
        for place in open_archive(str(path)).places():
            try:
                outcomes.append(place.load().url)
            except BadPageLine as error:
                outcomes.append(str(error).partition(" ")[0])
        assert outcomes == [PAGES[0]["url"], f"{path}:2:", PAGES[1]["url"], f"{path}:4:", PAGES[2]["url"]]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"not json", "not JSON"),
        (b'{"url": "x"}', 'found no "html"'),
        (b'{"url": "x", "html": null}', 'found no "html"'),
        (b'{"url": "x", "html": 3}', 'found no "html"'),
        (b"[]", "expected an object, found list"),
        (b'"text"', "expected an object, found str"),
        (b"null", "expected an object"),
        (b"\xff\xfe\x00", "not JSON"),
        (b'{"url": "x", "html": "cut of', "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b'{"html": ' * 100_000, "not JSON"),
    ],
)
def test_bad_lines_say_what_is_wrong(line: bytes, words: str) -> None:
    with pytest.raises(BadPageLine) as caught:
        page_from_line(line, "a.jsonl:7")
    assert str(caught.value).startswith("a.jsonl:7: ")
    assert words in str(caught.value)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    ("line", "body"),
    [
        (b'{"url": "x", "html": "a\\ud800b"}', "a?b"),
        (b'{"url": "x", "html": "a\\ud83d\\ude00b"}', "a😀b"),
        (b'{"url": "x", "html": "ab", "n": NaN}', "ab"),
        (b'{"url": "x", "html": "a\xffb"}', "a\ufffdb"),
        (b'{"url": "x", "html": "a\\u0000b"}', "a\0b"),
        (b'{"html": "ab"}', "ab"),
        (b'{"url": 3, "html": "ab"}', "ab"),
        (b'{"url": null, "html": "ab", "headers": [1]}', "ab"),
    ],
)
def test_odd_lines_are_read(line: bytes, body: str) -> None:
    found = page_from_line(line, "a.jsonl:7")
    assert found.body == body
    assert isinstance(found.url, str)
    assert isinstance(found.body, str)
    assert found.body.encode()


def test_headers_are_kept() -> None:
    line = b'{"url": "x", "html": "ab", "headers": {"Content-Type": "text/html", "Age": 3}}'
    assert page_from_line(line, "n").headers == {"Content-Type": "text/html", "Age": "3"}


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        ('"2024-05-06T07:08:09Z"', datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)),
        ('"2024-05-06T07:08:09+03:00"', datetime(2024, 5, 6, 7, 8, 9, tzinfo=timezone(timedelta(hours=3)))),
        ('"2024-05-06 07:08:09"', datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)),
        ('"2024-05-06"', datetime(2024, 5, 6, tzinfo=UTC)),
        ("1714979289", datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)),
        ("1714979289.0", datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)),
        ('"yesterday"', None),
        ('""', None),
        ("null", None),
        ("1e300", None),
        ("true", None),
        ("[]", None),
        ("{}", None),
    ],
)
def test_the_time_of_a_page(time: str, expected: datetime | None) -> None:
    found = page_from_line(b'{"url": "x", "html": "ab", "time": %s}' % time.encode(), "n").fetched_at
    assert found == expected


@given(st.text(), st.text())
def test_what_json_writes_is_read_back(url: str, html: str) -> None:
    url, html = url.encode("utf-8", "replace").decode(), html.encode("utf-8", "replace").decode()
    found = page_from_line(json.dumps({"url": url, "html": html}).encode(), "n")
    assert (found.url, found.body) == (url, html)


@given(st.binary(max_size=80))
def test_any_bytes_are_a_page_or_a_bad_line(line: bytes) -> None:
    try:
        said = page_from_line(line, "n").body
    except BadPageLine as error:
        said = str(error).removeprefix("n: ")
        assert said != str(error)  # noqa: PT017 -- both ends are right, a third is not
    assert isinstance(said, str)


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.jsonl.xz"])
def test_a_truncated_file_gives_what_it_has_and_then_says_so(tmp_path: Path, name: str) -> None:
    many = b"".join(json.dumps({"url": str(n), "html": f"{n * 7919}" * 50}).encode() + b"\n" for n in range(3000))
    path = write(tmp_path / name, many)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    found: list[str] = []
    with pytest.raises(InputError, match=rf"{name} cannot be read to its end"):  # noqa: PT012
        for place in open_archive(str(path)).places():
            found.append(place.load().url)  # noqa: PERF401 -- what came before the error counts
    assert found == [str(n) for n in range(len(found))]
    assert 0 < len(found) < 3000


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.jsonl.xz"])
def test_a_file_that_is_not_compressed_says_so(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(LINES)
    with pytest.raises(InputError, match="cannot be read"):
        pages(tmp_path / name)


def test_standard_input(tmp_path: Path) -> None:
    script = "from sitewright.fetch import open_archive\na = open_archive('-')\nprint([p.load().url for p in a.places()], a.progress())"
    done = subprocess.run([sys.executable, "-c", script], input=LINES, capture_output=True, check=True, cwd=tmp_path)
    assert done.stdout.decode().strip() == f"{[page['url'] for page in PAGES]} None"


@pytest.mark.parametrize("suffix", [".html", ".htm", ".HTML", ".xhtml"])
def test_a_single_page(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a b{suffix}"
    path.write_bytes(b"<p>\xff</p>")
    assert pages(path) == [Page(url=path.as_uri(), body=b"<p>\xff</p>")]
    assert open_archive(str(path)).progress() == 1.0


def test_a_folder_gives_its_pages_by_name(tmp_path: Path) -> None:
    for name in ("b.html", "a.htm", "c/a.html", "notes.txt", "c/x.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name, "utf-8")
    archive = open_archive(str(tmp_path))
    assert [place.load().body for place in archive.places()] == [b"a.htm", b"b.html", b"c/a.html"]
    assert archive.progress() == 1.0


def test_a_page_that_went_away_is_an_input_error(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("x", "utf-8")
    (place,) = open_archive(str(tmp_path)).places()
    (tmp_path / "a.html").unlink()
    with pytest.raises(InputError, match=r"a\.html"):
        place.load()


def test_a_folder_without_pages_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no HTML files"):
        open_archive(str(tmp_path))


@pytest.mark.parametrize("name", ["a.txt", "a.csv", "a", "a.zip", "a.html.gz", "a.gz"])
def test_an_unknown_kind_of_file_is_refused_with_those_there_are(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"x")
    with pytest.raises(UnknownFormat, match=r"JSONL.*WARC"):
        open_archive(str(tmp_path / name))


def test_a_missing_file_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"missing\.jsonl"):
        open_archive(str(tmp_path / "missing.jsonl"))


def record(kind: str, url: str, block: bytes, content_type: str = "application/http; msgtype=response") -> bytes:
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2024-05-06T07:08:09Z\r\n"
        f"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{abs(hash((kind, url))) % 10**12:012d}>\r\n"
        f"Content-Type: {content_type}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def response(body: bytes, content_type: str = "text/html; charset=windows-1251", status: str = "200 OK") -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


RUSSIAN = "<p>Привет</p>".encode("cp1251")
WARC = [
    record("warcinfo", "", b"software: test\r\n", "application/warc-fields"),
    record("request", "https://example.com/1", b"GET /1 HTTP/1.1\r\n\r\n", "application/http; msgtype=request"),
    record("response", "https://example.com/1", response(RUSSIAN)),
    record("response", "https://example.com/p.png", response(b"\x89PNG", "image/png")),
    record("response", "<https://example.com/2>", response(b"<p>gone</p>", "text/html", "404 Not Found")),
    record("resource", "https://example.com/3", b"<p>three</p>", "text/html"),
]


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
def test_web_archives_give_their_html(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"".join(gzip.compress(entry) if name.endswith(".gz") else entry for entry in WARC))
    archive = open_archive(str(path))
    found = [place.load() for place in archive.places()]
    assert [page.url for page in found] == [f"https://example.com/{n}" for n in (1, 2, 3)]
    assert [page.status for page in found] == [200, 404, 200]
    assert found[0].body == RUSSIAN
    assert found[0].headers["Content-Type"] == "text/html; charset=windows-1251"
    assert found[2].body == b"<p>three</p>"
    assert {page.fetched_at for page in found} == {datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)}
    assert archive.progress() == 1.0


def test_headers_of_web_archives_that_are_not_ascii(tmp_path: Path) -> None:
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-\xfcber: \xff\r\nContent-Type: text/plain\r\n\r\n<p>Bees"
    (tmp_path / "a.warc").write_bytes(record("response", "https://example.com/", block))
    (page,) = pages(tmp_path / "a.warc")
    assert (page.body, page.headers) == (b"<p>Bees", {"Content-Type": "text/html", "X-über": "ÿ"})


def test_an_empty_web_archive_has_no_pages(tmp_path: Path) -> None:
    (tmp_path / "a.warc").write_bytes(b"")
    assert pages(tmp_path / "a.warc") == []


def test_web_archive_written_by_fastwarc(tmp_path: Path) -> None:
    from fastwarc.warc import WarcRecord, WarcRecordType  # noqa: PLC0415

    entry = WarcRecord()
    entry.init_headers(record_type=WarcRecordType.response)
    entry.headers["WARC-Target-URI"] = "https://example.com/w"
    entry.headers["Content-Type"] = "application/http; msgtype=response"
    entry.set_bytes_content(response(b"<p>w</p>", "text/html"))
    stream = io.BytesIO()
    entry.write(stream)
    (tmp_path / "a.warc").write_bytes(stream.getvalue())
    assert [(page.url, page.body) for page in pages(tmp_path / "a.warc")] == [("https://example.com/w", b"<p>w</p>")]


def test_a_byte_order_mark_before_the_first_page_is_no_part_of_it(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + b'{"url": "https://example.com/", "html": "x"}\n')
    assert [place.load().url for place in open_archive(str(path)).places()] == ["https://example.com/"]


def test_a_web_address_is_told_which_command_fetches() -> None:
    with pytest.raises(InputError, match="reads stored pages"):
        open_archive("https://example.com/")


@pytest.mark.parametrize(
    ("name", "encoding"), [("a.warc", ""), ("a.warc.gz", ""), ("a.warc", "Content-Encoding: gzip\r\n")]
)
def test_an_archive_cut_in_a_record_gives_the_whole_ones_and_says_so(tmp_path: Path, name: str, encoding: str) -> None:
    body = b"<p>" + b"word " * 200
    block = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{encoding}\r\n".encode() + (
        gzip.compress(body) if encoding else body
    )
    records = [record("response", f"https://example.com/{n}", block) for n in range(3)]
    stored = b"".join(map(gzip.compress, records) if name.endswith(".gz") else records)
    path = tmp_path / name
    path.write_bytes(stored[:-30])
    seen = []
    places = open_archive(str(path)).places()
    with pytest.raises(InputError, match=r"in the middle|to its end"):
        seen.extend(iter(lambda: next(places).load().url, None))
    assert set(seen) <= {"https://example.com/0", "https://example.com/1"}
