"""How much of a tagger's quality is one corpus' idea of the fields: the tagger beside one that never saw the corpus.

    python -m bench.conventions --corpus fundus --left-out build/tagger/full-nofundus.onnx

Both read the validation pages of the corpus. The other tagger is trained with `--without CORPUS` (`training.make`); the
judge is the shipped one for both.
"""

import argparse
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.labelled import Row, cut_rows, load_eval, news_rows
from bench.markdown import markdown
from bench.reading import page_url
from sitewright.errors import SitewrightError
from sitewright.parse import parse
from sitewright.tag import PageReader
from sitewright.tag.network import NetworkTagger
from sitewright.types import Page

FIELDS = ("title", "subtitle", "published", "text", "authors", "categories", "tags")


def main() -> None:
    """Read the pages with both and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--left-out", type=Path, required=True, help="a tagger that was trained without the corpus")
    parser.add_argument("--tagger", type=Path, help="the tagger to compare with; the shipped one if not given")
    parser.add_argument("--folds", type=int, nargs="+", default=[0])
    args = parser.parse_args()
    rows = [row for row in cut_rows(news_rows(args.folds)) if row["source"] == args.corpus]
    print(f"{len(rows)} pages of {args.corpus}")
    taggers = {"with it": NetworkTagger(args.tagger), "without it": NetworkTagger(args.left_out)}
    found = {name: scores(rows, PageReader(tagger=tagger)) for name, tagger in taggers.items()}
    shown = [field for field in FIELDS if field in found["with it"]]
    body = [[name, *(values[field] for field in shown)] for name, values in found.items()]
    print(markdown(["trained", *shown], body))


def scores(rows: list[Row], reader: PageReader) -> dict[str, float]:
    """Return the F1 of the fields over some pages."""
    now = datetime.now(UTC)
    result = load_eval("score").score_news(rows, [_record(row, number, reader, now) for number, row in enumerate(rows)])
    return {field: values["f1"] for field, values in result.items()}


def _record(row: Row, number: int, reader: PageReader, now: datetime) -> dict[str, Any]:
    try:
        record = reader.extract(parse(Page(url=page_url(row, number), body=row["html"])), now)
    except SitewrightError:
        return {}
    values = {name: value.value for name, value in record.fields.items()}
    return {name: value.isoformat() if hasattr(value, "isoformat") else value for name, value in values.items()}


if __name__ == "__main__":
    main()
