"""A MarkupLM checkpoint as a tagger, with tiny random models that the tests make themselves."""

import importlib
import json
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests import needs
from tests.tag.columns import FIELDS, KINDS

from sitewright.errors import MissingExtra, ModelError
from sitewright.parse import Document, parse
from sitewright.tag.markuplm import MarkupLmTagger, PageEncoder
from sitewright.tag.units import Unit, UnitKind, read_units
from sitewright.types import Page

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
LABELS = ("none", *FIELDS)
TAGS = ("html", "body", "div", "h1", "p", "a", "time", "li", "ul")
ARTICLE = """<html><head><title>Bees | The Lantern</title></head><body><div><h1>Bees</h1>
<p>By <a href=/ann>Ann Lee</a>, <time datetime=2024-05-06>6 May 2024</time></p>
<time datetime=2024-05-07></time><p>One hive is enough for a roof.</p><p>Two hives are better.</p></div></body></html>"""

needs_model = pytest.mark.skipif(
    find_spec("torch") is None or find_spec("transformers") is None, reason=needs.NO_TRAINING
)


def page(html: str) -> tuple[Document, list[Unit]]:
    document = parse(Page(url="https://www.example.com/a", body=html))
    return document, read_units(document)


def long_page(paragraphs: int = 120) -> str:
    return (
        "<div>"
        + "".join(f"<p>Paragraph {n} of a long story, <b>word</b> {n}.</p>" for n in range(paragraphs))
        + "</div>"
    )


def write_tokenizer(folder: Path) -> Any:
    """Write the files of a tokenizer that knows bytes and two merges, and load it."""
    import transformers  # noqa: PLC0415

    pieces = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", *byte_letters(), "Ġh", "is"]
    settings = {"tags_dict": {tag: number for number, tag in enumerate(TAGS)}, "max_depth": 12}
    folder.mkdir(exist_ok=True)
    (folder / "vocab.json").write_text(json.dumps({piece: number for number, piece in enumerate(pieces)}), "utf-8")
    (folder / "merges.txt").write_text("#version: 0.2\nĠ h\ni s\n", "utf-8")
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), "utf-8")
    return transformers.MarkupLMTokenizerFast.from_pretrained(folder)


def byte_letters() -> list[str]:
    from tokenizers.pre_tokenizers import ByteLevel  # noqa: PLC0415

    return sorted(ByteLevel.alphabet())


