import pytest
from bench.figures import Figure, missed, results, table
from bench.memory import Outcome, complaints, page_lines
from bench.processes import Memory, larger
from bench.samples import StoredPage

from sitewright.fetch.archive import page_from_line

FIGURES = [
    Figure(name="turbohtml", does="parse", milliseconds=0.25, megabytes=30.04),
    Figure(name="sitewright", does="extract", milliseconds=0.5, megabytes=40.0),
    Figure(name="trafilatura", does="extract", milliseconds=20.0, megabytes=90.0, failed=2),
    Figure(name="other", does="extract", note="not installed"),
]


def test_ratios_are_to_bare_parsing_and_to_trafilatura() -> None:
    found = results(FIGURES)
    assert found["sitewright_ms"] == 0.5
    assert found["sitewright_times_parse"] == 2.0
    assert found["sitewright_times_faster"] == 40.0
    assert found["trafilatura_times_parse"] == 80.0
    assert found["turbohtml_mb"] == 30.0


def test_what_was_not_measured_has_no_figure() -> None:
    assert not [name for name in results(FIGURES) if name.startswith("other")]
    alone = results([Figure(name="sitewright", does="extract", milliseconds=0.5)])
    assert alone == {"sitewright_ms": 0.5}
    [line] = [line for line in table(FIGURES).splitlines() if line.startswith("other")]
    assert line.split()[2:] == ["–", "–", "–", "–", "not", "installed"]


def test_the_table_tells_failures() -> None:
    [line] = [line for line in table(FIGURES).splitlines() if line.startswith("trafilatura")]
    assert line.split()[2:6] == ["20.000", "80.00", "1.0", "90.0"]
    assert line.endswith("failed on 2 pages")


@pytest.mark.parametrize(
    ("floors", "ceilings", "wrong"),
    [
        (["sitewright_times_faster=40"], ["sitewright_times_parse=2"], 0),
        (["sitewright_times_faster=40.1"], [], 1),
        ([], ["sitewright_times_parse=1.99", "sitewright_mb=10"], 2),
        (["other_ms=0"], ["other_ms=9"], 2),
    ],
)
def test_bounds(floors: list[str], ceilings: list[str], wrong: int) -> None:
    assert len(missed(results(FIGURES), floors, ceilings)) == wrong


def test_streamed_pages_are_pages_under_ever_other_urls() -> None:
    pages = (StoredPage("https://example.com/a", 'x "quoted"'), StoredPage("https://example.com/b", "é"))
    lines = [page_from_line(line, "test") for line in page_lines(pages, 5)]
    assert [page.body for page in lines] == ['x "quoted"', "é", 'x "quoted"', "é", 'x "quoted"']
    assert len({page.url for page in lines}) == 5


def outcome(**changes: object) -> Outcome:
    settings = {"mode": "file", "pages": 5, "megabytes": 1.0, "seconds": 1.0, "status": 0, "lines": 5}
    return Outcome(**{**settings, "peak": Memory(500.0, 300.0), "curve": {}, **changes})


@pytest.mark.parametrize(
    ("seen", "count"),
    [
        (outcome(), 0),
        (outcome(peak=Memory(500.0)), 1),
        (outcome(peak=Memory(500.0, 401.0)), 1),
        (outcome(lines=4, status=1), 2),
    ],
)
def test_complaints_of_a_memory_run(seen: Outcome, count: int) -> None:
    assert len(complaints(seen, 400.0)) == count


def test_the_larger_of_each_figure_is_kept() -> None:
    assert larger(Memory(1.0, 5.0), Memory(2.0, 4.0)) == Memory(2.0, 5.0)
    assert larger(Memory(1.0), Memory(2.0)) == Memory(2.0)
