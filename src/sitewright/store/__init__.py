"""Sites, maps, links, records, pages and incidents in, the same back: a database and an archive of raw pages."""
