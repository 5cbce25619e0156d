"""Events that wait in, each told to a command or a webhook out: in order, at least once, again after growing pauses.

Where nobody takes them they stay in the outbox, for the next run; how many is said.
"""

import asyncio
import shlex
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

from sitewright.errors import SettingsError, StoreError
from sitewright.store.database import Store
from sitewright.values.words import counted
from sitewright.watch.outbox import Outbox, Waiting
from sitewright.watch.store_thread import StoreThread
from sitewright.watch.untold import what_became

_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0
_REFUSALS = 5
"""So often an event is offered that is refused; one that nobody can read must not stand in the way for ever."""
_SECONDS = 60.0
"""How long a command or a webhook may take for one event."""
_PARTING = 10.0
"""How long the end of a run waits for what is still to be told."""
_IDLE = 0.2
_SCHEMES = ("http://", "https://")
_AWAY = frozenset((408, 425, 429))
_AWAY_FROM, _TAKEN = 500, range(200, 300)

Say = Callable[[str, str], None]
Deliver = Callable[[bytes], Awaitable[None]]


class Refused(Exception):
    """Whoever is told did hear it, and does not want it."""


class Away(Exception):
    """Nobody was there to be told."""


@asynccontextmanager
async def open_courier(target: str, outbox: Outbox, store_thread: StoreThread, say: Say) -> AsyncIterator["Courier"]:
    """Deliver what comes into an outbox, and what is left of before; in the end say what could not be delivered."""
    async with _delivering(target) as deliver:
        courier = Courier(outbox, store_thread, deliver)
        await courier.begin()
        running = asyncio.create_task(courier.run())
        try:
            yield courier
            await courier.drain(_PARTING)
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running
            for line in courier.left(shown(target)):
                say("", line)


def shown(target: str) -> str:
    """Return what a target is called in messages: addresses and arguments may hold secrets.

    >>> shown("https://me:word@hooks.example/T0/secret"), shown("/usr/bin/notify --key secret")
    ('https://hooks.example', '/usr/bin/notify')
    """
    if target.startswith(_SCHEMES):
        parts = urlsplit(target)
        return f"{parts.scheme}://{parts.hostname}"
    return words_of(target)[0]


def words_of(command: str) -> list[str]:
    """Return the words of a command, which is run without a shell."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise SettingsError(f"--on-event: the command cannot be read: {error}") from error
    if not words:
        raise SettingsError("--on-event: expected a command, or the address of a webhook (https://…)")
    return words


class Courier:
    """Tells somebody of events, one after the other."""

    def __init__(
        self, outbox: Outbox, store_thread: StoreThread, deliver: Deliver, first_pause: float = _FIRST_PAUSE
    ) -> None:
        self._outbox = outbox
        self._store_thread = store_thread
        self._deliver = deliver
        self._first_pause = first_pause
        self._is_ours = False

    async def begin(self) -> bool:
        """Take the turn to deliver; False where another process of the folder has it, which delivers ours, too."""
        self._is_ours = await asyncio.to_thread(self._outbox.begin)
        if self._is_ours:
            with suppress(StoreError):  # the next run looks again
                await self._store_thread.ask(self._find_untold)
        return self._is_ours

    def _find_untold(self, store: Store) -> None:
        """Have told what processes wrote that ended before they told of it."""
        notes, foreseen = self._outbox.untold()
        if notes:
            self._outbox.keep(what_became(store, foreseen), *notes)

    async def run(self) -> None:
        """Deliver until cancelled."""
        while not self._is_ours and not await self.begin():
            await asyncio.sleep(_IDLE)
        while True:
            for waiting in await asyncio.to_thread(self._outbox.next):
                await self._tell(waiting)
            await asyncio.sleep(_IDLE)

    async def _tell(self, waiting: Waiting) -> None:
        """Tell of one event; while nobody is there it is tried again and again, where it is refused for some times."""
        pause, refusals = self._first_pause, 0
        while refusals < _REFUSALS:
            try:
                await self._deliver(waiting.body)
            except Refused:
                refusals += 1
            except Away:
                pass
            else:
                await asyncio.to_thread(self._outbox.delivered, waiting.number)
                return
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
        await asyncio.to_thread(self._outbox.set_aside, waiting.number)

    async def drain(self, seconds: float) -> None:
        """Wait until all that waits is delivered, but not for ever."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._is_ours and self._outbox.waiting:
                    await asyncio.sleep(_IDLE / 4)

    def left(self, target: str) -> list[str]:
        """Return what there is to say in the end: what was not delivered, and what could not be kept."""
        left = self._outbox.waiting + self._outbox.aside if self._is_ours else 0
        lines = []
        if left:
            lines.append(f"{counted(left, 'event')} not taken by {target}; the next run with --on-event tells it again")
        if self._outbox.lost:
            lost = counted(self._outbox.lost, "event")
            lines.append(f"{lost} lost: there was no room to keep them for {target}; the store has all of it")
        return lines


@asynccontextmanager
async def _delivering(target: str) -> AsyncIterator[Deliver]:
    if not target.startswith(_SCHEMES):
        words = words_of(target)
        yield lambda body: _run(words, body)
        return
    import aiohttp  # noqa: PLC0415 -- only who calls webhooks pays for it

    timeout = aiohttp.ClientTimeout(total=_SECONDS)
    async with aiohttp.ClientSession(timeout=timeout) as session:

        async def post(body: bytes) -> None:
            try:
                headers = {"Content-Type": "application/json"}
                async with session.post(target, data=body, headers=headers, allow_redirects=False) as answer:
                    status = answer.status
            except (aiohttp.ClientError, OSError) as error:
                raise Away from error
            if status in _AWAY or status >= _AWAY_FROM:
                raise Away
            if status not in _TAKEN:  # redirects are not followed
                raise Refused

        yield post


async def _run(words: list[str], body: bytes) -> None:
    """Run a command with an event on its standard input; what it prints goes where ours goes, but not to our output."""
    try:
        process = await asyncio.create_subprocess_exec(
            *words, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL
        )
    except OSError as error:
        raise Away from error
    try:
        async with asyncio.timeout(_SECONDS):
            await process.communicate(body + b"\n")
    except TimeoutError as error:
        raise Refused from error
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        raise Refused
