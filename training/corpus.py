"""The corpora in, labelled pages out: what kind of page each is, and labels that its own metadata gives for free."""

import json
import lzma
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sitewright.parse import Document
from training.columns import NEWS

KIND_ARTICLE, KIND_LIST, KIND_OTHER, KIND_NOT_ARTICLE, KIND_UNKNOWN = 0, 1, 2, 3, -1
_LISTS = frozenset({"collection", "listing", "/", "/category/", "/tag/", "/tags/", "/topics/", "/homepage/"})
_OTHERS = frozenset({"service", "product", "documentation", "forum"})
SOURCES = (
    "unknown", "distant", "metahtml", "waddle_daniel", "dragnet", "wcxb_article", "wcxb_other", "trafilatura_eval",
    "htmldate", "l3s_gn1", "scrapping_webs", "ir_chaos", "ir_big9", "fundus", "misinformation_crawler", "magic_html",
    "postlight", "readability", "newspaper", "zh_content_extraction", "seniorresearch", "cleanportaleval", "other",
    "hand",
)  # fmt: skip
"""Whose idea of the fields a label follows; the network is told in training, and told "hand" when it is used."""
HAND = "hand"
"""Labelled by reading, after docs/fields.md: what is not labelled is not on the page."""

RICH = frozenset(
    "fundus scrapping_webs wcxb_article misinformation_crawler postlight trafilatura_eval zh_content_extraction "
    "seniorresearch hand".split()
)
"""The corpora whose labels are of many fields."""


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A page of a corpus."""

    url: str
    html: str
    fold: int
    source: str
    kind: int
    labels: Mapping[str, object]
    absent: frozenset[str] = frozenset()
    """The fields that somebody looked for and did not find on the page."""
    stated: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """What metadata state of a field, displayed or not, folded."""


def read_corpus(folder: Path, folds: frozenset[int]) -> Iterator[LabelledPage]:
    """Yield the pages of some folds: those labelled by hand, other news pages, then front pages (which are lists)."""
    for row in corpus_rows(folder):
        if row.get("fold") in folds:
            yield page_of(row)


def corpus_rows(folder: Path) -> Iterator[dict[str, object]]:
    """Yield the rows of all corpora, each with its pool; what was labelled by hand is not there once more.

    In the place of the folder of the corpora may stand what `training.pack` made of it.
    """
    if folder.is_file():
        yield from _rows(folder)
        return
    known: set[tuple[object, object]] = set()
    for name in ("hand", "hand_sites"):
        for row in _rows(folder / f"{name}.jsonl.xz"):
            if row.get("label_kind") == "hand":
                known.add((row["site"], row.get("url")))
                yield {**row, "pool": "hand"}
    for row in _rows(folder / "news.jsonl.xz"):
        if not row.get("url") or (row["site"], row["url"]) not in known:
            yield {**row, "pool": "news"}
    fronts = [*sorted((folder / "frontpages").glob("*.jsonl.xz")), folder / "hand_links.jsonl.xz"]
    for row in (row for path in fronts for row in _rows(path)):
        yield {**row, "pool": "front", "labels": {}}


def page_of(row: Mapping[str, object]) -> LabelledPage:
    """Read a row of any pool."""
    return _POOLS[str(row["pool"])](row)


def front_page(row: Mapping[str, object]) -> LabelledPage:
    """Read a row of the front pages."""
    return LabelledPage(str(row["url"]), str(row["html"]), int(str(row["fold"])), "frontpages", KIND_LIST, {})


def hand_page(row: Mapping[str, object]) -> LabelledPage:
    """Read a row of the pages that were labelled by hand; an empty label says that the field is not there."""
    given, stated = row["labels"], row.get("stated")
    assert isinstance(given, dict)  # noqa: S101 -- what the corpora promise
    labels = {name: label for name, label in given.items() if label}
    absent = frozenset(name for name, label in given.items() if not label)
    said = {name: folded(values) for name, values in stated.items()} if isinstance(stated, dict) else {}
    url = str(row.get("url") or f"https://{row['site']}/")
    kind = _HAND_KINDS.get(str(row["page_type"]), KIND_OTHER)
    return LabelledPage(url, str(row["html"]), int(str(row["fold"])), HAND, kind, labels, absent, said)


_HAND_KINDS = {"article": KIND_ARTICLE, "media": KIND_ARTICLE, "list": KIND_LIST}


def folded(values: object) -> frozenset[str]:
    """Return texts as they are compared."""
    given = [values] if isinstance(values, str) else values if isinstance(values, list) else []
    return frozenset(filter(None, (" ".join(str(value).split()).casefold() for value in given)))


def news_page(row: Mapping[str, object]) -> LabelledPage:
    """Read a row of the news corpus."""
    labels = dict(row["labels"]) if isinstance(row["labels"], dict) else {}
    found = row.get("found")
    if isinstance(found, int | float) and found < 0.7:
        labels.pop("text", None)
    url = str(row.get("url") or f"https://{row['site']}/")
    return LabelledPage(
        url, str(row["html"]), int(str(row["fold"])), str(row["source"]), _kind(str(row["page_type"])), labels
    )


_POOLS = {"hand": hand_page, "news": news_page, "front": front_page}


def _rows(path: Path) -> Iterator[dict[str, object]]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _kind(page_type: str) -> int:
    if page_type == "article":
        return KIND_ARTICLE
    if page_type in _LISTS:
        return KIND_LIST
    return KIND_OTHER if page_type in _OTHERS else KIND_NOT_ARTICLE


def source_number(source: str) -> int:
    """Return the number of a corpus."""
    return SOURCES.index(source) if source in SOURCES else SOURCES.index("other")


def stated_labels(document: Document) -> dict[str, object]:
    """Return what JSON-LD and microdata state: labels for pages whose metadata is then hidden."""
    metadata = document.metadata
    found: dict[str, object] = {}
    for name in ("title", "subtitle", "published", "modified"):
        facts = [fact for fact in metadata.facts(NEWS.fields[name].sources, NEWS.types) if _is_structured(fact.source)]
        if facts and isinstance(facts[0].value, str):
            found[name] = facts[0].value
    for name in ("authors", "categories", "tags"):
        values = [
            str(fact.value)
            for fact in metadata.facts(NEWS.fields[name].sources, NEWS.types)
            if _is_structured(fact.source) and isinstance(fact.value, str)
        ]
        entries = [part.strip() for value in values for part in (value.split(",") if name == "tags" else [value])]
        if entries:
            found[name] = [entry for entry in entries if entry][:30]
    if str(found.get("modified"))[:10] == str(found.get("published"))[:10]:
        found.pop("modified", None)
    return found


def _is_structured(source: str) -> bool:
    return source.startswith(("jsonld:", "microdata:", "meta:article:"))
