"""Code asks the domain: no name of a domain, an item or a field stands in it as a literal.

What looks like one and is none (an attribute of HTML, a key of JSON-LD, an entry of our own files) is listed, with
the reason. Docstrings and doctests are left out: they speak of news, as people do.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from sitewright.domains import domain_names, load_domain

SOURCE = Path(__file__).parents[1] / "src" / "sitewright"
FOLDERS = sorted({path.parent.name for path in SOURCE.glob("*/__init__.py")} - {"demo"})
"""All of them; what the demo generates is a newspaper."""
HTML = "an attribute of HTML"
JSON_LD = "a key of JSON-LD"
MAP_ENTRY = "an entry of map files"
FEED = "an element of feeds"
FOREIGN = "a word of the format that is converted"
COLUMN = "a column of the database"
ELEMENT = "an element of HTML"
DEMO = "the demo's newspaper has these fields"
FEATURE = "a feature of the trained models, whatever the domain"
COOKIE = "an entry of a cookie, as browsers keep it"
MCP = "an entry of the Model Context Protocol"
EXCEPTIONS: dict[str, dict[str, str]] = {
    "parse/urls.py": {"sku": "a parameter of addresses"},
    "domains/kinds.py": {
        "text": "a kind of values",
        "images": "a kind of values",
        "price": "a kind of values",
        "items": "a kind of values",
    },
    "domains/domain.py": {
        "published": "a meaning",
        "modified": "a meaning",
        "price": "a look of values",
        "text": "a look of values",
        "name": HTML,
    },
    "domains/check.py": {"published": "a meaning", "modified": "a meaning"},
    "domains/load.py": {"name": "an entry of domain files"},
    "induce/candidates.py": {"title": HTML, "name": HTML},
    "induce/drafts.py": {"title": ELEMENT},
    "induce/examples.py": {"title": ELEMENT},
    "induce/images.py": {"article": ELEMENT, "name": HTML},
    "actions/price_histories.py": {"name": "a column of histories"},
    "cli/commands/price_histories.py": {"price": "what is counted"},
    "cli/commands/recommend.py": {"items": "what is recommended"},
    "processes/price_histories.py": {"name": "a column of histories"},
    "recommend/clicklog.py": {"published": "a column of clicks"},
    "recommend/lists.py": {"name": "a column of names"},
    "recommend/typed.py": {"published": "a column of clicks", "article": "a column of clicks"},
    "serve/api/recommendations.py": {"items": "what is recommended"},
    "output/letter.py": {"title": ELEMENT},
    "mcp/protocol.py": {"instructions": MCP, "name": MCP, "description": MCP},
    "mcp/tools.py": {"text": "an entry of links", "description": "an entry of JSON Schema"},
    "mcp/untrusted.py": {"text": MCP},
    "serve/api/described.py": {"description": "an entry of OpenAPI"},
    "serve/api/people.py": {"items": "rows of an answer"},
    "serve/api/queue.py": {"items": "rows of an answer"},
    "serve/api/workshop.py": {"text": "the text of a map"},
    "output/notice_feed.py": {"title": FEED, "name": FEED},
    "serve/api/alerts.py": {"location": "a header of answers"},
    "store/alerts.py": {"name": COLUMN},
    "store/migrations/versions/r0033_alerts.py": {"name": COLUMN},
    "links/anchors.py": {"text": "where the words of a link stand", "title": HTML},
    "links/counters.py": {"name": "a group of an expression"},
    "links/discover.py": {"name": "a group of an expression", "title": HTML},
    "links/evidence.py": {"text": FEATURE},
    "links/feed_parts.py": {"news": "a namespace of sitemaps"},
    "links/feeds.py": {"text": "a kind of feed", "items": FEED, "title": FEED, "published": FEED, "modified": FEED},
    "links/merge.py": {"text": "a kind of feed"},
    "links/model.py": {"text": FEATURE},
    "links/page.py": {"text": FEATURE},
    "links/paging_signs.py": {"title": HTML},
    "links/story_signs.py": {"article": ELEMENT},
    "links/surroundings.py": {"article": ELEMENT},
    "links/tolerant_xml.py": {"news": "a namespace of sitemaps"},
    "maps/check.py": {"name": MAP_ENTRY},
    "maps/convert/carried.py": {"name": JSON_LD, "text": "what a rule takes"},
    "maps/convert/crawl4ai.py": {"name": FOREIGN, "text": FOREIGN, "items": FOREIGN},
    "maps/convert/foreign_json.py": {"text": "a kind of JSON value"},
    "maps/convert/ftr.py": dict.fromkeys(
        ("article", "title", "published", "authors", "text", "name"),
        "ftr-site-config is of articles, with these fields",
    ),
    "maps/convert/translate.py": {"name": "a group of an expression"},
    "maps/convert/webscraper.py": {"name": FOREIGN, "text": FOREIGN},
    "maps/diff.py": {"name": MAP_ENTRY},
    "maps/file.py": {"name": MAP_ENTRY},
    "maps/plain.py": {"name": MAP_ENTRY, "items": MAP_ENTRY},
    "parse/jsonld.py": {"name": JSON_LD},
    "parse/metadata.py": {"name": HTML, "title": ELEMENT},
    "parse/selectors.py": {"text": "an attribute of a class"},
    "repeats/columns.py": {"text": "a kind of column, and what a rule takes"},
    "repeats/items.py": {"text": "a kind of column"},
    "repeats/object_parts.py": {"name": HTML},
    "repeats/objects.py": {"name": HTML},
    "repeats/stars.py": {"title": HTML},
    "repeats/stated_objects.py": {"name": "what objects of schema.org are called by"},
    "notice/diagnosis.py": {"variants": "designs shown in turn"},
    "serve/pages/detailed.py": {"name": "a part of a pair"},
    "maps/edits.py": {"items": "an entry of index pages"},
    "serve/pages/bring.py": {"text": "an entry of the form"},
    "serve/pages/editor.py": {
        "items": "an entry of index pages",
        "name": "an entry of what the editor is told",
        "text": "the draft, as the editor sends it",
    },
    "structure/tokens.py": {"name": HTML},
    "tag/features/agreement.py": {"published": FEATURE, "modified": FEATURE},
    "tag/features/facts.py": {"title": FEATURE, "description": FEATURE, "published": FEATURE, "modified": FEATURE},
    "tag/features/sections.py": {"article": ELEMENT},
    "tag/kind_signs.py": {"article": ELEMENT},
    "tag/meanings/by_words.py": {"price": FEATURE},
    "tag/meanings/columns.py": {"text": "a look of values", "price": "a look of values"},
    "tag/meanings/looks.py": {"gtin": FEATURE, "price": FEATURE},
    "tag/meanings/page_signs.py": {"price": FEATURE},
    "tag/meanings/surroundings.py": {"title": HTML, "name": HTML},
    "tag/network.py": {"tags": FEATURE},
    "tag/stated.py": {"name": JSON_LD},
    "tag/surroundings.py": {"article": ELEMENT},
    "links/turning.py": {"title": HTML},
    "values/embedded.py": dict.fromkeys(("description", "text", "title"), "what scripts call the caption of a picture"),
    "values/caption_search.py": {"article": ELEMENT, "title": HTML},
    "values/images.py": {"description": JSON_LD},
    "values/value.py": {"name": JSON_LD},
    "cli/demo/collect.py": {"published": DEMO},
    "cli/demo/healed.py": dict.fromkeys(("authors", "published", "tags", "title"), DEMO),
    "cli/demo/learning.py": {"article": DEMO},
    "cli/demo/paper.py": dict.fromkeys(("authors", "categories", "published", "tags", "text", "title"), DEMO),
    "cli/commands/top.py": {"title": "an entry of its JSON lines, which is promised"},
    "cli/settings.py": {"jobs": "a setting: how many processes"},
    "cli/demo/shops.py": dict.fromkeys(
        (
            *("name", "price", "old_price", "availability", "brand", "sku", "gtin", "categories", "product"),
            *("variants", "reviews", "text"),
        ),
        "the demo's shops have these fields",
    ),
    "cli/demo/live.py": {"shop": "the domain of the demo's shops"},
    "cli/demo/score.py": dict.fromkeys(("images", "text"), DEMO),
    "cli/demo/scored.py": {"text": DEMO},
    "actions/dedupe.py": dict.fromkeys(
        ("images", "published", "text", "title"), "an entry of files of records, which is promised"
    ),
    "actions/prices.py": dict.fromkeys(
        ("name", "categories", "items"), "an entry of exports of prices, which is promised"
    ),
    "induce/pairs.py": {"name": "a part of a pair"},
    "output/csv_table.py": {"name": "a part of a pair"},
    "repeats/pairs.py": {"article": ELEMENT, "name": "a part of a pair"},
    "actions/wares.py": {"name": "an entry of exports of prices, which is promised"},
    "serve/api/products.py": dict.fromkeys(
        ("name", "items", "old_price", "price"), "an entry of answers of the API, which is promised"
    ),
    "cli/commands/demo.py": {"shop": "an option"},
    "cli/commands/prices.py": {
        "name": "a column of the table",
        "price": "a column of the table",
        "product": "what is counted",
    },
    "cli/commands/status.py": {"items": "an entry of its JSON, which is promised"},
    "watch/sources.py": {"price": "what is counted"},
    "actions/manifest.py": {"name": "an entry of manifests, which is promised"},
    "fetch/cookie_files.py": {"name": COOKIE},
    "fetch/lists.py": {"text": "an attribute of OPML", "title": "an attribute of OPML"},
    "fetch/site_access.py": {"name": COOKIE},
    "fetch/site_headers.py": {"name": "an entry of a header, as Chromium has it"},
    "fetch/data_calls.py": {"text": "a kind of JSON value"},
    "fetch/drawing.py": {"text": "an element of SVG", "title": "an element of SVG"},
    "fetch/fingerprint.py": {"article": ELEMENT},
    "heal/page_texts.py": {"title": ELEMENT},
    "notice/shapes.py": {"name": "a shape of values", "text": "a shape of values"},
    "output/feed.py": dict.fromkeys(("description", "name", "published", "subtitle", "text", "title"), FEED),
    "output/json_feed.py": dict.fromkeys(("authors", "description", "name", "tags", "title"), FEED),
    "output/link_report.py": {"article": ELEMENT},
    "output/report.py": {"article": ELEMENT, "text": "a class of the report's style"},
    "output/rows.py": dict.fromkeys(
        ("article", "items", "published", "text"), "an entry of output files, which is promised"
    ),
    "store/frontier.py": {"published": COLUMN},
    "store/integrity.py": {"name": COLUMN},
    "store/migrations/versions/r0001_first_tables.py": {"name": COLUMN, "text": COLUMN, "title": COLUMN},
    "store/migrations/versions/r0003_leases_of_sites.py": {"published": COLUMN},
    "store/migrations/versions/r0005_proposals.py": {"text": COLUMN},
    "store/migrations/versions/r0014_people.py": {"name": COLUMN},
    "store/migrations/versions/r0022_clicks.py": {"name": COLUMN},
    "store/people.py": {"name": COLUMN},
    "store/clicks.py": {"name": COLUMN},
    "actions/export_clicks.py": {"published": "a column of clicks"},
    "serve/colours.py": {"published": "a meaning", "modified": "a meaning"},
    "serve/api/answers.py": {"items": "an entry of the API, which is promised"},
    "serve/pages/feeds.py": {"text": "an attribute of OPML", "title": "an attribute of OPML"},
    "store/photo_sets.py": {"text": COLUMN, "title": COLUMN},
    "store/proposals.py": {"text": COLUMN},
    "store/schema.py": {"name": COLUMN, "published": COLUMN, "text": COLUMN, "title": COLUMN},
    "store/states.py": {"title": "an entry of a site's state"},
    "store/sites.py": {"name": COLUMN, "text": COLUMN},
    "watch/traps.py": {"items": "an entry of a site's state"},
}


def particular_words() -> frozenset[str]:
    """Return the names of the packaged domains, of their items and fields."""
    domains = [load_domain(name) for name in domain_names()]
    fields = {field for domain in domains for field in domain.fields}
    return frozenset({*domain_names(), *(domain.item.kind for domain in domains), *fields})


def literals(source: str) -> Iterator[str]:
    """Yield the texts in a module, its docstrings and those of its attributes aside."""
    tree = ast.parse(source)
    bodies = (getattr(node, "body", None) for node in ast.walk(tree))
    told = {
        id(line.value)
        for body in bodies
        if isinstance(body, list)
        for line in body
        if isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.value


def found_in(path: Path) -> set[str]:
    return particular_words().intersection(literals(path.read_text("utf-8")))


MODULES = sorted(path.relative_to(SOURCE).as_posix() for folder in FOLDERS for path in (SOURCE / folder).rglob("*.py"))


def test_no_name_of_a_domain_stands_in_code() -> None:
    found = {module: found_in(SOURCE / module) for module in MODULES}
    wrong = {module: words ^ set(EXCEPTIONS.get(module, {})) for module, words in found.items()}
    assert {module: words for module, words in wrong.items() if words} == {}


def test_every_exception_is_of_a_module_that_is_there() -> None:
    assert set(EXCEPTIONS) <= set(MODULES)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ('"""article"""\nx = "a title"', set()),
        ('def f(field):\n    """Return the title."""\n    return field == "title"', {"title"}),
        ('class A:\n    kind: str = "article"\n    """article"""', {"article"}),
        ('f"{x} news"', set()),
    ],
)
def test_what_counts(source: str, words: set[str]) -> None:
    assert particular_words().intersection(literals(source)) == words
