from random import Random

import pytest
from bench.mutate_maps import broken_map, random_map, wide_map
from bench.mutate_pages import MUTATORS, Mutant, as_bytes, as_text, mutate
from bench.samples import StoredPage, demo_sample, fuzz_pages

from sitewright.errors import SitewrightError
from sitewright.extract import Extractor
from sitewright.maps import parse_map

PAGES = [
    StoredPage("https://example.com/a", "<head><title>A</title></head><body><article><p>One</p></article>"),
    StoredPage("https://example.com/b?x=1", "<time datetime='2024-01-01'>then</time><p>Two</p>" * 20),
]  # fmt: skip


@pytest.mark.parametrize("name", sorted(MUTATORS))
def test_a_mutator_gives_the_same_page_for_the_same_seed(name: str) -> None:
    page = Mutant(url=PAGES[0].url, body=PAGES[0].html)
    one, other = (MUTATORS[name](Random(5), page, PAGES) for _ in range(2))
    assert one == other


def test_mutants_are_the_same_for_the_same_seed_and_differ_between_seeds() -> None:
    def batch(seed: int) -> list[Mutant]:
        chance = Random(seed)
        return [mutate(chance, PAGES, number) for number in range(30)]

    assert batch(1) == batch(1)
    assert batch(1) != batch(2)


def test_every_mutant_tells_how_it_was_made() -> None:
    chance = Random(3)
    assert all(set(mutate(chance, PAGES, number).made_by) <= set(MUTATORS) for number in range(20))


def test_text_and_bytes_of_a_body() -> None:
    assert as_bytes("a\ud800") == b"a\xed\xa0\x80"
    assert as_text(b"a\xff") == "a\ufffd"


def test_maps_are_the_same_for_the_same_seed() -> None:
    assert random_map(Random(1)) == random_map(Random(1))
    assert broken_map(Random(1), [wide_map()]) == broken_map(Random(1), [wide_map()])


def test_the_wide_map_is_valid_and_enough_random_maps_are() -> None:
    Extractor(parse_map(wide_map()))
    accepted = 0
    for seed in range(60):
        try:
            parse_map(random_map(Random(seed)))
        except SitewrightError:
            continue
        accepted += 1
    assert 6 <= accepted < 60


def test_the_demo_pages_to_mutate_are_the_same_for_the_same_seed() -> None:
    assert fuzz_pages("demo", 4, 5) == fuzz_pages("demo", 4, 5)
    assert fuzz_pages("demo", 4, 5) != fuzz_pages("demo", 5, 5)
    assert len(demo_sample().pages) == 40
