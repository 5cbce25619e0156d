"""The shipped model: probabilities that links lead to articles."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from sitewright.errors import ModelError
from sitewright.links import model as module
from sitewright.links.evidence import COLUMNS, SiteLinks
from sitewright.links.model import TIME_COLUMNS, WEEK, LinkModel, load_model, time_table
from sitewright.links.page import LOCAL, PageLinks

START = datetime(2025, 5, 18, 6, tzinfo=UTC)
URL = "https://www.example.com/"
TEXT, HOURS = LOCAL.index("text"), TIME_COLUMNS.index("hours seen")


def page(hours: float | None, *names: str, text: float = 3.0) -> PageLinks:
    """Return a page with links of which nothing is known but how much of a headline their text is."""
    evidence = np.zeros((len(names), len(LOCAL)), dtype=np.float32)
    evidence[:, TEXT] = text
    return PageLinks(
        url=URL,
        time=None if hours is None else START + timedelta(hours=hours),
        pages=[URL + name for name in names],
        hrefs=[URL + name for name in names],
        texts=list(names),
        patterns=[frozenset()] * len(names),
        signatures=["a>p"] * len(names),
        lists=[0] * len(names),
        evidence=evidence,
    )


def test_the_shipped_model_is_loaded_once() -> None:
    assert isinstance(load_model(), LinkModel)
    assert load_model() is load_model()
    assert load_model().time_weights.shape == (len(TIME_COLUMNS),)


def test_the_shipped_networks_read_what_is_observed() -> None:
    from sitewright.links.observe import ADDRESS_BUCKETS  # noqa: PLC0415
    from sitewright.links.surroundings import NAME_BUCKETS  # noqa: PLC0415
    from sitewright.links.wording import TEXT_BUCKETS  # noqa: PLC0415

    networks = load_model().networks
    assert len(networks.text.embeddings) == TEXT_BUCKETS
    assert len(networks.names.embeddings) == NAME_BUCKETS
    assert len(networks.address.embeddings) == ADDRESS_BUCKETS


@pytest.mark.parametrize("text", [-80.0, 0.0, 80.0])
def test_what_comes_out_are_probabilities(text: float) -> None:
    site = SiteLinks([page(0, "a", "b", text=text), page(5, "b", "c", text=text)])
    alone = load_model().from_page(site)
    for found in (alone, load_model().with_time(site, alone)):
        assert found.shape == (3,)
        assert ((found >= 0) & (found <= 1)).all()


def test_no_links_have_no_probabilities() -> None:
    site = SiteLinks([page(0), page(5)])
    alone = load_model().from_page(site)
    assert alone.shape == (0,)
    assert load_model().with_time(site, alone).shape == (0,)


def test_without_lifetimes_time_changes_nothing() -> None:
    for pages in ([page(None, "a", "b"), page(None, "a")], [page(0, "a", "b")]):
        site = SiteLinks(pages)
        alone = load_model().from_page(site)
        assert load_model().with_time(site, alone).tolist() == alone.tolist()


def test_links_without_a_lifetime_keep_their_probability() -> None:
    site = SiteLinks([page(0, "a"), page(5, "a"), page(None, "timeless")])
    alone = np.array([0.2, 0.31], dtype=np.float32)
    assert load_model().with_time(site, alone)[1] == pytest.approx(0.31)


def test_the_time_table_says_how_long_links_stood() -> None:
    site = SiteLinks([page(0, "m", "a"), page(10, "m", "a", "b"), page(10 * 24, "m"), page(60 * 24, "m")])
    table = time_table(site, np.array([0.1, 0.8, 1.0], dtype=np.float32))
    named = {name: table[:, number].tolist() for number, name in enumerate(TIME_COLUMNS)}
    assert table.shape == (3, len(TIME_COLUMNS))
    assert np.isfinite(table).all()
    assert np.expm1(named["hours seen"]).tolist() == pytest.approx([60 * 24, 10, 0], rel=1e-4, abs=1e-4)
    assert named["over a week"] == [1, 0, 0]
    assert named["over six weeks"] == [1, 0, 0]
    assert named["ephemeral"] == [0, 0, 1]
    assert named["rescued"] == [0, 0, 1]
    assert named["gone"] == [0, 1, 1]
    assert named["came"] == [0, 0, 1]
    assert named["others of host"] == pytest.approx([0.8975, 0.5475, 0.45], abs=1e-3)


@pytest.mark.parametrize(
    ("names", "text", "hours", "rescued"),
    [
        (("b",), 3.0, 10, 1),
        (("b",), -3.0, 10, 0),  # the text is no headline at all
        (("b", "b/c"), 3.0, 10, 0),  # a section that came and went
        (("page-100", "page-200"), 3.0, 10, 0),  # a list in pages
        (("b",), 3.0, WEEK + 20, 0),  # there for too long
    ],
)
def test_a_passing_link_is_rescued_unless_something_speaks_against_it(
    names: tuple[str, ...], text: float, hours: float, rescued: int
) -> None:
    passing = [page(10, *names, text=text), page(10 + hours, *names, text=text)]
    site = SiteLinks([page(0, "m", text=text), *passing, page(2_000, "m", text=text)])
    row = [fact.page for fact in site.facts].index(URL + names[0])
    table = time_table(site, np.full(len(site.facts), 0.5, dtype=np.float32))
    assert table[row, TIME_COLUMNS.index("rescued")] == rescued


def test_time_speaks_for_what_passes_and_against_what_stays() -> None:
    hours = (0, 12, 24, 24 * 30, 24 * 60)
    site = SiteLinks([page(at, "stays", *(["passes"] if at in (12, 24) else [])) for at in hours])
    stays, passes = load_model().with_time(site, np.array([0.5, 0.5], dtype=np.float32)).tolist()
    assert passes > stays


def test_lives_of_years_stay_finite() -> None:
    site = SiteLinks([page(0, "m"), page(24 * 365 * 40, "m")])
    table = time_table(site, np.array([1.0], dtype=np.float32))
    assert np.isfinite(table).all()
    assert table[0, HOURS] < 10


def test_a_model_that_is_not_there_is_an_error_with_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    load_model.cache_clear()
    monkeypatch.setattr(module, "WEIGHTS_FILE", "missing.npz")
    with pytest.raises(ModelError, match=r"missing\.npz"):
        load_model()
    monkeypatch.setattr(module, "WEIGHTS_FILE", "links.onnx")
    with pytest.raises(ModelError, match="cannot be loaded"):
        load_model()


def test_a_model_without_all_its_weights_is_refused() -> None:
    with pytest.raises(KeyError):
        module.model_of({}, module.files("sitewright.links").joinpath(module.TREES_FILE).read_bytes())


def test_the_trees_read_the_columns_of_the_table() -> None:
    (expected,) = load_model().trees.get_inputs()
    assert expected.name == "evidence"
    assert expected.shape[-1] == len(COLUMNS)
