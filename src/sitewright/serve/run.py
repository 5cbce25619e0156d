"""How pages are served in, a service that answers until it is ended out."""

import socket
from contextlib import suppress
from dataclasses import replace

import uvicorn

from sitewright.actions.telling import Tell
from sitewright.serve.app import make_app
from sitewright.serve.options import ServeOptions, written
from sitewright.store.database import Store, open_store


async def serve_beside(options: ServeOptions, store: Store, listening: socket.socket) -> None:
    """Serve on a socket until it is ended, beside other work of the same loop."""
    config = uvicorn.Config(
        make_app(options, store),
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    await uvicorn.Server(config).serve(sockets=[listening])


def run(options: ServeOptions, tell: Tell) -> None:
    """Serve until it is ended; `OSError` where the address cannot be listened on."""
    host = options.serve.host
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with (
        open_store(options.store.url) as store,
        socket.create_server((host, options.serve.port), family=family) as listening,
    ):
        port = int(listening.getsockname()[1])
        app = make_app(replace(options, serve=replace(options.serve, port=port)), store)
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=3,
            proxy_headers=False,
        )  # fmt: skip
        tell(f"http://{written(host)}:{port}/ (Ctrl-C ends it)")
        with suppress(KeyboardInterrupt):  # which is how it is meant to be ended
            uvicorn.Server(config).run(sockets=[listening])
