"""The classic design: a light, serif newspaper with block__element class names."""

from importlib.resources import files

from sitewright.demo.designs.classic.indexes import draw_front, draw_listing, draw_notice, draw_shell
from sitewright.demo.designs.classic.map_file import write_map
from sitewright.demo.designs.classic.stories import draw_player, draw_story
from sitewright.demo.designs.design import Asset, Design

_TYPES = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}


def _asset(name: str) -> Asset:
    return Asset(files(__name__).joinpath(name).read_bytes(), _TYPES[name.rpartition(".")[2]])


CLASSIC = Design(
    name="classic",
    draw_story=draw_story,
    draw_front=draw_front,
    draw_listing=draw_listing,
    draw_notice=draw_notice,
    draw_shell=draw_shell,
    draw_player=draw_player,
    write_map=write_map,
    assets={f"/assets/{name}": _asset(name) for name in ("site.css", "site.js")},
    app=_asset("app.js"),
)
