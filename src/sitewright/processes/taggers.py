"""The name of a tagger in, an error out where it cannot be opened."""

from collections.abc import Callable

from sitewright.errors import ModelError, PageError, SitewrightError
from sitewright.processes.pool import Pool
from sitewright.reading.taggers import TAGGERS, is_folder, open_tagger
from sitewright.types import DEFAULT_DOMAIN

LOADING_SECONDS = 60.0
"""What a worker may take beside its first page to load a checkpoint: torch, transformers and a model of the base size
take 5 to 20 s, by the disk."""


def check_tagger(name: str, domain: str = DEFAULT_DOMAIN) -> None:
    """Raise what opening a tagger raises, once, so that workers need not.

    A checkpoint is loaded in a process of its own: its libraries start threads, and what has threads cannot be forked.
    """
    if name in TAGGERS or not is_folder(name):
        open_tagger(name, domain)
        return
    for error in Pool(_TaggerCheck(domain), 1, LOADING_SECONDS).run([name]):
        if error is not None:
            raise error


class _TaggerCheck:
    """Opens taggers and gives the errors back."""

    def __init__(self, domain: str) -> None:
        self._domain = domain

    def start(self) -> Callable[[str], SitewrightError | None]:
        return lambda name: _error_of_opening(name, self._domain)

    def weigh(self, task: str) -> int:  # noqa: ARG002 -- the interface's
        return 1

    def fail(self, task: str, error: PageError) -> SitewrightError | None:
        return ModelError(f"{task} cannot be loaded: {error}")


def _error_of_opening(name: str, domain: str) -> SitewrightError | None:
    try:
        open_tagger(name, domain)
    except SitewrightError as error:
        return error
    return None