def write_checkpoint(folder: Path, labels: Sequence[str] = LABELS, *, positions: int = 514, head: bool = True) -> Path:
    """Write a random model with its tokenizer."""
    import torch  # noqa: PLC0415
    import transformers  # noqa: PLC0415

    torch.manual_seed(0)
    tokenizer = write_tokenizer(folder)
    config = transformers.MarkupLMConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=positions,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        max_depth=tokenizer.max_depth,
        xpath_unit_hidden_size=4,
        initializer_range=0.5,
        id2label=dict(enumerate(labels)),
        label2id={label: number for number, label in enumerate(labels)},
    )
    kind = transformers.MarkupLMForTokenClassification if head else transformers.MarkupLMModel
    kind(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_checkpoint(tmp_path_factory.mktemp("markuplm"))


@pytest.fixture(scope="module")
def tagger(checkpoint: Path) -> MarkupLmTagger:
    return MarkupLmTagger(checkpoint)


@pytest.fixture
def encoder(checkpoint: Path) -> PageEncoder:
    return make_encoder(checkpoint)


def make_encoder(folder: Path) -> PageEncoder:
    import transformers  # noqa: PLC0415

    tokenizer = transformers.MarkupLMTokenizerFast.from_pretrained(folder)
    return PageEncoder(tokenizer, transformers.MarkupLMConfig.from_pretrained(folder))


# The scores.


@needs_model
@pytest.mark.parametrize("html", [ARTICLE, long_page(), "", "<title>Only stated</title>", "<p>蜂蜜 🐝 <b>a</b></p>"])
def test_scores_have_their_shapes_and_ranges(tagger: MarkupLmTagger, html: str) -> None:
    document, units = page(html)
    scores = tagger.score(document, units)
    assert scores.units.shape == (len(units), len(FIELDS))
    assert scores.shown.shape == (len(FIELDS),)
    assert scores.kinds.shape == (len(KINDS),)
    assert {scores.units.dtype, scores.shown.dtype, scores.kinds.dtype} == {np.dtype(np.float32)}
    for found in (scores.units, scores.shown, scores.kinds):
        assert ((found >= 0) & (found <= 1)).all()
    assert scores.kinds.sum() == pytest.approx(1.0)


@needs_model
def test_what_is_displayed_is_scored_and_what_is_stated_is_not(tagger: MarkupLmTagger) -> None:
    document, units = page(ARTICLE)
    scores = tagger.score(document, units).units
    stated = [unit.place is None for unit in units]
    assert any(stated)
    assert not scores[stated].any()
    assert (scores[np.logical_not(stated)].sum(axis=1) > 0).all()


@needs_model
def test_a_page_shows_a_field_as_far_as_its_best_unit_is_it(tagger: MarkupLmTagger) -> None:
    document, units = page(ARTICLE)
    scores = tagger.score(document, units)
    assert scores.shown.tolist() == scores.units.max(axis=0).tolist()
    assert scores.kinds[KINDS.index("article")] == scores.shown[FIELDS.index("text")]
    assert scores.kinds[KINDS.index("list")] == 0


@needs_model
def test_a_part_is_scored_by_its_own_tokens(tagger: MarkupLmTagger) -> None:
    document, units = page(ARTICLE)
    rows = dict(zip([unit.text for unit in units], tagger.score(document, units).units.tolist(), strict=True))
    assert rows["Ann Lee"] != rows["By Ann Lee, 6 May 2024"]
    assert rows["Ann Lee"] != rows["6 May 2024"]


@needs_model
def test_scores_are_the_same_at_every_call(tagger: MarkupLmTagger) -> None:
    document, units = page(ARTICLE)
    assert tagger.score(document, units).units.tolist() == tagger.score(document, units).units.tolist()


# Windows.


@needs_model
def test_every_run_of_a_long_page_is_scored(tagger: MarkupLmTagger, encoder: PageEncoder) -> None:
    document, units = page(long_page())
    assert len(encoder.windows(encoder.encode(units))) > 5
    scores = tagger.score(document, units).units
    assert (scores.sum(axis=1) > 0).all()


@needs_model
def test_windows_cover_the_page_and_share_a_third(encoder: PageEncoder) -> None:
    tokens = encoder.encode(page(long_page())[1])
    windows = encoder.windows(tokens)
    assert (windows[0].start, windows[-1].stop) == (0, len(tokens.ids))
    assert {stop - start for start, stop in windows[:-1]} == {510}
    assert {one.stop - other.start for one, other in pairwise(windows)} == {170}


@needs_model
def test_where_windows_overlap_a_token_has_the_mean_of_both(tagger: MarkupLmTagger, encoder: PageEncoder) -> None:
    tokens = encoder.encode(page(long_page())[1])
    first, second = encoder.windows(tokens)[:2]
    alone = [tagger._probabilities(encoder.inputs([(tokens, window)]))[0, 1:-1] for window in (first, second)]
    token = second.start + 50
    expected = (alone[0][token] + alone[1][50]) / 2
    assert tagger._token_scores(tokens)[token] == pytest.approx(expected[1:], abs=1e-5)
    assert alone[0][token] != pytest.approx(alone[1][50], abs=1e-4)


@needs_model
def test_padding_changes_nothing(tagger: MarkupLmTagger, encoder: PageEncoder) -> None:
    tokens, longer = encoder.encode(page(ARTICLE)[1]), encoder.encode(page(long_page())[1])
    (window,) = encoder.windows(tokens)
    alone = tagger._probabilities(encoder.inputs([(tokens, window)]))[0]
    padded = tagger._probabilities(encoder.inputs([(tokens, window), (longer, encoder.windows(longer)[0])]))[0]
    assert padded[: len(alone)] == pytest.approx(alone, abs=1e-5)


@needs_model
def test_a_model_with_fewer_positions_has_smaller_windows(tmp_path: Path) -> None:
    folder = write_checkpoint(tmp_path, positions=66)
    document, units = page(long_page(20))
    encoder = make_encoder(folder)
    assert max(stop - start for start, stop in encoder.windows(encoder.encode(units))) == 62
    assert (MarkupLmTagger(folder).score(document, units).units.sum(axis=1) > 0).all()


@needs_model
def test_a_page_beyond_all_measure_is_read_as_far_as_is_bearable(encoder: PageEncoder) -> None:
    _, units = page("<p>" + "word " * 20_000 + "</p>" + long_page(2_000))
    tokens = encoder.encode(units)
    runs = [number for number, unit in enumerate(units) if unit.kind is UnitKind.RUN]
    lengths = np.diff(tokens.spans[runs]).ravel()
    assert lengths[0] <= 4_000
    assert lengths[1] > 0
    assert lengths[-1] == 0
    assert 32_000 < len(tokens.ids) <= 32_768


# Tokens.


@needs_model
def test_tokens_and_paths_are_those_of_the_library(checkpoint: Path, encoder: PageEncoder) -> None:
    import transformers  # noqa: PLC0415

    tokenizer = transformers.MarkupLMTokenizerFast.from_pretrained(checkpoint)
    tokens = encoder.encode(page("<h1>Bees</h1><ul><li>This hive<li>蜂 is</ul><p>Last <i>Ann</i>")[1])
    own = encoder.inputs([(tokens, window) for window in encoder.windows(tokens)])
    nodes = ["Bees", "This hive", "蜂 is", "Last ", "Ann"]
    paths = ["/html/body/h1", "/html/body/ul/li[1]", "/html/body/ul/li[2]", "/html/body/p", "/html/body/p/i"]
    expected = tokenizer(nodes, xpaths=paths, return_tensors="np")
    for name, rows in own.items():
        assert rows.tolist() == expected[name].tolist(), name


@needs_model
def test_spans_are_the_tokens_of_the_units(checkpoint: Path, encoder: PageEncoder) -> None:
    import transformers  # noqa: PLC0415

    tokenizer = transformers.MarkupLMTokenizerFast.from_pretrained(checkpoint)
    _, units = page(ARTICLE + "<p>Ann Lee, Ann Lee")
    tokens = encoder.encode(units)
    for unit, (start, stop) in zip(units, tokens.spans, strict=True):
        text = tokenizer.decode(tokens.ids[start:stop], clean_up_tokenization_spaces=False)
        assert text.strip() == (unit.text if unit.place is not None else "")
    twins = [tuple(span) for unit, span in zip(units, tokens.spans, strict=True) if unit.text == "Ann Lee"]
    assert len(twins) == len(set(twins)) == 3


@needs_model
def test_a_part_that_is_not_read_has_the_score_of_its_run(tagger: MarkupLmTagger, encoder: PageEncoder) -> None:
    document, units = page("<p>" + "<a>word</a> " * 1_000 + "<a>late</a></p>")
    late = Unit("late", UnitKind.PART, 0, units[1].element, units[1].place, units[1].chain)
    scores = tagger.score(document, [*units, late]).units
    assert scores[-1].tolist() == scores[0].tolist()
    assert len(set(encoder.encode([units[0], late]).paths)) == 1


# The checkpoint.


@needs_model
def test_columns_follow_the_labels_of_the_configuration(checkpoint: Path, tmp_path: Path) -> None:
    """The same weights under other names: the scores move to the columns of those names."""
    copy_with_labels(checkpoint, tmp_path, ["O", *reversed(FIELDS)])
    document, units = page(ARTICLE)
    first, second = (MarkupLmTagger(folder).score(document, units).units for folder in (checkpoint, tmp_path))
    assert second == pytest.approx(first[:, ::-1], abs=1e-6)


@needs_model
def test_a_field_that_the_model_does_not_know_scores_0(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, ["O", "B-title", "I-title", "authors"])
    document, units = page(ARTICLE)
    scores = MarkupLmTagger(tmp_path).score(document, units)
    known = [FIELDS.index("title"), FIELDS.index("authors")]
    assert np.flatnonzero(scores.shown).tolist() == known
    assert scores.kinds.tolist() == [0.0, 0.0, 1.0]


def copy_with_labels(source: Path, target: Path, labels: Sequence[str]) -> None:
    for file in source.iterdir():
        (target / file.name).write_bytes(file.read_bytes())
    config = json.loads((source / "config.json").read_text("utf-8"))
    config["id2label"] = {str(number): label for number, label in enumerate(labels)}
    config["label2id"] = {label: number for number, label in enumerate(labels)}
    (target / "config.json").write_text(json.dumps(config), "utf-8")


@pytest.mark.parametrize(
    ("config", "complaint"),
    [
        (None, "is no checkpoint: config.json cannot be read"),
        ("{", "is no checkpoint: config.json is not JSON"),
        ("[]", "is no MarkupLM checkpoint: its model_type is None"),
        ('{"model_type": "bert"}', "is no MarkupLM checkpoint: its model_type is bert"),
        ('{"model_type": "markuplm"}', "has no label that is a field"),
        ('{"model_type": "markuplm", "id2label": {"0": "none"}}', "has no label that is a field"),
        ('{"model_type": "markuplm", "id2label": {"0": "O", "7": "title"}}', "does not number its labels from 0"),
        ('{"model_type": "markuplm", "id2label": ["O", "title"]}', "does not number its labels from 0"),
        (
            '{"model_type": "markuplm", "id2label": {"0": "none", "1": "title", "2": "price", "3": "LABEL_3"}}',
            "labels that are no fields: price, LABEL_3 .known: title",
        ),
    ],
)
def test_a_folder_that_is_no_model_is_refused(tmp_path: Path, config: str | None, complaint: str) -> None:
    if config is not None:
        (tmp_path / "config.json").write_text(config, "utf-8")
    with pytest.raises(ModelError, match=complaint):
        MarkupLmTagger(tmp_path)


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="nowhere is no checkpoint"):
        MarkupLmTagger(str(tmp_path / "nowhere"))


