"""The classic design: a light, serif newspaper with block__element class names."""

from importlib.resources import files

from sitewright.demo.designs.classic.indexes import draw_front, draw_listing, draw_notice
from sitewright.demo.designs.classic.map_file import write_map
from sitewright.demo.designs.classic.stories import draw_player, draw_story
from sitewright.demo.designs.design import Asset, Design

CLASSIC = Design(
    name="classic",
    draw_story=draw_story,
    draw_front=draw_front,
    draw_listing=draw_listing,
    draw_notice=draw_notice,
    draw_player=draw_player,
    write_map=write_map,
    assets={
        f"/assets/{name}": Asset(files(__name__).joinpath(name).read_bytes(), content_type)
        for name, content_type in (
            ("site.css", "text/css; charset=utf-8"),
            ("site.js", "text/javascript; charset=utf-8"),
        )
    },
)
