"""The address of a picture in, the picture out: from a folder that keeps what was fetched, or from the web."""

import hashlib
from contextlib import suppress
from pathlib import Path
from threading import Lock

from sitewright.errors import FetchError, NotPicture, PageError, PictureError, SitewrightError
from sitewright.fetch.picture_fetcher import Picture, PictureFetcher, picture_of
from sitewright.types import FetchSettings

_MOST_KEPT = 1_000_000_000
"""Bytes of the folder; the pictures that were fetched first make room."""
_LOOKED_AFTER = 200
"""After so many new ones it is looked how much there is."""


class Pictures:
    """Shows pictures, each of which is fetched once."""

    def __init__(self, folder: Path, settings: FetchSettings) -> None:
        self._folder = folder
        self._fetcher = PictureFetcher(settings)
        self._new = 0
        self._lock = Lock()

    async def picture(self, url: str) -> Picture:
        """Return the picture at an address; an error says why there is none."""
        file = self._file(url)
        with suppress(OSError, NotPicture):
            return picture_of(file.read_bytes(), url)
        try:
            found = await self._fetcher.fetch(url)
        except (FetchError, PageError, PictureError):
            raise
        except Exception as error:
            raise SitewrightError(f"{url}: {error}") from error
        self._keep(file, found.body)
        return found

    async def close(self) -> None:
        """Close all connections."""
        await self._fetcher.close()

    def _file(self, url: str) -> Path:
        name = hashlib.sha256(url.encode("utf-8", "replace")).hexdigest()
        return self._folder / name[:2] / name

    def _keep(self, file: Path, body: bytes) -> None:
        with suppress(OSError):  # a full disk keeps nobody from seeing a picture
            file.parent.mkdir(parents=True, exist_ok=True)
            beside = file.with_suffix(".new")
            beside.write_bytes(body)
            beside.replace(file)
        with self._lock:
            self._new += 1
            if self._new % _LOOKED_AFTER == 0:
                make_room(self._folder, _MOST_KEPT)


def make_room(folder: Path, most: int) -> None:
    """Remove the files that were written first, until all together have no more bytes than they may."""
    found = sorted((file.stat().st_mtime, file.stat().st_size, file) for file in folder.glob("??/*") if file.is_file())
    held = sum(size for _, size, _ in found)
    for _, size, file in found:
        if held <= most:
            return
        file.unlink(missing_ok=True)
        held -= size
