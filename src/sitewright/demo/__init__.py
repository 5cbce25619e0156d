"""Realistic newspaper sites, generated from a seed and served on loopback."""

from sitewright.demo.catalogue import SitePage
from sitewright.demo.designs import CLASSIC, REBUILT, RENAMED, Design
from sitewright.demo.living import LivingPaper
from sitewright.demo.pages import PaperKind
from sitewright.demo.server import ServedPaper, serve, serve_papers
from sitewright.demo.site import EPOCH, Site, generate_site
from sitewright.demo.truth import Truth
from sitewright.demo.words import LANGUAGES

__all__ = [
    "CLASSIC",
    "EPOCH",
    "LANGUAGES",
    "REBUILT",
    "RENAMED",
    "Design",
    "LivingPaper",
    "PaperKind",
    "ServedPaper",
    "Site",
    "SitePage",
    "Truth",
    "generate_site",
    "serve",
    "serve_papers",
]
