"""Files beside a design in, what is made of them out: style sheets, scripts, maps."""

from importlib.resources import files

from sitewright.demo.designs.design import Asset
from sitewright.demo.newspaper import Newspaper


def read(package: str, name: str) -> str:
    """Return the text of a file that lies in a package."""
    return files(package).joinpath(name).read_text("utf-8")


def style(text: str) -> Asset:
    """Return a style sheet."""
    return Asset(text.encode(), "text/css; charset=utf-8")


def script(text: str) -> Asset:
    """Return a script."""
    return Asset(text.encode(), "text/javascript; charset=utf-8")


def app(*templates: str) -> Asset:
    """Return the script that fills shells with these templates; the rest of it is the same for all designs."""
    return script("\n".join((read(__package__, "markup.js"), *templates, read(__package__, "build.js"))))


def map_facts(paper: Newspaper) -> dict[str, str]:
    """Return what a map file says of the paper, whatever its design."""
    return {
        "site": paper.host,
        "name": paper.words.name,
        "language": paper.words.language,
        "timezone": paper.words.timezone,
        "short_date": paper.words.calendar.short,
        "base_url": paper.base_url,
    }
