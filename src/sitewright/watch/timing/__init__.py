"""What looks at the sources of a site brought in, when to look again out; no I/O, no clock."""
