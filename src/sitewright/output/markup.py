"""Text that strangers wrote in, HTML that is safe to open out: elements, and a page that stands for itself.

Nothing is loaded and nothing runs in such a page, which its content policy makes sure of.
"""

from collections.abc import Iterable
from html import escape
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

from sitewright.errors import OutputError
from sitewright.values.words import short_at_word

_SHORT_ADDRESS = 160
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


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


def bar(share: float, text: str) -> Markup:
    """Write a share as a bar with its figure."""
    filled = tag("i", style=f"width:{min(max(share, 0.0), 1.0) * 100:.0f}%")
    return join([tag("span", filled, class_="bar"), tag("span", text, class_="figure")])


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
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
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
