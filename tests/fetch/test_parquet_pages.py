"""Pages of Parquet files, by whatever their columns are called; rows without a page are failures, others go on."""

from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest

from sitewright.errors import InputError
from sitewright.fetch import open_archive
from sitewright.fetch.parquet_pages import ParquetPages, row_groups

COLUMNS = [
    ("texts", "'https://a.example/' || i AS url, '<p>' || i AS html, TIMESTAMPTZ '2024-05-06 07:08:09Z' AS time"),
    ("bytes, and seconds", "'https://a.example/' || i AS URL, encode('<p>' || i) AS Body, 1714979289 AS fetched_at"),
    ("no zone, and more columns", "i, 'https://a.example/' || i AS url, '<p>' || i AS content, '2024-05-06T07:08:09' AS date"),
]  # fmt: skip


def written(path: Path, columns: str, rows: int = 5) -> Path:
    query = f"SELECT {columns} FROM range({rows}) t(i) ORDER BY i"  # noqa: S608 -- our own words
    duckdb.sql(f"COPY ({query}) TO '{path}' (FORMAT parquet, ROW_GROUP_SIZE 2048)")
    return path


@pytest.mark.parametrize("columns", [row[1] for row in COLUMNS], ids=[row[0] for row in COLUMNS])
def test_pages_are_read_in_order(tmp_path: Path, columns: str) -> None:
    archive = open_archive(str(written(tmp_path / "pages.parquet", columns)))
    pages = [place.load() for place in archive.places()]
    assert [page.url for page in pages] == [f"https://a.example/{number}" for number in range(5)]
    bodies = [page.body if isinstance(page.body, str) else page.body.decode() for page in pages]
    assert bodies == [f"<p>{number}" for number in range(5)]
    assert {page.fetched_at for page in pages} == {datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)}
    assert archive.progress() == 1.0


def test_a_row_without_a_page_is_a_failure_and_the_others_go_on(tmp_path: Path) -> None:
    columns = "'https://a.example/' || i AS url, CASE WHEN i = 1 THEN NULL ELSE '<p>' END AS html"
    good, bad, last = open_archive(str(written(tmp_path / "pages.parquet", columns, 3))).places()
    assert (good.load().body, last.load().url) == ("<p>", "https://a.example/2")
    with pytest.raises(InputError, match=r"pages\.parquet:2: there is no page"):
        bad.load()


def test_some_rows_alone(tmp_path: Path) -> None:
    path = written(tmp_path / "pages.parquet", COLUMNS[0][1], 5000)
    assert row_groups(path) == [2048, 2048, 904]
    found = [place.load().url for place in ParquetPages(path, 2048, 4096).places()]
    assert found == [f"https://a.example/{number}" for number in range(2048, 4096)]


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no column html; its columns: url"):
        open_archive(str(written(tmp_path / "links.parquet", "'x' AS url")))
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 not really")
    with pytest.raises(InputError, match=r"cannot read .*bad\.parquet"):
        open_archive(str(tmp_path / "bad.parquet"))
