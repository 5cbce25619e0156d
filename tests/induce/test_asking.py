"""For which fields the tagger is asked on every page, and which rules give way to it."""

from collections.abc import Callable, Sequence

import pytest

from sitewright.domains import load_domain
from sitewright.induce import Sample
from sitewright.induce.asking import ask_tagger
from sitewright.induce.drafts import Draft
from sitewright.induce.objective import Trial
from sitewright.parse import Document
from sitewright.types import Label, TaggedPage

Opined = Callable[..., tuple[Document, TaggedPage]]
Sampled = Callable[..., list[Sample]]
AUTHORS = load_domain("news").fields["authors"]
SUBTITLE = load_domain("news").fields["subtitle"]


def rule(right: Sequence[float | None]) -> Trial:
    draft = Draft(field="authors", select="p.byline", cost=1.0, many=True)
    return Trial(draft, tuple(None if value is None else ["Ann Lee"] for value in right), tuple(right))


@pytest.fixture
def site(opined: Opined, sampled: Sampled) -> Callable[..., list[Sample]]:
    """Return a function of how sure the tagger is of the author of each page: None where it gives none."""

    def samples(*sure: float | None, field: str = "authors", value: object = "") -> list[Sample]:
        pages = []
        for number, likely in enumerate(sure):
            name = value or f"Ann Lee{'abcdefgh'[number]}"
            entry = Label(field=field, value=name, score=likely or 0.0)
            given = Label(field=field, value=[name] if field == "authors" else name, score=likely or 0.0)
            document, tagged = opined("<p>x</p>", labels=[entry] if likely else [])
            pages.append((document, _given(tagged, given if likely else None)))
        return sampled(pages)

    return samples


def _given(tagged: TaggedPage, given: Label | None) -> TaggedPage:
    return TaggedPage(
        url=tagged.url,
        kind=tagged.kind,
        kind_score=tagged.kind_score,
        labels=tagged.labels,
        lines=tagged.lines,
        given=() if given is None else (given,),
    )


@pytest.mark.parametrize(
    ("right", "sure", "stays", "asked"),
    [
        pytest.param([0.9, 0.9, 0.9], [0.9, 0.9, 0.9], True, False, id="rules give it everywhere"),
        pytest.param([0.9, 0.9, None], [0.9, 0.9, 0.9], True, True, id="rules lack a page"),
        pytest.param([0.9, 0.9, None], [0.9, 0.9, None], True, False, id="a page has none"),
        pytest.param([0.9, 0.9, None], [0.9, 0.9, 0.3], True, False, id="what is in doubt is not asked for"),
        pytest.param([0.5, 0.5, 0.5], [0.9, 0.9, 0.9], False, True, id="rules that are often wrong"),
        pytest.param([0.44, 0.44, 0.44], [0.3, 0.3, 0.3], False, True, id="rules that are hardly believed"),
        pytest.param(
            [0.5, 0.5, 0.5], [0.35, 0.35, 0.35], True, False, id="rules that are believed as much as the tagger"
        ),
        pytest.param(None, [0.9, 0.9, 0.9], False, True, id="no rules"),
        pytest.param(None, [0.3, 0.3, 0.3], False, False, id="no rules, and little to find"),
        pytest.param(None, [None, None, None], False, False, id="no rules, and nothing to find"),
    ],
)
def test_what_the_tagger_is_asked_for(
    site: Callable[..., list[Sample]],
    right: Sequence[float | None] | None,
    sure: Sequence[float | None],
    stays: bool,
    asked: bool,
) -> None:
    chain = [rule(right)] if right is not None else []
    kept, is_asked = ask_tagger(chain, site(*sure), AUTHORS)
    assert (bool(kept), is_asked) == (stays, asked)


def test_a_subtitle_that_several_pages_share_is_not_asked_for(site: Callable[..., list[Sample]]) -> None:
    assert ask_tagger([], site(0.9, 0.9, 0.9, field="subtitle"), SUBTITLE) == ([], True)
    assert ask_tagger([], site(0.9, 0.9, 0.9, field="subtitle", value="News of the harbour"), SUBTITLE) == ([], False)
