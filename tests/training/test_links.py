"""What the model of links learns from: labels by shapes of addresses, menus, weights of time."""

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from tests import needs

pytest.importorskip("torch", reason=needs.NO_TRAINING)

from training.links import fit, networks, pages, plain, rewritten

from sitewright.links.evidence import COLUMNS, SiteLinks
from sitewright.links.observe import observe
from sitewright.links.page import links_of
from sitewright.parse import parse
from sitewright.types import Page

pytestmark = pytest.mark.slow

STORY = "https://paper.example/sport/2024/why-the-bees-dance-all-day"


@pytest.mark.parametrize(
    ("url", "label"),
    [
        ("https://paper.example/culture/2023/a-film-about-bees-and-bears", 1),
        ("https://sport.paper.example/2023/a-film-about-bees-and-bears", 1),
        ("https://paper.example/sport", 0),
        ("https://paper.example/tag/1234567", -1),
        (STORY, -1),
        ("https://elsewhere.example/shop", 0),
        ("https://elsewhere.example/2024/why-the-bears-sleep-all-winter", -1),
        ("https://notpaper.example/2024/why-the-bears-sleep-all-winter", -1),
    ],
)
def test_addresses_label_links(url: str, label: int) -> None:
    assert pages._shape_label(url, "paper.example", STORY, {pages.story_shape(STORY)}) == label


def test_a_site_is_always_in_the_same_part() -> None:
    assert pages.part_of("paper.example") == pages.part_of("paper.example")
    assert {pages.part_of(f"paper{number}.example") for number in range(40)} == set(range(pages.PARTS))


def _front_page(stories: int) -> str:
    menu = "".join(f'<li><a href="/section{n}">Section {n}</a></li>' for n in range(8))
    teasers = "".join(
        f'<h2><a href="/2024/the-{n}-bee-that-danced-all-day">The {n}th bee that danced all day long</a></h2>'
        for n in range(stories)
    )
    return f"<nav><ul>{menu}</ul></nav><main>{teasers}</main>"


def _labelled(site: str, stories: int = 9) -> pages.LabelledLinks:
    document = parse(Page(url=f"https://{site}/", body=_front_page(stories)))
    observed = observe(document)
    labels = np.array([int("/2024/" in page) for page in observed.pages], dtype=np.int8)
    return pages.LabelledLinks("front", site, document.url, None, observed, labels)


