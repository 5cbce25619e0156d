"""The classic design after a move to another build: the same look and structure, generated names."""

from string import Template

from sitewright.demo.designs import classic
from sitewright.demo.designs.classic import CLASSIC
from sitewright.demo.designs.design import Design
from sitewright.demo.designs.files import app, map_facts, read, style
from sitewright.demo.designs.renamed.names import generated, rename_css
from sitewright.demo.designs.renamed.rewriting import rewrite
from sitewright.demo.newspaper import Newspaper

_MORE_STYLE = ".masthead__title { font-size: inherit; line-height: inherit; }\n"


class _Names(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return generated(name)


def write_map(paper: Newspaper) -> str:
    """Return the text of the map file; every other `$name` in its template is a class of the classic design."""
    return Template(read(__name__, "map.yaml")).substitute(_Names(map_facts(paper)))


RENAMED = Design(
    name="renamed",
    draw_story=lambda paper, story: rewrite(CLASSIC.draw_story(paper, story)),
    draw_front=lambda paper: rewrite(CLASSIC.draw_front(paper)),
    draw_listing=lambda paper, listing: rewrite(CLASSIC.draw_listing(paper, listing)),
    draw_notice=lambda paper, notice: rewrite(CLASSIC.draw_notice(paper, notice)),
    draw_shell=lambda paper, path, source: rewrite(CLASSIC.draw_shell(paper, path, source)),
    draw_player=CLASSIC.draw_player,
    write_map=write_map,
    assets={
        "/assets/site.css": style(rename_css(read(classic.__name__, "site.css") + _MORE_STYLE)),
        "/assets/site.js": CLASSIC.assets["/assets/site.js"],
    },
    app=app(read(classic.__name__, "templates.js"), read(__name__, "rewriting.js")),
)
