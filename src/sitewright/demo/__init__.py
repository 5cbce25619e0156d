"""Realistic newspaper sites, generated from a seed and served on loopback."""

from sitewright.demo.designs import CLASSIC, Design
from sitewright.demo.server import serve
from sitewright.demo.site import EPOCH, Site, SitePage, Truth, generate_site
from sitewright.demo.words import LANGUAGES

__all__ = ["CLASSIC", "EPOCH", "LANGUAGES", "Design", "Site", "SitePage", "Truth", "generate_site", "serve"]
