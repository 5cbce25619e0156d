"""Pictures of a site that wait in; their true sizes in the store out, and where wished their files in a folder."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial

from sitewright.assemble import RECURS
from sitewright.errors import OutputError, PictureError, SitewrightError
from sitewright.parse.picture_head import check_size, read_head
from sitewright.store.pictures import StoredPicture
from sitewright.values.images import picture_key
from sitewright.watch.photo_sets import sift_again
from sitewright.watch.picture_files import PictureFiles
from sitewright.watch.tools import Tools

_AT_ONCE = 40
_MOST_TRIES = 3
_LATER = timedelta(hours=1)
"""When a picture is asked for again that could not be had."""


class Pictures:
    """Asks for the pictures of one site, with the manners of all fetching, and each of them once."""

    def __init__(self, tools: Tools, site: str) -> None:
        self._tools = tools
        self._site = site
        self._files = PictureFiles(tools.downloads) if tools.downloads else None

    async def step(self) -> bool:
        """Ask for some of the pictures that are due; False where none are."""
        if self._files is not None:
            await self._tools.store_thread.ask(lambda store: store.want_files(self._site, RECURS - 1))
        due = await self._tools.store_thread.ask(lambda store: store.due_pictures(self._site, limit=_AT_ONCE))
        if not due:
            return False
        known = list(await asyncio.gather(*map(self._asked, due)))
        await self._tools.store_thread.ask(lambda store: store.note_pictures(self._site, known))
        keys = [picture_key(picture.url) for picture in known if picture.checked_at is not None]
        await self._tools.store_thread.ask(partial(sift_again, site=self._site, keys=keys))
        self._tell(known)
        return True

    async def _asked(self, picture: StoredPicture) -> StoredPicture:
        now = self._tools.clock.now()
        try:
            return replace(await self._looked_at(picture), due=None, tries=0, checked_at=now)
        except PictureError as error:
            return replace(picture, due=None, tries=picture.tries + 1, checked_at=now, code=error.code)
        except OutputError as error:  # the folder's trouble, not the picture's
            self._tools.say(self._site, str(error))
            return replace(picture, due=now + _LATER)
        except SitewrightError as error:
            tries = picture.tries + 1
            return replace(picture, due=now + _LATER if tries < _MOST_TRIES else None, tries=tries, code=error.code)

    async def _looked_at(self, picture: StoredPicture) -> StoredPicture:
        if self._files is None:
            head = await self._tools.web.picture_head(picture.url)
            check_size(head)
            return replace(picture, media_type=head.media_type, width=head.width, height=head.height, code="")
        found = await self._tools.web.picture(picture.url)
        head = read_head(found.body)
        check_size(head)
        file = self._files.keep(picture.url, found.body, head)
        return replace(picture, media_type=head.media_type, width=head.width, height=head.height, file=file, code="")

    def _tell(self, known: Sequence[StoredPicture]) -> None:
        bad = [picture for picture in known if picture.code]
        for picture in bad:
            self._tools.say(self._site, f"{picture.url}: {picture.code}")
        self._tools.say(self._site, f"{len(known) - len(bad)} of {len(known)} pictures looked at")
