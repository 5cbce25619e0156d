"""Pages of one template: what the map usually reads of them, and when a page as a whole is at issue."""

import json
from dataclasses import replace

from tests.notice.papers import Paper, redesigned, without

from sitewright.notice.observation import Observation
from sitewright.notice.signals import Signal
from sitewright.notice.template_baseline import TemplateBaseline


def learned(paper: Paper, pages: int = 200) -> TemplateBaseline:
    known = TemplateBaseline()
    for page in paper.articles(pages):
        known.observe(page, "article", only_learn=True)
    return known


def signals_of(known: TemplateBaseline, page: Observation) -> list[Signal]:
    return known.observe(page, "article", only_learn=False)[1]


def test_the_fields_that_most_pages_have() -> None:
    assert {"title", "text"} <= learned(Paper(1)).usual_fields()
    assert TemplateBaseline().usual_fields() == frozenset()


def test_a_page_is_at_issue_of_which_the_map_reads_too_little() -> None:
    paper = Paper(2)
    known = learned(paper)
    (page,) = paper.articles(1)
    assert not known.is_broken(page)
    assert not known.is_broken(replace(page, found={})), "what is not handed over is judged by field"
    assert not known.is_broken(replace(page, handed=True))
    assert known.is_broken(replace(page, handed=True, found={}))


def test_fields_that_are_not_as_usual_are_named() -> None:
    paper = Paper(3)
    known = learned(paper)
    (page,) = paper.articles(1)
    broken, signals = known.observe(without("title", rescued=True)(page), "article", only_learn=False)
    assert signals == []
    assert {name for name, kind in broken.items() if kind == "lost"} == known.fields.keys() - page.found.keys() | {
        "title"
    }


def test_whole_pages_are_one_alarm_and_no_field_is() -> None:
    paper = Paper(4)
    known = learned(paper)
    signals = [signal for page in paper.articles(6) for signal in signals_of(known, redesigned(page))]
    assert {(signal.kind, signal.field) for signal in signals} == {("handed over", "")}
    assert list(known.alarms()) == [""]
    known.close("")
    assert known.alarms() == {}


def test_what_is_forgotten_is_learned_anew() -> None:
    known = learned(Paper(5))
    known.forget("title")
    assert (known.fields["title"].pages, known.fields["text"].pages > 0) == (0, True)
    known.forget("")
    assert known.fields == {}


def test_the_share_of_pages_that_have_a_field_over_time() -> None:
    paper = Paper(6)
    known = learned(paper, 40)
    for page in paper.articles(20):
        known.observe(without("title")(page), "article", only_learn=True)
    shares = [share for _, share in known.fill_over_time("title")]
    assert (shares[0] > 0.9, shares[-1]) == (True, 0.0)
    assert len(shares) == 3


def test_it_goes_on_from_its_state() -> None:
    paper = Paper(7)
    known = learned(paper)
    for page in paper.articles(3):
        signals_of(known, without("text", rescued=True)(page))
    again = TemplateBaseline.from_state(json.loads(json.dumps(known.to_state())))
    assert again.usual_fields() == known.usual_fields()
    pages = [without("text", rescued=True)(page) for page in paper.articles(5)]
    assert [signals_of(again, page) for page in pages] == [signals_of(known, page) for page in pages]
