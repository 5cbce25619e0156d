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
    rows = [re.split(r" {2,}", line.strip()) for line in table.strip().splitlines()[1:4]]
    assert [row[0] for row in rows] == ["Hartwell & Moor", "Kontor Lindenau", "青禾商城"]
    for _, products, collected, others, name, price, *_ in rows[:2]:  # so few products leave ECShop too few lists
        assert (products, collected, others) == ("40", "40", "0")
        assert (name, price) == ("100%", "100%")
