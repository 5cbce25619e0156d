"""The rebuilt design: the same stories in other elements, another order and another look."""

from string import Template

from sitewright.demo.designs.design import Design
from sitewright.demo.designs.files import app, map_facts, read, script, style
from sitewright.demo.designs.rebuilt.indexes import draw_front, draw_listing, draw_notice, draw_shell
from sitewright.demo.designs.rebuilt.stories import draw_player, draw_story
from sitewright.demo.newspaper import Newspaper


def write_map(paper: Newspaper) -> str:
    """Return the text of the map file, as a person would write it."""
    return Template(read(__name__, "map.yaml")).substitute(map_facts(paper))


REBUILT = Design(
    name="rebuilt",
    draw_story=draw_story,
    draw_front=draw_front,
    draw_listing=draw_listing,
    draw_notice=draw_notice,
    draw_shell=draw_shell,
    draw_player=draw_player,
    write_map=write_map,
    assets={
        "/assets/main.css": style(read(__name__, "main.css")),
        "/assets/main.js": script(read(__name__, "main.js")),
    },
    app=app(read(__name__, "templates.js")),
)
