"""What is left of a browser that was ended; the browser itself is tested in tests/e2e/test_browser.py."""

import asyncio
import gc
from typing import Any

import pytest

from sitewright.fetch.chromium import say_nothing_of_ended_drivers


@pytest.mark.parametrize(
    ("error", "told"), [("Connection closed while reading from the driver", []), ("no bees", ["no bees"])]
)
def test_calls_that_nobody_waits_for_are_not_told(error: str, told: list[str]) -> None:
    heard: list[str] = []

    def hear(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        heard.append(str(context["exception"]))

    async def work() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(hear)
        say_nothing_of_ended_drivers()
        say_nothing_of_ended_drivers()  # of the next browser
        loop.create_future().set_exception(RuntimeError(error))
        gc.collect()

    asyncio.run(work())
    assert heard == told
