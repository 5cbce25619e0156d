"""Records of a store are written with the structure that their pages give them; where a page is gone, without."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sitewright.errors import PageTimeout
from sitewright.output.export import encoder_of
from sitewright.processes.bodies import BodyJob, BodyTask, EncodeRow
from sitewright.processes.here import PoolHere
from sitewright.store.entries import PageLocation, StoredRecord
from sitewright.store.warc import WarcStore
from sitewright.types import Page, Record, Value

NOW = datetime(2024, 5, 6, tzinfo=UTC)
HTML = b'<meta property="og:site_name" content="The Lantern"><p>They hum all day.</p><h2>Hives</h2><p>Of wood.</p>'
JOB = BodyJob(encode=EncodeRow({"news": encoder_of("markdown", {})}))


@pytest.fixture
def location(tmp_path: Path) -> PageLocation:
    with WarcStore(tmp_path) as archive:
        return archive.append(Page(url="https://example.com/a", body=HTML, fetched_at=NOW))


def stored(location: PageLocation | None) -> StoredRecord:
    value = Value("They hum all day.\nOf wood.", 0.9, "")
    record = Record(site="example.com", urls=("https://example.com/a",), fields={"text": value})
    return StoredRecord(number=1, id="1", record=record, shown_at=NOW, stored_at=NOW, location=location)


def test_the_structure_is_that_of_the_page(tmp_path: Path, location: PageLocation) -> None:
    (encoded,) = PoolHere(JOB).run([BodyTask(stored(location), str(tmp_path))])
    assert encoded.content.endswith(b"\n\nThey hum all day.\n\n## Hives\n\nOf wood.\n")
    assert encoded.site_name == "The Lantern"
    assert JOB.weigh(BodyTask(stored(location), None)) > JOB.weigh(BodyTask(stored(None), None))


def test_without_a_page_the_text_is_plain(tmp_path: Path, location: PageLocation) -> None:
    gone = replace(location, file="none.warc.gz")
    tasks = [
        BodyTask(stored(None), str(tmp_path)),
        BodyTask(stored(gone), str(tmp_path)),
        BodyTask(stored(location), None),
    ]
    outcomes = [*PoolHere(JOB).run(tasks), JOB.fail(tasks[0], PageTimeout("took too long"))]
    assert [one.content.endswith(b"\n\nThey hum all day.\n\nOf wood.\n") for one in outcomes] == [True] * 4
