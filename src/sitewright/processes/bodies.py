"""Records of a store in, each as an output takes it out: its text with the structure that its stored page gives it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from sitewright.body import Body
from sitewright.errors import PageError
from sitewright.output.export import Encode
from sitewright.output.rows import row_of
from sitewright.parse import parse
from sitewright.processes.places import StoredPlace
from sitewright.reading.body import read_body
from sitewright.store.entries import StoredRecord
from sitewright.types import Limits


class EncodeStored(Protocol):
    """Makes of a record what an output takes; it travels to workers, so it must pickle."""

    def __call__(self, stored: StoredRecord, body: Body | None = None, /) -> bytes:
        """Return the record as it will stand in the output."""


@dataclass(frozen=True, slots=True)
class EncodeRow:
    """Encodes records as rows, each by the encoder of its domain."""

    encoders: Mapping[str, Encode]
    explain: bool = False

    def __call__(self, stored: StoredRecord, body: Body | None = None, /) -> bytes:
        """Return the row."""
        return self.encoders[stored.record.domain](row_of(stored.record, explain=self.explain), body)


class BodyTask(NamedTuple):
    """A record, and the archive with its page (None: it is not kept)."""

    stored: StoredRecord
    folder: str | None


class Encoded(NamedTuple):
    """A record as an output takes it, and what its page calls the site."""

    content: bytes
    site_name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyJob:
    """Encodes records with the structure of their texts; where the page is gone or unreadable, texts are plain."""

    encode: EncodeStored
    limits: Limits = field(default_factory=Limits)

    def start(self) -> Callable[[BodyTask], Encoded]:
        """Return the function that encodes one record."""
        return self._encode

    def weigh(self, task: BodyTask) -> int:
        """Return the size of a page in the archive, where it has about a fifth of its own."""
        return 5 * task.stored.location.length if task.stored.location is not None else 0

    def fail(self, task: BodyTask, error: PageError) -> Encoded:  # noqa: ARG002 -- whatever it was, the record is there
        """Return a record whose page killed its worker or ran out of time."""
        return Encoded(self.encode(task.stored))

    def _encode(self, task: BodyTask) -> Encoded:
        body = self._body(task)
        return Encoded(self.encode(task.stored, body), body.site_name if body is not None else "")

    def _body(self, task: BodyTask) -> Body | None:
        stored = task.stored
        if stored.location is None or task.folder is None:
            return None
        try:
            page = StoredPlace(task.folder, stored.location, stored.record.urls[0]).load()
            return read_body(parse(page, self.limits), stored.record)
        except Exception:  # noqa: BLE001 -- the worker's last resort: the record is there, its text is plain
            return None
