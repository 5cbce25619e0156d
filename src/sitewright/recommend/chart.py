"""Points in, a picture of their line out (SVG)."""

from collections.abc import Mapping, Sequence

from sitewright.values.words import counted

_WIDTH, _HEIGHT, _EDGE = 640, 320, 48
_COLOURS = ("#1f5f8b", "#c8553d", "#588157", "#7a5195", "#bc8034", "#555555")


def line_chart(title: str, labels: Sequence[str], lines: Mapping[str, Sequence[float]]) -> str:
    """Draw lines over labelled points.

    >>> line_chart("Clicks", ["mon", "tue"], {"globo": [1, 3]}).count("<polyline")
    1
    """
    top = max((value for line in lines.values() for value in line), default=0) or 1
    drawn = [_line(name, values, top, number) for number, (name, values) in enumerate(lines.items())]
    words = [_text(_across(place, len(labels)), _HEIGHT - 16, label) for place, label in enumerate(labels)]
    scale = [_text(24, _down(top * part, top) + 4, f"{top * part:.3g}") for part in (0, 0.5, 1)]
    parts = "\n".join([_text(_WIDTH / 2, 20, title), *scale, *words, *drawn])
    said = f"{title}: {counted(len(labels), 'point')}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"'
        f' aria-label="{_safe(said)}" font-family="sans-serif" font-size="11">\n{parts}\n</svg>\n'
    )


def _line(name: str, values: Sequence[float], top: float, number: int) -> str:
    colour = _COLOURS[number % len(_COLOURS)]
    points = " ".join(f"{_across(at, len(values)):.1f},{_down(v, top):.1f}" for at, v in enumerate(values))
    legend = f'<text x="{_EDGE + 8}" y="{40 + 14 * number}" fill="{colour}">{_safe(name)}</text>'
    return f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{points}"/>{legend}'


def _across(place: int, count: int) -> float:
    return _EDGE + (_WIDTH - 2 * _EDGE) * (place / (count - 1) if count > 1 else 0.5)


def _down(value: float, top: float) -> float:
    return _HEIGHT - 40 - (_HEIGHT - 80) * value / top


def _text(across: float, down: float, text: str) -> str:
    return f'<text x="{across:.1f}" y="{down:.1f}" text-anchor="middle">{_safe(text)}</text>'


def _safe(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
