"""Names, and what templates put around them."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from sitewright.domains import load_domain
from sitewright.induce import Sample
from sitewright.induce.frames import believe_frames
from sitewright.parse import Document
from sitewright.types import TaggedPage

Opined = Callable[..., tuple[Document, TaggedPage]]
Sampled = Callable[..., list[Sample]]
NAME = load_domain("shop").fields["name"]
CARS = ("Bee 100 Coupe", "Ant 2 Sedan", "Wasp XL Wagon", "Moth Hatchback")


def samples_of(opined: Opined, sampled: Sampled, heading: str, beside: Sequence[str]) -> list[Sample]:
    """Return pages whose headings hold the names of cars, and other lines beside them."""
    pages = []
    for car in CARS:
        whole = heading.format(car)
        lines = "".join(f"<p>{line.format(car)}</p>" for line in beside)
        html = f"<title>{beside[0].format(car)}</title><h1>{whole}</h1>{lines}"
        document, tagged = opined(html, {"title": {whole: 0.9}})
        names = tuple(replace(label, field="name") for label in tagged.labels)
        pages.append((document, replace(tagged, labels=names)))
    return sampled(pages, domain="shop")


@pytest.mark.parametrize(
    ("heading", "beside"),
    [
        ("New {} Specs", ["{} at Autos", "{}"]),
        ("{} [Paperback]", ["{} (used): Books", "x"]),
        ("{} by Ann Lee", ["{}, Ann, a book", "{}"]),
    ],
)
def test_what_the_template_puts_around_names_is_cut_off(
    opined: Opined, sampled: Sampled, heading: str, beside: Sequence[str]
) -> None:
    samples = samples_of(opined, sampled, heading, beside)
    [pattern] = believe_frames(samples, NAME)
    believed = [max(sample.labels("name"), key=lambda label: label.score) for sample in samples]
    assert pattern
    assert [label.value for label in believed] == list(CARS)


@pytest.mark.parametrize(
    ("heading", "beside"),
    [
        ("{} Digital Camera", ["{} Digital Camera - Shop", "Buy the {} Digital Camera"]),  # the names end so
        ("{} Specs", ["Autos", "x"]),  # nothing tells
        ("2010 {}", ["{} at Autos", "{}"]),  # the year's models
        ("{}", ["{}", "{}"]),
    ],
)
def test_what_all_names_have_in_common_wherever_they_stand_is_theirs(
    opined: Opined, sampled: Sampled, heading: str, beside: Sequence[str]
) -> None:
    assert believe_frames(samples_of(opined, sampled, heading, beside), NAME) == []
