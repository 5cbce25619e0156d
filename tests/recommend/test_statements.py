"""Every statement is one query that names what it needs; bounds are put in."""

from importlib.resources import files

import pytest

from sitewright.recommend.statements import LIMITS, names_in, statement, text_of

NAMES = sorted(file.name.removesuffix(".sql") for file in files("sitewright.recommend").joinpath("sql").iterdir())


@pytest.mark.parametrize("name", NAMES)
def test_every_statement_says_what_it_is_and_is_one_query(name: str) -> None:
    first, *rest = text_of(name).splitlines()
    assert first.startswith("-- ")
    assert sum(line.startswith("select") for line in rest) == 1
    assert ";" not in "\n".join(line for line in rest if not line.startswith("--"))


@pytest.mark.parametrize("name", NAMES)
def test_values_are_put_in(name: str) -> None:
    filled = statement(name, **dict.fromkeys(names_in(name), 7))
    assert "{" not in filled


def test_bounds_are_known() -> None:
    assert f"> {LIMITS['robot_reads_an_hour']}" in statement("robots")
