"""Maps learned from the pages of a made-up newspaper read the pages that were held out; and what cannot be learned."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from sitewright.errors import LearnError, MixedSites, NoArticles, NoStableRule, TooFewPages
from sitewright.extract import Extractor
from sitewright.induce import Learned, example_of, learn_map
from sitewright.maps import dump_map, parse_map
from sitewright.parse import Document, parse
from sitewright.types import ExtractionMap, Label, Page, Rule, TaggedPage, Template

pytestmark = pytest.mark.slow

Tagged = tuple[Document, TaggedPage]
Opined = Callable[..., Tagged]
Newspaper = Callable[..., Tagged]
MakeStory = Callable[[int], Any]
NOW = datetime(2024, 6, 15, 12, 0, tzinfo=UTC)
SAMPLED, HELD_OUT = range(6), range(6, 12)
GENERATED = re.compile(r"css-|#post|page-\d|\d{2}|:nth|aQ|z\b")


def read(extraction_map: ExtractionMap, document: Document) -> dict[str, object]:
    record = Extractor(extraction_map).extract(document, NOW)
    return {name: value.value for name, value in record.fields.items()}


def of_field(extraction_map: ExtractionMap, field: str) -> list[Rule]:
    return [rule for rule in extraction_map.rules if rule.field == field]


def selectors(rules: Sequence[Rule]) -> list[str]:
    return [selector for rule in rules for selector in (*rule.select, *rule.remove)]


def meant(story: Any) -> dict[str, object]:
    """Return what the pages of the newspaper show of a story; what they call updated is another matter."""
    return {
        "title": story.title,
        "subtitle": story.subtitle,
        "published": story.published,
        "text": story.text,
        "authors": list(story.authors),
        "categories": [story.section],
        "tags": list(story.tags),
    }


def learn(pages: Sequence[Tagged], *examples: str, domain: str = "news") -> Learned:
    return learn_map(pages, domain, NOW, example_of(examples))


@pytest.fixture(scope="module", params=[True, False], ids=["stated", "shown only"])
def stated(request: pytest.FixtureRequest) -> bool:
    """Whether the pages have metadata."""
    return bool(request.param)


@pytest.fixture(scope="module")
def learned(newspaper: Newspaper, stated: bool) -> Learned:
    """What is learned from six pages of the newspaper."""
    return learn([newspaper(n, stated=stated) for n in SAMPLED])


@pytest.fixture(scope="module")
def found(newspaper: Newspaper) -> ExtractionMap:
    """The map of the newspaper whose pages have metadata."""
    return learn([newspaper(n) for n in SAMPLED]).extraction_map


class TestNewspaper:
    def test_held_out_pages_are_read_as_they_were_made(
        self, learned: Learned, newspaper: Newspaper, story: MakeStory, stated: bool
    ) -> None:
        for n in HELD_OUT:
            found = read(learned.extraction_map, newspaper(n, stated=stated)[0])
            found.pop("modified", None)
            assert found == meant(story(n))

    def test_one_template_and_nothing_to_say_about_it(self, learned: Learned) -> None:
        [template] = learned.extraction_map.templates
        assert (template.name, template.url, template.probe) == ("article", "", "")
        assert learned.warnings == ()
        assert len(learned.samples) == len(SAMPLED)

    def test_the_map_names_its_site_language_and_time(self, learned: Learned) -> None:
        found = learned.extraction_map
        assert (found.site, found.domain, found.version) == ("lantern.example", "news", 1)
        assert (found.language, found.timezone, found.date_formats) == ("en", "", ())
        assert found.learned_at == NOW

    def test_generated_names_numbers_and_positions_are_not_rested_on(self, learned: Learned) -> None:
        found = selectors(learned.extraction_map.rules)
        assert found
        assert not [selector for selector in found if GENERATED.search(selector)]
        assert not any(rule.fragile for rule in learned.extraction_map.rules)

    def test_support_is_what_the_extractor_finds_on_the_sampled_pages(self, learned: Learned) -> None:
        for rule in learned.extraction_map.rules:
            alone = replace(learned.extraction_map, templates=(Template(name="a", rules=(rule,)),))
            found = sum(rule.field in read(alone, sample.document) for sample in learned.samples)
            assert rule.support is not None
            assert (rule.support.found, rule.support.sampled) == (found, len(SAMPLED)), rule
            assert 0 < (rule.support.agreement or 0) <= 1

    def test_lines_of_the_template_are_never_text(self, learned: Learned, newspaper: Newspaper, stated: bool) -> None:
        for rule in of_field(learned.extraction_map, "text"):
            alone = replace(learned.extraction_map, templates=(Template(name="a", rules=(rule,)),))
            for n in HELD_OUT:
                text = str(read(alone, newspaper(n, stated=stated)[0])["text"])
                for line in ("Support our work", "Five walks", "Our newsletter", "All rights reserved", "Home"):
                    assert line not in text

    def test_a_map_is_short_and_survives_its_file(
        self, learned: Learned, newspaper: Newspaper, story: MakeStory, stated: bool
    ) -> None:
        written = dump_map(learned.extraction_map)
        assert len([line for line in written.splitlines() if line and not line.startswith("#")]) <= 60
        found = read(parse_map(written), newspaper(7, stated=stated)[0])
        found.pop("modified", None)
        assert found == meant(story(7))

    def test_learning_twice_gives_the_same(self, learned: Learned, newspaper: Newspaper, stated: bool) -> None:
        again = learn([newspaper(n, stated=stated) for n in SAMPLED])
        assert again.extraction_map == learned.extraction_map

    @pytest.mark.parametrize("count", [2, 3])
    def test_a_few_pages_will_do(self, newspaper: Newspaper, story: MakeStory, stated: bool, count: int) -> None:
        found = learn([newspaper(n, stated=stated) for n in range(count)]).extraction_map
        for n in HELD_OUT:
            values = read(found, newspaper(n, stated=stated)[0])
            assert {name: values[name] for name in ("title", "text", "published")} == {
                name: meant(story(n))[name] for name in ("title", "text", "published")
            }


class TestBackUps:
    @pytest.mark.parametrize("field", ["title", "subtitle", "authors", "categories", "tags"])
    def test_metadata_stands_behind_what_is_displayed(self, found: ExtractionMap, field: str) -> None:
        takes = [rule.take.partition(":")[0] for rule in of_field(found, field)]
        assert takes[0] == "text"
        assert "jsonld" in takes[1:]

    def test_a_moment_with_its_zone_is_better_than_the_one_that_is_displayed(self, found: ExtractionMap) -> None:
        first = of_field(found, "published")[0]
        assert first.take in {"jsonld:NewsArticle.datePublished", "@datetime"} or first.select == ("time.dated",)

    @pytest.mark.parametrize(
        ("gone", "field"),
        [
            ('<h1 class="story__title">.*?</h1>', "title"),
            ('<p class="standfirst">.*?</p>', "subtitle"),
            ('<div class="byline">.*?</div>', "authors"),
            ('<div class="section-name">.*?</div>', "categories"),
            ('<ul class="tags">.*?</ul>', "tags"),
            ('<time class="dated".*?</time>', "published"),
            pytest.param(
                '<script type="application/ld.json">.*?</script>',
                "published",
            ),
            (' class="story__text"', "text"),
        ],
    )
    def test_a_page_that_lacks_what_the_first_rule_rests_on_is_read_all_the_same(
        self, found: ExtractionMap, newspaper: Newspaper, story: MakeStory, gone: str, field: str
    ) -> None:
        document = newspaper(8)[0]
        changed, count = re.subn(gone, "", document.tree.html, flags=re.DOTALL)
        assert count == 1
        page = parse(Page(url=document.url, body=changed, fetched_at=NOW))
        assert read(found, page).get(field) == meant(story(8))[field]


def test_names_of_css_modules_give_their_stable_beginnings(newspaper: Newspaper, story: MakeStory) -> None:
    learned = learn([newspaper(n, "modular") for n in SAMPLED])
    found = selectors(learned.extraction_map.rules)
    assert not [selector for selector in found if GENERATED.search(selector)]
    assert 'div[class*="Article_content__"]' in found
    assert 'div[class*="Article_heading__"]' in found
    for n in HELD_OUT:
        values = read(learned.extraction_map, newspaper(n, "modular")[0])
        assert values["title"] == story(n).title
        assert values["text"] == story(n).text
        assert values["authors"] == list(story(n).authors)
        assert values["published"] == story(n).published.replace(tzinfo=None)


class TestDesigns:
    def test_two_designs_get_two_templates_and_a_probe_tells_them_apart(
        self, newspaper: Newspaper, story: MakeStory
    ) -> None:
        pages = [newspaper(n) for n in range(5)] + [newspaper(n, "old") for n in range(5, 9)]
        learned = learn(pages)
        templates = learned.extraction_map.templates
        assert [template.name for template in templates] == ["article-2", "article"]
        assert templates[0].probe
        assert (templates[1].probe, templates[1].url) == ("", "")
        assert any("2 designs: article-2 4, article 5" in warning for warning in learned.warnings)
        extractor = Extractor(learned.extraction_map)
        for design, template in (("lantern", "article"), ("old", "article-2")):
            for n in range(9, 12):
                record = extractor.extract(newspaper(n, design)[0], NOW)
                assert record.template == template
                assert record.fields["title"].value == story(n).title
                assert record.fields["text"].value == story(n).text
                assert record.fields["authors"].value == list(story(n).authors)
        supports = [rule.support for rule in templates[0].rules]
        assert {support.sampled for support in supports if support} == {4}

    def test_a_lone_page_of_another_design_gets_none(self, newspaper: Newspaper, story: MakeStory) -> None:
        learned = learn([newspaper(n) for n in range(5)] + [newspaper(5, "old")])
        assert [template.name for template in learned.extraction_map.templates] == ["article"]
        assert not [warning for warning in learned.warnings if "designs" in warning]
        for n in HELD_OUT:
            values = read(learned.extraction_map, newspaper(n)[0])
            assert (values["title"], values["text"]) == (story(n).title, story(n).text)


class TestAbsence:
    """Fields that some pages, or all of them, do not have."""

    def test_pages_without_a_standfirst_have_no_subtitle(self, newspaper: Newspaper, story: MakeStory) -> None:
        pages = [newspaper(n, stated=False, updated=False, subtitle=n % 2 == 0) for n in SAMPLED]
        found = learn(pages).extraction_map
        for n in HELD_OUT:
            shown = n % 2 == 0
            value = read(found, newspaper(n, stated=False, updated=False, subtitle=shown)[0]).get("subtitle")
            assert value == (story(n).subtitle if shown else None)

    def test_pages_without_tags_have_none(self, newspaper: Newspaper, story: MakeStory) -> None:
        pages = [newspaper(n, stated=False, updated=False, tags=n % 3 > 0) for n in SAMPLED]
        found = learn(pages).extraction_map
        for n in HELD_OUT:
            shown = n % 3 > 0
            value = read(found, newspaper(n, stated=False, updated=False, tags=shown)[0]).get("tags")
            assert value == (list(story(n).tags) if shown else None)

    def test_where_opinions_are_clear_a_rule_is_silent(self, opined: Opined) -> None:
        leads = ["A lead for it", "", "Another lead", "", "The last lead"]
        pages = [
            opined(
                f"<h1>Title no {n}</h1>{f'<p class=lead>{lead}</p>' if lead else ''}<div class=body><p>Words of page {n}</p></div>",
                {
                    "title": {f"Title no {n}": 0.95},
                    "subtitle": {**({lead: 0.9} if lead else {}), f"Words of page {n}": 0.05},
                    "text": {f"Words of page {n}": 0.95},
                },
                url=f"https://www.example.com/{n}",
            )
            for n, lead in enumerate(leads)
        ]
        found = learn(pages).extraction_map
        assert [read(found, document).get("subtitle") for document, _ in pages] == [lead or None for lead in leads]

    def test_a_field_that_nobody_believes_in_gets_no_rule(self, opined: Opined) -> None:
        pages = [
            opined(
                f"<h1>Title no {n}</h1><p>Words of page {n}</p>",
                {
                    "title": {f"Title no {n}": 0.95},
                    "text": {f"Words of page {n}": 0.95},
                    "tags": {f"Words of page {n}": 0.03},
                },
                url=f"https://www.example.com/{n}",
            )
            for n in range(4)
        ]
        assert learn(pages).extraction_map.fields == ("title", "text")


class TestHandMade:
    """Pages with opinions of our own, for what the newspaper does not have."""

    @staticmethod
    def page(opined: Opined, n: int, html: str, opinions: Mapping[str, Mapping[str, float]], **facts: Any) -> Tagged:
        title, line = f"Title no {n}", f"Words of the page with number {n} and no other"
        markup = html if "<h1" in html else f"<h1 class=headline>{title}</h1>{html}"
        own = {"text": {line: 0.95}} | ({} if "<h1" in html else {"title": {title: 0.95}})
        url = facts.pop("url", f"https://www.example.com/news/{n}")
        return opined(
            f"<!doctype html>{markup}<div class=story><p>{line}</p></div>", {**own, **opinions}, url=url, **facts
        )

    def test_pages_of_another_form_get_an_alternative(self, opined: Opined) -> None:
        people = ["Ann Lee", "Bo Ek", "Carla Moss", "Dmitri Orlov", "Elena Petri"]
        forms = ["<p class=byline>{}</p>"] * 3 + ["<div><span itemprop=author>{}</span></div>"] * 2
        pages = [
            self.page(opined, n, form.format(name), {"authors": {name: 0.9}})
            for n, (form, name) in enumerate(zip(forms, people, strict=True))
        ]
        found = learn(pages).extraction_map
        assert [read(found, document)["authors"] for document, _ in pages] == [[name] for name in people]
        rules = of_field(found, "authors")
        assert len(rules) >= 2 or len({rule.select for rule in rules}) == 1

    def test_a_date_in_an_attribute(self, opined: Opined) -> None:
        moments = [datetime(2024, 5, n + 1, 7, 8, tzinfo=UTC) for n in range(4)]
        pages = [
            self.page(
                opined,
                n,
                f"<time class=when datetime={moment.isoformat()}>a while ago</time>",
                {},
                labels=[Label(field="published", value=moment, score=0.9, source="url:date")],
            )
            for n, moment in enumerate(moments)
        ]
        found = learn(pages).extraction_map
        assert [read(found, document).get("published") for document, _ in pages] == moments

    def test_a_date_in_a_meta_tag(self, opined: Opined) -> None:
        pages = [
            self.page(
                opined,
                n,
                f'<meta name="pubdate" content="2024-05-0{n + 1}T07:08:00Z">',
                {"published": {f"2024-05-0{n + 1}T07:08:00Z": 0.9}},
            )
            for n in range(4)
        ]
        found = learn(pages).extraction_map
        [rule] = of_field(found, "published")
        assert (rule.select, rule.take) == (('meta[name="pubdate"]',), "@content")
        assert read(found, pages[2][0])["published"] == datetime(2024, 5, 3, 7, 8, tzinfo=UTC)

    @pytest.mark.parametrize("kicker", ["Harbour: ", "Opinion | "])
    def test_a_kicker_is_no_part_of_the_title(self, opined: Opined, kicker: str) -> None:
        titles = ["Old ferry returns", "Bees on all roofs", "Rain in the south", "Late trains"]
        pages = [
            self.page(
                opined,
                n,
                f'<meta property="og:title" content="{title}"><h1>{kicker}{title}</h1>',
                {"title": {title: 0.5, f"{kicker}{title}": 0.9}},
            )
            for n, title in enumerate(titles)
        ]
        found = learn(pages).extraction_map
        assert [read(found, document)["title"] for document, _ in pages] == titles

    def test_a_heading_that_metadata_confirms_stays_whole(self, opined: Opined) -> None:
        titles = ["Harbour: Old ferry returns", "Roofs: Bees everywhere", "South: Rain again"]
        pages = [
            self.page(
                opined,
                n,
                f'<meta property="og:title" content="{title}"><h1>{title}</h1>',
                {"title": {title: 0.9}},
            )
            for n, title in enumerate(titles)
        ]
        found = learn(pages).extraction_map
        assert [read(found, document)["title"] for document, _ in pages] == titles

    def test_the_sites_name_is_cut_off_where_only_the_head_has_the_title(self, opined: Opined) -> None:
        titles = ["Old ferry returns", "Bees on all roofs", "Rain in the south"]
        pages = [
            opined(
                f"<title>{title} | The Lantern</title><div><p>Words of page {n}</p></div>",
                {"title": {title: 0.9}, "text": {f"Words of page {n}": 0.9}},
                url=f"https://www.example.com/{n}",
            )
            for n, title in enumerate(titles)
        ]
        found = learn(pages).extraction_map
        assert [read(found, document)["title"] for document, _ in pages] == titles
        rule = of_field(found, "title")[0]
        assert rule.select == ("head > title",)
        assert rule.match

    @staticmethod
    def nameless(opined: Opined, menu: str) -> list[Tagged]:
        """Return pages whose title has no name of its own, nor has anything right around it."""
        return [
            opined(
                f"<div id=page><div><p>{menu}</p></div><div><p>{menu}</p><p>Name of page {n}</p></div></div><div class=story><p>Words of page {n}</p></div>",
                {"title": {f"Name of page {n}": 0.9}, "text": {f"Words of page {n}": 0.9}},
                url=f"https://www.example.com/{n}",
            )
            for n in range(4)
        ]

    def test_a_title_without_any_name_is_found_by_its_position_and_marked_fragile(self, opined: Opined) -> None:
        pages = self.nameless(opined, "Home World Sport Culture Business Weather Letters Imprint")
        found = learn(pages).extraction_map
        assert [read(found, document)["title"] for document, _ in pages] == [f"Name of page {n}" for n in range(4)]
        rules = of_field(found, "title")
        assert all(rule.fragile for rule in rules)
        assert any(":nth-of-type" in selector for selector in selectors(rules))
        assert not any(rule.fragile for rule in of_field(found, "text"))

    def test_a_position_is_better_than_a_value_with_other_words_in_it(self, opined: Opined) -> None:
        pages = self.nameless(opined, "Menu")
        found = learn(pages).extraction_map
        assert [read(found, document)["title"] for document, _ in pages] == [f"Name of page {n}" for n in range(4)]

    def test_what_is_not_required_is_never_found_by_its_position(self, opined: Opined) -> None:
        pages = [
            self.page(
                opined,
                n,
                f"<div id=page><div><p>Menu</p></div><div><p>More</p><p>Lead of page {n}</p></div></div>",
                {"subtitle": {f"Lead of page {n}": 0.9}},
            )
            for n in range(4)
        ]
        found = learn(pages).extraction_map
        assert not any(rule.fragile for rule in found.rules)
        assert not [selector for selector in selectors(found.rules) if "nth" in selector]

    def test_a_title_that_all_pages_share_is_no_title(self, opined: Opined) -> None:
        pages = [
            self.page(
                opined,
                n,
                f"<h1>The Lantern</h1><h2 class=name>Title of page {n}</h2>",
                {"title": {"The Lantern": 0.95, f"Title of page {n}": 0.4}},
            )
            for n in range(4)
        ]
        found = learn(pages).extraction_map
        assert [read(found, document)["title"] for document, _ in pages] == [f"Title of page {n}" for n in range(4)]

    def test_a_stem_that_is_part_of_another_name_reads_what_it_was_judged_by(self, opined: Opined) -> None:
        pages = [
            self.page(
                opined,
                n,
                f"<div class=TeaserCard_name__{n}aQ7z>Lead of a teaser {n}</div><div class=Card_name__{n}aQ7z>Real lead of {n}</div>",
                {"subtitle": {f"Real lead of {n}": 0.9}},
            )
            for n in range(4)
        ]
        found = learn(pages).extraction_map
        assert [read(found, document).get("subtitle") for document, _ in pages] == [
            f"Real lead of {n}" for n in range(4)
        ]

    def test_one_word_of_an_attribute_reads_what_it_was_judged_by(self, opined: Opined) -> None:
        people = ["Ann Lee", "Bo Ek", "Carla Moss", "Dmitri Orlov"]
        pages = [
            self.page(
                opined,
                n,
                f"<a rel='author nofollow'>{name}</a><p>Read also <a rel=author>{people[n - 1]}</a></p>",
                {"authors": {name: 0.9, people[n - 1]: 0.02}},
            )
            for n, name in enumerate(people)
        ]
        found = learn(pages).extraction_map
        assert [read(found, document).get("authors") for document, _ in pages] == [[name] for name in people]


class TestModified:
    @staticmethod
    def pages(opined: Opined, published: float, changed: float) -> list[Tagged]:
        days = [(f"{n + 1} May 2024", f"{n + 11} May 2024") for n in range(4)]
        return [
            TestHandMade.page(
                opined,
                n,
                f"<p class=dated>{first}</p><p class=changed>{second}</p>",
                {"published": {first: 0.9}, "modified": {first: published, second: changed}},
            )
            for n, (first, second) in enumerate(days)
        ]

    def test_a_day_of_its_own_gets_a_rule(self, opined: Opined) -> None:
        pages = self.pages(opined, 0.2, 0.8)
        found = learn(pages).extraction_map
        assert [read(found, document)["modified"] for document, _ in pages] == [date(2024, 5, n + 11) for n in range(4)]

    def test_a_copy_of_when_it_was_published_gets_none(self, opined: Opined) -> None:
        found = learn(self.pages(opined, 0.8, 0.0)).extraction_map
        assert of_field(found, "published")
        assert not of_field(found, "modified")

    def test_another_moment_than_that_copy_is_taken_where_it_is_likely_too(self, opined: Opined) -> None:
        pages = self.pages(opined, 0.8, 0.6)
        found = learn(pages).extraction_map
        assert [read(found, document).get("modified") for document, _ in pages] == [
            date(2024, 5, n + 11) for n in range(4)
        ]

    def test_what_pages_call_updated_is_read(self, newspaper: Newspaper, story: MakeStory) -> None:
        found = learn([newspaper(n) for n in SAMPLED]).extraction_map
        assert read(found, newspaper(8)[0]).get("modified") == story(8).modified


class TestFacts:
    @staticmethod
    def map_of(
        opined: Opined, shown: Sequence[str], language: str, host: str, stated: Sequence[str] = ()
    ) -> ExtractionMap:
        pages = []
        for n, text in enumerate(shown):
            meta = f'<meta name="pubdate" content="{stated[n]}">' if stated else ""
            opinions = {"published": {text: 0.9} | ({stated[n]: 0.6} if stated else {})}
            html = f"<html lang={language}><head>{meta}</head><h1>Title no {n}</h1><p class=dated>{text}</p><div class=story><p>Words of page {n}</p></div>"
            opinions |= {"title": {f"Title no {n}": 0.95}, "text": {f"Words of page {n}": 0.95}}
            pages.append(opined(f"<!doctype html>{html}", opinions, url=f"https://{host}/{n}"))
        return learn(pages).extraction_map

    def test_dates_in_an_order_that_the_language_does_not_expect(self, opined: Opined) -> None:
        found = self.map_of(opined, ["05/14/2024", "05/06/2024", "05/28/2024"], "en-GB", "www.example.com")
        assert found.date_formats == ("%m/%d/%Y",)
        page = parse(Page(url="https://www.example.com/9", body="<p class=dated>04/05/2024</p>", fetched_at=NOW))
        assert read(found, page)["published"] == date(2024, 4, 5)

    def test_dates_as_the_language_has_them_need_no_format(self, opined: Opined) -> None:
        found = self.map_of(opined, ["14/05/2024", "06/05/2024", "28/05/2024"], "en-GB", "www.example.com")
        assert found.date_formats == ()

    def test_the_zone_of_the_country(self, opined: Opined) -> None:
        found = self.map_of(opined, ["14.05.2024, 07:08", "06.05.2024, 09:10"], "de", "www.example.de")
        assert (found.language, found.timezone) == ("de", "Europe/Berlin")
        page = parse(Page(url="https://www.example.de/9", body="<p class=dated>4.1.2024, 12:13</p>", fetched_at=NOW))
        assert read(found, page)["published"] == datetime.fromisoformat("2024-01-04T12:13:00+01:00")

    def test_the_zone_of_stated_offsets(self, opined: Opined) -> None:
        stated = ["2024-05-14T07:08:00+09:00", "2024-05-06T09:10:00+09:00"]
        found = self.map_of(opined, ["14 May 2024", "6 May 2024"], "en", "www.example.com", stated)
        assert found.timezone == "Asia/Tokyo"

    @pytest.mark.parametrize(
        ("url", "site"),
        [
            ("https://www.example.co.uk", "example.co.uk"),
            ("https://news.example.com", "news.example.com"),
            ("http://EXAMPLE.org:8080", "example.org"),
        ],
    )
    def test_the_name_of_the_site(self, newspaper: Newspaper, url: str, site: str) -> None:
        assert learn([newspaper(n, site=url) for n in range(2)]).extraction_map.site == site


class TestErrorsAndWarnings:
    def test_one_page(self, newspaper: Newspaper) -> None:
        with pytest.raises(TooFewPages, match=r"not from 1 page$"):
            learn([newspaper(0)])

    def test_no_page(self) -> None:
        with pytest.raises(TooFewPages, match="not from 0 pages"):
            learn([])

    def test_pages_that_are_all_the_same(self, newspaper: Newspaper) -> None:
        with pytest.raises(TooFewPages, match="3 pages that are all the same"):
            learn([newspaper(0), newspaper(0), newspaper(0)])

    def test_empty_pages(self, opined: Opined) -> None:
        with pytest.raises(TooFewPages):
            learn([opined("", url=f"https://www.example.com/{n}", kind="other") for n in range(3)])

    def test_copies_are_left_out_with_a_warning(self, newspaper: Newspaper) -> None:
        learned = learn([newspaper(0), newspaper(1), newspaper(0), newspaper(2)])
        assert len(learned.samples) == 3
        assert learned.warnings == ("1 of 4 pages are copies of others and were left out",)

    def test_pages_of_several_sites(self, newspaper: Newspaper) -> None:
        pages = [newspaper(n, site=f"https://www.{'ab'[n % 2]}.example") for n in range(4)]
        with pytest.raises(MixedSites, match=r"2 sites: a\.example \(2\), b\.example \(2\); learn a map for each"):
            learn(pages)

    def test_two_pages_of_two_sites(self, newspaper: Newspaper) -> None:
        with pytest.raises(MixedSites):
            learn([newspaper(0, site="https://a.example"), newspaper(1, site="https://b.example")])

    def test_a_few_pages_of_other_sites_are_left_out_with_a_warning(self, newspaper: Newspaper) -> None:
        learned = learn([newspaper(0), newspaper(1), newspaper(2), newspaper(3, site="https://other.invalid")])
        assert len(learned.samples) == 3
        assert learned.extraction_map.site == "lantern.example"
        [warning] = learned.warnings
        assert "lantern.example (3), other.invalid (1); only those of lantern.example were used" in warning

    def test_hosts_of_one_owner_are_one_site(self, newspaper: Newspaper) -> None:
        hosts = ["https://www.lantern.co.uk", "https://sport.lantern.co.uk", "https://lantern.co.uk"]
        learned = learn([newspaper(n, site=host) for n, host in enumerate(hosts)])
        assert len(learned.samples) == 3
        assert learned.warnings == ()

    def test_no_article_among_them(self, opined: Opined) -> None:
        pages = [
            opined(f"<p>Links of page {n}</p>", url=f"https://www.example.com/{n}", kind=kind)
            for n, kind in enumerate(["list", "list", "other"])
        ]
        with pytest.raises(NoArticles, match="none of the 3 pages is an article: 2 list, 1 other"):
            learn(pages)

    def test_one_article_only_is_too_few_to_leave_the_others_out(self, newspaper: Newspaper, opined: Opined) -> None:
        learned = learn([newspaper(0), opined("<p>Links</p>", url="https://www.lantern.example/", kind="list")])
        assert len(learned.samples) == 2
        address = "https://www.lantern.example/lantern/0"
        assert f"only one of the 2 pages is an article: {address}; all were used" in learned.warnings

    def test_other_pages_are_left_out_with_a_warning(self, newspaper: Newspaper, opined: Opined) -> None:
        listing = opined("<p>Links</p>", url="https://www.lantern.example/sport", kind="list")
        learned = learn([newspaper(0), listing, newspaper(1)])
        assert len(learned.samples) == 2
        assert learned.warnings == ("1 page left out, no article: https://www.lantern.example/sport",)

    def test_pages_that_may_be_articles_are_kept(self, newspaper: Newspaper) -> None:
        document, tagged = newspaper(2)
        unsure = replace(tagged, kind="other", kind_score=0.6)
        learned = learn([newspaper(0), newspaper(1), (document, unsure)])
        assert len(learned.samples) == 3
        assert learned.warnings == ()

    def test_pages_of_which_nothing_is_believed(self, opined: Opined) -> None:
        pages = [opined(f"<div><p>Word {n}</p></div>", url=f"https://www.example.com/{n}") for n in range(3)]
        with pytest.raises(NoStableRule, match="no rule for title or text holds on the pages"):
            learn(pages)

    def test_a_required_field_without_a_rule_is_told(self, opined: Opined) -> None:
        pages = [
            opined(f"<h1>Title no {n}</h1>", {"title": {f"Title no {n}": 0.9}}, url=f"https://www.example.com/{n}")
            for n in range(3)
        ]
        learned = learn(pages)
        assert learned.extraction_map.fields == ("title",)
        assert learned.warnings == ("no rule for text holds on the pages: every page will be handed to the tagger",)

    def test_rules_that_the_tagger_hardly_agrees_with_are_told(self, opined: Opined) -> None:
        pages = [
            opined(f"<h1>Title no {n}</h1>", {"title": {f"Title no {n}": 0.5}}, url=f"https://www.example.com/{n}")
            for n in range(3)
        ]
        assert learn(pages).warnings[1:] == (
            "the rule of article for title agrees with the tagger by 0.50 only; look at what it gives",
        )

    def test_what_every_page_is_handed_to_the_tagger_for_is_told(self, newspaper: Newspaper) -> None:
        pages = [
            (document, _only_given(tagged, "authors", n))
            for n, (document, tagged) in enumerate(map(newspaper, SAMPLED))
        ]
        learned = learn(pages)
        assert "authors" not in {rule.field for rule in learned.extraction_map.rules}
        assert learned.extraction_map.templates[0].tagger == ("authors",)
        assert learned.warnings == (
            "no rule for authors is as good as the tagger: every page is handed to it for that",
        )

    def test_the_errors_have_a_common_name(self) -> None:
        for error in (TooFewPages, MixedSites, NoArticles, NoStableRule):
            assert issubclass(error, LearnError)


def _only_given(tagged: TaggedPage, field: str, number: int) -> TaggedPage:
    """Return a page with a value of a field that no rule can read, because no element of it shows the value alone."""
    entry = f"Somebody {'abcdefgh'[number]}"
    others = [label for label in tagged.labels if label.field != field]
    given = [label for label in tagged.given if label.field != field]
    return replace(
        tagged,
        labels=(*others, Label(field=field, value=entry, score=0.9)),
        given=(*given, Label(field=field, value=[entry], score=0.9)),
    )


class TestByExample:
    def test_fields_of_examples_come_beside_those_of_the_domain(self, newspaper: Newspaper, story: MakeStory) -> None:
        pages = [newspaper(n) for n in SAMPLED]
        learned = learn(pages, f"lead={story(0).subtitle}", f"heading={story(1).title}")
        fields = learned.extraction_map.fields
        assert fields[:2] == ("lead", "heading")
        assert {"title", "text", "published", "authors"} <= set(fields)
        for n in HELD_OUT:
            found = read(learned.extraction_map, newspaper(n)[0])
            assert found["lead"] == story(n).subtitle
            assert found["heading"] == story(n).title
            assert found["title"] == story(n).title

    def test_lists_too(self, newspaper: Newspaper, story: MakeStory) -> None:
        pages = [newspaper(n) for n in SAMPLED]
        learned = learn(pages, f"topics={story(0).tags[0]}", f"topics={story(0).tags[1]}")
        for n in HELD_OUT:
            assert read(learned.extraction_map, newspaper(n)[0])["topics"] == list(story(n).tags)

    def test_pages_that_are_no_articles_give_the_examples_fields_alone(self, opined: Opined) -> None:
        pages = [
            opined(
                f"<h1>Thing no {n}</h1><p>Words</p><b class=sum>{n + 3}.50 €</b>",
                url=f"https://www.example.com/{n}",
                kind="other",
            )
            for n in range(3)
        ]
        assert learn(pages, "cost=4.50 €").extraction_map.fields == ("cost",)


SEEDED = """
import sys
from datetime import UTC, datetime
from sitewright.induce import learn_map
from sitewright.maps import dump_map
from sitewright.parse import parse
from sitewright.types import Label, Page, TaggedPage, TextLine

