"""A map and an address in, how the page there is fetched out: as it is served, or as a browser shows it."""

from sitewright.parse.patterns import PatternTooSlow, fits
from sitewright.types import ExtractionMap, Render


def render_of_item(extraction_map: ExtractionMap, url: str) -> Render:
    """Return how an item is fetched: as the first template says whose pattern its address fits, else as the map does.

    >>> from sitewright.types import Template
    >>> video = Template(name="video", url="/video/", render="browser")
    >>> site = ExtractionMap(site="example.com", templates=(video,))
    >>> render_of_item(site, "https://example.com/video/1"), render_of_item(site, "https://example.com/a")
    ('browser', 'static')
    """
    fitting = (template.render for template in extraction_map.templates if template.url and _fits(template.url, url))
    return next((render for render in fitting if render is not None), None) or extraction_map.render


def _fits(pattern: str, url: str) -> bool:
    try:
        return fits(pattern, url)
    except PatternTooSlow:  # the page is read within its own time, and fails there
        return False
