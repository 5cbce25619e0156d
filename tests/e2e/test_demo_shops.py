"""`sitewright demo --shop`: what is collected of the shops it makes up is scored."""

import re
import sys
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from tests import needs

from sitewright.cli.demo.shops import Plan, run


@needs.thorough
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="shops need 127.0.0.2")
def test_the_demo_scores_itself(tmp_path: Path) -> None:
    told = StringIO()
    run(Console(file=told, width=200), tmp_path / "shops", Plan(products=40, browser=False))
    _, _, table = told.getvalue().partition("What was collected, against what the shops meant")
    head, *rows = [re.split(r" {2,}", line.strip()) for line in table.strip().splitlines()[:13]]
    assert head == ["Hartwell & Moor (plain)", "Kontor Lindenau (plain)", "青禾商城 (ECShop)"]
    scores = {name: own[:2] for name, *own in rows}  # so few products leave ECShop too few lists
    assert (scores["products"], scores["collected"], scores["others"]) == (["40"] * 2, ["40"] * 2, ["0"] * 2)
    assert (scores["name right"], scores["price right"]) == (["100%"] * 2, ["100%"] * 2)
