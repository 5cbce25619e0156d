"""A row and the body of its text in, a Markdown document out: the facts as front matter, then title, text, pictures."""

import json

from turbohtml import Element, Text

from sitewright.body import Body, markdown_of_body, plain_body
from sitewright.domains import DEFAULT_DOMAIN, Domain, kinds, load_domain
from sitewright.output.photos import photos_of
from sitewright.output.rows import Row


def markdown_of(row: Row, domain: str = DEFAULT_DOMAIN, body: Body | None = None) -> str:
    """Return a record of a domain as Markdown. Text of the page is text in the document too, never markup.

    Without a body the text is paragraphs, and pictures stand below it.

    >>> print(markdown_of({"url": "https://example.com/a", "title": "A", "text": "One.\\n<b>Two</b>."}))
    ---
    url: "https://example.com/a"
    ---
    <BLANKLINE>
    # A
    <BLANKLINE>
    One.
    <BLANKLINE>
    \\<b>Two\\</b>.
    <BLANKLINE>
    """
    known = load_domain(domain)
    pictures = known.fields_of_kind(kinds.IMAGES)
    in_body = {known.heading, known.summary, known.main_text, *pictures, "confidence"}
    facts = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in row.items() if key not in in_body]
    parts = [
        "\n".join(["---", *facts, "---"]),
        markdown_of_body(_head(row, known)),
        markdown_of_body(body.tree if body is not None else _plain(row, known)),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _head(row: Row, domain: Domain) -> Element:
    head = Element("div")
    if heading := row.get(domain.heading):
        head.append(_with_text("h1", heading))
    if summary := row.get(domain.summary):
        paragraph = Element("p")
        paragraph.append(_with_text("em", summary))
        head.append(paragraph)
    return head


def _with_text(tag: str, text: object) -> Element:
    element = Element(tag)
    element.append(Text(" ".join(str(text).split())))
    return element


def _plain(row: Row, domain: Domain) -> Element:
    pictures = [photo for name in domain.fields_of_kind(kinds.IMAGES) for photo in photos_of(row.get(name))]
    return plain_body(str(row.get(domain.main_text) or ""), pictures)
