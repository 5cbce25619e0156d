"""The pure parts of the measurement on hand labels, on made-up pages."""

from typing import Any

import pytest
from bench.hand import grouped, is_right, labelled, read_site, site_tasks
from bench.reading import _entries
from bench.samples import has_shared


def page(**more: Any) -> dict[str, Any]:
    labels = {"title": "Bees return", "subtitle": "", "authors": ["Ann Lee"], "tags": []}
    return {"page_type": "article", "labels": labels, "stated": {"tags": ["Bees", "harbour"]}, **more}


@pytest.mark.skipif(not has_shared(), reason="the scorer lies beside the corpora")
@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("title", "Bees return", True),
        ("title", "Something else altogether", False),
        ("title", None, None),
        ("subtitle", "After nine years", False),
        ("authors", ["Ann Lee", "Bo Ek"], False),
        ("tags", ["bees"], None),
        ("tags", ["bees", "sport"], False),
        ("modified", "2024-05-06", None),
    ],
)
def test_a_value_is_right_wrong_or_not_known(name: str, value: object, *, expected: bool | None) -> None:
    assert is_right(page(), {name: value}, name) is expected


@pytest.mark.skipif(not has_shared(), reason="the scorer lies beside the corpora")
def test_pages_that_are_no_articles_say_nothing_of_absence() -> None:
    assert is_right(page(page_type="list"), {"subtitle": "After nine years"}, "subtitle") is None


def test_maps_are_learned_from_pages_without_labels() -> None:
    rows = [{"group": "a", "site": "a.com", "html": f"<p>{n}", "label_kind": "hand" if n < 2 else ""} for n in range(7)]
    (task,) = site_tasks(grouped(rows))
    assert (len(task.lessons), len(task.places)) == (5, 2)
    (task,) = site_tasks(grouped(rows[:5]))
    assert (len(task.lessons), len(task.places)) == (5, 2)
    assert len(labelled(rows)) == 2


def test_a_site_that_cannot_be_learned_has_empty_records() -> None:
    (task,) = site_tasks([[{"site": "a.com", "html": "<p>One", "label_kind": "hand"}]])
    assert read_site(task) == [{}]


def test_keywords_in_one_are_parted() -> None:
    assert _entries(["bees, harbour", "quay", ""]) == ["bees", "harbour", "quay"]
    assert _entries(None) == []
