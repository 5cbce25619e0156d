"""Lists without the entries that are the site's."""

from collections.abc import Callable, Sequence

import pytest

from sitewright.domains import load_domain
from sitewright.induce import Sample
from sitewright.induce.constants import without_constants
from sitewright.induce.drafts import Draft
from sitewright.induce.objective import try_drafts
from sitewright.parse import Document
from sitewright.types import TaggedPage

Opined = Callable[..., tuple[Document, TaggedPage]]
Sampled = Callable[..., list[Sample]]
CATEGORIES = load_domain("news").fields["categories"]
TITLE = load_domain("news").fields["title"]
TRAIL = Draft(field="categories", select="nav a", cost=1.0, many=True)


@pytest.fixture
def site(opined: Opined, sampled: Sampled) -> Callable[..., list[Sample]]:
    """Return a function of the likelihoods of each page's breadcrumb that gives the samples."""

    def samples(*trails: dict[str, float]) -> list[Sample]:
        pages = []
        for trail in trails:
            shown = "".join(f"<a href=/{entry}>{entry}</a>" for entry in trail)
            pages.append(opined(f"<nav>{shown}</nav><h1>x</h1>", {"categories": trail}))
        return sampled(pages)

    return samples


def trimmed(samples: Sequence[Sample], draft: Draft = TRAIL) -> list[Draft]:
    return list(without_constants(try_drafts([draft], samples, CATEGORIES), samples, CATEGORIES))


def test_an_entry_that_all_pages_have_and_nobody_believes_in_is_left_out(site: Callable[..., list[Sample]]) -> None:
    samples = site({"Bee News": 0.1, "Sport": 0.9}, {"Bee News": 0.2, "Opinion": 0.9}, {"Bee News": 0.1, "Town": 0.9})
    [draft] = trimmed(samples)
    whole, [less] = try_drafts([TRAIL], samples, CATEGORIES)[0], try_drafts([draft], samples, CATEGORIES)
    assert list(less.values) == [["Sport"], ["Opinion"], ["Town"]]
    assert less.worth > whole.worth


@pytest.mark.parametrize(
    "trails",
    [
        pytest.param([{"News": 0.9, "Sport": 0.9}, {"News": 0.9, "Town": 0.9}], id="believed"),
        pytest.param([{"Bee": 0.1, "Sport": 0.9}, {"Town": 0.9}, {"Film": 0.9}], id="on one page"),
        pytest.param([{"Sport": 0.9}, {"Town": 0.9}], id="none"),
    ],
)
def test_other_entries_stay(site: Callable[..., list[Sample]], trails: list[dict[str, float]]) -> None:
    assert trimmed(site(*trails)) == []


def test_what_is_no_list_has_no_entries(site: Callable[..., list[Sample]]) -> None:
    samples = site({"Bee News": 0.1, "Sport": 0.9}, {"Bee News": 0.2, "Opinion": 0.9})
    single = Draft(field="categories", select="nav a", cost=1.0)
    assert trimmed(samples, single) == []
    assert list(without_constants([], samples, TITLE)) == []
