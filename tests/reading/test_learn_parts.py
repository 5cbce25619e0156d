"""Where stories have their other pages is learned from those that have some, and only if it holds on all pages."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from tests.reading.test_learn import Stored, stored, story, tag

from sitewright.fetch import Place
from sitewright.maps import dump_map, parse_map
from sitewright.parse import Document, parse
from sitewright.reading.learn import Tagged, learn_from
from sitewright.reading.story_pages import story_pages
from sitewright.types import ExtractionMap, Limits, Page, PartsRule, Record, Rule, Template

pytestmark = pytest.mark.slow
__all__ = ["stored", "tag"]
NOW = datetime(2024, 6, 15, 12, 0, tzinfo=UTC)
TITLE = Rule(field="title", select=("h1",))
Tag = Callable[[Place], Tagged]


def paged(number: int, several: int, name: str = "pages") -> dict[str, str]:
    """Return a story that goes on over several pages."""
    row = story(number)
    links = " ".join(f'<a href="/news/{number}?page={page}">{page}</a>' for page in range(2, several + 1))
    return row | {"html": row["html"].replace("</main>", f'<div class="{name}"><b>1</b> {links}</div></main>')}


def parts_of(tag: Tag, places: list[Place]) -> PartsRule | None:
    (template,) = learn_from(map(tag, places), Limits(), "news", {}, NOW).extraction_map.templates
    return template.parts


def map_with(rule: PartsRule) -> ExtractionMap:
    return ExtractionMap(site="a.example", templates=(Template(name="a", parts=rule, rules=(TITLE,)),))


def test_selectors_are_learned(tag: Tag, stored: Stored) -> None:
    rows = [paged(n, 3) if n % 2 else story(n) for n in range(8)]
    rule = parts_of(tag, stored(*rows))
    assert rule is not None
    assert (rule.learned, rule.url, rule.most) == (True, "", 500)
    assert all("pages" in css for css in rule.links)
    assert parse_map(dump_map(map_with(rule))).templates[0].parts == rule


@pytest.mark.parametrize(
    "rows",
    [
        [story(n) for n in range(8)],
        [paged(n, 3) if n == 1 else story(n) for n in range(8)],
    ],
    ids=["no story has several pages", "one has"],
)
def test_of_too_few_nothing_is_learned(tag: Tag, stored: Stored, rows: list[dict[str, str]]) -> None:
    assert parts_of(tag, stored(*rows)) is None


def document(html: str) -> Document:
    return parse(Page(url="https://www.example.com/news/the-bees-of-corwick-7", body=html))


@pytest.mark.parametrize(("learned", "parts"), [(True, 2), (False, 0)])
def test_a_learned_rule_that_finds_nothing_leaves_it_to_the_page(learned: bool, parts: int) -> None:
    links = "".join(f"<a href='/news/the-bees-of-corwick-7?page={n}'>{n}</a> " for n in (2, 3))
    page = document(f"<h1>Bees</h1><p>They are back.</p><nav class=redesigned><b>1</b> {links}</nav>")
    record = Record(site="a.example", urls=(page.url,), fields={}, template="a")
    found = story_pages(page, record, map_with(PartsRule(links=(".pages a",), learned=learned)))
    assert len(found.parts) == parts
