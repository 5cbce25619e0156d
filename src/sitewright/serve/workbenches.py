"""Sites whose maps are being changed in, their workbenches out; the last ones stay open."""

from collections import OrderedDict
from threading import Lock

from sitewright.actions.catalogues import Library
from sitewright.actions.edit_map import Workbench, open_workbench
from sitewright.actions.maps import stored_map

_MOST_OPEN = 6
"""Ten parsed pages take some 20 MB."""


class Workbenches:
    """Opens a workbench a site, and again when its map has another version, or another page is asked for."""

    def __init__(self) -> None:
        self._open: OrderedDict[str, Workbench] = OrderedDict()
        self._lock = Lock()

    def of(self, library: Library, site: str, record: str = "") -> Workbench:
        """Return the workbench of a site, with the page of a record on it."""
        with self._lock:
            found = self._open.get(site)
            if found is None or not _serves(found, library, record):
                found = self._open[site] = open_workbench(library, site, [record] if record else [])
            self._open.move_to_end(site)
            while len(self._open) > _MOST_OPEN:
                self._open.popitem(last=False)
            return found


def _serves(found: Workbench, library: Library, record: str) -> bool:
    is_newest = found.stored.version == stored_map(library.store, found.stored.site).version
    return is_newest and (not record or any(page.record == record for page in found.pages))
