"""What was exported in, out what those who publish it should say of it: query, maps, counts, hashes, version, time."""

from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import file_digest
from importlib.metadata import version
from pathlib import Path
from typing import Any

from sitewright.actions.export import Count, WantedRecords

ENDING = ".manifest.json"


def manifest_of(wanted: WantedRecords, kind: str, output: str, count: Count) -> dict[str, Any]:
    """Return the manifest of an export that has just ended; `-` is standard output, whose bytes are gone."""
    return {
        "sitewright": version("sitewright"),
        "time": datetime.now(UTC),
        "format": kind,
        "query": _query(wanted),
        "written": count.written,
        "left_out": count.left_out,
        "sites": [_site(name, count) for name in sorted(count.sites)],
        "files": [] if output == "-" else [_file(path, name) for path, name in _files(Path(output))],
    }


def manifest_place(output: str) -> Path:
    """Return where the manifest of an output stands.

    >>> manifest_place("records.csv").name, manifest_place("stories/").name
    ('records.csv.manifest.json', 'stories.manifest.json')
    """
    path = Path(output)
    return path.with_name(path.name + ENDING)


def _query(wanted: WantedRecords) -> dict[str, Any]:
    return {
        "sites": list(wanted.sites),
        "since": wanted.since,
        "until": wanted.until,
        "template": wanted.template,
        "fields": list(wanted.fields),
        "limit": wanted.limit,
        "newest_first": wanted.newest_first,
        "photo_sets": wanted.photo_sets,
        "sample": wanted.sample,
        "seed": wanted.seed if wanted.sample is not None else None,
    }


def _site(name: str, count: Count) -> dict[str, Any]:
    versions = {number: written for (site, number), written in count.maps.items() if site == name}
    ordered = sorted(versions.items(), key=lambda pair: (pair[0] is None, pair[0] or 0))
    return {
        "site": name,
        "records": count.sites[name],
        "map_versions": [{"version": number, "records": written} for number, written in ordered],
    }


def _files(output: Path) -> Iterator[tuple[Path, str]]:
    if output.is_dir():
        yield from ((path, str(path.relative_to(output))) for path in sorted(output.rglob("*")) if path.is_file())
    else:
        yield output, output.name


def _file(path: Path, name: str) -> dict[str, Any]:
    with path.open("rb") as opened:
        return {"name": name, "bytes": path.stat().st_size, "sha256": file_digest(opened, "sha256").hexdigest()}
