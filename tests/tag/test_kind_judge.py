"""The judge of kinds that ships with the package, and files that are none of its own."""

import json
from pathlib import Path

import pytest
from tests.tag.columns import NEWS

from sitewright.demo import LANGUAGES, generate_site
from sitewright.parse import parse
from sitewright.tag.kind_judge import KindJudge
from sitewright.tag.kind_signs import KIND_SIGNS, kind_signs
from sitewright.tag.models import KINDS, model_file
from sitewright.tag.units import read_units
from sitewright.types import Page


@pytest.mark.parametrize("language", LANGUAGES)
def test_front_pages_and_stories_are_told_apart_without_a_tagger(language: str) -> None:
    judge = KindJudge(model_file("news", KINDS))
    site = generate_site(5, language=language)

    def said(path: str) -> float:
        headers = {"content-type": site.pages[path].content_type}
        document = parse(Page(url=site.base_url + path, body=site.pages[path].html, headers=headers))
        return judge.log_odds(kind_signs(document, read_units(document), NEWS))

    told = [path for path, story in site.truth.items() if len(story.text) > 600][:8]
    assert said("/") < 0
    assert sum(said(path) > 0 for path in told) >= len(told) - 1


def test_trees_fitted_for_other_signs_are_refused(tmp_path: Path) -> None:
    leaf = {"sign": [[0]], "most": [[0]], "low": [[0]], "high": [[0]], "leaves": [[1.5]], "depth": 0}
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps({"signs": list(KIND_SIGNS), "trees": leaf}), "utf-8")
    bad.write_text(json.dumps({"signs": ["moon"], "trees": leaf}), "utf-8")
    assert KindJudge(good).log_odds([0.0] * len(KIND_SIGNS)) == pytest.approx(1.5)
    with pytest.raises(ValueError, match="fitted for other signs"):
        KindJudge(bad)
