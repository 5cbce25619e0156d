"""The rules of a site's pictures: what to select and what to leave out of it, from likely and unlikely pictures."""

from collections.abc import Callable, Iterator, Sequence

from sitewright.domains import load_domain
from sitewright.extract import Extractor
from sitewright.induce import Sample
from sitewright.induce.images import learn_images
from sitewright.parse import Document, parse
from sitewright.types import ExtractionMap, Label, Page, Photo, Rule, TaggedPage, Template

Sampled = Callable[..., list[Sample]]
NEWS = load_domain("news")
SPEC = NEWS.fields["images"]


def labels(document: Document) -> Iterator[Label]:
    """Believe in the pictures whose addresses say so, and in what is stated."""
    for image in document.tree.select("img"):
        address = image.attr("src") or ""
        score = 0.95 if "own" in address else 0.05
        yield Label(field="images", value=address, score=score, node=document.number_of(image))
    for meta in document.tree.select("meta[property='og:image']"):
        yield Label(field="images", value=meta.attr("content"), score=0.6, source="meta:og:image")


def tagged(html: str, number: int) -> tuple[Document, TaggedPage]:
    document = parse(Page(url=f"https://www.example.com/news/{number}", body=html))
    return document, TaggedPage(
        url=document.url, kind="article", kind_score=0.9, labels=tuple(labels(document)), lines=()
    )


def learned(sampled: Sampled, pages: Sequence[str]) -> tuple[list[Rule], list[Sample]]:
    samples = sampled([tagged(html, number) for number, html in enumerate(pages)])
    return learn_images(samples, SPEC), samples


def read(rules: Sequence[Rule], document: Document) -> list[str]:
    extraction_map = ExtractionMap(site="example.com", templates=(Template(name="t", rules=tuple(rules)),))
    value = Extractor(extraction_map).extract(document).fields.get("images")
    photos = value.value if value is not None else []
    assert isinstance(photos, list)
    assert all(isinstance(photo, Photo) for photo in photos)
    return [photo.url.rpartition("/")[2] for photo in photos]


def figure(name: str) -> str:
    return f"<figure class=shot><img src=/{name}.jpg><figcaption>About {name}</figcaption></figure>"


def story(number: int, more: str = "") -> str:
    return f"<article><h1>Story {number}</h1>{figure(f'own-lead-{number}')}<p>Text.</p>{more}</article>"


def test_figures_of_the_article_are_selected(sampled: Sampled) -> None:
    pages = [f"<img src=/logo-of-site.png>{story(n, figure(f'own-more-{n}'))}" for n in range(4)]
    rules, samples = learned(sampled, pages)
    assert [rule.select for rule in rules] == [("figure.shot",)]
    assert rules[0].many
    assert rules[0].support is not None
    assert (rules[0].support.found, rules[0].support.sampled) == (4, 4)
    assert read(rules, samples[2].document) == ["own-lead-2.jpg", "own-more-2.jpg"]


def test_captions_come_with_them(sampled: Sampled) -> None:
    rules, samples = learned(sampled, [story(n) for n in range(3)])
    extraction_map = ExtractionMap(site="example.com", templates=(Template(name="t", rules=tuple(rules)),))
    [photo] = Extractor(extraction_map).extract(samples[0].document).fields["images"].value
    assert photo.caption == "About own-lead-0"


def test_teasers_within_the_article_are_left_out(sampled: Sampled) -> None:
    teasers = "".join(f"<a href=/{n}><figure class=shot><img src=/teaser-%d{n}.jpg></figure></a>" for n in range(3))
    pages = [story(n, f"<div class=related>{teasers % (n, n, n)}</div>") for n in range(4)]
    rules, samples = learned(sampled, pages)
    assert read(rules, samples[1].document) == ["own-lead-1.jpg"]
    assert read(rules, tagged(pages[0].replace("own-lead-0", "own-lead-9"), 9)[0]) == ["own-lead-9.jpg"]


def test_lead_and_gallery_of_other_names_make_two_selectors(sampled: Sampled) -> None:
    def page(number: int) -> str:
        gallery = "".join(f"<div class=slide><img src=/own-slide-{number}{n}.jpg></div>" for n in range(3))
        icons = "".join(f"<span class=tool><img src=/tool-{n}.png></span>" for n in range(4))
        return f"{icons}<article>{figure(f'own-lead-{number}')}<p>Text.</p>{gallery}</article>"

    rules, samples = learned(sampled, [page(n) for n in range(4)])
    assert read(rules, samples[3].document) == ["own-lead-3.jpg", *(f"own-slide-3{n}.jpg" for n in range(3))]


def test_a_picture_on_every_page_is_the_site_s(sampled: Sampled) -> None:
    pages = [f"<article><h1>Story {n}</h1><div class=box><img src=/own-banner.jpg></div></article>" for n in range(4)]
    assert learned(sampled, pages)[0] == []


def test_without_pictures_there_is_no_rule(sampled: Sampled) -> None:
    assert learned(sampled, [f"<article><h1>Story {n}</h1></article>" for n in range(3)])[0] == []


def test_unlikely_pictures_make_no_rule(sampled: Sampled) -> None:
    pages = [f"<article><div class=ad><img src=/advert-{n}.jpg></div></article>" for n in range(3)]
    assert learned(sampled, pages)[0] == []


def test_stated_pictures_stand_in_where_none_is_displayed(sampled: Sampled) -> None:
    heads = [f'<meta property="og:image" content="/stated-picture-{n}.jpg">' for n in range(4)]
    pages = [heads[n] + (story(n) if n else "<article><h1>Story</h1></article>") for n in range(4)]
    rules, samples = learned(sampled, pages)
    assert [rule.take for rule in rules] == ["text", "@content"]
    assert read(rules, samples[0].document) == ["stated-picture-0.jpg"]
    assert read(rules, samples[1].document) == ["own-lead-1.jpg"]


def test_what_is_stated_of_the_site_is_no_picture(sampled: Sampled) -> None:
    pages = [f'<meta property="og:image" content="/img/logo-{n}.png">{story(n)}' for n in range(4)]
    assert [rule.take for rule in learned(sampled, pages)[0]] == ["text"]
