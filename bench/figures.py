"""Seconds and megabytes in, the table and the figures of a benchmark out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

PARSE, PEER = "turbohtml", "trafilatura"
"""What the two ratios are relative to: parsing alone, and the peer most people use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """What was measured of one contender; None where nothing was."""

    name: str
    does: str
    milliseconds: float | None = None
    megabytes: float | None = None
    failed: int = 0
    note: str = ""


def results(figures: Sequence[Figure]) -> dict[str, float]:
    """Return all figures by name, as floors and ceilings name them; what was not measured is missing."""
    times = {figure.name: figure.milliseconds for figure in figures if figure.milliseconds is not None}
    found: dict[str, float] = {}
    for figure in figures:
        if figure.milliseconds is not None:
            found[f"{figure.name}_ms"] = round(figure.milliseconds, 3)
            for key, ratio in _ratios(figure.milliseconds, times).items():
                found[f"{figure.name}_{key}"] = round(ratio, 2)
        if figure.megabytes is not None:
            found[f"{figure.name}_mb"] = round(figure.megabytes, 1)
    return found


def table(figures: Sequence[Figure]) -> str:
    """Return the figures as a table."""
    times = {figure.name: figure.milliseconds for figure in figures if figure.milliseconds is not None}
    width = max(len(figure.name) for figure in figures)
    does = max(len(figure.does) for figure in figures)
    lines = [f"{'':{width}}  {'':{does}}  ms/page  × parse  × faster  peak MB"]
    for figure in figures:
        ratios = _ratios(figure.milliseconds, times) if figure.milliseconds is not None else {}
        cells = (
            _cell(figure.milliseconds, 7, 3),
            _cell(ratios.get("times_parse"), 7, 2),
            _cell(ratios.get("times_faster"), 8, 1),
            _cell(figure.megabytes, 7, 1),
        )
        failed = f"failed on {figure.failed} pages" if figure.failed else ""
        note = "; ".join(filter(None, (figure.note, failed)))
        lines.append(f"{figure.name:{width}}  {figure.does:{does}}  {'  '.join(cells)}  {note}".rstrip())
    return "\n".join(lines)


def missed(found: Mapping[str, float], floors: Sequence[str], ceilings: Sequence[str]) -> list[str]:
    """Return which of the bounds (`name=value`) are missed; a figure that was not measured misses them all."""
    wrong = []
    for bound in floors:
        name, _, value = bound.partition("=")
        if name not in found or found[name] < float(value):
            wrong.append(f"{name} {found.get(name, 'not measured')} < {value}")
    for bound in ceilings:
        name, _, value = bound.partition("=")
        if name not in found or found[name] > float(value):
            wrong.append(f"{name} {found.get(name, 'not measured')} > {value}")
    return wrong


def _ratios(milliseconds: float, times: Mapping[str, float]) -> dict[str, float]:
    ratios = {}
    if PARSE in times:
        ratios["times_parse"] = milliseconds / times[PARSE]
    if PEER in times and milliseconds:
        ratios["times_faster"] = times[PEER] / milliseconds
    return ratios


def _cell(value: float | None, width: int, digits: int) -> str:
    return f"{'–':>{width}}" if value is None else f"{value:{width}.{digits}f}"
