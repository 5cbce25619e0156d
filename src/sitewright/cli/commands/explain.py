"""`sitewright explain`: a record of the store in, where each of its values is from out."""

import sys
from dataclasses import dataclass, replace
from typing import Any

import click

from sitewright.actions.lookup import find_one
from sitewright.actions.maps import stored_map
from sitewright.cli.commands.extract import ALL_WELL, SOME_FAILED
from sitewright.cli.options import PagesOption, StoreOption, open_known_store, pages_folder
from sitewright.cli.settings import load_settings
from sitewright.cli.show.explained import Explained, as_json, as_text
from sitewright.errors import InputError, StoreError
from sitewright.reading.explain import Explanation, explain_record
from sitewright.store.database import Store
from sitewright.store.entries import StoredMap, StoredRecord
from sitewright.store.warc import read_page


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The options of one call."""

    record: str
    site: str | None
    fields: tuple[str, ...]
    as_json: bool
    store: str | None
    pages: str | None


@click.command(short_help="Show where the values of a record are from.")
@click.argument("record", metavar="RECORD")
@click.option("--site", metavar="SITE", help="The site of the record, where several have one of the same address.")
@click.option("--field", "fields", multiple=True, metavar="F", help="Only this field; may be given several times.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, with everything in full.")
@StoreOption
@PagesOption
def explain(**options: Any) -> None:
    """Show for each field of a record which rule read it, and where on the stored page its value stands.

    RECORD is the address of a collected page, in whatever spelling, or the id of its record. The page is read once more
    with the version of the map that made the record, and what it gives today is compared with what is stored. Exit
    status 1 where that differs. Nothing is fetched, and nothing is changed.
    """
    sys.exit(run(Request(**options)))


def run(request: Request) -> int:
    """Carry out one call and return its exit status."""
    folder = pages_folder(request.pages)
    with open_known_store(request.store) as store:
        stored = find_one(store, request.record, request.site, folder)
        _refuse_unknown(request.fields, stored)
        read_by = _map(store, stored)
    if stored.location is None:
        raise StoreError(f"the page of {stored.record.urls[0]} was not kept, so nothing can be told of its values")
    page = read_page(folder, stored.location)
    told = explain_record(stored.record, page, read_by.parsed(), load_settings().limits)
    explained = Explained(stored=stored, page=page, read_by=read_by, explanation=_narrowed(told, request.fields))
    for line in [as_json(explained)] if request.as_json else as_text(explained):
        click.echo(line)
    return ALL_WELL if explained.is_same else SOME_FAILED


def _refuse_unknown(fields: tuple[str, ...], stored: StoredRecord) -> None:
    for name in fields:
        if name not in stored.record.fields:
            there = ", ".join(stored.record.fields) or "none"
            raise InputError(f"the record of {stored.record.urls[0]} has no field {name}; there are {there}")


def _map(store: Store, stored: StoredRecord) -> StoredMap:
    record = stored.record
    if record.map_version is None:
        raise InputError(f"the record of {record.urls[0]} does not say which version of the map made it")
    return stored_map(store, record.site, record.map_version)


def _narrowed(told: Explanation, fields: tuple[str, ...]) -> Explanation:
    """Leave the fields that are asked for; all where none is named."""
    if not fields:
        return told
    return replace(told, fields=tuple(field for field in told.fields if field.name in fields), also={})
