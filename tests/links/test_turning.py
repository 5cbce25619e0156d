"""Galleries that show one picture at a time are told from carousels, links and film strips."""

import pytest

from sitewright.links.turning import turning_words, turns_pictures
from sitewright.parse import parse
from sitewright.types import Page


def turns(body: str, known: int = 0) -> bool:
    return turns_pictures(parse(Page(url="https://example.com/sea", body=f"<h1>At sea</h1>{body}")), known)


@pytest.mark.parametrize(
    "control",
    [
        "<button>Next</button>",
        "<button aria-label='Nächstes Bild: weiter'><svg></svg></button>",
        "<a href='#'>›</a>",
        "<a href='javascript:void(0)' title='Suivant'></a>",
        "<div class='swiper-button-next'></div>",
        "<span role=button>下一张</span>",
    ],
)
@pytest.mark.parametrize("count", ["1/12", "1 of 12", "Bild 1 von 12", "1 из 12"])
def test_a_control_beside_a_picture_that_is_one_of_several(control: str, count: str) -> None:
    assert turns(f"<div><figure><img src=/a.jpg></figure>{control}<p>{count}</p></div>")


@pytest.mark.parametrize(
    ("body", "known"),
    [
        ("<div><img src=/a.jpg><button>Next</button></div>", 0),
        ("<div><img src=/a.jpg><a href='/sea?page=2'>Next</a><p>1/12</p></div>", 0),
        ("<div><img src=/a.jpg><button>Previous</button><p>1/12</p></div>", 0),
        ("<div>" + "<img src=/a.jpg>" * 12 + "<button>Next</button><p>1/12</p></div>", 0),
        ("<div><img src=/a.jpg><button>Next</button><p>1/12</p></div>", 12),
        ("<div><img src=/a.jpg><button>Next</button><p>1/2</p></div>", 0),
        ("<div><img src=/a.jpg><button>Next</button><p>31/12/2024, 11/12</p></div>", 0),
        ("<div><button>Next</button><p>1/12</p></div><img src=/a.jpg>", 0),
    ],
    ids=["no count", "a link", "back", "all are there", "all are known", "too few", "dates", "no picture beside it"],
)
def test_what_is_none(body: str, known: int) -> None:
    assert not turns(body, known)


def test_words_are_of_many_languages() -> None:
    assert {"next", "weiter", "suivant", "下一张"} <= turning_words()
    assert "more" not in turning_words()
