"""The bytes of pictures in, files named by what they hold out, and a line about each in an index."""

import hashlib
from pathlib import Path

import orjson

from sitewright.errors import OutputError
from sitewright.parse.picture_head import PictureHead

INDEX = "pictures.jsonl"
"""The file of the folder with a line a picture: its address, its file, type and size."""


class PictureFiles:
    """A folder of pictures: what is the same under several addresses is kept once."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)

    def keep(self, url: str, body: bytes, head: PictureHead) -> str:
        """Write a picture, unless its file is there; return the file's name within the folder.

        What is killed in between leaves a whole file, or none: it is written beside its place first.
        """
        digest = hashlib.sha256(body).hexdigest()
        name = f"{digest[:2]}/{digest}.{head.media_type.removeprefix('image/').partition('+')[0]}"
        file = self._folder / name
        line = {"url": url, "file": name, "type": head.media_type, "width": head.width, "height": head.height}
        try:
            if not file.is_file():
                file.parent.mkdir(parents=True, exist_ok=True)
                beside = file.with_suffix(".part")
                beside.write_bytes(body)
                beside.replace(file)
            with (self._folder / INDEX).open("ab") as index:
                index.write(orjson.dumps(line) + b"\n")
        except OSError as error:
            raise OutputError(f"cannot write {file}: {error.strerror}") from error
        return name
