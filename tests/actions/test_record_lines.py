"""Lines of files as objects, in order and again by number."""

import gzip
import lzma
from pathlib import Path

import pytest

from sitewright.actions.record_lines import RecordLines
from sitewright.errors import InputError

LINES = b'{"url": "a"}\n\n  {"url": "b"}'


def test_records_are_read_in_order_and_again_by_number(tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").write_bytes(LINES)
    (tmp_path / "two.jsonl.gz").write_bytes(gzip.compress(b'{"url": "c"}\n'))
    (tmp_path / "three.jsonl.xz").write_bytes(lzma.compress(b'{"url": "d"}\n'))
    sources = [str(tmp_path / name) for name in ("one.jsonl", "two.jsonl.gz", "three.jsonl.xz")]
    with RecordLines(sources) as lines:
        assert [row["url"] for row in lines.read()] == ["a", "b", "c", "d"]
        assert [lines.row(number)["url"] for number in (3, 0, 1)] == ["d", "a", "b"]
        assert lines.line(1) == b'{"url": "b"}'
        assert len(lines) == 4


@pytest.mark.parametrize("bad", [b"{", b"[1]", b"\xff"])
def test_a_line_that_is_no_object_is_named(tmp_path: Path, bad: bytes) -> None:
    (tmp_path / "bad.jsonl").write_bytes(b"{}\n" + bad + b"\n")
    with RecordLines([str(tmp_path / "bad.jsonl")]) as lines, pytest.raises(InputError, match=r"bad\.jsonl:2: "):
        list(lines.read())
