"""How likely the lines of pages belong to their text, and how much they weigh, by what stands around them."""

from collections.abc import Callable, Mapping

import pytest

from sitewright.induce import Sample
from sitewright.induce.lines import weigh_lines
from sitewright.parse import Document
from sitewright.types import TaggedPage

Opined = Callable[..., tuple[Document, TaggedPage]]
Sampled = Callable[..., list[Sample]]
Weighed = Callable[..., Mapping[str, tuple[float, float]]]
STORY = "<div>{before}<p>The ferry of page {page} came in late.</p>{between}<p>Nobody on page {page} had waited.</p>{behind}</div>"


@pytest.fixture
def weighed(opined: Opined, sampled: Sampled) -> Weighed:
    """Return a function of what stands around two paragraphs and of opinions, which gives each line's say and weight."""

    def weigh(opinions: Mapping[str, float], **parts: str) -> dict[str, tuple[float, float]]:
        pages = []
        for page in ("one", "two", "three"):
            places = {"before": "", "between": "", "behind": ""} | {
                place: part.replace("PAGE", page) for place, part in parts.items()
            }
            scores = {line.replace("PAGE", page): score for line, score in opinions.items()}
            sure = {f"The ferry of page {page} came in late.": 0.95, f"Nobody on page {page} had waited.": 0.95}
            pages.append(opined(f"<body>{STORY.format(page=page, **places)}", {"text": sure | scores}))
        samples = sampled(pages)
        lines = [line.text for sample in samples for line in sample.tagged.lines]
        found = weigh_lines(samples, "text")
        return dict(zip(lines, zip(found.likely.tolist(), found.weights.tolist(), strict=True), strict=True))

    return weigh


@pytest.mark.parametrize(
    "built",
    [
        "<h2>What PAGE knows</h2>",
        "<ul><li>What PAGE knows</li></ul>",
        "<blockquote>What PAGE knows</blockquote>",
        "<table><tbody><tr><td>What PAGE knows</td></tr></tbody></table>",
    ],
)
def test_what_stories_are_built_of_is_likelier_among_their_paragraphs(weighed: Weighed, built: str) -> None:
    doubted = {"What PAGE knows": 0.45}
    among, before = weighed(doubted, between=built), weighed(doubted, before=built)
    assert among["What one knows"][0] > 0.6
    assert before["What one knows"][0] < 0.5


def test_a_heading_behind_the_last_paragraph_heads_something_else(weighed: Weighed) -> None:
    doubted = {"More of PAGE": 0.45}
    assert weighed(doubted, behind="<h3>More of PAGE</h3>")["More of one"][0] < 0.5
    assert weighed(doubted, behind="<ul><li>More of PAGE</li></ul>")["More of one"][0] > 0.6


def test_what_is_surely_none_of_the_text_stays_so(weighed: Weighed) -> None:
    assert weighed({"More of PAGE": 0.05}, between="<h3>More of PAGE</h3>")["More of one"][0] < 0.1


def test_lines_that_pages_share_are_the_templates_and_cells_say_nothing(weighed: Weighed) -> None:
    shared = {"Last year": 0.9}
    assert weighed(shared, between="<p>Last year</p>")["Last year"] == (0.0, 10.0)
    assert weighed(shared, between="<table><tr><th>Last year</th></tr></table>")["Last year"] == (0.0, 0.0)


def test_what_the_domain_says_is_never_text_is_none(weighed: Weighed) -> None:
    assert weighed({"Read also: PAGE": 0.9}, between="<p>Read also: PAGE</p>")["Read also: one"][0] == 0.0


def test_a_line_counts_beside_its_words(weighed: Weighed) -> None:
    found = weighed({}, between="<h2>PAGE</h2>")
    assert 1 < found["one"][1] < found["Nobody on page one had waited."][1] < 2 * found["one"][1]
