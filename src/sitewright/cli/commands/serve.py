"""`sitewright serve`: a store in, its reader, console and API in a browser out."""

from dataclasses import replace
from typing import Any

import click

from sitewright.cli.options import PagesOption, StoreOption, store_address
from sitewright.cli.settings import load_settings
from sitewright.cli.show.lines import echo
from sitewright.errors import MissingExtra, OutputError
from sitewright.types import StoreSettings

_MISSING = 'the pages need FastAPI, Jinja and uvicorn: pip install "sitewright[serve]"'


@click.command(short_help="Read, edit maps and look after sites in a browser; an API for programs.")
@click.option("--host", metavar="ADDRESS", help="Listen on this address; default: the setting serve.host (127.0.0.1).")
@click.option(
    "--port", type=click.IntRange(0, 65535), metavar="PORT", help="Listen on this port; default: serve.port (8700)."
)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="HOST",
    help="Browsers may also call this machine so (news.example, news.example:8443).",
)
@StoreOption
@PagesOption
def serve(store: str | None, pages: str | None, **options: Any) -> None:
    """Serve the reader, the console and the API of a store on http://127.0.0.1:8700.

    Only this machine can reach it, unless --host names another address; then people have to log in. Make accounts with
    `sitewright account`. Pages of strangers are shown without scripts, their pictures come through this machine.
    Collecting goes on in `sitewright watch`, beside it.

    \b
    Examples:
      sitewright serve
      sitewright serve --host 0.0.0.0 --name news.example
    """
    try:
        from sitewright.serve.options import ServeOptions  # noqa: PLC0415 -- an extra
        from sitewright.serve.run import run  # noqa: PLC0415 -- an extra
    except ModuleNotFoundError as error:
        raise MissingExtra(_MISSING) from error
    settings = load_settings()
    given = {name: value for name, value in options.items() if value not in (None, ())}
    wanted = ServeOptions(
        serve=replace(settings.serve, **given),
        store=StoreSettings(url=store_address(store), pages=pages or settings.store.pages),
        fetch=settings.fetch,
        limits=settings.limits,
        mail=settings.mail,
        jobs=settings.jobs,
    )
    try:
        run(wanted, lambda line: echo(line, err=True))
    except OSError as error:
        raise OutputError(
            f"cannot listen on {wanted.serve.host}:{wanted.serve.port}: {error.strerror or error}"
        ) from error
