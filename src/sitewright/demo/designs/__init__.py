"""Designs: how a newspaper's facts are marked up; a redesign is another `Design` over the same stories."""

from sitewright.demo.designs.classic import CLASSIC
from sitewright.demo.designs.design import APP_PATH, Asset, Design

__all__ = ["APP_PATH", "CLASSIC", "Asset", "Design"]
