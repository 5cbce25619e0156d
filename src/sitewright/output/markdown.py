"""A row in, a Markdown document out: the facts as front matter, then title, text and pictures."""

import json
import re
from collections.abc import Mapping

from sitewright.domains import DEFAULT_DOMAIN, kinds, load_domain
from sitewright.output.rows import Row

_MARKS = re.compile(r"[\\`*_\[\]<>]")
_LINE_START = re.compile(r"^(?=(?:[#+-]|=+$|-+$)(?:\s|$|[-=]))|^(\d+)(?=[.)]\s)")


def markdown_of(row: Row, domain: str = DEFAULT_DOMAIN) -> str:
    """Return a record of a domain as Markdown. Text of the page is text in the document too, never markup.

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
    known = load_domain(domain)
    pictures = known.fields_of_kind(kinds.IMAGES)
    in_body = {known.heading, known.summary, known.main_text, *pictures, "confidence"}
    facts = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in row.items() if key not in in_body]
    blocks = ["\n".join(["---", *facts, "---"])]
    if heading := row.get(known.heading):
        blocks.append(f"# {_escaped(str(heading))}")
    if summary := row.get(known.summary):
        blocks.append(f"*{_escaped(str(summary))}*")
    text = str(row.get(known.main_text) or "")
    blocks.extend(_escaped(line) for line in text.split("\n") if line)
    blocks.extend(_picture(image) for name in pictures for image in row.get(name) or ())
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
