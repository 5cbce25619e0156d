"""A list of addresses or a map that somebody has already in; what is ready, what needs them, what is refused, out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sitewright.actions.add_sites import add_site
from sitewright.actions.maps import store_map
from sitewright.actions.site_lists import address_of, sites_of_list
from sitewright.errors import BadList, ConversionError
from sitewright.fetch.lists import ListedAddress, survey_addresses
from sitewright.maps import dump_map, parse_map
from sitewright.maps.convert import OWN, Conversion, guess_format, read_foreign
from sitewright.store.database import Store
from sitewright.types import ExtractionMap


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """What somebody brings; nothing of it is stored yet."""

    ready: Mapping[str, ListedAddress]
    """Sites that are new, by name."""
    known: Sequence[str] = ()
    """Sites that are there already."""
    refused: Sequence[str] = ()
    """What is no address, with its line."""
    needs: Sequence[str] = ()
    """What a map has that ours cannot say: a person has to look at it."""
    map: ExtractionMap | None = None


def look_over(store: Store, text: str, file: str) -> Brought:
    """Return what a list of addresses (OPML, or one a line) or a map of any format would bring."""
    try:
        kind = guess_format(text, "")  # by its text alone: lists of addresses are called `.txt`, too
    except ConversionError:
        return _listed(store, text, file)
    read = Conversion(parse_map(text, file), ()) if kind == OWN else read_foreign(text, kind, _site_of(file))
    found = read.result
    address = found.index[0].url if found.index else f"https://{found.site}/"
    is_known = store.site(found.site) is not None
    ready = {} if is_known else {found.site: ListedAddress(address)}
    return Brought(ready=ready, known=[found.site] if is_known else [], needs=read.lost, map=found)


def bring_in(store: Store, text: str, file: str) -> list[str]:
    """Add what `look_over` tells is ready; return the names of the sites."""
    found = look_over(store, text, file)
    names = [add_site(store, address_of(listed), title=listed.title) for listed in found.ready.values()]
    if found.map is None:
        return names
    store_map(store, dump_map(replace(found.map, version=1)), file)
    return [found.map.site]


def _listed(store: Store, text: str, file: str) -> Brought:
    try:
        survey = survey_addresses(text, file)
    except BadList as error:
        return Brought(ready={}, refused=[str(error)])
    sites = sites_of_list(survey.addresses)
    there = {site.name for site in store.sites()}
    ready = {name: listed for name, listed in sites.items() if name not in there}
    return Brought(ready=ready, known=sorted(there.intersection(sites)), refused=survey.bad)


def _site_of(file: str) -> str:
    """Return the site that the name of an ftr-site-config file is.

    >>> _site_of("example.com.txt"), _site_of("sitemap.json")
    ('example.com', '')
    """
    return file.removesuffix(".txt") if file.endswith(".txt") else ""
