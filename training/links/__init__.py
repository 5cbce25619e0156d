"""Makes the model that `sitewright.links` ships."""
