"""A newspaper in, the map file that reads its classic pages out."""

from importlib.resources import files
from string import Template

from sitewright.demo.newspaper import Newspaper


def write_map(paper: Newspaper) -> str:
    """Return the text of the map file, as a person would write it."""
    template = files(__package__).joinpath("map.yaml").read_text("utf-8")
    return Template(template).substitute(
        site=paper.host,
        name=paper.words.name,
        language=paper.words.language,
        timezone=paper.words.timezone,
        short_date=paper.words.calendar.short,
        base_url=paper.base_url,
    )
