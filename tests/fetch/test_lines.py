"""Lines of files: plain, packed and torn ones."""

import gzip
import lzma
from pathlib import Path

import pytest

from sitewright.errors import InputError
from sitewright.fetch.lines import read_lines

LINES = b'{"url": "a"}\n\n  {"url": "b"}'


@pytest.mark.parametrize(("name", "pack"), [("a.jsonl", bytes), ("a.jsonl.gz", gzip.compress), ("a.xz", lzma.compress)])
def test_lines_that_are_not_blank_come_with_their_numbers(tmp_path: Path, name: str, pack: type[bytes]) -> None:
    (tmp_path / name).write_bytes(pack(LINES))
    assert list(read_lines(str(tmp_path / name))) == [(1, b'{"url": "a"}\n'), (3, b'  {"url": "b"}')]


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        list(read_lines(str(tmp_path / "none.jsonl")))
    (tmp_path / "torn.gz").write_bytes(gzip.compress(LINES)[:-9])
    with pytest.raises(InputError, match="cannot read"):
        list(read_lines(str(tmp_path / "torn.gz")))
