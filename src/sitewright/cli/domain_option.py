"""`--domain`: the name of a kind of site, or the path of a file that describes one."""

from collections.abc import Callable
from typing import Any

import click

from sitewright.domains import DEFAULT_DOMAIN, domain_names, load_domain
from sitewright.errors import UnknownDomain


class DomainType(click.ParamType[str]):
    """A domain that can be loaded; a file with faults is told as such, a name that is none as a wrong option."""

    name = "domain"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name or path."""
        try:
            load_domain(value)
        except UnknownDomain as error:
            self.fail(str(error), param, ctx)
        return value


def domain_option(help_text: str = "Kind of site, or a file that describes one.") -> Callable[[Any], Any]:
    """Return the option."""
    shown = "|".join([*domain_names(), "FILE"])
    return click.option(
        "--domain", type=DomainType(), default=DEFAULT_DOMAIN, show_default=True, metavar=shown, help=help_text
    )