@needs_model
@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer_config.json"])
def test_a_folder_with_a_file_missing_is_refused(checkpoint: Path, tmp_path: Path, name: str) -> None:
    copy_with_labels(checkpoint, tmp_path, LABELS)
    (tmp_path / name).unlink()
    with pytest.raises(ModelError, match="is no whole checkpoint"):
        MarkupLmTagger(tmp_path)


@needs_model
def test_a_model_without_a_classifier_is_refused(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, head=False)
    with pytest.raises(ModelError, match=r"is not fine-tuned: it has no weights for classifier\.bias"):
        MarkupLmTagger(tmp_path)


@pytest.mark.parametrize("library", ["torch", "transformers"])
def test_a_missing_library_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "markuplm", "id2label": {"0": "title"}}', "utf-8")
    if library == "transformers" and find_spec("torch") is None:
        pytest.skip(needs.NO_TRAINING)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtra, match=library + r' is not installed: pip install "sitewright\[markuplm\]"'):
        MarkupLmTagger(tmp_path)


def test_import_takes_no_heavy_library() -> None:
    script = "import sys, sitewright.tag.markuplm; print([n for n in ('torch', 'transformers') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


# Training.


@pytest.fixture
def training(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT))
    return importlib.import_module("training.markuplm")


def labelled(name: str, **more: object) -> dict[str, object]:
    story = f"{name} live on the roof of the house, in hives of wood.\nNobody minds them there, not even the cat."
    body = "".join(f"<p>{line}</p>" for line in story.split("\n"))
    html = f"<body><ul><li>Home<li>Sport</ul><h1>{name} of the old town</h1><p>By <a>Ann Lee</a></p>{body}</body>"
    labels = {"title": f"{name} of the old town", "authors": ["Ann Lee"], "text": story}
    return {"url": f"https://www.example.com/{name}", "html": html, "labels": labels, "fold": 1} | more


