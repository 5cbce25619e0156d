"""What a process does that stores pages until it is killed, and says which ones are stored for certain."""

from datetime import UTC, datetime
from multiprocessing.connection import Connection

from sitewright.store.database import open_store
from sitewright.store.entries import Collected
from sitewright.store.warc import WarcStore
from sitewright.types import Page, Record, Value

READY = "ready"
BATCH = 3
ROLL_BYTES = 200_000


def collected_of(number: int) -> tuple[Record, Page]:
    """Return the page of a number, whose length depends on it, and its record."""
    address = f"https://example.com/story/{number}"
    words = " ".join(f"{number * step % 99_991:x}" for step in range(1, 1500 + number % 700))
    page = Page(url=address, body=f"<h1>{number}</h1>{words}".encode(), fetched_at=datetime(2024, 5, 6, tzinfo=UTC))
    title = Value(str(number), 0.9, "article/title#0")
    return Record(site="example.com", urls=(address,), fields={"title": title}, template="article"), page


def write(address: str, folder: str, first: int, listener: Connection) -> None:
    """Store pages, each twice: of every batch one page comes again in the next. Say the first and last of each."""
    with open_store(address) as store, WarcStore(folder, roll_bytes=ROLL_BYTES) as archive:
        listener.send(READY)
        number = first
        while True:
            made = [collected_of(one) for one in range(number, number + BATCH)]
            places = archive.append_all([page for _, page in made])
            store.commit_pages(
                [
                    Collected(record=record, page=page, location=place)
                    for (record, page), place in zip(made, places, strict=True)
                ]
            )
            listener.send((number, number + BATCH - 1))
            number += BATCH - 1
