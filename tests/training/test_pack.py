"""A page without what the tagger cannot see gives the same units."""

import pytest
from training.pack import stripped

from sitewright.parse import parse
from sitewright.tag.units import read_units
from sitewright.types import Page

HTML = """<html lang=en><head><title>Bees</title><meta name=author content="Ann Lee"><style>p {}</style><link rel=x href=y>
<script>var x = "<p>no</p>"</script><script type="application/ld+json">{"@type": "NewsArticle", "headline": "Bees"}</script></head>
<body onload=x><!-- a comment --><h1 class="big title" data-x=1>Bees</h1><p style="display:none">hidden</p><p style="color:red">By
<a href="/author/ann" target=_blank>Ann Lee</a></p><figure><img src=b.png alt=x><figcaption>A bee</figcaption></figure>
<time datetime="2024-05-06">6 May</time><svg><text>icon</text></svg></body></html>"""


def test_units_are_the_same() -> None:
    both = [parse(Page(url="https://www.example.com/a", body=html)) for html in (HTML, stripped(HTML))]
    first, second = ([(unit.text, unit.kind, unit.source) for unit in read_units(document)] for document in both)
    assert first == second


@pytest.mark.parametrize("gone", ["onload", "data-x", "color:red", "<img", "a comment", "var x", "svg", "target"])
def test_what_is_not_seen_is_gone(gone: str) -> None:
    assert gone in HTML
    assert gone not in stripped(HTML)