@needs_model
def test_fine_tuning_lowers_the_loss_and_writes_what_the_tagger_loads(training: Any, tmp_path: Path) -> None:
    base = write_checkpoint(tmp_path / "base", ["LABEL_0", "LABEL_1"], head=False)
    said: list[str] = []
    options = training.Options(epochs=8, batch=1, rate=3e-3)
    losses = training.fine_tune(
        base, iter([labelled("Bees"), labelled("Wasps")]), tmp_path / "out", options, said.append
    )
    assert len(losses) == 8
    assert losses[-1] < 0.7 * losses[0]
    assert said[0].startswith("2 pages, ")
    assert said[-1].startswith("epoch 8/8  step 2/2  loss ")
    document, units = page(str(labelled("Ants")["html"]))
    scores = MarkupLmTagger(tmp_path / "out").score(document, units)
    texts = [unit.text for unit in units]
    story = scores.units[texts.index("Nobody minds them there, not even the cat.")]
    assert FIELDS[story.argmax()] == "text"


@needs_model
def test_the_command_line_trains_on_the_folds_it_is_given(
    training: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = write_checkpoint(tmp_path / "base", ["LABEL_0", "LABEL_1"], head=False)
    rows = [
        labelled("Bees"),
        labelled("Wasps", fold=0),
        labelled("Ants", labels={}),
        labelled("Flies"),
        labelled("Moths"),
    ]
    pages = tmp_path / "pages.jsonl"
    pages.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    out = tmp_path / "out"
    settings = "--folds 1 2 --epochs 2 --batch 2 --seed 3 --limit 2".split()
    training.main(["--base", str(base), "--pages", str(pages), "--out", str(out), *settings])
    assert "2 pages, " in capsys.readouterr().err
    assert MarkupLmTagger(out).score(*page(ARTICLE)).units.any()


@needs_model
def test_a_token_may_have_the_labels_of_the_units_around_it(training: Any, encoder: PageEncoder) -> None:
    _, units = page("<p>By <a>Ann Lee</a></p><p>Home</p>")
    tokens = encoder.encode(units)
    targets = np.zeros((len(units), len(FIELDS)), dtype=np.float32)
    targets[:, FIELDS.index("subtitle")] = -1
    texts = [unit.text for unit in units]
    targets[texts.index("By Ann Lee"), FIELDS.index("published")] = 0.8
    targets[texts.index("Ann Lee"), FIELDS.index("authors")] = 0.8
    targets[texts.index("By"), FIELDS.index("tags")] = 0.4
    allowed = training.allowed_labels(tokens, targets)
    by, name, home = (tokens.spans[texts.index(text)][0] for text in ("By", "Ann Lee", "Home"))
    assert [{LABELS[label] for label in np.flatnonzero(allowed[token])} for token in (by, name, home)] == [
        {"published"},
        {"authors"},
        {"none", "subtitle"},
    ]