@pytest.fixture(scope="module")
def trained() -> Iterator[dict[int | None, networks.Networks]]:
    learned = [_labelled(f"paper{number}.example") for number in range(24)]
    texts = [
        pages.LabelledText("a.example", "Bees dance all day and nobody knows why", True),
        pages.LabelledText("a.example", "Sport", False),
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(networks, "_BATCH", 16)  # there is so little to learn from
        yield networks.train_networks(learned, texts, [*range(pages.PARTS), None])


def test_networks_tell_headlines_from_menus(trained: dict[int | None, networks.Networks]) -> None:
    page = _labelled("unseen.example")
    links = links_of(page.observed, trained[None], page.url)
    text = links.evidence[:, 0]
    stories = np.array(["/2024/" in address for address in links.pages])
    assert text[stories].min() > text[~stories].max()


def test_networks_are_kept_in_eight_bits(trained: dict[int | None, networks.Networks]) -> None:
    network = trained[None].text
    again = type(network).from_arrays(network.arrays("text"), "text")
    assert np.allclose(network.embeddings, again.embeddings, atol=1e-6)
    assert network.arrays("text")["text.embeddings"].dtype == np.int8


def test_cases_carry_labels_and_weigh_the_same_a_site(trained: dict[int | None, networks.Networks]) -> None:
    cases = fit.cases_of([_labelled(f"paper{n}.example", stories=6 + n) for n in range(4)], trained)
    assert {case.kind for case in cases} == {"single"}
    assert [int(case.labels.sum()) for case in cases if case.way == fit.AS_IS] == [6, 7, 8, 9]
    weights = np.split(fit.weights_of(cases), np.cumsum([len(case.labels) for case in cases])[:-1])
    sums = {site: sum(own.sum() for own, case in zip(weights, cases, strict=True) if case.site == site) for site in
            {case.site for case in cases}}  # fmt: skip
    assert np.allclose(list(sums.values()), 1000 * fit.WEIGHT["single"], rtol=1e-4)


def test_addresses_are_rewritten_alike_wherever_they_stand() -> None:
    first, second = rewritten.rewritten([_labelled("paper.example"), _labelled("paper.example")], 0)
    assert first.observed.pages == second.observed.pages
    assert first.observed.pages[0] == "https://paper.example/p/1"
    assert len(set(first.observed.pages)) == len(set(_labelled("paper.example").observed.pages))
    assert first.labels.tolist() == _labelled("paper.example").labels.tolist()


@pytest.mark.parametrize("way", range(1, 8))
def test_rewritten_addresses_say_nothing_of_stories(way: int) -> None:
    (page,) = rewritten.rewritten([_labelled(f"paper{way}.example")], way)
    assert not any("bee" in address for address in page.observed.pages)
    assert len(set(page.observed.pages)) == 17


def test_the_page_itself_keeps_its_address() -> None:
    document = parse(Page(url="https://paper.example/", body='<a href="/#top">Home</a><a href="/a">A story</a>'))
    observed = observe(document)
    page = pages.LabelledLinks("front", "paper.example", document.url, None, observed, np.zeros(2, dtype=np.int8))
    (other,) = rewritten.rewritten([page], 0)
    assert list(other.observed.pages) == ["https://paper.example", "https://paper.example/p/1"]


WORDING = plain.Wording(
    titles=[f"The {number}th bee that danced all day long" for number in range(60)],
    names=[f"Bee {number}" for number in range(30)],
    menus=[f"Section {number}" for number in range(30)],
)


@pytest.mark.parametrize("seed", range(12))
def test_pages_that_are_made_up_say_which_links_lead_to_articles(seed: int) -> None:
    row = plain.plain_page(WORDING, Random(seed))
    anchors = parse(Page(url=row["url"], body=row["html"])).tree.select("a[href]")
    assert {"https://plain.example" + (anchor.attr("href") or "") for anchor in anchors} == {
        link["href"] for link in row["links"]
    }
    stories = {link["href"].partition("#")[0] for link in row["links"] if link["article"]}
    assert 4 <= len(stories) <= 45
    assert stories.isdisjoint(link["href"] for link in row["links"] if not link["article"])


def test_a_cloud_of_tags_holds_no_story() -> None:
    row = plain.cloud_page(WORDING, Random(1))
    assert len(row["links"]) > 80
    assert not any(link["article"] for link in row["links"])


def test_links_to_other_sites_with_headlines_are_not_known_to_be_none(
    trained: dict[int | None, networks.Networks],
) -> None:
    sister = '<h2><a href="https://sister.example/7">The old bee that danced all day long again</a></h2>'
    document = parse(Page(url="https://paper.example/", body=_front_page(9) + sister))
    observed = observe(document)
    labels = np.array([int("/2024/" in page) for page in observed.pages], dtype=np.int8)
    page = pages.LabelledLinks("front", "paper.example", document.url, None, observed, labels)
    case = next(case for case in fit.cases_of([page], trained) if case.way == fit.AS_IS)
    known = {fact.page: label for fact, label in zip(case.links.facts, case.labels.tolist(), strict=True)}
    assert known["https://sister.example/7"] == -1
    assert known["https://paper.example/section1"] == 0


def test_entries_of_menus_with_addresses_of_stories_are_no_articles(
    trained: dict[int | None, networks.Networks],
) -> None:
    menu = "".join(f'<li><a href="/2024/all-about-the-club-{n}-today">Club {n}</a></li>' for n in range(6))
    document = parse(Page(url="https://paper.example/", body=f"<ul>{menu}</ul>{_front_page(6)}"))
    observed = observe(document)
    labels = np.array([int("/2024/" in page) for page in observed.pages], dtype=np.int8)
    page = pages.LabelledLinks("index", "paper.example", document.url, None, observed, labels)
    case = next(case for case in fit.cases_of([page], trained) if case.way == fit.AS_IS)
    relabelled = {fact.page: label for fact, label in zip(case.links.facts, case.labels.tolist(), strict=True)}
    assert [label for address, label in relabelled.items() if "club" in address] == [0] * 6
    assert [label for address, label in relabelled.items() if "bee" in address] == [1] * 6


def test_the_regression_finds_what_decides() -> None:
    random = np.random.default_rng(1)
    seen = random.normal(size=(4000, 3))
    labels = (seen[:, 1] * 4 - 1 > random.logistic(size=4000)).astype(float)
    weights, bias = fit._logistic(seen, labels, np.ones(4000))
    assert abs(weights[0]) < 0.2
    assert abs(weights[2]) < 0.2
    assert 1.5 < weights[1] < 5
    assert -1.6 < bias < -0.2


def test_trees_say_the_same_in_onnx(trained: dict[int | None, networks.Networks]) -> None:
    pytest.importorskip("lightgbm", reason=needs.NO_TRAINING)
    onnxruntime = pytest.importorskip("onnxruntime")
    cases = fit.cases_of([_labelled(f"paper{n}.example", stories=8 + n) for n in range(12)], trained)
    trees = fit.grow(cases, trees=10)
    session = onnxruntime.InferenceSession(fit.trees_to_onnx(trees, len(COLUMNS)))
    site: SiteLinks = cases[0].links
    log_odds = session.run(None, {"evidence": site.table})[0][:, 0]
    assert np.allclose(1 / (1 + np.exp(-log_odds)), fit.said_by(trees, cases[0]), atol=1e-5)
