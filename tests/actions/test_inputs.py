"""Files and addresses as a person names them, and the pages that are there."""

from pathlib import Path

import pytest

from sitewright.actions.inputs import Inputs, address_of
from sitewright.errors import ConnectionFailed, InputError
from sitewright.fetch import FailedPlace, MemoryWeb, PageFetcher

BEES = b"<title>Bees</title>"


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("https://example.com/a", "https://example.com/a"),
        ("HTTP://example.com", "HTTP://example.com"),
        ("example.com", "https://example.com"),
        ("news.example.co.uk/a?b=c#d", "https://news.example.co.uk/a?b=c#d"),
        ("example.com:8080/a", "https://example.com:8080/a"),
        ("localhost:8000", "http://localhost:8000"),
        ("127.0.0.1", "http://127.0.0.1"),
        ("pages.jsonl", ""),
        ("pages.warc.gz", ""),
        ("folder/page.html", ""),
        ("folder", ""),
        ("-", ""),
        ("", ""),
    ],
)
def test_an_address_is_told_from_a_file(written: str, address: str) -> None:
    assert address_of(written) == address


def test_a_file_that_is_there_is_no_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert address_of("notes.md") == "https://notes.md"
    Path("notes.md").touch()
    assert address_of("notes.md") == ""


def test_pages_come_in_the_order_in_which_they_are_named(tmp_path: Path) -> None:
    file = tmp_path / "a.html"
    file.write_bytes(BEES)
    web = MemoryWeb({f"https://a.example.com/{n}": BEES + str(n).encode() for n in range(40)})
    web.pages["https://a.example.com/7"] = ConnectionFailed("nobody answers")
    addresses = [f"a.example.com/{n}" for n in range(40)]
    with PageFetcher(web) as fetcher:
        inputs = Inputs([*addresses[:20], str(file), *addresses[20:]], fetcher)
        assert not web.asked
        places = list(inputs.places())
    names = [f"https://{address}" for address in addresses]
    assert [place.name for place in places] == [*names[:20], str(file), *names[20:]]
    assert isinstance(places[7], FailedPlace)
    assert [place.load().body for place in (places[0], places[40])] == [BEES + b"0", BEES + b"39"]
    assert inputs.progress() == 1.0


def test_what_is_neither_file_nor_address_is_told_before_anything_is_fetched() -> None:
    web = MemoryWeb({"https://example.com": BEES})
    with PageFetcher(web) as fetcher, pytest.raises(InputError, match=r"there is no file pages\.jsonl"):
        Inputs(["example.com", "pages.jsonl"], fetcher)
    assert not web.asked


def test_without_a_fetcher_an_address_is_refused() -> None:
    with pytest.raises(InputError, match="there is no file"):
        Inputs(["https://example.com/"])


@pytest.mark.parametrize("content", ["", "\n \n"])
def test_an_input_without_a_page_is_an_error(tmp_path: Path, content: str) -> None:
    file = tmp_path / "pages.jsonl"
    file.write_text(content)
    inputs = Inputs([str(file)])
    with pytest.raises(InputError, match=r"there is no page in .*pages\.jsonl"):
        list(inputs.places())
