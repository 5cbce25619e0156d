"""A small paper, generated once: its stories as rows of address and HTML."""

import pytest

from sitewright.demo import Site, generate_site


@pytest.fixture(scope="session")
def paper() -> Site:
    return generate_site(5, stories=12)


@pytest.fixture(scope="session")
def stories(paper: Site) -> dict[str, str]:
    """Return the HTML of each story, by its address."""
    return {f"{paper.base_url}{path}": paper.pages[path].html.decode("utf-8") for path in paper.truth}
