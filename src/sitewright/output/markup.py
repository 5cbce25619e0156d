"""Text that strangers wrote in, HTML that is safe to open out: elements, and a page that stands for itself.

Nothing is loaded and nothing runs in such a page, which its content policy makes sure of.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from html import escape
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

from sitewright.errors import OutputError
from sitewright.values.words import moment, short_at_word

_SHORT_ADDRESS = 160
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""Nothing is loaded, nothing runs, nothing is sent: the only thing that pages of ours have is their style."""


class Markup(str):
    """HTML that is safe as it is; all other text is escaped."""

    __slots__ = ()


def tag(name: str, *content: str, **attributes: str) -> Markup:
    """Write an element.

    >>> tag("p", "1 < 2", tag("b", "so"), class_='"')
    '<p class="&quot;">1 &lt; 2<b>so</b></p>'
    """
    given = "".join(f' {key.rstrip("_")}="{escape(value)}"' for key, value in attributes.items())
    return Markup(f"<{name}{given}>{join(content)}</{name}>")


def join(parts: Iterable[str]) -> Markup:
    """Write parts one behind the other."""
    return Markup("".join(part if isinstance(part, Markup) else escape(part) for part in parts))


_UNSURE, _LOW = 0.8, 0.5
"""Below these a value is unsure, or rather wrong than right: confidence is calibrated (docs/tag.md)."""


def certainty(confidence: float) -> str:
    """Return the word for a confidence that is not high; empty for one that is.

    >>> certainty(0.9), certainty(0.6), certainty(0.3)
    ('', 'unsure', 'low')
    """
    return "" if confidence >= _UNSURE else "unsure" if confidence >= _LOW else "low"


def share(part: float, text: str = "", level: str = "") -> Markup:
    """Write a share as a bar with its figure; a level has a word and a colour."""
    filled = tag("i", style=f"width:{min(max(part, 0.0), 1.0) * 100:.0f}%")
    word = [tag("span", level, class_=f"level {level}")] if level else []
    figure = tag("span", text or f"{part:.0%}", class_="figure")
    return tag("span", tag("span", filled, class_=f"bar {level}".strip()), figure, *word, class_="share")


def heading(title: str, made_at: datetime | None, about: str) -> Markup:
    """Begin a report: whose it is, of when, and what it rests on."""
    stamp = made_at.astimezone(UTC).isoformat(timespec="minutes") if made_at is not None else ""
    when = [tag("time", f"{moment(made_at)} UTC", datetime=stamp), " · "] if made_at is not None else []
    return tag("header", tag("h1", title), tag("p", *when, about))


def warned(warnings: Sequence[str]) -> Markup:
    """Write what a person should look at, or that there is nothing."""
    if not warnings:
        return tag("section", tag("p", "✓ Nothing to warn of."), class_="well")
    head = tag("h2", "⚠ ", "1 warning" if len(warnings) == 1 else f"{len(warnings)} warnings")
    return tag("section", head, tag("ul", *(tag("li", warning) for warning in warnings)), class_="warnings")


def address(url: str) -> Markup:
    """Write an address, as a link where following it opens a web page and nothing else."""
    try:
        parts = urlsplit(url)
        is_web = parts.scheme in {"http", "https"} and bool(parts.netloc)
    except ValueError:
        is_web = False
    shown = short_at_word(url, _SHORT_ADDRESS)
    return tag("a", shown, href=url, rel="noopener noreferrer") if is_web else tag("span", shown)


def page_head(title: str) -> str:
    """Return the beginning of a page, up to where its content starts."""
    style = files("sitewright.output").joinpath("report.css").read_text("utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
    )


def prepare_report(target: str) -> None:
    """Find out whether a report can be written there, before any work is done."""
    if target == "-":
        raise OutputError("a report cannot be written to standard output; name a file")
    path = Path(target)
    is_new = not path.exists()
    try:
        path.open("ab").close()
        if is_new:
            path.unlink()
    except OSError as error:
        raise refused(target, error) from error


def refused(target: str, error: OSError) -> OutputError:
    """Return the error to raise where a report cannot be written."""
    return OutputError(f"cannot write {target}: {error.strerror or error}")
