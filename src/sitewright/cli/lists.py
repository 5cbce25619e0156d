"""The name of a list on the command line in, its addresses out."""

from sitewright.cli.files import shown_name, text_of
from sitewright.fetch.lists import ListedAddress, read_addresses


def addresses_of_list(file: str) -> list[ListedAddress]:
    """Return the addresses of a list, or of standard input for `-`."""
    return read_addresses(text_of(file), shown_name(file))
