"""A row in, a Markdown document out: the facts as front matter, then title, text and pictures."""

import json
import re
from collections.abc import Mapping

from sitewright.output.rows import Row

_MARKS = re.compile(r"[\\`*_\[\]<>]")
_LINE_START = re.compile(r"^(?=(?:[#+-]|=+$|-+$)(?:\s|$|[-=]))|^(\d+)(?=[.)]\s)")
_IN_BODY = frozenset({"title", "subtitle", "text", "images", "confidence", "description", "name"})


def markdown_of(row: Row) -> str:
    """Return a record as Markdown. Text of the page is text in the document too, never markup.

    >>> print(markdown_of({"url": "https://example.com/a", "title": "A", "text": "One.\\n<b>Two</b>."}))
    ---
    url: "https://example.com/a"
    ---
    <BLANKLINE>
    # A
    <BLANKLINE>
    One.
    <BLANKLINE>
    \\<b\\>Two\\</b\\>.
    <BLANKLINE>
    """
    facts = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in row.items() if key not in _IN_BODY]
    blocks = ["\n".join(["---", *facts, "---"])]
    if title := row.get("title") or row.get("name"):
        blocks.append(f"# {_escaped(str(title))}")
    if subtitle := row.get("subtitle"):
        blocks.append(f"*{_escaped(str(subtitle))}*")
    text = str(row.get("text") or row.get("description") or "")
    blocks.extend(_escaped(line) for line in text.split("\n") if line)
    blocks.extend(_picture(image) for image in row.get("images") or ())
    return "\n\n".join(blocks) + "\n"


def _picture(image: object) -> str:
    """Write a picture, which is an object or a bare address."""
    known = image if isinstance(image, Mapping) else {"url": image}
    address = str(known.get("url", "")).replace("<", "%3C").replace(">", "%3E")
    return f"![{_escaped(str(known.get('caption', '')))}](<{address}>)"


def _escaped(line: str) -> str:
    r"""Keep a line of text from reading as markup.

    >>> _escaped("1. One"), _escaped("# no heading"), _escaped("a *b* [c](d)"), _escaped("---")
    ('1\\. One', '\\# no heading', 'a \\*b\\* \\[c\\](d)', '\\---')
    """
    marked = _MARKS.sub(lambda found: f"\\{found[0]}", line)
    return _LINE_START.sub(lambda found: f"{found[1] or ''}\\", marked)
