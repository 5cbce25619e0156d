"""Pages of a site, the first with its values, in; what other libraries read by example out, where they are there."""

import importlib.util
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Row = dict[str, Any]
Values = Mapping[str, Sequence[str]]
Read = Callable[[Row], Values]


def by_autoscraper(rows: Sequence[Row]) -> Read:
    """Let autoscraper learn each field from the first page."""
    from autoscraper import AutoScraper

    scrapers = {}
    for name, values in rows[0]["labels"]["fields"].items():
        if values:
            scraper = AutoScraper()
            scraper.build(html=rows[0]["html"], wanted_list=list(values[:1]))
            scrapers[name] = scraper

    def read(row: Row) -> Values:
        return {name: scraper.get_result_exact(html=row["html"])[:1] for name, scraper in scrapers.items()}

    return read


def by_mlscraper(rows: Sequence[Row]) -> Read:
    """Let mlscraper learn all fields from the first page."""
    from mlscraper.html import Page
    from mlscraper.samples import Sample, TrainingSet
    from mlscraper.training import train_scraper

    scrapers = {}
    for name, values in rows[0]["labels"]["fields"].items():
        if values:
            known = TrainingSet()
            known.add_sample(Sample(Page(rows[0]["html"].encode()), {name: values[0].strip()}))
            try:
                scrapers[name] = train_scraper(known)
            except Exception as error:  # noqa: BLE001 -- whatever another library raises is its answer
                print(f"    mlscraper {name}: {type(error).__name__}")

    def read(row: Row) -> Values:
        page = Page(row["html"].encode())
        found = {}
        for name, scraper in scrapers.items():
            try:
                found[name] = [str(scraper.get(page)[name])]
            except Exception:  # noqa: BLE001 -- no value
                found[name] = []
        return found

    return read


_KNOWN = {"autoscraper": by_autoscraper, "mlscraper": by_mlscraper}
PEERS = {name: learn for name, learn in _KNOWN.items() if importlib.util.find_spec(name) is not None}
