"""Pieces of files and folders, one after the other, are the whole; each knows its lines."""

import gzip
import json
from pathlib import Path

import duckdb
import pytest

from sitewright.fetch import open_archive, pieces
from sitewright.fetch.pieces import Piece, open_piece, pieces_of

PAGES = [{"url": f"https://example.com/{number}", "html": f"<p>{'word ' * number}"} for number in range(60)]
LINES = "".join(json.dumps(page) + "\n" for page in PAGES)


def lines(folder: Path) -> Path:
    path = folder / "pages.jsonl"
    path.write_text("\n" + LINES.rstrip(), "utf-8")
    return path


def packed(folder: Path) -> Path:
    path = folder / "pages.jsonl.gz"
    path.write_bytes(gzip.compress(LINES.encode()))
    return path


def table(folder: Path) -> Path:
    path = folder / "pages.parquet"
    query = "SELECT 'https://example.com/' || i AS url, '<p>' || i AS html FROM range(5000) t(i) ORDER BY i"
    duckdb.sql(f"COPY ({query}) TO '{path}' (FORMAT parquet, ROW_GROUP_SIZE 2048)")
    return path


def files(folder: Path) -> Path:
    path = folder / "site"
    path.mkdir()
    for number in range(7):
        (path / f"{number}.html").write_text(f"<p>{number}", "utf-8")
    return path


@pytest.mark.parametrize(
    ("make", "count"), [(lines, 8), (packed, 1), (table, 3), (files, 3)], ids=["lines", "packed", "table", "files"]
)
def test_all_pieces_are_the_whole(
    tmp_path: Path, make: "pytest.FixtureRequest", count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pieces, "PIECE_BYTES", 1500)
    monkeypatch.setattr(pieces, "_PIECE_FILES", 3)
    source = str(make(tmp_path))  # type: ignore[operator]
    found = list(pieces_of(source))
    assert len(found) == count
    whole = [(place.name, place.load()) for place in open_archive(source).places()]
    assert [(place.name, place.load()) for one in found for place in open_piece(one).places()] == whole
    assert whole


def test_a_bad_line_has_its_number_in_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "PIECE_BYTES", 40)
    path = tmp_path / "pages.jsonl"
    path.write_text("".join(f'{{"url": "https://example.com/{n}", "html": "{n}"}}\n' for n in range(6)), "utf-8")
    names = [place.name for one in pieces_of(str(path)) for place in open_piece(one).places()]
    assert names == [f"{path}:{number}" for number in range(1, 7)]


def test_a_file_without_pages_has_no_pieces(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_bytes(b"")
    assert list(pieces_of(str(tmp_path / "empty.jsonl"))) == []
    assert Piece("x").beyond is None
