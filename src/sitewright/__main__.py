"""`python -m sitewright`."""

from sitewright.cli.main import main

main()
