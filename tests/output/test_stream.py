"""Standard output gets records as they are, and a terminal gets nothing that it would obey."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sitewright.output.export import encoder_of, open_writer
from sitewright.output.stream import OutputStream, standard_output

STRANGE = "\x1b]0;owned\x07 \u009b31m \u202eseeb\r\nbees, Bienen, пчёлы"
SHOWN = "\\x1b]0;owned\\x07 \\x9b31m \\u202eseeb\nbees, Bienen, пчёлы"


@contextmanager
def terminal(told: list[str]) -> Iterator[None]:
    """Have standard output be a terminal, and tell what it was sent."""
    reader, writer = os.openpty()
    with os.fdopen(writer, "w", encoding="utf-8") as stream:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(sys, "stdout", stream)
            yield
        stream.write("the end")
        stream.flush()
        content = b""
        while not content.endswith(b"the end"):
            content += os.read(reader, 10_000)
    os.close(reader)
    told.append(content.decode("utf-8").removesuffix("the end").replace("\r\n", "\n"))


def test_a_terminal_is_shown_what_it_would_obey() -> None:
    told: list[str] = []
    with terminal(told):
        output = standard_output()
        content = STRANGE.encode("utf-8")
        for part in (content[:-1], content[-1:]):  # in the middle of a letter
            output.write(part)
        output.flush()
    assert told == [SHOWN]


@pytest.mark.parametrize("kind", ["jsonl", "csv", "markdown", "jsonfeed"])
def test_no_format_has_power_over_a_terminal(kind: str) -> None:
    told: list[str] = []
    with terminal(told):
        writer = open_writer("-", kind, {"title": "line"})
        writer.write(encoder_of(kind, {"title": "line"})({"url": "https://example.com/", "title": STRANGE}))
        writer.close()
    assert "owned" in told[0]
    assert all(letter in "\n\t" or letter.isprintable() for letter in told[0])


def test_pipes_and_files_get_it_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", pipe)
    for target in ("-", str(tmp_path / "file")):
        stream = OutputStream(target)
        stream.file.write(STRANGE.encode("utf-8"))
        stream.close()
    assert (tmp_path / "file").read_bytes() == pipe.buffer.getvalue() == STRANGE.encode("utf-8")  # type: ignore[attr-defined]
