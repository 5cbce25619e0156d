"""A file of the archive in, what lies in it out, part by part, each read to its last byte."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sitewright.store.entries import PageLocation
from sitewright.store.members import Span, mended, spans, unpack
from sitewright.store.warc_record import page_of, stated_digest
from sitewright.types import Page


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a file: a page, what the file says of itself, or something damaged."""

    location: PageLocation
    page: Page | None = None
    fault: str = ""
    """Why it is not whole; empty: it is."""


def parts_of(path: Path) -> Iterator[Part]:
    """Read a file from its start to its end; damage is told, and what lies behind it read all the same."""
    with _opened(path, os.O_RDONLY) as descriptor:
        for span in spans(descriptor):
            yield _part(path.name, span, os.pread(descriptor, span.length, span.offset))


def mend_page(path: Path, location: PageLocation) -> bool:
    """Write a page anew of which only what stands around it was damaged; False where more is."""
    with _opened(path, os.O_RDWR) as descriptor:
        whole = mended(os.pread(descriptor, location.length, location.offset))
        if whole is None or len(whole) != location.length or _fault(whole, location.digest):
            return False
        os.pwrite(descriptor, whole, location.offset)
        os.fsync(descriptor)
        return True


def _part(file: str, span: Span, content: bytes) -> Part:
    place = PageLocation(file, span.offset, span.length, "")
    if not span.is_member:
        return Part(place, fault="no page begins here")
    try:
        record = unpack(content)
        digest = stated_digest(record)
        page = page_of(record, digest) if digest else None
    except (ValueError, KeyError) as error:
        return Part(place, fault=str(error))
    return Part(PageLocation(file, span.offset, span.length, digest), page)


def _fault(member: bytes, digest: str) -> str:
    try:
        page_of(unpack(member), digest)
    except (ValueError, KeyError) as error:
        return str(error)
    return ""


@contextmanager
def _opened(path: Path, flags: int) -> Iterator[int]:
    descriptor = os.open(path, flags)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
