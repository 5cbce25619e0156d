"""Shops, generated from a seed and served on loopback: plain ones, one in the style of ECShop, one that scripts fill."""

from sitewright.demo.shops.goods import Good, Offer, Review, Truth
from sitewright.demo.shops.served import ServedShop, serve_shops
from sitewright.demo.shops.shop import SHOPS, DemoShop, ShopKind

__all__ = ["SHOPS", "DemoShop", "Good", "Offer", "Review", "ServedShop", "ShopKind", "Truth", "serve_shops"]
