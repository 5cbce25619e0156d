"""The corpora in, one small file out: pages without what the tagger cannot see, for a machine that takes few megabytes.

    python -m training.pack --data ../shared/data --out corpus.jsonl.xz

`training.make` and `training.judge` take the file in the place of the folder. Fold 0 is left out.
"""

import argparse
import json
import lzma
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from training.corpus import corpus_rows

MOST_FRONTS = 12
"""So many front pages of a site are enough."""
_KEPT_ROW = ("pool", "fold", "source", "site", "url", "page_type", "labels", "stated", "found")
_KEPT = frozenset(
    "class id itemprop itemtype itemscope rel property data-testid data-component href style hidden role datetime name "
    "content type lang charset http-equiv".split()
)
_ONLY_OF = {
    "href": frozenset({"a"}),
    **dict.fromkeys(("name", "content", "type", "http-equiv", "charset"), frozenset({"meta", "script"})),
}
_TAG = re.compile(r"<([a-zA-Z][a-zA-Z0-9-]*)(\s(?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>")
_ATTRIBUTE = re.compile(r"""\s*([^\s=>"'/]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?""")
_HIDING = re.compile(r"display:\s*none|visibility:\s*hidden", re.IGNORECASE)
_UNSEEN = (
    re.compile(r"<!--(?!\[if).*?-->", re.DOTALL),
    re.compile(
        r"<(svg|style|iframe|object|canvas|select|textarea|template)\b[^>]*>.*?</\1\s*>", re.IGNORECASE | re.DOTALL
    ),
    re.compile(r"<script(?![^>]*ld\+json)[^>]*>.*?</script\s*>", re.IGNORECASE | re.DOTALL),
    re.compile(r"<(?:link|img|source|input|path)\b(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>", re.IGNORECASE),
)
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": 512 << 20}]
"""Pages of a site are alike: a large dictionary halves the file."""


def stripped(html: str) -> str:
    """Return a page with what units and their features are made of.

    >>> stripped("<p class=lead style='color: red' onclick=x>Bees <img src=b.png></p>")
    '<p class=lead>Bees </p>'
    """
    for pattern in _UNSEEN:
        html = pattern.sub("", html)
    html = _TAG.sub(_stripped_tag, html)
    return re.sub(r"[ \t\r]*\n\s*", "\n", re.sub(r"[ \t]{2,}", " ", html))


def _stripped_tag(found: re.Match[str]) -> str:
    tag = found[1].lower()
    kept = [_written(name, value) for name, value in _ATTRIBUTE.findall(found[2]) if _is_kept(tag, name.lower(), value)]
    end = "/" if found[2].rstrip().endswith("/") else ""
    return f"<{' '.join([found[1], *kept])}{end}>"


def _is_kept(tag: str, name: str, value: str) -> bool:
    if name not in _KEPT or tag not in _ONLY_OF.get(name, {tag}):
        return False
    return name != "style" or _HIDING.search(value) is not None


def _written(name: str, value: str) -> str:
    return f"{name}={value}" if value else name


def packed_rows(folder: Path) -> Iterator[Mapping[str, object]]:
    """Yield the rows of folds 1 to 4, stripped."""
    fronts: Counter[object] = Counter()
    for row in corpus_rows(folder):
        fronts[row["site"]] += row["pool"] == "front"
        if row.get("fold") and fronts[row["site"]] <= MOST_FRONTS:
            yield {**{name: row.get(name) for name in _KEPT_ROW}, "html": stripped(str(row["html"]))}


def main() -> None:
    """Pack the corpora, those of a site together."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--out", type=Path, default=Path("build/corpus.jsonl.xz"))
    args = parser.parse_args()
    args.out.parent.mkdir(parents=True, exist_ok=True)
    rows = sorted(packed_rows(args.data), key=lambda row: (str(row["site"]), str(row["pool"])))
    with lzma.open(args.out, "wt", encoding="utf-8", filters=_FILTERS) as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    print(f"{len(rows)} pages, {args.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
