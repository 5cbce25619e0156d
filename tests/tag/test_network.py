"""The network: when it is loaded, and what its scores look like for pages of any length."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.tag.columns import COLUMNS, FIELDS, KINDS

from sitewright.errors import ModelError
from sitewright.parse import parse
from sitewright.tag.models import TAGGER, model_file
from sitewright.tag.network import NetworkTagger
from sitewright.tag.scores import Scores
from sitewright.tag.units import read_units
from sitewright.types import Page

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def tagger() -> NetworkTagger:
    return NetworkTagger()


def test_the_shipped_model_states_what_its_scores_are_about(tagger: NetworkTagger) -> None:
    assert tagger.columns == COLUMNS


def test_a_model_that_does_not_state_its_columns_is_refused(tmp_path: Path) -> None:
    model = tmp_path / "tagger.onnx"
    model.write_bytes(model_file("news", TAGGER).read_bytes().replace(b"sitewright.kinds", b"sitewright.k1nds"))
    with pytest.raises(ModelError, match=r"does not state what its scores are about: no sitewright\.kinds"):
        _ = NetworkTagger(model).columns


def score(tagger: NetworkTagger, html: str) -> tuple[Scores, int]:
    document = parse(Page(url="https://www.example.com/a", body=html))
    units = read_units(document)
    return tagger.score(document, units), len(units)


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<p>one",
        "<title>one</title>",
        "<h1>渡轮</h1><p>老渡轮于周一上午返回港口。",
        "".join(f"<p>Paragraph {n}" for n in range(1499)),
        "".join(f"<p>Paragraph {n}" for n in range(1500)),
        "".join(f"<p>Paragraph {n}" for n in range(1501)),
        "<title>Bees</title>" + "".join(f"<p>Paragraph {n}" for n in range(3300)),
        "".join(f'<meta property="article:tag" content="tag {n}">' for n in range(2000)) + "<p>x",
    ],
    ids=["none", "one", "stated", "few", "1499", "1500", "1501", "3301", "2000 stated"],
)
def test_scores_are_probabilities_for_any_number_of_units(tagger: NetworkTagger, html: str) -> None:
    scores, count = score(tagger, html)
    assert scores.units.shape == (count, len(FIELDS))
    assert scores.shown.shape == (len(FIELDS),)
    assert scores.kinds.shape == (len(KINDS),)
    for array in (scores.units, scores.shown, scores.kinds):
        assert array.dtype == np.float32
        assert ((array >= 0) & (array <= 1)).all()
    assert float(scores.kinds.sum()) == pytest.approx(1, abs=1e-4)


def test_a_story_on_a_page_that_is_read_in_windows_is_found(tagger: NetworkTagger) -> None:
    sentence = "The old ferry returned to the harbour on day {} after it had left for repairs, the harbour master said."
    story = "".join(f"<p>{sentence.format(n)}</p>" for n in range(30))
    comments = "".join(f"<li><b>user{n}</b> says: so it is" for n in range(900))
    html = f"<title>The ferry returns</title><h1>The ferry returns</h1><article>{story}</article><ul>{comments}</ul>"
    document = parse(Page(url="https://www.example.com/a", body=html))
    units = read_units(document)
    assert len(units) > 1500
    scores = tagger.score(document, units)
    text, title = scores.units[:, FIELDS.index("text")], scores.units[:, FIELDS.index("title")]
    wanted = {sentence.format(n) for n in range(30)}
    assert min(score for unit, score in zip(units, text, strict=True) if unit.text in wanted) > 0.5
    assert units[int(title.argmax())].text == "The ferry returns"


@pytest.mark.parametrize(
    ("then", "loaded"),
    [
        ("", False),
        ("sitewright.tag.PageReader()", False),
        ("sitewright.tag.PageReader(tagger=sitewright.tag.MceTagger()).extract(page)", False),
        ("sitewright.tag.PageReader().extract(page)", True),
    ],
)
def test_the_runtime_is_loaded_with_the_first_page(then: str, loaded: bool) -> None:
    program = f"""
import sys
from pathlib import Path
import sitewright.tag
from sitewright.errors import ModelError
from sitewright.parse import parse
from sitewright.tag.models import TAGGER, model_file
from sitewright.types import Page
from tests.tag.columns import COLUMNS, FIELDS, KINDS
page = parse(Page(url="https://www.example.com/a", body="<h1>Bees</h1><p>Text"))
{then}
print("onnxruntime" in sys.modules, "torch" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600, check=False)
    assert done.stdout.split() == [str(loaded), "False"], done.stderr
