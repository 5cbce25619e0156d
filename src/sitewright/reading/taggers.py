"""The name of a tagger, or of a domain, in, the tagger out."""

import os
from pathlib import Path
from threading import Lock

from sitewright.domains import Domain, load_domain
from sitewright.errors import InputError
from sitewright.tag import MceTagger, PageReader, Tagger
from sitewright.types import DEFAULT_DOMAIN

ONLY_MAP = "none"
TAGGERS = ("network", "mce")
"""The taggers that have a name; a third kind is a folder."""
_ONE_THREAD = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")
"""What the libraries behind a checkpoint read when they are loaded: workers share the cores already."""
_MOST_DOMAINS = 4
_kept: dict[str, tuple[Domain, PageReader]] = {}
_keeping = Lock()


def open_tagger(name: str, domain: str = DEFAULT_DOMAIN) -> Tagger | None:
    """Return the tagger of this name or in this folder; None stands for the one of the domain."""
    if name == "network":
        return None
    if name == "mce":
        return MceTagger(domain)
    if not is_folder(name):
        raise InputError(f"there is no tagger {name!r}; there are {', '.join(TAGGERS)} and folders with a checkpoint")
    for variable in _ONE_THREAD:
        os.environ.setdefault(variable, "1")
    from sitewright.tag.markuplm import MarkupLmTagger  # noqa: PLC0415 -- only who uses it pays for it

    return MarkupLmTagger(name, domain)


def reader_by(name: str, domain: str = DEFAULT_DOMAIN) -> PageReader:
    """Return what reads pages of a domain by the tagger of this name."""
    tagger = open_tagger(name, domain)
    return tagger_of(domain) if tagger is None else PageReader(domain, tagger)


def is_folder(name: str) -> bool:
    """Tell whether a tagger is named by the folder of its checkpoint."""
    return bool(name) and Path(name).is_dir()


def tagger_of(domain: str) -> PageReader:
    """Return what reads pages of a domain, made once a process, whoever asks; anew where the domain's file changed."""
    known = load_domain(domain)
    with _keeping:
        if domain not in _kept and len(_kept) >= _MOST_DOMAINS:
            _kept.pop(next(iter(_kept)))
        if domain not in _kept or _kept[domain][0] is not known:
            _kept[domain] = known, PageReader(domain)
        return _kept[domain][1]
