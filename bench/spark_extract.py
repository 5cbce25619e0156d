"""How much faster two workers of a Spark cluster are than one: `python -m bench.spark_extract PAGES.jsonl.xz 1500`.

A master and its workers, each with one core, are processes of this machine. The same pages are read by the tagger with
one worker and with two; the records must be the same. What starting Spark takes is told apart from reading.
"""

import lzma
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from tests.spark import cluster

from sitewright.actions.extract import ExtractOptions
from sitewright.actions.extract_on_spark import SparkExtraction

FILES = 24
"""Pieces: enough for two workers to end at about the same time."""


def main() -> None:
    """Print the time of each."""
    packed, count = sys.argv[1], int(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        sources = spread(packed, count, Path(folder, "pages"))
        SparkExtraction(sources[:1], ExtractOptions(output=f"{folder}/warm")).run()
        found = {}
        for workers in (1, 2):
            output = Path(folder, f"out-{workers}")
            with cluster(Path(folder, f"spark-{workers}"), workers) as master:
                extraction = SparkExtraction(sources, ExtractOptions(output=str(output)), master)
                began = time.monotonic()
                done = extraction.run()
                found[workers] = time.monotonic() - began, b"".join(map(Path.read_bytes, sorted(output.glob("part-*"))))
            print(f"{workers} worker(s): {done.pages:,} pages in {found[workers][0]:.1f} s", flush=True)
    (one, first), (two, second) = found[1], found[2]
    said = "the same" if first == second else "NOT the same"
    print(f"two workers are {one / two:.2f} times as fast as one; the records are {said}")


def spread(packed: str, count: int, folder: Path) -> list[str]:
    """Write pages of a packed file into several."""
    folder.mkdir()
    targets = [folder / f"{number:02}.jsonl" for number in range(FILES)]
    files = [target.open("wb") for target in targets]
    for number, line in enumerate(lines(packed, count)):
        files[number % FILES].write(line)
    for file in files:
        file.close()
    return list(map(str, targets))


def lines(packed: str, count: int) -> Iterator[bytes]:
    """Yield so many lines."""
    with lzma.open(packed) as file:
        yield from islice(file, count)


if __name__ == "__main__":
    main()
