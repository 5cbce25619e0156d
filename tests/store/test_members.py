"""Members of an archive file are found, whatever happened to the file between them."""

import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sitewright.errors import StoreError
from sitewright.store.members import gaps_and_end, mended, pack, spans, unpack
from sitewright.store.parts import mend_page
from sitewright.store.warc import WarcStore
from sitewright.types import Page

CONTENTS = [random.Random(number).randbytes(200 + 50 * number) + bytes(3000) for number in range(12)]
MEMBERS = [pack(content) for content in CONTENTS]
STARTS = [sum(map(len, MEMBERS[:number])) for number in range(len(MEMBERS))]
FILE = b"".join(MEMBERS)


@contextmanager
def opened(path: Path, content: bytes) -> Iterator[int]:
    path.write_bytes(content)
    descriptor = os.open(path, os.O_RDONLY)
    yield descriptor
    os.close(descriptor)


def read(descriptor: int) -> list[bytes]:
    """Return what is in the members that can be unpacked."""
    found = []
    for span in spans(descriptor):
        try:
            found.append(unpack(os.pread(descriptor, span.length, span.offset)))
        except ValueError:
            continue
    return found


def whole_bytes(descriptor: int) -> int:
    """Return where a file goes on, though some of it may be damaged."""
    return gaps_and_end(descriptor)[1]


def test_members_follow_one_another(tmp_path: Path) -> None:
    with opened(tmp_path / "file", FILE) as descriptor:
        assert [span.offset for span in spans(descriptor)] == STARTS
        assert all(span.is_member for span in spans(descriptor))
        assert read(descriptor) == CONTENTS
        assert whole_bytes(descriptor) == len(FILE)


@pytest.mark.parametrize("seed", range(40))
def test_a_byte_that_is_damaged_costs_one_member_at_most(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    # Half of them hit the start of a member, where its length is stated.
    at = STARTS[chance.randrange(12)] + chance.randrange(28) if seed % 2 else chance.randrange(len(FILE))
    damaged = bytearray(FILE)
    damaged[at] ^= chance.randrange(1, 256)
    with opened(tmp_path / "file", bytes(damaged)) as descriptor:
        walked = list(spans(descriptor))
        assert [span.offset for span in walked] == [0, *(span.end for span in walked[:-1])]
        assert walked[-1].end == len(FILE)
        hit = max(number for number, start in enumerate(STARTS) if start <= at)
        assert set(CONTENTS) - {CONTENTS[hit]} <= set(read(descriptor))
        assert whole_bytes(descriptor) == len(FILE)


@pytest.mark.parametrize("cut", [1, 7, 27, 28, 29, 200, len(MEMBERS[-1]) - 1])
def test_what_is_torn_at_the_end_is_no_member(tmp_path: Path, cut: int) -> None:
    with opened(tmp_path / "file", FILE[: STARTS[-1] + cut]) as descriptor:
        assert whole_bytes(descriptor) == STARTS[-1]


def test_zeros_at_the_end_are_no_member(tmp_path: Path) -> None:
    with opened(tmp_path / "file", FILE + bytes(5000)) as descriptor:
        assert whole_bytes(descriptor) == len(FILE)


def test_garbage_between_members_hides_none(tmp_path: Path) -> None:
    garbage = random.Random(1).randbytes(3_000_000) + MEMBERS[0][:40]
    with opened(tmp_path / "file", FILE + garbage + FILE) as descriptor:
        assert read(descriptor) == CONTENTS * 2
        assert [span.length for span in spans(descriptor) if not span.is_member] == [len(garbage)]


@pytest.mark.parametrize("content", [b"", b"bees"])
def test_a_file_without_members(tmp_path: Path, content: bytes) -> None:
    with opened(tmp_path / "file", content) as descriptor:
        assert gaps_and_end(descriptor) == ([*spans(descriptor)], len(content))


@pytest.mark.parametrize("at", [*range(24), -8, -5, -1])
def test_a_damaged_start_or_end_is_mended(at: int) -> None:
    damaged = bytearray(MEMBERS[3])
    damaged[at] ^= 255
    assert mended(bytes(damaged)) == MEMBERS[3]


def test_damaged_content_is_not_mended() -> None:
    damaged = bytearray(MEMBERS[3])
    damaged[60] ^= 255
    fixed = mended(bytes(damaged))
    assert fixed is None or unpack(fixed) != CONTENTS[3]  # whose digest tells
    assert mended(b"") is None
    assert mended(MEMBERS[3][:-20]) is None


def test_a_damaged_page_of_an_unfinished_file_costs_no_other(tmp_path: Path) -> None:
    pages = [Page(url=f"https://example.com/{number}", body=f"<p>{number}".encode() * 500) for number in range(20)]
    with WarcStore(tmp_path) as store:
        places = store.append_all(pages)
        (file,) = store.files()
    content = bytearray(file.read_bytes())
    content[places[5].offset + 18] ^= 255  # in the length that the sixth states
    file.write_bytes(content)
    with WarcStore(tmp_path) as store:
        added = store.append(Page(url="https://example.com/new", body=b"<p>New"))
        assert file.stat().st_size > len(content)
        assert [store.read(place).url for place in places] == [page.url for page in pages]
        assert store.read(added).url == "https://example.com/new"


@pytest.mark.parametrize("known", [True, False], ids=["the database knows it", "nobody knows it"])
def test_the_last_page_is_cut_off_only_where_nobody_knows_it(tmp_path: Path, known: bool) -> None:
    """A member that says it is longer than the file is torn, unless it was once whole on the disk."""
    with WarcStore(tmp_path) as store:
        places = store.append_all([Page(url=f"https://example.com/{number}", body=b"<p>Bees") for number in range(3)])
        (file,) = store.files()
    content = bytearray(file.read_bytes())
    for place in (10, 18):  # the length of what stands before its content, and its own
        content[places[2].offset + place] ^= 255
    file.write_bytes(bytes(content) + pack(b"more")[:9])
    ends = {file.name: places[2].offset + places[2].length} if known else {}
    with WarcStore(tmp_path, ends=ends) as store:
        assert file.stat().st_size == (len(content) if known else places[2].offset)
        assert [gap.length for gap in store.gaps] == [places[2].length] * known
        new = store.append(Page(url="https://example.com/new", body=b"<p>New"))
        assert mend_page(file, places[2]) is known
        urls = [store.read(place).url for place in (*places[: 2 + known], new)]
        assert urls == [f"https://example.com/{name}" for name in ("0", "1", *(("2",) * known), "new")]


def test_a_page_that_is_not_there_is_not_copied(tmp_path: Path) -> None:
    with WarcStore(tmp_path / "pages") as store:
        places = [store.append(Page(url=f"https://example.com/{number}", body=b"<p>Bees")) for number in range(3)]
        (file,) = store.files()
        os.truncate(file, places[1].offset)
        with pytest.raises(StoreError, match="the member is torn"):
            store.copy(places, tmp_path / "copy.warc.gz")
