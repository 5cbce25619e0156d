"""What a collector calls now, and how it waits: by the clock on the wall, or by one that runs faster."""

import asyncio
import time
from datetime import UTC, datetime, timedelta


class Clock:
    """The time, `speed` times as fast as outside; `start` is the time at which it was made."""

    def __init__(self, *, speed: float = 1.0, start: datetime | None = None) -> None:
        self.speed = speed
        self._start = start or datetime.now(UTC)
        self._begun = time.monotonic()
        self._is_outside = speed == 1.0 and start is None

    def now(self) -> datetime:
        """Return the time, in UTC."""
        if self._is_outside:  # which may be set anew while we run
            return datetime.now(UTC)
        return self._start + timedelta(seconds=(time.monotonic() - self._begun) * self.speed)

    async def sleep(self, seconds: float) -> None:
        """Wait for so many seconds of this clock."""
        await asyncio.sleep(max(seconds, 0.0) / self.speed)
