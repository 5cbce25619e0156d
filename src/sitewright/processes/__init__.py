"""Many pages and a job in, their outcomes out: done by processes that may hang or crash without harm to the others."""
