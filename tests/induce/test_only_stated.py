"""Rules for lists that pages state and do not display."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from sitewright.domains import load_domain
from sitewright.induce import Sample
from sitewright.induce.drafts import Draft
from sitewright.induce.objective import Trial
from sitewright.induce.only_stated import with_stated_rule
from sitewright.parse import Document
from sitewright.types import Label, TaggedPage

Opined = Callable[..., tuple[Document, TaggedPage]]
Sampled = Callable[..., list[Sample]]
TAGS = load_domain("news").fields["tags"]
SHOWN = Trial(Draft(field="tags", select="a.tag", cost=1.0, many=True), (["swarms"], None, None), (0.9, None, None))
STATED = 'meta[name="keywords"]'


@pytest.fixture
def site(opined: Opined, sampled: Sampled) -> Callable[..., list[Sample]]:
    """Return a function of where the tagger has the tags of each page from: nowhere, from the page, or its metadata."""

    def samples(*sources: str | None) -> list[Sample]:
        pages = []
        for number, source in enumerate(sources):
            entries = ["bees", f"honey {'abcdef'[number]}"]
            labels = [Label(field="tags", value=entry, score=0.04, source="meta:keywords") for entry in entries]
            html = f"<meta name=keywords content='{', '.join(entries)}'><p>x</p>"
            document, tagged = opined(html, labels=labels)
            given = () if source is None else (Label(field="tags", value=entries, score=0.5, source=source),)
            pages.append((document, replace(tagged, given=given)))
        return sampled(pages)

    return samples


@pytest.mark.parametrize(
    ("sources", "chain", "expected"),
    [
        (["meta:keywords"] * 3, [], [STATED]),
        (["", "meta:keywords", "meta:keywords"], [SHOWN], ["a.tag", STATED]),
        (["", "", ""], [SHOWN], ["a.tag"]),
        ([None, None, None, "meta:keywords"], [], []),
    ],
    ids=["displayed nowhere", "displayed on some", "displayed", "hardly ever stated"],
)
def test_what_is_only_stated_is_read_behind_what_is_displayed(
    site: Callable[..., list[Sample]], sources: Sequence[str | None], chain: Sequence[Trial], expected: list[str]
) -> None:
    found = with_stated_rule(chain, site(*sources), TAGS)
    assert [trial.draft.select for trial in found] == expected
    assert all(trial.agreement == 0.5 for trial in found if trial is not SHOWN)
    assert with_stated_rule(chain, site(*sources), replace(TAGS, stated="given")) == list(chain)


def test_a_list_that_is_only_stated_is_none_that_the_tagger_is_asked_for(site: Callable[..., list[Sample]]) -> None:
    stated, shown = site("meta:keywords", "")
    assert stated.given("tags") is None
    assert shown.given("tags") is not None
