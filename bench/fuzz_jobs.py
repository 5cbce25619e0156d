"""What the fuzzer's processes do beside reading pages: judge map files, find the line of src/ where a page fails."""

import signal
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import FrameType

from sitewright.errors import PageError, SitewrightError
from sitewright.extract import Extractor
from sitewright.fetch import Place
from sitewright.maps import dump_map, parse_map
from sitewright.output.rows import row_of
from sitewright.parse import parse
from sitewright.types import ExtractionMap, Limits
from sitewright.values.as_json import json_of

BUG = "internal_error"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a map file: the code of the refusal (empty: accepted), and the detail."""

    code: str
    detail: str = ""


class MapJob:
    """Reads map files; one that is accepted must compile, and survive being written and read again."""

    def start(self) -> Callable[[str], Verdict]:
        """Return the function that judges one map file."""
        return judge_map

    def weigh(self, task: str) -> int:
        """Return the size of a map file."""
        return len(task)

    def fail(self, _task: str, error: PageError) -> Verdict:
        """Return the verdict on a file that killed the process or took too long."""
        return Verdict(error.code, str(error))


def judge_map(text: str) -> Verdict:
    """Read, compile, write and read again one map file."""
    stage = "parse_map"
    try:
        extraction_map = parse_map(text)
        stage = "Extractor"
        Extractor(extraction_map)
        stage = "dump_map"
        if parse_map(dump_map(extraction_map)) != extraction_map:
            return Verdict("round_trip", "written and read again it is another map")
    except SitewrightError as error:
        refused = stage == "parse_map"
        return Verdict(error.code if refused else "accepted_then_refused", "" if refused else f"{stage}: {error}")
    except Exception as error:  # noqa: BLE001 -- any other error is what is looked for here
        return Verdict(BUG, f"{stage}: {type(error).__name__}: {str(error)[:200]} at {place_of(error)}")
    return Verdict("")


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceJob:
    """Reads pages as the extract job does, but tells where in src/ a page fails, or is after `seconds`."""

    extraction_map: ExtractionMap
    limits: Limits
    now: datetime
    seconds: float

    def start(self) -> Callable[[Place], str]:
        """Return the function that traces one page."""
        signal.signal(signal.SIGALRM, _interrupt)
        extractor = Extractor(self.extraction_map)

        def trace(place: Place) -> str:
            signal.setitimer(signal.ITIMER_REAL, self.seconds)
            try:
                json_of(row_of(extractor.extract(parse(place.load(), self.limits), self.now)))
            except SitewrightError:
                return ""
            except Exception as error:  # noqa: BLE001 -- any error is to be located
                return f"{type(error).__name__} at {place_of(error)}"
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            return ""

        return trace

    def weigh(self, _task: Place) -> int:
        """Count every page as heavy: each is a batch of its own."""
        return 1 << 30

    def fail(self, _task: Place, error: PageError) -> str:
        """Return that even the tracing was cut short: time is spent in one call of a C library, or it crashed."""
        return f"{error.code} inside one call"


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError("still at work")


def place_of(error: BaseException) -> str:
    """Return the innermost line of src/ that an error passed through."""
    frames = [
        frame for frame in traceback.extract_tb(error.__traceback__) if "sitewright" in Path(frame.filename).parts
    ]
    if not frames:
        return "outside src/"
    last = frames[-1]
    path = Path(last.filename)
    return f"{path.parent.name}/{path.name}:{last.lineno} ({last.name})"
