"""Designs: how a newspaper's facts are marked up; a redesign is another `Design` over the same stories."""

from sitewright.demo.designs.classic import CLASSIC
from sitewright.demo.designs.design import APP_PATH, Asset, Design
from sitewright.demo.designs.rebuilt import REBUILT
from sitewright.demo.designs.renamed import RENAMED

__all__ = ["APP_PATH", "CLASSIC", "REBUILT", "RENAMED", "Asset", "Design"]
