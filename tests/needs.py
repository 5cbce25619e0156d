"""What some tests need beside this package: where it is missing they are skipped, and say what to install."""

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from sitewright.fetch.chromium import NAMES

NO_PLAYWRIGHT = "Playwright is not installed (the extra `browser`; `make test` installs it)"
NO_BROWSER = "there is no Chromium here (apt install chromium, as .ci/run does), or no Playwright"
NOT_THOROUGH = "takes minutes in all (THOROUGH=1 make test, as .ci/run does)"
NO_TRAINING = "what training needs is not installed (make .venv/.training, as .ci/run does)"

HAS_PLAYWRIGHT = find_spec("playwright") is not None
HAS_BROWSER = HAS_PLAYWRIGHT and any(map(shutil.which, NAMES)) and sys.platform == "linux"

THOROUGH = bool(os.environ.get("THOROUGH"))

NO_SPARK = "there is no Spark here (the extra `spark`), or no Java (apt install default-jre-headless)"
HAS_SPARK = all(map(find_spec, ("pyspark", "pyarrow", "pandas"))) and shutil.which("java") is not None

NO_OSCAR = "django-oscar is not installed, or Whoosh, by which its lists find products (`make test` installs both)"
HAS_OSCAR = all(map(find_spec, ("oscar", "whoosh")))

AXE = Path(__file__).parent.parent / ".venv" / "axe.min.js"
NO_AXE = "axe-core is not there (make .venv/axe.min.js, which asks npm for it, as .ci/run does)"

playwright = pytest.mark.skipif(not HAS_PLAYWRIGHT, reason=NO_PLAYWRIGHT)
browser = pytest.mark.skipif(not HAS_BROWSER, reason=NO_BROWSER)
axe = pytest.mark.skipif(not AXE.is_file(), reason=NO_AXE)
spark = pytest.mark.skipif(not HAS_SPARK, reason=NO_SPARK)
oscar = pytest.mark.skipif(not HAS_OSCAR, reason=NO_OSCAR)
thorough = pytest.mark.skipif(not THOROUGH, reason=NOT_THOROUGH)
"""What repeats, in a browser or with fifty kills, what other tests show once."""
