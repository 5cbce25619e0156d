"""Sections of lines in, a letter out: as plain text and as HTML in which what strangers wrote is text."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from sitewright.output.markup import Markup, tag
from sitewright.values.words import one_line, short

_LONGEST = 300
_STYLE = "font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:1em auto;padding:0 1em"


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterLine:
    """A thing that is told."""

    heading: str
    detail: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """Lines under a heading; empty: they need none."""

    heading: str
    lines: Sequence[LetterLine]


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """What is told at once, and where more is."""

    subject: str
    sections: Sequence[Section]
    more: str = ""
    """The address of a page of ours with the same."""


def text_of(letter: Letter) -> str:
    r"""Return a letter as plain text.

    >>> line = LetterLine(heading="Bridge\nopens", detail="a.example", url="https://a.example/1")
    >>> print(text_of(Letter(subject="Today", sections=[Section("News", [line])])))
    Today
    =====
    <BLANKLINE>
    News
    ----
    <BLANKLINE>
    * Bridge opens
      a.example
      https://a.example/1
    <BLANKLINE>
    """
    parts = [_underlined(letter.subject, "=")]
    for section in letter.sections:
        parts += [_underlined(section.heading, "-")] if section.heading else []
        parts += ["\n".join(_text_lines(line)) + "\n" for line in section.lines]
    return "\n".join([*parts, *([letter.more, ""] if letter.more else [])])


def html_of(letter: Letter) -> str:
    """Return a letter as a page of HTML that loads nothing.

    >>> line = LetterLine(heading="<script>", url="javascript:alert(1)")
    >>> html_of(Letter(subject="Today", sections=[Section("", [line])])).partition("<ul>")[2]
    '<li><b>&lt;script&gt;</b></li></ul></body></html>'
    """
    body = [tag("h1", short(letter.subject, _LONGEST))]
    for section in letter.sections:
        body += [tag("h2", short(section.heading, _LONGEST))] if section.heading else []
        body.append(tag("ul", *map(_item, section.lines)))
    if letter.more:
        body.append(tag("p", tag("a", letter.more, href=letter.more)))
    head = tag("head", Markup('<meta charset="utf-8">'), tag("title", short(letter.subject, _LONGEST)))
    return f"<!DOCTYPE html>{tag('html', head, tag('body', *body, style=_STYLE))}"


def _underlined(heading: str, with_: str) -> str:
    line = short(heading, _LONGEST)
    return f"{line}\n{with_ * len(line)}\n"


def _text_lines(line: LetterLine) -> list[str]:
    more = [one for one in (_said(line.detail), _address(line.url)) if one]
    return [f"* {short(line.heading, _LONGEST)}", *(f"  {one}" for one in more)]


def _item(line: LetterLine) -> Markup:
    heading, address = short(line.heading, _LONGEST), _address(line.url)
    first = tag("a", heading, href=address) if address else tag("b", heading)
    return tag("li", first, *([Markup("<br>"), _said(line.detail)] if line.detail else []))


def _said(detail: str) -> str:
    return short(detail, 2 * _LONGEST)


def _address(url: str) -> str:
    """Return an address that a link may have: of the web, on one line, or none."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return one_line(url) if parts.scheme in {"http", "https"} and parts.netloc else ""
