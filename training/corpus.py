"""The corpora in, labelled pages out: what kind of page each is, and labels that its own metadata gives for free."""

import json
import lzma
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
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
)  # fmt: skip
"""Whose idea of the fields a label follows; the network is told in training, and told "unknown" when it is used."""

RICH = frozenset(
    "fundus scrapping_webs wcxb_article misinformation_crawler postlight trafilatura_eval zh_content_extraction "
    "seniorresearch".split()
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


def read_corpus(folder: Path, folds: frozenset[int]) -> Iterator[LabelledPage]:
    """Yield the pages of some folds: news pages, then front pages (which are lists)."""
    for row in _rows(folder / "news.jsonl.xz"):
        if row["fold"] in folds:
            yield news_page(row)
    for path in sorted((folder / "frontpages").glob("*.jsonl.xz")):
        for row in _rows(path):
            if row.get("fold") in folds:
                yield LabelledPage(
                    str(row["url"]), str(row["html"]), int(str(row["fold"])), "frontpages", KIND_LIST, {}
                )


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
    for field in ("title", "subtitle", "published", "modified"):
        facts = [fact for fact in metadata.facts(NEWS.fields[field].sources, NEWS.types) if _is_structured(fact.source)]
        if facts and isinstance(facts[0].value, str):
            found[field] = facts[0].value
    for field in ("authors", "categories", "tags"):
        values = [
            str(fact.value)
            for fact in metadata.facts(NEWS.fields[field].sources, NEWS.types)
            if _is_structured(fact.source) and isinstance(fact.value, str)
        ]
        entries = [part.strip() for value in values for part in (value.split(",") if field == "tags" else [value])]
        if entries:
            found[field] = [entry for entry in entries if entry][:30]
    if str(found.get("modified"))[:10] == str(found.get("published"))[:10]:
        found.pop("modified", None)
    return found


def _is_structured(source: str) -> bool:
    return source.startswith(("jsonld:", "microdata:", "meta:article:"))
