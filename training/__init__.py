"""Makes the models that the package ships; imports sitewright, never the reverse."""
