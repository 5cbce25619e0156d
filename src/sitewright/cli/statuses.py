"""What the exit statuses of commands mean; `sitewright --help` and docs/errors.md say the same."""

ALL_WELL = 0
SOME_FAILED = 1
"""Some pages failed, or a check found something."""
NOTHING_DONE = 2
"""The command could not be carried out."""
INTERRUPTED = 130
