"""`/site/{name}/map`: the map of a site, changed by clicking on its pages, each change seen at once on ten of them."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import orjson
from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse
from starlette.responses import Response

from sitewright.actions.edit_map import Tried, Workbench, bring_map, read_edits, save_draft
from sitewright.actions.maps import stored_map
from sitewright.domains import Domain, load_domain
from sitewright.errors import ConversionError, InputError
from sitewright.induce.pointing import Place, Pointed
from sitewright.maps.convert import FORMATS, write_foreign
from sitewright.maps.rules import named_rules
from sitewright.output.frame import frame_text
from sitewright.parse.selectors import check_selector
from sitewright.reading.preview import PageShown
from sitewright.serve.colours import colours_of
from sitewright.serve.forms import Sent
from sitewright.serve.rendering import render, words_for
from sitewright.serve.security.headers import FRAME_POLICY
from sitewright.serve.security.visitor import Editor, Reader
from sitewright.serve.service import Serving
from sitewright.serve.shown_value import shown_value
from sitewright.serve.words import DEFAULT, Words, catalogue
from sitewright.store.database import Store
from sitewright.types import ExtractionMap

router = APIRouter()
_TEXT = "editor.text."
_NOT_OF_FILES = re.compile(r"[^\w.-]")


@router.get("/site/{name}/map")
def edit(
    request: Request,
    name: str,
    service: Serving,
    visitor: Editor,  # noqa: ARG001 -- the role is asked for
    page: str = "",
    proposal: int | None = None,
) -> HTMLResponse:
    """Show the editor, with the page of a record or with a repair that waits, where these are asked for."""
    bench = service.workbenches.of(service.library, name, page)
    domain = load_domain(bench.newest.domain)
    return render(
        request,
        "editor.html",
        site=name,
        bench=bench,
        record=page or bench.pages[0].record,
        draft=_proposed(service.store, name, proposal) or bench.stored.text,
        fields=list(dict.fromkeys((*domain.fields, *bench.newest.fields))),
        colours=_colours(domain, bench.newest),
        texts=_texts(words_for(request)),
        formats=list(_writable(bench.newest)),
    )


def _writable(found: ExtractionMap) -> Iterator[tuple[str, str, Sequence[str]]]:
    """Yield the formats that a map can be had in, what they are called, and what they cannot say of it."""
    for name, known in FORMATS.items():
        with suppress(ConversionError):
            yield name, known.title, write_foreign(found, name).lost


def _proposed(store: Store, site: str, number: int | None) -> str:
    """Return the map of a repair that waits; empty where it does not any more."""
    waiting = store.proposals(site) if number is not None else []
    return next((one.text for one in waiting if one.number == number), "")


@router.get("/site/{name}/map/page/{record}")
def show_page(name: str, record: str, service: Serving, visitor: Editor) -> HTMLResponse:  # noqa: ARG001 -- the role is asked for
    """Show one of the pages, its elements numbered; our own page outlines them."""
    bench = service.workbenches.of(service.library, name, record)
    found = bench.newest
    text = frame_text(bench.frame(record), _colours(load_domain(found.domain), found))
    return HTMLResponse(text, headers={"content-security-policy": FRAME_POLICY})


@router.post("/site/{name}/map/try")
def try_draft(name: str, service: Serving, visitor: Editor, form: Sent) -> JSONResponse:  # noqa: ARG001 -- the role is asked for
    """Answer with what a draft reads of all pages, after some more edits."""
    record = form.get("record")
    bench = service.workbenches.of(service.library, name, record)
    text = form.get("text") or bench.stored.text
    tried = bench.try_edits(text, read_edits(_json(form.get("edits") or "[]")), record)
    return JSONResponse(_told(bench, tried))


@router.post("/site/{name}/map/propose")
def propose(name: str, service: Serving, visitor: Editor, form: Sent) -> JSONResponse:  # noqa: ARG001 -- the role is asked for
    """Answer with selectors for the elements that a person points at."""
    bench = service.workbenches.of(service.library, name)
    wanted, unwanted = (_places(bench, _json(form.get(entry) or "[]")) for entry in ("wanted", "unwanted"))
    if not wanted:
        raise InputError("point at an element first")
    items = tuple(form.get("items").split("\n")) if form.get("items") else ()
    inside = bench.propose_inside(_valid(items), wanted[-1]) if items else []
    found = bench.propose(wanted, unwanted)
    page = wanted[0].page
    rows = {"proposals": [_row(one, page) for one in found], "inside": [_row(one, page) for one in inside]}
    return JSONResponse(rows)


def _valid(selectors: Sequence[str]) -> Sequence[str]:
    for selector in selectors:
        if wrong := check_selector(selector):
            raise InputError(wrong)
    return selectors


def _row(one: Pointed, page: int) -> dict[str, Any]:
    return {
        "selector": one.selector,
        "many": one.many,
        "fragile": one.fragile,
        "here": one.found[page],
        "pages": sum(map(bool, one.found)),
        "all": len(one.found),
    }


@router.post("/site/{name}/map/save")
def save(name: str, service: Serving, visitor: Editor, form: Sent) -> JSONResponse:
    """Store a draft as the next version."""
    put = save_draft(service.store, form.get("text") + "\n", _number(form.get("based_on")), form.get("reason"))
    if put.stored.site != name:
        raise InputError(f"this map is of {put.stored.site}, not of {name}")
    service.note(visitor, "map saved", name, version=put.stored.version)
    return JSONResponse({"version": put.stored.version, "is_new": put.is_new, "by": visitor.name})


@router.post("/site/{name}/map/bring")
def bring(name: str, service: Serving, visitor: Editor, form: Sent) -> JSONResponse:  # noqa: ARG001 -- the role is asked for
    """Answer with a map that somebody has already, as a draft; nothing is stored."""
    brought = bring_map(stored_map(service.store, name), form.get("text") + "\n", form.get("name"))
    return JSONResponse({"text": brought.result, "lost": brought.lost})


@router.get("/site/{name}/map/as/{format}")
def export(name: str, format: str, service: Serving, visitor: Reader) -> Response:  # noqa: A002, ARG001 -- as the address has it; somebody who was let in
    """Give the map as a file of another program."""
    text = write_foreign(stored_map(service.store, name).parsed(), format).result
    file = f"{_NOT_OF_FILES.sub('-', name)}{FORMATS[format].suffix}"
    return PlainTextResponse(text, headers={"content-disposition": f'attachment; filename="{file}"'})


@router.get("/site/{name}/map.yaml")
def download(name: str, service: Serving, visitor: Reader, version: int | None = None) -> Response:  # noqa: ARG001 -- somebody who was let in
    """Give the map as a file."""
    stored = stored_map(service.store, name, version)
    headers = {"content-disposition": 'attachment; filename="site.map.yaml"'}
    return PlainTextResponse(stored.text, headers=headers, media_type="application/yaml")


def _texts(words: Words) -> dict[str, str]:
    """Return the words of the script by their names; it puts the values in."""
    return {key.removeprefix(_TEXT): words(key) for key in catalogue(DEFAULT) if key.startswith(_TEXT)}


def _colours(domain: Domain, found: ExtractionMap) -> dict[str, str]:
    names = dict.fromkeys((*domain.fields, *found.fields))
    specs = [(name, domain.spec_of(name)) for name in names]
    return colours_of((name, spec.means, spec.kind) for name, spec in specs)


def _told(bench: Workbench, tried: Tried) -> dict[str, Any]:
    return {
        "text": tried.text,
        "changes": len(bench.changes(tried.draft)),
        "rules": list(_rules(tried.draft)),
        "index": [
            {"url": page.url, "items": page.items, "lists": page.lists, "next": page.next, "weight": page.weight}
            for page in tried.draft.index
        ],
        "templates": [template.name for template in tried.draft.templates],
        "pages": [_page(own.record, shown) for own, shown in zip(bench.pages, tried.pages, strict=True)],
        "outlines": tried.outlines,
        "fill": _fill(tried.pages),
    }


def _rules(draft: ExtractionMap) -> list[dict[str, Any]]:
    return [
        {
            "name": str(name),
            "template": template.name,
            "field": rule.field,
            "select": list(rule.select),
            "remove": list(rule.remove),
            "take": rule.take,
            "many": rule.many,
            "match": rule.match,
            "parse": rule.parse,
            "edited": rule.edited,
            "fragile": rule.fragile,
            "parts": [{"field": inner.field, "select": inner.select} for inner in rule.fields],
        }
        for template in draft.templates
        for name, rule in named_rules(template)
    ]


def _page(record: str, shown: PageShown) -> dict[str, Any]:
    values = {
        name: {
            "now": shown_value(value.now),
            "before": shown_value(value.before),
            "state": value.state,
            "rule": value.rule,
        }
        for name, value in shown.values.items()
    }
    return {"record": record, "url": shown.url, "template": shown.template, "values": values}


def _fill(pages: Sequence[PageShown]) -> dict[str, list[int]]:
    """Return on how many pages each field is read, now and before."""
    names = dict.fromkeys(name for page in pages for name in page.values)
    known = {name: [page.values[name] for page in pages if name in page.values] for name in names}
    return {
        name: [sum(value.now is not None for value in own), sum(value.before is not None for value in own)]
        for name, own in known.items()
    }


def _json(text: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise InputError("this is not JSON") from error


def _places(bench: Workbench, plain: Any) -> list[Place]:
    """Read places that a browser names by record and element."""
    try:
        found = [Place(bench.number_of(str(one["record"])), int(one["element"])) for one in plain]
    except (KeyError, TypeError, ValueError) as error:
        raise InputError("an element is named by its record and its number") from error
    if any(not 0 <= one.element < len(bench.pages[one.page].document.elements) for one in found):
        raise InputError("there is no such element on the page")
    return found


def _number(text: str) -> int:
    if not text.isdecimal():
        raise InputError("which version was this draft begun from?")
    return int(text)
