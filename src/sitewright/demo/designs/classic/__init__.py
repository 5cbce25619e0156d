"""The classic design: a light, serif newspaper with block__element class names."""

from string import Template

from sitewright.demo.designs.classic.indexes import draw_front, draw_listing, draw_notice, draw_shell
from sitewright.demo.designs.classic.stories import draw_player, draw_story
from sitewright.demo.designs.design import Design
from sitewright.demo.designs.files import app, map_facts, read, script, style
from sitewright.demo.newspaper import Newspaper


def write_map(paper: Newspaper) -> str:
    """Return the text of the map file, as a person would write it."""
    return Template(read(__name__, "map.yaml")).substitute(map_facts(paper))


CLASSIC = Design(
    name="classic",
    draw_story=draw_story,
    draw_front=draw_front,
    draw_listing=draw_listing,
    draw_notice=draw_notice,
    draw_shell=draw_shell,
    draw_player=draw_player,
    write_map=write_map,
    assets={
        "/assets/site.css": style(read(__name__, "site.css")),
        "/assets/site.js": script(read(__name__, "site.js")),
    },
    app=app(read(__name__, "templates.js")),
)
