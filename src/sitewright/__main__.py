"""`sitewright` and `python -m sitewright`: from the first moment on, Ctrl-C ends it with a status and no traceback."""

import atexit
import os
import signal
import sys

_INTERRUPTED = 130


def main() -> None:
    """Load the command line, which takes a while, and run it."""
    status: list[int] = []
    atexit.register(_leave, status)
    is_asked = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # else it is ignored, as by nohup
    if is_asked:
        signal.signal(signal.SIGINT, _end)
    from sitewright.cli.main import main as run  # noqa: PLC0415 -- what is imported before could be interrupted

    if is_asked:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        run()
    except SystemExit as ended:
        status += [_INTERRUPTED] if ended.code == _INTERRUPTED else []
        raise


def _end(_signal: int, _frame: object) -> None:
    """End at once: nothing has begun yet."""
    os._exit(_INTERRUPTED)


def _leave(status: list[int]) -> None:
    """Keep the status of what was interrupted; registered first, it is the last thing that is done.

    Python would kill itself with the signal instead where the interruption came while it made code, as imports do.
    """
    if status:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(status[0])


if __name__ == "__main__":
    main()
