"""The newspaper's map in its old design, and the map repaired for the new one; both are made once."""

import pytest
from tests.heal.post import NOW, PAGES, known_pages, old_design, values_of

from sitewright.extract import Extractor
from sitewright.heal.repair import heal
from sitewright.heal.repaired import RepairedMap
from sitewright.heal.rightness import rightness
from sitewright.induce import learn_map
from sitewright.tag import PageReader
from sitewright.types import ExtractionMap


@pytest.fixture(scope="session")
def reader() -> PageReader:
    return PageReader()


@pytest.fixture(scope="session")
def old_map(reader: PageReader) -> ExtractionMap:
    pages = [old_design(number) for number in range(PAGES)]
    learned = learn_map([(page, reader.read(page, NOW).tagged) for page in pages], now=NOW).extraction_map
    record = Extractor(learned).extract(pages[1], NOW)
    assert {name for name, value in values_of(1).items() if rightness(value, record.fields[name].value) == 1.0} == set(
        values_of(1)
    )
    return learned


@pytest.fixture(scope="session")
def repaired(old_map: ExtractionMap, reader: PageReader) -> RepairedMap:
    return heal(old_map, known_pages(), reader, NOW)
