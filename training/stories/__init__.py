"""Makes the model that `sitewright.stories` ships."""
