"""URL in, editable site map out, then a collector that runs itself."""
