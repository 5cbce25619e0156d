"""`/api/v1/maps/check`, `/maps/convert`, `/sites/{name}/map/try`, `…/maps/diff`: maps as programs work on them."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from sitewright.actions.maps import stored_map
from sitewright.actions.site_report import health_of
from sitewright.errors import MapError, NotThere
from sitewright.maps import dump_map, parse_map
from sitewright.maps.convert import OWN, guess_format, read_foreign, write_foreign
from sitewright.maps.diff import compare_maps
from sitewright.serve.api.answers import PREFIX, answer, listed
from sitewright.serve.security.visitor import Editor, Reader
from sitewright.serve.service import Service, Serving
from sitewright.serve.shown_value import shown_value
from sitewright.types import ExtractionMap

router = APIRouter(prefix=PREFIX, tags=["maps"])
_Kind = Literal["sitewright", "webscraper", "ftr", "crawl4ai"]
_Target = Literal["sitewright", "webscraper", "ftr", "crawl4ai", "scrapy", "webpoet"]
_Version = Annotated[int, Query(ge=1, lt=2**31)]
_CALLED = "the map that was sent"


class SentMap(BaseModel):
    """The text of a map."""

    text: str = Field(max_length=1_000_000)


class Conversion(BaseModel):
    """A map of one tool that is to be one of another."""

    text: str = Field(max_length=1_000_000)
    source: _Kind | None = Field(None, description="Its format; without it: as the text looks.")
    target: _Target = "sitewright"
    site: str = Field("", max_length=300, description="Its site, where the text does not say.")


@router.post("/maps/check")
def check(request: Request, visitor: Reader, sent: SentMap) -> Response:
    """Say what is wrong with a map, by line; nothing is stored."""
    del visitor
    try:
        parse_map(sent.text, _CALLED)
    except MapError as error:
        return answer(request, {"good": False, "code": error.code, "problems": str(error).splitlines()})
    return answer(request, {"good": True, "code": None, "problems": []})


@router.post("/maps/convert")
def convert(request: Request, visitor: Reader, wanted: Conversion) -> Response:
    """Convert a map; `lost` is what the target cannot express. Nothing is stored."""
    del visitor
    kind = wanted.source or guess_format(wanted.text, "")
    if kind == OWN:
        found, lost = parse_map(wanted.text, _CALLED), list[str]()
    else:
        read = read_foreign(wanted.text, kind, wanted.site)
        found, lost = read.result, [*read.lost]
    text, more = _written(found, wanted.target)
    return answer(request, {"source": kind, "target": wanted.target, "text": text, "lost": [*lost, *more]})


@router.get("/sites/{name}/map/as/{target}")
def exported(request: Request, name: str, target: _Target, service: Serving, visitor: Reader) -> Response:
    """Return the newest map of a site in another tool's format."""
    del visitor
    text, lost = _written(_parsed(service, name, None), target)
    return answer(request, {"target": target, "text": text, "lost": lost})


@router.get("/sites/{name}/maps/diff")
def diff(
    request: Request, name: str, service: Serving, visitor: Reader, before: _Version, after: _Version | None = None
) -> Response:  # fmt: skip
    """List what changed from one version to another (without `after`: to the newest)."""
    del visitor
    changes = compare_maps(_parsed(service, name, before), _parsed(service, name, after))
    return listed(request, [{"path": one.path, "before": one.before, "after": one.after} for one in changes])


@router.post("/sites/{name}/map/try")
def try_map(request: Request, name: str, service: Serving, visitor: Editor, sent: SentMap) -> Response:
    """Say what a draft reads of ten stored pages, and what the stored map reads there; nothing is stored."""
    del visitor
    _parsed(service, name, None)
    bench = service.workbenches.of(service.library, name)
    tried = bench.try_edits(sent.text, (), bench.pages[0].record)
    pages = [
        {
            "record": own.record,
            "url": shown.url,
            "values": {
                field: {"now": shown_value(value.now), "before": shown_value(value.before), "state": value.state}
                for field, value in shown.values.items()
            },
        }
        for own, shown in zip(bench.pages, tried.pages, strict=True)
    ]
    return answer(request, {"changes": len(bench.changes(tried.draft)), "pages": pages})


def _written(found: ExtractionMap, target: str) -> tuple[str, list[str]]:
    if target == OWN:
        return dump_map(found), []
    written = write_foreign(found, target)
    return written.result, [*written.lost]


def _parsed(service: Service, name: str, version: int | None) -> ExtractionMap:
    if health_of(service.store, name).newest_map is None:
        raise NotThere(f"{name} has no map yet")
    if version is not None and service.store.load_map(name, version) is None:
        raise NotThere(f"{name} has no map of version {version}")
    return stored_map(service.store, name, version).parsed()
