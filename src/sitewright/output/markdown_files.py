"""Rows in, Markdown out: a file a record in a folder, or all below each other in one file or on standard output."""

import re
from dataclasses import dataclass
from pathlib import Path

from sitewright.body import Body
from sitewright.domains import load_domain
from sitewright.output.markdown import markdown_of
from sitewright.output.rows import Row
from sitewright.output.stream import OutputStream
from sitewright.values.as_json import json_of, plain_of


@dataclass(frozen=True, slots=True)
class MarkdownFile:
    """Makes of a row the name of its file, and below it the text; a failure has no name, and is a line of JSON."""

    domain: str

    def __call__(self, row: Row, body: Body | None = None, /) -> bytes:
        if "error" in row:
            return b"\n" + json_of(row)
        plain = plain_of(row)
        name = _slug(str(plain.get(load_domain(self.domain).heading) or "page"))
        return f"{name}\n{markdown_of(plain, self.domain, body)}".encode("utf-8", "replace")


class MarkdownFolder:
    """One Markdown file a record, with its facts as front matter; failures go to failures.jsonl beside them."""

    def __init__(self, target: str) -> None:
        self._folder = Path(target)
        self._folder.mkdir(parents=True, exist_ok=True)
        self._failures = (self._folder / "failures.jsonl").open("wb")
        self._count = 0

    def write(self, encoded: bytes) -> None:
        """Write a file, numbered in the order of the pages."""
        self._count += 1
        name, _, text = encoded.partition(b"\n")
        if name:
            (self._folder / f"{self._count:06d}-{name.decode('utf-8')}.md").write_bytes(text)
        else:
            self._failures.write(text + b"\n")

    def close(self) -> None:
        """Close the list of failures, and drop it where there are none."""
        self._failures.close()
        path = self._folder / "failures.jsonl"
        if path.stat().st_size == 0:
            path.unlink()


class MarkdownStream:
    """Records below each other, each with its facts as front matter; failures are left out."""

    def __init__(self, target: str) -> None:
        """Open the file, or standard output for `-`."""
        self._stream = OutputStream(target)
        self._count = 0

    def write(self, encoded: bytes) -> None:
        """Write a record."""
        name, _, text = encoded.partition(b"\n")
        if name:
            self._stream.file.write(b"\n" + text if self._count else text)
            self._count += 1

    def close(self) -> None:
        """Flush and close."""
        self._stream.close()


def is_one_file(target: str) -> bool:
    """Tell whether Markdown goes to one file, and not to a folder.

    >>> is_one_file("-"), is_one_file("stories.md"), is_one_file("stories/"), is_one_file("stories")
    (True, True, False, False)
    """
    return target == "-" or (target.lower().endswith(".md") and not Path(target).is_dir())


def _slug(title: str) -> str:
    return re.sub(r"[^\w]+", "-", title.lower()).strip("-")[:60] or "page"
