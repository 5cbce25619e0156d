"""Questions to the store in, answers out, without making anybody else wait: the store has a thread of its own."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self, TypeVar

from sitewright.store.database import Store

T = TypeVar("T")


class StoreThread:
    """Has a store asked in one thread, in order; `with` ends the thread, the store stays open."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._thread = ThreadPoolExecutor(1, "sitewright-store")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wait for what is being asked, and end the thread."""
        self._thread.shutdown(wait=True)

    async def ask(self, question: Callable[[Store], T]) -> T:
        """Return what a function says of the store."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, question, self._store)
