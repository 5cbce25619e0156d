"""Pages that were read in, incidents out: what is usual of every field of a site, when that changes, and why."""
