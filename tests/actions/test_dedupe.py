"""Records deduplicated, pairs judged."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests import needs
from tests.spark import cluster

from sitewright.actions.dedupe import Deduped, dedupe, judged_pairs, story_work
from sitewright.errors import InputError

FIRE = "A fire destroyed the roof of the old town hall in Bremen on Tuesday night, said the mayor, Ulrike Vogel."
STORM = "Trains stood still and trees fell all over Lisbon when a storm came in from the Atlantic on Friday morning."


def written(path: Path, *rows: Any) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return str(path)


@pytest.fixture
def records(tmp_path: Path) -> str:
    return written(
        tmp_path / "records.jsonl",
        {"url": "https://a.example/1", "title": "Fire", "text": FIRE, "published": "2026-05-04T08:00:00Z"},
        {"url": "https://b.example/1", "title": "Storm", "text": STORM, "images": [{"url": "s.jpg"}]},
        {
            "url": "https://c.example/1",
            "title": "Fire",
            "text": FIRE,
            "images": [{"url": "f.jpg"}],
            "published": "2026-05-04",
        },
        {"url": "https://d.example/1", "error": {"code": "no_content"}},
    )


def test_the_richest_is_kept_and_the_others_are_linked_to_it(records: str) -> None:
    rows: list[Any] = []
    assert dedupe([records], rows.append) == Deduped(records=4, stories=3, repeated=1)
    assert [row["url"] for row in rows] == [f"https://{name}.example/1" for name in "bcd"]
    (other,) = rows[1]["also"]
    assert (other["url"], other["title"], other["kind"]) == ("https://a.example/1", "Fire", "copy")
    assert "also" not in rows[0]


def test_all_are_written_where_asked_for(records: str) -> None:
    rows: list[Any] = []
    dedupe([records], rows.append, everything=True)
    assert [row["url"][8] for row in rows] == list("abcd")
    assert rows[0]["same_as"]["url"] == "https://c.example/1"


def test_a_window_keeps_what_comes_back_apart(tmp_path: Path) -> None:
    days = [{"url": f"u{day}", "title": "Fire", "text": FIRE, "published": f"2026-05-{day:02}"} for day in (1, 2, 20)]
    source = written(tmp_path / "days.jsonl", *days)
    assert dedupe([source], lambda _: None).repeated == 1
    assert dedupe([source], lambda _: None, days=0).repeated == 2
    assert dedupe([source], lambda _: None, days=0.5).repeated == 0


def test_pairs_are_judged_in_order(tmp_path: Path) -> None:
    fire, storm = ({"title": "", "text": text} for text in (FIRE, STORM))
    source = written(
        tmp_path / "pairs.jsonl", {"a": fire, "b": storm}, {"a": fire, "b": fire, "lang": "en"}, {"a": {}, "b": {}}
    )
    said = list(judged_pairs(source))
    assert [row["same"] for row in said] == [False, True, False]
    assert said[1]["kind"] == "copy"
    assert set(said[0]) == {"same", "score", "kind"}


def test_what_is_no_pair_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"pairs\.jsonl:1: expected"):
        list(judged_pairs(written(tmp_path / "pairs.jsonl", {"title": "Fire"})))


@needs.spark
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_writes_what_one_machine_writes(tmp_path: Path) -> None:
    texts = [
        f"{text} {more}" for text in (FIRE, STORM) for more in ("", "More is to come.", "Nobody was hurt, it says.")
    ]
    source = written(
        tmp_path / "many.jsonl", *({"url": f"https://{n}.example/", "text": one} for n, one in enumerate(texts))
    )
    here: list[Any] = []
    there: list[Any] = []
    done = dedupe([source], here.append, everything=True)
    with cluster(tmp_path / "spark") as master, story_work("spark", master) as work:
        assert dedupe([source], there.append, everything=True, work=work) == done
    assert there == here
    assert done.stories < done.records