NOW = datetime(2024, 6, 15, tzinfo=UTC)
METAS = ("og:title", "twitter:title", "dc.title", "sailthru.title", "parsely-title")
pages = []
for n in range(8):
    folder = "photos/gallery/" if n > 4 else ""
    design = "old" if n > 4 else "new"
    names = [" ".join(f"{letter}-{design}" for letter in word) for word in ("abcd", "xyzw", "pqrs")]
    metas = "".join(f'<meta property="{name}" content="Title no {n}">' for name in METAS)
    ld = ",".join(f'"{key}": "Title no {n}"' for key in ("headline", "name", "about", "text", "abstract"))
    html = f'''<!doctype html><head>{metas}<script type="application/ld+json">{{"@type": ["NewsArticle", "Article"], {ld}}}</script></head>
<div class="{names[0]}"><b class="{names[1]}" data-a=k data-b=l>Title no {n}</b><p class="{names[2]}">Words of page {n}</p></div>'''
    url = f"https://www.example.com/{folder}{n}"
    document = parse(Page(url=url, body=html, fetched_at=NOW))
    number = {element.tag: document.number_of(element) for element in document.elements}
    labels = (Label(field="title", value=f"Title no {n}", score=0.9, node=number["b"]),)
    lines = (TextLine(f"Title no {n}", number["b"], 0.1), TextLine(f"Words of page {n}", number["p"], 0.9))
    pages.append((document, TaggedPage(url=url, kind="article", kind_score=0.9, labels=labels, lines=lines)))
print(dump_map(learn_map(pages, now=NOW).extraction_map))
"""


def test_the_same_pages_give_the_same_map_whatever_the_seed_of_hashes(tmp_path: Path) -> None:
    script = tmp_path / "seeded.py"
    script.write_text(SEEDED, "utf-8")
    maps = []
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, str(script)], capture_output=True, check=True, env=environment, timeout=600, text=True
        )
        maps.append(done.stdout)
    assert maps[0]
    assert maps[0] == maps[1]
